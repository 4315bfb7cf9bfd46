package io.arbitration.platform.paper;

import java.lang.Character.UnicodeScript;
import java.text.Bidi;
import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Breaks text into lines, and lines into runs of one font and direction, in visual order. To be used by one thread. */
final class Typesetter {

    private static final int SHAPED_MAX = 4096;

    private final Typefaces typefaces;
    private final Set<Integer> missing = new TreeSet<>();
    private final BreakIterator characters = BreakIterator.getCharacterInstance(Locale.ROOT);
    /** A run is shaped to be measured; most runs are drawn with the same result. */
    private final Map<Run, ShapedRun> shaped = new HashMap<>();

    Typesetter(Typefaces typefaces) {
        this.typefaces = typefaces;
    }

    /** Characters so far that no font of this machine has. */
    Set<Integer> missing() {
        return missing;
    }

    /** Text of one font and direction. */
    private record Run(String text, Typeface typeface, boolean rightToLeft) {}

    /** A run of a paragraph, in reading order. */
    private record Item(int start, int end, byte level, Typeface typeface) {}

    /**
     * A paragraph with the advance of each of its characters.
     *
     * @param start in the text
     * @param bidi null if all of it is left-to-right
     */
    private record Paragraph(String text, int start, Bidi bidi, Typeface[] faces, float[] advances, float width, Breaks breaks) {}

    /**
     * The positions at which a text may be broken, found at first use. An iterator that is asked for a single position may
     * examine all positions before it.
     */
    private static final class Breaks {

        private final String text;
        private BitSet words;
        private BitSet characters;

        Breaks(String text) {
            this.text = text;
        }

        private static BitSet found(BreakIterator iterator, String text) {
            BitSet places = new BitSet(text.length() + 1);
            iterator.setText(text);
            for (int at = iterator.first(); at != BreakIterator.DONE; at = iterator.next()) {
                places.set(at);
            }
            return places;
        }

        /** As many words as fit; a word that is longer than a line is cut between characters, never inside one. */
        int lineEnd(int start, int at) {
            if (words == null) {
                words = found(BreakIterator.getLineInstance(Locale.ROOT), text);
            }
            int word = words.previousSetBit(at);
            if (word > start) {
                return word;
            }
            if (characters == null) {
                characters = found(BreakIterator.getCharacterInstance(Locale.ROOT), text);
            }
            int character = characters.previousSetBit(at);
            int next = character > start ? character : characters.nextSetBit(start + 1);
            return next < 0 ? text.length() : next;
        }
    }

    DocumentFonts.Measured measured(String text) {
        String plain = text.replace("\r\n", "\n").replace('\r', '\n').replace("\t", "    ");
        List<Paragraph> paragraphs = new ArrayList<>();
        int start = 0;
        for (String paragraph : plain.split("\n", -1)) {
            paragraphs.add(paragraph(paragraph, start));
            start += paragraph.length() + 1;
        }
        return new Text(paragraphs);
    }

    private final class Text implements DocumentFonts.Measured {

        private final List<Paragraph> paragraphs;

        Text(List<Paragraph> paragraphs) {
            this.paragraphs = paragraphs;
        }

        @Override
        public int count(float width, int most) {
            int count = 0;
            for (Paragraph paragraph : paragraphs) {
                if (paragraph.width <= width) {
                    count++;
                } else {
                    for (int at = 0; at < paragraph.text.length() && count < most; count++) {
                        at = lineEnd(paragraph, at, width);
                    }
                }
                if (count >= most) {
                    return most;
                }
            }
            return count;
        }

        @Override
        public List<DocumentFonts.Line> lines(float width) {
            return lines(width, Integer.MAX_VALUE);
        }

        @Override
        public List<DocumentFonts.Line> lines(float width, int most) {
            List<DocumentFonts.Line> lines = new ArrayList<>();
            for (Paragraph paragraph : paragraphs) {
                if (lines.size() >= most) {
                    break;
                }
                if (paragraph.text.isBlank()) {
                    lines.add(new DocumentFonts.Line(List.of(), 0, false, paragraph.start + paragraph.text.length() + 1));
                } else if (paragraph.width <= width) {
                    lines.add(line(paragraph, 0, paragraph.text.length()));
                } else {
                    breakParagraph(paragraph, width, lines, most);
                }
            }
            return lines;
        }

        @Override
        public float width() {
            float width = 0;
            for (Paragraph paragraph : paragraphs) {
                width = Math.max(width, paragraph.width);
            }
            return width;
        }

        @Override
        public boolean low() {
            for (Paragraph paragraph : paragraphs) {
                for (Typeface face : paragraph.faces) {
                    if (face != typefaces.base()) {
                        return false;
                    }
                }
            }
            return true;
        }
    }

