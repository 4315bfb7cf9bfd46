package io.arbitration.platform.paper;

import java.awt.font.GlyphVector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Text of one font and direction as its glyphs, from left to right. Lengths are in thousandths of the font size. To be used by one thread. */
final class ShapedRun {

    private final Typeface typeface;
    private final int[] glyphs;
    private final float[] x;
    private final float[] rises;
    private final int[] characters;
    private final float width;
    private final Supplier<String[]> readings;
    private String[] texts;

    private ShapedRun(Typeface typeface, int[] glyphs, float[] x, float[] rises, int[] characters, float width, Supplier<String[]> readings) {
        this.typeface = typeface;
        this.glyphs = glyphs;
        this.x = x;
        this.rises = rises;
        this.characters = characters;
        this.width = width;
        this.readings = readings;
    }

    /** One glyph for each character, in the same order, all on the baseline. */
    static ShapedRun plain(Typeface typeface, int[] glyphs, float[] x, String[] texts, float width) {
        return new ShapedRun(typeface, glyphs, x, null, null, width, () -> texts);
    }

    static ShapedRun of(Typeface typeface, GlyphVector vector, char[] text, boolean rightToLeft) {
        int all = vector.getNumGlyphs();
        int[] glyphs = new int[all];
        int[] characters = new int[all];
        float[] x = new float[all];
        float[] rises = new float[all];
        float[] positions = vector.getGlyphPositions(0, all + 1, null);
        int count = 0;
        boolean flat = true;
        for (int i = 0; i < all; i++) {
            int glyph = vector.getGlyphCode(i);
            // The layout marks glyphs that are not drawn with invalid numbers.
            if (glyph >= 0 && glyph < typeface.glyphs()) {
                glyphs[count] = glyph;
                characters[count] = Math.clamp(vector.getGlyphCharIndex(i), 0, text.length - 1);
                x[count] = positions[2 * i];
                rises[count] = -positions[2 * i + 1];
                flat &= Math.round(rises[count++]) == 0;
            }
        }
        int drawn = count;
        return new ShapedRun(typeface, Arrays.copyOf(glyphs, count), Arrays.copyOf(x, count), flat ? null : Arrays.copyOf(rises, count),
                Arrays.copyOf(characters, count), positions[2 * all], () -> drawn(texts(typeface, vector, text, rightToLeft), vector, typeface, drawn));
    }

    private static String[] drawn(String[] texts, GlyphVector vector, Typeface typeface, int count) {
        String[] kept = new String[count];
        int at = 0;
        for (int i = 0; i < texts.length; i++) {
            int glyph = vector.getGlyphCode(i);
            if (glyph >= 0 && glyph < typeface.glyphs()) {
                kept[at++] = texts[i];
            }
        }
        return kept;
    }

    Typeface typeface() {
        return typeface;
    }

    int[] glyphs() {
        return glyphs;
    }

    /** The position of each glyph, from the beginning to the right. */
    float[] x() {
        return x;
    }

    /** The height of each glyph above the baseline; null if all are on it. */
    float[] rises() {
        return rises;
    }

    /** Whether there is one glyph for each character, in the same order. */
    boolean isPlain() {
        return characters == null;
    }

    /** The text of each glyph, empty for a part of another; not computed for runs that are only measured. */
    String[] texts() {
        if (texts == null) {
            texts = readings.get();
        }
        return texts;
    }

    /** The position of the following text, from the beginning. */
    float width() {
        return width;
    }

    /** Adds to each character the advance that its glyphs need. */
    void measure(float[] advances, int from) {
        for (int i = 0; i < glyphs.length; i++) {
            advances[from + (characters == null ? i : characters[i])] += (i + 1 < glyphs.length ? x[i + 1] : width) - x[i];
        }
    }

    /**
     * The text of each glyph. The characters of a cluster are assigned to its glyphs in reading order. A mark above or below its
     * base gets no text, and when there are fewer characters than glyphs, the narrowest get none: readers take a wide glyph
     * without text, or text off its line, for a gap between words.
     */
    private static String[] texts(Typeface typeface, GlyphVector glyphs, char[] text, boolean rightToLeft) {
        String[] texts = new String[glyphs.getNumGlyphs()];
        Arrays.fill(texts, "");
        TreeMap<Integer, List<Integer>> clusters = new TreeMap<>();
        for (int i = 0; i < texts.length; i++) {
            clusters.computeIfAbsent(Math.clamp(glyphs.getGlyphCharIndex(i), 0, text.length - 1), start -> new ArrayList<>()).add(i);
        }
        // A mark that forms its own cluster belongs to the cluster before.
        List<Integer> before = null;
        for (int start : List.copyOf(clusters.keySet())) {
            List<Integer> ofCluster = clusters.get(start);
            if (before != null && ofCluster.stream().allMatch(glyph -> advance(glyphs, typeface, glyph) <= 0)) {
                before.addAll(clusters.remove(start));
            } else {
                before = ofCluster;
            }
        }
        clusters.forEach((start, ofCluster) -> {
            Integer next = clusters.higherKey(start);
            int[] characters = new String(text, start, (next == null ? text.length : next) - start).codePoints().toArray();
            boolean hasBase = ofCluster.stream().anyMatch(glyph -> advance(glyphs, typeface, glyph) > 0);
            List<Integer> bearers = ofCluster.stream()
                    .filter(glyph -> !hasBase || advance(glyphs, typeface, glyph) > 0)
                    .sorted(Comparator.comparingInt(glyph -> -advance(glyphs, typeface, glyph)))
                    .limit(characters.length)
                    .sorted(rightToLeft ? Comparator.reverseOrder() : Comparator.naturalOrder())
                    .toList();
            for (int i = 0; i < bearers.size(); i++) {
                int count = i == bearers.size() - 1 ? characters.length - i : 1;
                texts[bearers.get(i)] = new String(characters, i, count);
            }
        });
        return texts;
    }

    /** The advance of the font: the difference between positions may include a shift of a mark by the layout. */
    private static int advance(GlyphVector glyphs, Typeface typeface, int glyph) {
        int code = glyphs.getGlyphCode(glyph);
        return code < 0 || code >= typeface.glyphs() ? 0 : typeface.width(code);
    }
}
