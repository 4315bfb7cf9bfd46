package io.arbitration.domain.text;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * What a name or title may contain that other people read: of a person, an organization, a machine client, a case, a document, a file, a
 * hearing or a calendar. Two names that look the same must be the same, and a name must be shown in the order in which it is stored.
 *
 * <p>Refused are control characters, line separators, invisible characters, and characters that override the direction of text. Other
 * changes of direction must end within the name; marks of direction are allowed, because Arabic and Hebrew names need them. The two
 * joiners are allowed after letters of the scripts that need them, such as Persian and Hindi, and in emoji. A character may have
 * {@value #MARKS_MAX} marks, more than any language stacks: some hundred accents on a letter would cover the lines above it.
 */
public final class VisibleName {

    private static final int ZERO_WIDTH_NON_JOINER = 0x200c;
    private static final int ZERO_WIDTH_JOINER = 0x200d;
    private static final int POP_FORMATTING = 0x202c;
    private static final int POP_ISOLATE = 0x2069;
    private static final int MARKS_MAX = 8;

    private VisibleName() {}

    /** The problem with a name, as the end of a sentence ({@code must not be blank}); empty if there is none. */
    public static Optional<String> problem(String name) {
        if (name.isBlank()) {
            return Optional.of("must not be blank");
        }
        Deque<Integer> begun = new ArrayDeque<>();
        boolean blank = true;
        int base = -1;
        int marks = 0;
        for (int c : name.codePoints().toArray()) {
            if (isControl(c)) {
                return Optional.of("must not contain control characters");
            }
            if (isOverride(c)) {
                return Optional.of("must not contain %s, which changes the order of the characters behind it".formatted(called(c)));
            }
            if (isInvisible(c) || isJoiner(c) && !joins(base)) {
                return Optional.of("must not contain the invisible character " + called(c));
            }
            marks = marksAfter(c, marks);
            if (marks > MARKS_MAX) {
                return Optional.of("must not contain more than %d marks on one character".formatted(MARKS_MAX));
            }
            if (c == POP_FORMATTING || c == POP_ISOLATE) {
                if (begun.isEmpty() || endOf(begun.pop()) != c) {
                    return Optional.of("must not contain %s, which ends a change of direction that did not begin".formatted(called(c)));
                }
            } else if (beginsDirection(c)) {
                begun.push(c);
            }
            blank &= showsNothing(c);
            base = isInherited(c) ? base : c;
        }
        if (blank) {
            return Optional.of("must not be blank");
        }
        return Optional.ofNullable(begun.peek()).map(first -> "must end the change of direction that %s begins".formatted(called(first)));
    }

    /** The name without everything that {@link #problem} refuses, and without changes of direction; possibly empty. */
    public static String cleaned(String name) {
        StringBuilder kept = new StringBuilder();
        int base = -1;
        int marks = 0;
        for (int c : name.codePoints().toArray()) {
            marks = marksAfter(c, marks);
            boolean refused = marks > MARKS_MAX || isControl(c) || isOverride(c) || isInvisible(c) || isJoiner(c) && !joins(base)
                    || beginsDirection(c) || c == POP_FORMATTING || c == POP_ISOLATE;
            if (!refused) {
                kept.appendCodePoint(c);
                base = isInherited(c) ? base : c;
            }
        }
        String text = kept.toString().strip();
        return text.codePoints().allMatch(VisibleName::showsNothing) ? "" : text;
    }

    private static String called(int c) {
        return "U+%04X".formatted(c);
    }

    /** Also halves of a pair, which no database stores. */
    private static boolean isControl(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR, Character.SURROGATE -> true;
            default -> false;
        };
    }

    private static boolean isOverride(int c) {
        return c == 0x202d || c == 0x202e;
    }

    private static boolean beginsDirection(int c) {
        return c == 0x202a || c == 0x202b || c >= 0x2066 && c <= 0x2068;
    }

    private static int endOf(int beginning) {
        return beginning < 0x2066 ? POP_FORMATTING : POP_ISOLATE;
    }

    private static boolean isJoiner(int c) {
        return c == ZERO_WIDTH_NON_JOINER || c == ZERO_WIDTH_JOINER;
    }

    /** Whether a joiner changes how text after this character looks. */
    private static boolean joins(int base) {
        return base >= 0 && switch (Character.UnicodeScript.of(base)) {
            case LATIN, GREEK, CYRILLIC, ARMENIAN, GEORGIAN, HEBREW, HAN, HIRAGANA, KATAKANA, HANGUL -> false;
            case COMMON, INHERITED, UNKNOWN -> Character.isEmoji(base) && base > 0x7f;
            default -> Character.isLetter(base) || Character.getType(base) == Character.NON_SPACING_MARK || Character.getType(base) == Character.COMBINING_SPACING_MARK;
        };
    }

    /** Accents and variation selectors, which belong to the character before them, and the colours of skin. */
    private static boolean isInherited(int c) {
        return Character.UnicodeScript.of(c) == Character.UnicodeScript.INHERITED && !isJoiner(c) || Character.isEmojiModifier(c);
    }

    /** How many marks are drawn above, below or around the same place; characters without width leave the place as it is. */
    private static int marksAfter(int c, int marks) {
        return switch (Character.getType(c)) {
            case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK -> marks + 1;
            case Character.FORMAT -> marks;
            default -> 0;
        };
    }

    /** Format characters but marks of direction, joiners and the changes of direction; and letters that are drawn as nothing. */
    private static boolean isInvisible(int c) {
        boolean mark = c == 0x061c || c == 0x200e || c == 0x200f;
        boolean direction = beginsDirection(c) || isOverride(c) || c == POP_FORMATTING || c == POP_ISOLATE;
        return isFiller(c) || Character.getType(c) == Character.FORMAT && !mark && !direction && !isJoiner(c) && !isArabicSign(c);
    }

    private static boolean isFiller(int c) {
        return c == 0x034f || c == 0x115f || c == 0x1160 || c == 0x17b4 || c == 0x17b5 || c == 0x3164 || c == 0xffa0;
    }

    /** Signs of Arabic and Syriac that span digits or words, and of Kaithi; Unicode counts them as format characters although they are drawn. */
    private static boolean isArabicSign(int c) {
        return c >= 0x0600 && c <= 0x0605 || c == 0x06dd || c == 0x070f || c == 0x0890 || c == 0x0891 || c == 0x08e2 || c == 0x110bd || c == 0x110cd;
    }

    /** Blanks of every kind, the empty pattern of Braille, and all that has no width. */
    private static boolean showsNothing(int c) {
        return Character.isWhitespace(c) || Character.isSpaceChar(c) || c == 0x2800 || Character.getType(c) == Character.FORMAT && !isArabicSign(c)
                || Character.UnicodeScript.of(c) == Character.UnicodeScript.INHERITED;
    }
}