    private Paragraph paragraph(String text, int start) {
        float[] advances = new float[text.length()];
        boolean plain = isPlain(text);
        Bidi bidi = plain ? null : new Bidi(text, Bidi.DIRECTION_DEFAULT_LEFT_TO_RIGHT);
        Typeface[] faces = plain ? all(typefaces.base(), text.length()) : faces(text);
        for (Item item : items(bidi, faces, 0, text.length())) {
            shaped(text, item).measure(advances, item.start);
        }
        float width = 0;
        for (int i = 0; i < trimmed(text, 0, text.length()); i++) {
            width += advances[i];
        }
        return new Paragraph(text, start, bidi, faces, advances, width, new Breaks(text));
    }

    private static Typeface[] all(Typeface face, int count) {
        Typeface[] faces = new Typeface[count];
        java.util.Arrays.fill(faces, face);
        return faces;
    }

    /** Whether the first font has all characters, and all are left-to-right. */
    private boolean isPlain(String text) {
        Typeface base = typefaces.base();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!Typeface.isPlain(c) || !base.has(c)) {
                return false;
            }
        }
        return true;
    }

    private void breakParagraph(Paragraph paragraph, float width, List<DocumentFonts.Line> lines, int most) {
        for (int start = 0; start < paragraph.text.length() && lines.size() < most; ) {
            int end = lineEnd(paragraph, start, width);
            lines.add(line(paragraph, start, end));
            start = end;
        }
    }

    private static int lineEnd(Paragraph paragraph, int start, float width) {
        String text = paragraph.text;
        float used = 0;
        int at = start;
        while (at < text.length() && (used + paragraph.advances[at] <= width || Character.isWhitespace(text.charAt(at)))) {
            used += paragraph.advances[at++];
        }
        return at == text.length() ? at : paragraph.breaks.lineEnd(start, at);
    }

    private static int trimmed(String text, int start, int end) {
        int trimmed = end;
        while (trimmed > start && Character.isWhitespace(text.charAt(trimmed - 1))) {
            trimmed--;
        }
        return trimmed;
    }

    private DocumentFonts.Line line(Paragraph of, int start, int end) {
        int next = of.start + end + (end == of.text.length() ? 1 : 0);
        int trimmed = trimmed(of.text, start, end);
        boolean rightToLeft = of.bidi != null && !of.bidi.baseIsLeftToRight();
        if (trimmed == start) {
            return new DocumentFonts.Line(List.of(), 0, rightToLeft, next);
        }
        List<Item> items = items(of.bidi == null ? null : of.bidi.createLineBidi(start, trimmed), of.faces, start, trimmed);
        byte[] levels = new byte[items.size()];
        for (int i = 0; i < levels.length; i++) {
            levels[i] = items.get(i).level;
        }
        Object[] seen = items.toArray();
        Bidi.reorderVisually(levels, 0, seen, 0, seen.length);
        float width = 0;
        List<ShapedRun> runs = new ArrayList<>(seen.length);
        for (Object one : seen) {
            ShapedRun run = shaped(of.text, (Item) one);
            runs.add(run);
            width += run.width();
        }
        return new DocumentFonts.Line(runs, width, rightToLeft, next);
    }

    private ShapedRun shaped(String text, Item item) {
        Run run = new Run(text.substring(item.start, item.end), item.typeface, item.level % 2 == 1);
        ShapedRun known = shaped.get(run);
        if (known == null) {
            known = run.typeface.shape(run.text, run.rightToLeft);
            if (shaped.size() < SHAPED_MAX) {
                shaped.put(run, known);
            }
        }
        return known;
    }

    /** @param bidi of the text from start to end; null if it is left-to-right */
    private static List<Item> items(Bidi bidi, Typeface[] faces, int start, int end) {
        List<Item> items = new ArrayList<>(1);
        int from = start;
        for (int at = start + 1; at <= end; at++) {
            if (at == end || faces[at] != faces[from] || bidi != null && bidi.getLevelAt(at - start) != bidi.getLevelAt(from - start)) {
                items.add(new Item(from, at, bidi == null ? 0 : (byte) bidi.getLevelAt(from - start), faces[from]));
                from = at;
            }
        }
        return items;
    }

    /** The font of each character. Characters that all scripts share use the font before them; a mark uses that of its base. */
    private Typeface[] faces(String text) {
        Typeface[] faces = new Typeface[text.length()];
        characters.setText(text);
        Typeface before = typefaces.base();
        for (int start = 0, end = characters.next(); end != BreakIterator.DONE; start = end, end = characters.next()) {
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
