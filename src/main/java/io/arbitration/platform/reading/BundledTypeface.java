package io.arbitration.platform.reading;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.apache.fontbox.FontBoxFont;
import org.apache.fontbox.ttf.TTFParser;
import org.apache.fontbox.ttf.TrueTypeFont;
import org.apache.pdfbox.io.RandomAccessReadBuffer;
import org.apache.pdfbox.pdmodel.font.CIDFontMapping;
import org.apache.pdfbox.pdmodel.font.FontMapper;
import org.apache.pdfbox.pdmodel.font.FontMapping;
import org.apache.pdfbox.pdmodel.font.PDCIDSystemInfo;
import org.apache.pdfbox.pdmodel.font.PDFontDescriptor;

/** Replaces each font that a PDF does not embed by the one font in PDFBox, so that the text that is read does not depend on the fonts of the machine. */
final class BundledTypeface implements FontMapper {

    private static final String RESOURCE = "/org/apache/pdfbox/resources/ttf/LiberationSans-Regular.ttf";

    /** Parsed when the first text needs it, because most files embed their fonts or are not read for text. */
    private static final class Parsed {

        private static final TrueTypeFont TYPEFACE = parse();

        private static TrueTypeFont parse() {
            try (InputStream in = FontMapper.class.getResourceAsStream(RESOURCE)) {
                return new TTFParser().parse(new RandomAccessReadBuffer(in));
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        }
    }

    @Override
    public FontMapping<TrueTypeFont> getTrueTypeFont(String name, PDFontDescriptor descriptor) {
        return new FontMapping<>(Parsed.TYPEFACE, true);
    }

    @Override
    public FontMapping<FontBoxFont> getFontBoxFont(String name, PDFontDescriptor descriptor) {
        return new FontMapping<>(Parsed.TYPEFACE, true);
    }

    @Override
    public CIDFontMapping getCIDFont(String name, PDFontDescriptor descriptor, PDCIDSystemInfo system) {
        return new CIDFontMapping(null, Parsed.TYPEFACE, true);
    }
}
