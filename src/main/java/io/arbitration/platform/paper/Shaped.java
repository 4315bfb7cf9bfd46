package io.arbitration.platform.paper;

import java.awt.font.GlyphVector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/**
 * Text of one font and direction as its glyphs, from left to right. Lengths are in thousandths of the font size.
 *
 * @param x where each glyph stands, to the right of the beginning
 * @param rises how far each stands above the line; null when all stand on it
 * @param texts what each glyph stands for; empty for a part of another
 * @param characters the place in the text of the first character that each belongs to; null when they are in the same order
 * @param width how far the text that follows stands from the beginning
 */
record Shaped(Typeface typeface, int[] glyphs, float[] x, float[] rises, String[] texts, int[] characters, float width) {

    static Shaped of(Typeface typeface, GlyphVector vector, char[] text, boolean rightToLeft) {
        int all = vector.getNumGlyphs();
        String[] texts = texts(typeface, vector, text, rightToLeft);
        int[] glyphs = new int[all];
        int[] characters = new int[all];
        float[] x = new float[all];
        float[] rises = new float[all];
        float[] positions = vector.getGlyphPositions(0, all + 1, null);
        int count = 0;
        boolean flat = true;
        String[] kept = new String[all];
        for (int i = 0; i < all; i++) {
            int glyph = vector.getGlyphCode(i);
            // The layout marks what is not drawn by numbers that no glyph has.
            if (glyph >= 0 && glyph < typeface.glyphs()) {
                glyphs[count] = glyph;
                characters[count] = Math.clamp(vector.getGlyphCharIndex(i), 0, text.length - 1);
                x[count] = positions[2 * i];
                rises[count] = -positions[2 * i + 1];
                flat &= Math.round(rises[count]) == 0;
                kept[count++] = texts[i];
            }
        }
        return new Shaped(typeface, Arrays.copyOf(glyphs, count), Arrays.copyOf(x, count), flat ? null : Arrays.copyOf(rises, count),
                Arrays.copyOf(kept, count), Arrays.copyOf(characters, count), positions[2 * all]);
    }

    /** Adds to each character the way to the next that its glyphs need. */
    void measure(float[] advances, int from) {
        for (int i = 0; i < glyphs.length; i++) {
            advances[from + (characters == null ? i : characters[i])] += (i + 1 < glyphs.length ? x[i + 1] : width) - x[i];
        }
    }

    /**
     * What each glyph stands for. The characters of a cluster are dealt to its glyphs in the order of reading. A mark above or
     * below gets none beside its base, and when there are fewer characters than glyphs, the narrowest get none: readers take a
     * wide glyph without text, or text aside of its line, for a gap between words.
     */
    private static String[] texts(Typeface typeface, GlyphVector glyphs, char[] text, boolean rightToLeft) {
        String[] texts = new String[glyphs.getNumGlyphs()];
        Arrays.fill(texts, "");
        TreeMap<Integer, List<Integer>> clusters = new TreeMap<>();
        for (int i = 0; i < texts.length; i++) {
            clusters.computeIfAbsent(Math.clamp(glyphs.getGlyphCharIndex(i), 0, text.length - 1), start -> new ArrayList<>()).add(i);
        }
        // A mark that is a cluster of its own belongs to the one before.
        for (int start : List.copyOf(clusters.descendingKeySet())) {
            Integer before = clusters.lowerKey(start);
            if (before != null && clusters.get(start).stream().allMatch(glyph -> advance(glyphs, typeface, glyph) <= 0)) {
                clusters.get(before).addAll(clusters.remove(start));
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

    /** By the font: between positions there may be a shift that the layout gave a mark. */
    private static int advance(GlyphVector glyphs, Typeface typeface, int glyph) {
        int code = glyphs.getGlyphCode(glyph);
        return code < 0 || code >= typeface.glyphs() ? 0 : typeface.width(code);
    }
}
