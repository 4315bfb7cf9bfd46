package io.arbitration.platform.paper;

import java.awt.font.GlyphVector;
import java.lang.Character.UnicodeScript;
import java.text.Bidi;
import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Breaks text into lines and lines into runs of one font and direction, in the order in which they are seen. */
final class Typesetter {

    private final Typefaces typefaces;
    private final Set<Integer> missing = new TreeSet<>();

    Typesetter(Typefaces typefaces) {
        this.typefaces = typefaces;
    }

    /** Characters that no font here has, so far. */
    Set<Integer> missing() {
        return missing;
    }

    /** Text of one font and direction. */
    record Run(String text, Typeface typeface, boolean rightToLeft) {}

    /**
     * A line: its runs from left to right.
     *
     * @param width in thousandths of the font size
     * @param rightToLeft whether its paragraph reads so: such a line stands at the right
     */
    record Line(List<Run> runs, float width, boolean rightToLeft) {}

    /** A run of a paragraph, in the order of reading. */
    private record Item(int start, int end, byte level, Typeface typeface) {}

    /** @param width in thousandths of the font size */
    List<Line> lines(String text, float width) {
        List<Line> lines = new ArrayList<>();
        for (String paragraph : text.replace("\r\n", "\n").replace("\t", "    ").split("\n", -1)) {
            if (paragraph.isBlank()) {
                lines.add(new Line(List.of(), 0, false));
            } else {
                breakParagraph(paragraph, width, lines);
            }
        }
        return lines;
    }

    private void breakParagraph(String text, float width, List<Line> lines) {
        Bidi bidi = new Bidi(text, Bidi.DIRECTION_DEFAULT_LEFT_TO_RIGHT);
        Typeface[] faces = faces(text);
        float[] advances = new float[text.length()];
        items(text, bidi, faces, 0, text.length()).forEach(item -> measure(text, item, advances));
        BreakIterator words = BreakIterator.getLineInstance(Locale.ROOT);
        words.setText(text);
        BreakIterator characters = BreakIterator.getCharacterInstance(Locale.ROOT);
        characters.setText(text);
        for (int start = 0; start < text.length(); ) {
            int end = lineEnd(text, start, width, advances, words, characters);
            lines.add(line(text, bidi, faces, start, end, advances));
            start = end;
        }
    }

    /** As many words as fit; a word that is longer than a line is cut between characters, never inside one. */
    private static int lineEnd(
            String text, int start, float width, float[] advances, BreakIterator words, BreakIterator characters) {
        float used = 0;
        int at = start;
        while (at < text.length() && (used + advances[at] <= width || Character.isWhitespace(text.charAt(at)))) {
            used += advances[at++];
        }
        if (at == text.length()) {
            return at;
        }
        int word = words.isBoundary(at) ? at : words.preceding(at);
        if (word > start) {
            return word;
        }
        int character = characters.isBoundary(at) ? at : characters.preceding(at);
        return character > start ? character : characters.following(start);
    }

    private Line line(String text, Bidi bidi, Typeface[] faces, int start, int end, float[] advances) {
        int trimmed = end;
        while (trimmed > start && Character.isWhitespace(text.charAt(trimmed - 1))) {
            trimmed--;
        }
        boolean rightToLeft = !bidi.baseIsLeftToRight();
        if (trimmed == start) {
            return new Line(List.of(), 0, rightToLeft);
        }
        List<Item> items = items(text, bidi.createLineBidi(start, trimmed), faces, start, trimmed);
        byte[] levels = new byte[items.size()];
        for (int i = 0; i < levels.length; i++) {
            levels[i] = items.get(i).level;
        }
        Object[] seen = items.toArray();
        Bidi.reorderVisually(levels, 0, seen, 0, seen.length);
        float width = 0;
        for (int i = start; i < trimmed; i++) {
            width += advances[i];
        }
        List<Run> runs = new ArrayList<>();
        for (Object one : seen) {
            Item item = (Item) one;
            runs.add(new Run(text.substring(item.start, item.end), item.typeface, item.level % 2 == 1));
        }
        return new Line(runs, width, rightToLeft);
    }

    /** @param bidi of the text from start to end alone */
    private static List<Item> items(String text, Bidi bidi, Typeface[] faces, int start, int end) {
        List<Item> items = new ArrayList<>();
        int from = start;
        for (int at = start + 1; at <= end; at++) {
            if (at == end || faces[at] != faces[from] || bidi.getLevelAt(at - start) != bidi.getLevelAt(from - start)) {
                items.add(new Item(from, at, (byte) bidi.getLevelAt(from - start), faces[from]));
                from = at;
            }
        }
        return items;
    }

    private static void measure(String text, Item item, float[] advances) {
        char[] characters = text.substring(item.start, item.end).toCharArray();
        GlyphVector glyphs = item.typeface.shape(characters, item.level % 2 == 1);
        for (int i = 0; i < glyphs.getNumGlyphs(); i++) {
            int at = Math.clamp(glyphs.getGlyphCharIndex(i), 0, characters.length - 1);
            advances[item.start + at] += (float) (glyphs.getGlyphPosition(i + 1).getX() - glyphs.getGlyphPosition(i).getX());
        }
    }

    /** The font of each character. What all scripts share stays in the font before it; a mark stays with its base. */
    private Typeface[] faces(String text) {
        Typeface[] faces = new Typeface[text.length()];
        BreakIterator clusters = BreakIterator.getCharacterInstance(Locale.ROOT);
        clusters.setText(text);
        Typeface before = typefaces.base();
        for (int start = 0, end = clusters.next(); end != BreakIterator.DONE; start = end, end = clusters.next()) {
            before = face(text.substring(start, end), before);
            for (int i = start; i < end; i++) {
                faces[i] = before;
            }
        }
        return faces;
    }

    private Typeface face(String cluster, Typeface before) {
        int[] needed = cluster.codePoints().filter(codePoint -> !isIgnorable(codePoint)).toArray();
        UnicodeScript script = needed.length == 0 ? UnicodeScript.COMMON : UnicodeScript.of(needed[0]);
        if (script == UnicodeScript.COMMON && hasAll(before, needed)) {
            return before;
        }
        Set<Typeface> candidates = new HashSet<>();
        for (int codePoint : needed) {
            Optional<Typeface> own = typefaces.of(codePoint);
            if (own.isPresent() && candidates.add(own.get()) && hasAll(own.get(), needed)) {
                return own.get();
            }
            if (own.isEmpty()) {
                missing.add(codePoint);
            }
        }
        return needed.length == 0 ? before : typefaces.of(needed[0]).orElse(typefaces.base());
    }

    private static boolean hasAll(Typeface face, int[] codePoints) {
        for (int codePoint : codePoints) {
            if (!face.has(codePoint)) {
                return false;
            }
        }
        return true;
    }

    /** Joiners, direction marks and variation selectors are not drawn, so no font needs to have them. */
    private static boolean isIgnorable(int codePoint) {
        return Character.getType(codePoint) == Character.FORMAT
                || codePoint >= 0xFE00 && codePoint <= 0xFE0F
                || codePoint >= 0xE0100 && codePoint <= 0xE01EF;
    }
}
