package io.arbitration.platform.paper;

import java.awt.Font;
import java.awt.FontFormatException;
import java.awt.font.FontRenderContext;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.fontbox.ttf.CmapLookup;
import org.apache.fontbox.ttf.HeaderTable;
import org.apache.fontbox.ttf.OpenTypeFont;
import org.apache.fontbox.ttf.TTFParser;
import org.apache.fontbox.ttf.TrueTypeFont;
import org.apache.pdfbox.io.RandomAccessReadBuffer;

/** A TrueType font: shapes text and gives subsets of itself. Lengths are in thousandths of the font size. Safe for threads. */
final class Typeface {

    static final float UNITS = 1000;
    /** Fractional positions, so that a line is as long as its glyphs at every size. */
    private static final FontRenderContext EXACT = new FontRenderContext(null, true, true);
    static final int ASCII_FIRST = 0x20;
    static final int ASCII_LAST = 0x7e;
    static final int ASCII_SHIFT = ASCII_FIRST - 1;
    /** Measures of plain characters are cached up to this code point. */
    private static final int KEPT_MAX = 0x2150;

    private final String plainName;
    private final CmapLookup characters;
    private final Font layout;
    private final GlyphOutlines outlines;
    private final Extent extent;
    private volatile FontProgram.Ready ascii;
    private final AtomicReferenceArray<Plain> plain = new AtomicReferenceArray<>(KEPT_MAX);

    /** How far glyphs reach. */
    record Extent(int left, int bottom, int right, int top, int ascent, int descent) {}

    /** A character that is always drawn by the same glyph, directly after the previous one. */
    private record Plain(int glyph, float advance, String text) {}

    private Typeface(TrueTypeFont table, Font layout, GlyphOutlines outlines) throws IOException {
        this.plainName = table.getName() == null ? "Font" : table.getName().replaceAll("[^A-Za-z0-9+-]", "");
        this.characters = table.getUnicodeCmapLookup();
        this.layout = layout;
        this.outlines = outlines;
        HeaderTable head = table.getHeader();
        float scale = UNITS / table.getUnitsPerEm();
        this.extent = new Extent(Math.round(head.getXMin() * scale), Math.round(head.getYMin() * scale), Math.round(head.getXMax() * scale),
                Math.round(head.getYMax() * scale), Math.round(table.getHorizontalHeader().getAscender() * scale),
                Math.round(table.getHorizontalHeader().getDescender() * scale));
    }

    /** @throws IOException for a file that is no TrueType font with outlines of its own */
    static Typeface of(byte[] file) throws IOException {
        TrueTypeFont table = new TTFParser().parse(new RandomAccessReadBuffer(file));
        if (table instanceof OpenTypeFont open && open.isPostScript()) {
            throw new IOException("has PostScript outlines");
        }
        try {
            return new Typeface(table, Font.createFont(Font.TRUETYPE_FONT, new ByteArrayInputStream(file)).deriveFont(UNITS), new GlyphOutlines(file));
        } catch (FontFormatException broken) {
            throw new IOException(broken);
        }
    }

    /** Without characters that would have to be escaped in a PDF name. */
    String plainName() {
        return plainName;
    }

    /**
     * The font with only ASCII: the same in every document, so it is made once. The code of a character is the character less
     * {@link #ASCII_SHIFT}.
     */
    FontProgram.Ready ascii() {
        FontProgram.Ready known = ascii;
        if (known == null) {
            List<Integer> glyphs = new ArrayList<>(List.of(0));
            List<String> texts = new ArrayList<>(List.of(""));
            for (int c = ASCII_FIRST; c <= ASCII_LAST; c++) {
                glyphs.add(plain(c).glyph);
                texts.add(Character.toString(c));
            }
            known = new FontProgram(this, "ACPAAA", subset(glyphs)).ready(glyphs.stream().mapToInt(Integer::intValue).toArray(), texts);
            ascii = known;
        }
        return known;
    }


    Extent extent() {
        return extent;
    }

    boolean has(int codePoint) {
        return isPlain(codePoint) ? plain(codePoint).glyph != 0 : characters.getGlyphId(codePoint) != 0;
    }

    /**
     * Letters, digits and signs of Latin, Greek and Cyrillic, and those of Chinese, Japanese and Korean. Because neither kerning
     * nor ligatures are used here, the layout gives each of them the glyph and the width of the font's tables. Without marks,
     * joiners and direction marks.
     */
    static boolean isPlain(int c) {
        return c < KEPT_MAX
                ? c >= 0x20 && c < 0x7f || c >= 0xa0 && c < 0x250 && c != 0xad || c >= 0x370 && c < 0x483
                        || c >= 0x48a && c < 0x530 || c >= 0x1e00 && c < 0x2000 || c >= 0x2010 && c < 0x2028 || c >= 0x2030 && c < 0x2044
                        || c >= 0x20a0 && c < 0x20c1 || c >= 0x2100
                : c >= 0x3000 && c < 0x302a || c >= 0x3041 && c < 0x3097 || c >= 0x30a0 && c < 0x3100 || c >= 0x3400 && c < 0xa000
                        || c >= 0xac00 && c < 0xd7a4 || c >= 0xff01 && c < 0xff61;
    }

    private Plain plain(int c) {
        Plain known = c < KEPT_MAX ? plain.get(c) : null;
        if (known == null) {
            int glyph = characters.getGlyphId(c);
            known = new Plain(glyph, outlines.advance(glyph) * UNITS / outlines.unitsPerEm(), Character.toString(c));
            if (c < KEPT_MAX) {
                plain.set(c, known);
            }
        }
        return known;
    }

    /** The glyphs of a text of one direction. */
    ShapedRun shape(String text, boolean rightToLeft) {
        ShapedRun plainly = rightToLeft ? null : plainly(text);
        return plainly != null ? plainly : laidOut(text, rightToLeft);
    }

    ShapedRun laidOut(String text, boolean rightToLeft) {
        char[] characters = text.toCharArray();
        return ShapedRun.of(this, layout.layoutGlyphVector(EXACT, characters, 0, characters.length,
                rightToLeft ? Font.LAYOUT_RIGHT_TO_LEFT : Font.LAYOUT_LEFT_TO_RIGHT), characters, rightToLeft);
    }

    /** Null for a text that needs the layout. */
    private ShapedRun plainly(String text) {
        int count = text.length();
        int[] glyphs = new int[count];
        float[] x = new float[count];
        String[] texts = new String[count];
        float pen = 0;
        for (int i = 0; i < count; i++) {
            char c = text.charAt(i);
            if (!isPlain(c)) {
                return null;
            }
            Plain one = plain(c);
            glyphs[i] = one.glyph;
            x[i] = pen;
            texts[i] = one.text;
            pen += one.advance;
        }
        return ShapedRun.plain(this, glyphs, x, texts, pen);
    }

    int glyphs() {
        return outlines.count();
    }

    int width(int glyph) {
        return Math.round(outlines.advance(glyph) * UNITS / outlines.unitsPerEm());
    }

    /** @param glyphs the glyphs of the subset, in order; the first is 0 */
    byte[] subset(List<Integer> glyphs) {
        return outlines.subset(glyphs);
    }
}
