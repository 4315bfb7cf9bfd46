package io.arbitration.platform.paper;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Text in the fonts of this machine, and the parts of these fonts that one document needs. Widths are in thousandths of the font
 * size, positions in points. The same calls give the same bytes on machines with the same fonts. To be used by one thread.
 */
public final class DocumentFonts {

    /** Not every script has a bold font: outlines of this thickness, by font size, make any font bold. */
    private static final double BOLD_OUTLINE = 0.032;

    private final Typesetter typesetter = new Typesetter(Typefaces.ofMachine());
    private final Map<Typeface, EmbeddedFont> fonts = new LinkedHashMap<>();
    private final String prefix;
    private final String asciiName;
    private final Typeface base = Typefaces.ofMachine().base();
    private final boolean readyAscii;
    private boolean usesAscii;

    /** @param prefix of the names of the fonts in the resources of the document; no other name there begins with it */
    public DocumentFonts(String prefix) {
        this(prefix, true);
    }

    private DocumentFonts(String prefix, boolean readyAscii) {
        this.prefix = prefix;
        this.asciiName = prefix + "0";
        this.readyAscii = readyAscii;
    }

    /** For documents that are made once and stored: their fonts contain only the used glyphs, which takes longer to write. */
    public static DocumentFonts sparing(String prefix) {
        return new DocumentFonts(prefix, false);
    }

    /** Text that was measured and can be broken into lines of any width. */
    public Measured measured(String text) {
        return typesetter.measured(text);
    }

    /** The text as lines no wider than this. */
    public List<Line> lines(String text, float width) {
        return typesetter.measured(text).lines(width);
    }

    /** Characters so far that no font of this machine has; they are drawn as boxes. */
    public Set<Integer> missing() {
        return typesetter.missing();
    }

    /** Draws a line from this position, in the current colours; bold text is stroked as well as filled. */
    public void draw(PdfBuffer out, Line line, double size, boolean bold, double x, double baseline) {
        double at = x;
        for (ShapedRun run : line.runs()) {
            draw(out, run, size, bold, at, baseline);
            at += run.width() * size / Typeface.UNITS;
        }
    }

    private void draw(PdfBuffer out, ShapedRun run, double size, boolean bold, double x, double baseline) {
        out.text("BT ");
        if (bold) {
            out.text("2 Tr ").number(size * BOLD_OUTLINE, 3).text("w ");
        }
        out.number(x, 2).number(baseline, 2).text("Td ");
        if (readyAscii && run.isPlain() && run.typeface() == base) {
            drawPlain(out, run, size);
        } else {
            select(out, font(run.typeface()).name(), size);
            drawLaidOut(out, run, size);
        }
        out.text(bold ? "0 Tr ET\n" : "ET\n");
    }

    private EmbeddedFont font(Typeface typeface) {
        EmbeddedFont font = fonts.get(typeface);
        if (font == null) {
            font = new EmbeddedFont(typeface, prefix + (fonts.size() + 1));
            fonts.put(typeface, font);
        }
        return font;
    }

    private static void select(PdfBuffer out, String font, double size) {
        out.text("/").text(font).text(" ").number(size, 2).text("Tf ");
    }

    /** Draws glyphs one after the other; those of ASCII in a prepared font of their own. */
    private void drawPlain(PdfBuffer out, ShapedRun run, double size) {
        boolean first = true;
        boolean inAscii = false;
        float pen = 0;
        for (int i = 0; i < run.glyphs().length; i++) {
            char c = run.texts()[i].charAt(0);
            boolean ascii = c <= Typeface.ASCII_LAST;
            if (first || ascii != inAscii) {
                if (!first) {
                    out.text(">] TJ ");
                }
                usesAscii |= ascii;
                select(out, ascii ? asciiName : font(base).name(), size);
                out.text("[<");
                first = false;
                inAscii = ascii;
            }
            pen = step(out, run, i, pen);
            out.hex4(ascii ? c - Typeface.ASCII_SHIFT : fonts.get(base).code(run.glyphs()[i], run.texts()[i]));
        }
        out.text(">] TJ ");
    }

    /** Moves to the glyph's position; answers the position of the next glyph if it follows directly. */
    private static float step(PdfBuffer out, ShapedRun run, int glyph, float pen) {
        int shift = Math.round(pen - run.x()[glyph]);
        if (shift != 0) {
            out.text(">").whole(shift).text("<");
        }
        return pen - shift + run.typeface().width(run.glyphs()[glyph]);
    }

    private void drawLaidOut(PdfBuffer out, ShapedRun run, double size) {
        EmbeddedFont font = fonts.get(run.typeface());
        out.text("[<");
        float pen = 0;
        int rise = 0;
        for (int i = 0; i < run.glyphs().length; i++) {
            int up = run.rises() == null ? 0 : Math.round(run.rises()[i]);
            if (up != rise) {
                out.text(">] TJ ").number(up * size / Typeface.UNITS, 2).text("Ts [<");
                rise = up;
            }
            pen = step(out, run, i, pen);
            out.hex4(font.code(run.glyphs()[i], run.texts()[i]));
        }
        out.text(rise != 0 ? ">] TJ 0 Ts " : ">] TJ ");
    }

    /** Writes the fonts that were used. */
    public List<WrittenFont> write(PdfFile file) {
        List<WrittenFont> written = new ArrayList<>();
        if (usesAscii) {
            written.add(new WrittenFont(asciiName, base.ascii().write(file)));
        }
        fonts.values().forEach(font -> written.add(new WrittenFont(font.name(), font.write(file))));
        return written;
    }

    /**
     * A font in a file.
     *
     * @param name in the resources
     * @param number of its object
     */
    public record WrittenFont(String name, int number) {}

    /** Text whose lines can be counted before they are built. */
    public interface Measured {
        /** The number of lines at a width; counting stops at {@code most}. */
        int count(float width, int most);

        List<Line> lines(float width);

        /** The first lines, this many at most. */
        List<Line> lines(float width, int most);

        /** Width of the longest paragraph when it is not broken. */
        float width();

        /** Whether all fonts of the text have the usual height. */
        boolean low();
    }

    /** A line of glyphs, from left to right. */
    public static final class Line {
        private final List<ShapedRun> runs;
        private final float width;
        private final boolean rightToLeft;
        private final int end;

        Line(List<ShapedRun> runs, float width, boolean rightToLeft, int end) {
            this.runs = runs;
            this.width = width;
            this.rightToLeft = rightToLeft;
            this.end = end;
        }

        List<ShapedRun> runs() {
            return runs;
        }

        public float width() {
            return width;
        }

        /** Whether its paragraph is right-to-left; such a line is aligned to the right. */
        public boolean rightToLeft() {
            return rightToLeft;
        }

        /** The index in the text at which the next line begins. */
        public int end() {
            return end;
        }

        public boolean isBlank() {
            return runs.isEmpty();
        }
    }
}
