package io.arbitration.platform.paper;

import java.awt.Font;
import java.awt.FontFormatException;
import java.awt.font.FontRenderContext;
import java.awt.font.GlyphVector;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.fontbox.ttf.CmapLookup;
import org.apache.fontbox.ttf.OpenTypeFont;
import org.apache.fontbox.ttf.TTFParser;
import org.apache.fontbox.ttf.TTFSubsetter;
import org.apache.fontbox.ttf.TrueTypeFont;
import org.apache.pdfbox.io.RandomAccessReadBuffer;

/** A TrueType font: shapes text and gives subsets of itself. Lengths are in thousandths of the font size. */
final class Typeface {

    static final float UNITS = 1000;
    /** What a viewer needs to draw glyphs that are named by their number. */
    private static final List<String> TABLES_KEPT = List.of("head", "hhea", "loca", "maxp", "cvt ", "prep", "glyf", "hmtx", "fpgm");
    /** Fractional positions, so that a line is as long as its glyphs at every size. */
    private static final FontRenderContext EXACT = new FontRenderContext(null, true, true);

    private final TrueTypeFont table;
    private final CmapLookup characters;
    private final Font layout;

    private Typeface(TrueTypeFont table, Font layout) throws IOException {
        this.table = table;
        this.characters = table.getUnicodeCmapLookup();
        this.layout = layout;
    }

    /** @throws IOException for a file that is no TrueType font with outlines of its own */
    static Typeface of(byte[] file) throws IOException {
        TrueTypeFont table = new TTFParser().parse(new RandomAccessReadBuffer(file));
        if (table instanceof OpenTypeFont open && open.isPostScript()) {
            throw new IOException("has PostScript outlines");
        }
        try {
            return new Typeface(table, Font.createFont(Font.TRUETYPE_FONT, new ByteArrayInputStream(file)).deriveFont(UNITS));
        } catch (FontFormatException broken) {
            throw new IOException(broken);
        }
    }

    boolean has(int codePoint) {
        return characters.getGlyphId(codePoint) != 0;
    }

    /** The glyphs of a text of one direction, from left to right. */
    GlyphVector shape(char[] text, boolean rightToLeft) {
        return layout.layoutGlyphVector(EXACT, text, 0, text.length, rightToLeft ? Font.LAYOUT_RIGHT_TO_LEFT : Font.LAYOUT_LEFT_TO_RIGHT);
    }

    int glyphs() {
        try {
            return table.getNumberOfGlyphs();
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    int width(int glyph) {
        try {
            return Math.round(table.getAdvanceWidth(glyph) * UNITS / table.getUnitsPerEm());
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    TrueTypeFont table() {
        return table;
    }

    /** @param numbers of the glyphs in the subset, by their numbers in the whole font */
    record Subset(byte[] file, Map<Integer, Integer> numbers) {}

    /** One at a time: the tables are read from one shared position. */
    synchronized Subset subset(Set<Integer> glyphs) {
        try {
            TTFSubsetter subsetter = new TTFSubsetter(table, TABLES_KEPT);
            subsetter.addGlyphIds(glyphs);
            Map<Integer, Integer> numbers = new java.util.HashMap<>();
            subsetter.getGIDMap().forEach((inSubset, inFont) -> numbers.put(inFont, inSubset));
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            subsetter.writeToStream(out);
            return new Subset(out.toByteArray(), numbers);
        } catch (IOException broken) {
            throw new IllegalStateException("subsetting a font failed", broken);
        }
    }
}
