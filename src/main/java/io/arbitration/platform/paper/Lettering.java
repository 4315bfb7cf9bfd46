package io.arbitration.platform.paper;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Text in the fonts of this machine, and what one document needs of these fonts. Widths are in thousandths of the font size,
 * places are points. The same calls give the same bytes on machines with the same fonts. Of one thread.
 */
public final class Lettering {

    /** Fonts have no bold of their own for every script: outlines this thick, by font size, make one of any. */
    private static final double BOLD_OUTLINE = 0.032;

    private final Typesetter typesetter = new Typesetter(Typefaces.ofMachine());
    private final Map<Typeface, EmbeddedFont> fonts = new LinkedHashMap<>();
    private final String prefix;

    /** @param prefix of the names of the fonts in the resources of the document, which nothing else there has */
    public Lettering(String prefix) {
        this.prefix = prefix;
    }

    /** Text that was measured and can be broken into lines of any width. */
    public Measured measured(String text) {
        return typesetter.measured(text);
    }

    /** The text as lines no wider than this. */
    public List<Line> lines(String text, float width) {
        return typesetter.measured(text).lines(width);
    }

    /** Characters so far that no font here has; they are drawn as boxes. */
    public Set<Integer> missing() {
        return typesetter.missing();
    }

    /** Draws a line from this place on, in the colours that are set; bold text is stroked as well as filled. */
    public void draw(Ink out, Line line, double size, boolean bold, double x, double baseline) {
        double at = x;
        for (Shaped run : line.runs()) {
            draw(out, run, size, bold, at, baseline);
            at += run.width() * size / Typeface.UNITS;
        }
    }

    private void draw(Ink out, Shaped run, double size, boolean bold, double x, double baseline) {
        EmbeddedFont font = fonts.get(run.typeface());
        if (font == null) {
            font = new EmbeddedFont(run.typeface(), prefix + (fonts.size() + 1));
            fonts.put(run.typeface(), font);
        }
        out.text("BT /").text(font.name()).text(" ").number(size, 2).text("Tf ");
        if (bold) {
            out.text("2 Tr ").number(size * BOLD_OUTLINE, 3).text("w ");
        }
        out.number(x, 2).number(baseline, 2).text("Td [<");
        float pen = 0;
        int rise = 0;
        for (int i = 0; i < run.glyphs().length; i++) {
            int up = run.rises() == null ? 0 : Math.round(run.rises()[i]);
            if (up != rise) {
                out.text(">] TJ ").number(up * size / Typeface.UNITS, 2).text("Ts [<");
                rise = up;
            }
            int shift = Math.round(pen - run.x()[i]);
            if (shift != 0) {
                out.text(">").whole(shift).text("<");
            }
            pen = pen - shift + run.typeface().width(run.glyphs()[i]);
            out.hex4(font.code(run.glyphs()[i], run.texts()[i]));
        }
        out.text(">] TJ ");
        if (rise != 0) {
            out.text("0 Ts ");
        }
        if (bold) {
            out.text("0 Tr ");
        }
        out.text("ET\n");
    }

    /** Writes the fonts that text was drawn in. */
    public List<WrittenFont> write(PdfFile file) {
        List<WrittenFont> written = new ArrayList<>();
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

    /** Text whose lines can be counted before they are made. */
    public interface Measured {
        /** How many lines there are at a width; no more are counted than asked for. */
        int count(float width, int most);

        List<Line> lines(float width);

        /** Width of the longest paragraph when it is not broken. */
        float width();

        /** Whether all is drawn in fonts that keep to the usual height. */
        boolean low();
    }

    /** A line of glyphs, from left to right. */
    public static final class Line {
        private final List<Shaped> runs;
        private final float width;
        private final boolean rightToLeft;
        private final int end;

        Line(List<Shaped> runs, float width, boolean rightToLeft, int end) {
            this.runs = runs;
            this.width = width;
            this.rightToLeft = rightToLeft;
            this.end = end;
        }

        List<Shaped> runs() {
            return runs;
        }

        public float width() {
            return width;
        }

        /** Whether its paragraph reads so: such a line stands at the right. */
        public boolean rightToLeft() {
            return rightToLeft;
        }

        /** Where in the text the next line begins. */
        public int end() {
            return end;
        }

        public boolean isBlank() {
            return runs.isEmpty();
        }
    }
}
