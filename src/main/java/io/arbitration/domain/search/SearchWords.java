package io.arbitration.domain.search;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The searchable words of a text: letters, digits and marks (Unicode Standard Annex 29, simplified), without regard to upper and
 * lower case, compatibility forms (Unicode Standard Annex 15), and, in scripts where readers omit them, accents. A script without
 * spaces between words is split into overlapping pairs of characters, so that any part of a sentence is found without a
 * dictionary.
 */
public final class SearchWords {

    /** Of a word; a longer word is found by its beginning. */
    private static final int CHARACTERS_MAX = 100;
    private static final Set<Character.UnicodeScript> WITHOUT_SPACES = EnumSet.of(
            Character.UnicodeScript.HAN, Character.UnicodeScript.HIRAGANA, Character.UnicodeScript.KATAKANA, Character.UnicodeScript.BOPOMOFO,
            Character.UnicodeScript.THAI, Character.UnicodeScript.LAO, Character.UnicodeScript.KHMER, Character.UnicodeScript.MYANMAR,
            Character.UnicodeScript.TIBETAN, Character.UnicodeScript.YI);
    private static final Set<Character.UnicodeScript> WITHOUT_ACCENTS = EnumSet.of(
            Character.UnicodeScript.LATIN, Character.UnicodeScript.GREEK, Character.UnicodeScript.CYRILLIC, Character.UnicodeScript.ARABIC,
            Character.UnicodeScript.HEBREW);

    private SearchWords() {}

    /**
     * A word of a text.
     *
     * @param position of the word among the words, from 0; adjacent words differ by 1
     * @param begin index of its first character in the text, in UTF-16 units
     * @param end index after its last character
     * @param isBeginning whether the searched text may continue after it: a single character of a script without spaces
     */
    public record Word(String text, int position, int begin, int end, boolean isBeginning) {}

    /** The words by which a text is found. A run of a script without spaces ends with its last character as a single one. */
    public static List<Word> of(String text) {
        return words(text, true);
    }

    /** The words of a text to search for. */
    static List<Word> searched(String text) {
        return words(text, false);
    }

    private static List<Word> words(String text, boolean withLast) {
        List<Word> words = new ArrayList<>();
        int position = 0;
        int at = 0;
        while (at < text.length()) {
            int character = text.codePointAt(at);
            if (!isOfWord(character)) {
                at += Character.charCount(character);
                continue;
            }
            boolean paired = isWithoutSpaces(character);
            int end = endOfRun(text, at, paired);
            position = paired ? pairs(text, at, end, position, withLast, words) : single(text, at, end, position, words);
            at = end;
        }
        return words;
    }

    private static int endOfRun(String text, int begin, boolean paired) {
        int at = begin;
        while (at < text.length()) {
            int character = text.codePointAt(at);
            boolean goesOn = isMark(character) && at > begin
                    || isOfWord(character) && isWithoutSpaces(character) == paired
                    || !paired && isApostrophe(character) && at + 1 < text.length() && Character.isLetter(text.codePointAt(at + 1));
            if (!goesOn) {
                break;
            }
            at += Character.charCount(character);
        }
        return at;
    }

    private static int single(String text, int begin, int end, int position, List<Word> words) {
        String folded = folded(text.substring(begin, end));
        if (folded.isEmpty()) {
            return position;
        }
        words.add(new Word(folded, position, begin, end, false));
        return position + 1;
    }

    private static int pairs(String text, int begin, int end, int position, boolean withLast, List<Word> words) {
        // A character with its marks is one unit.
        List<Integer> units = new ArrayList<>();
        for (int at = begin; at < end; at += Character.charCount(text.codePointAt(at))) {
            if (at == begin || !isMark(text.codePointAt(at))) {
                units.add(at);
            }
        }
        units.add(end);
        int count = units.size() - 1;
        for (int i = 0; i < count; i++) {
            boolean last = i == count - 1;
            if (last && !withLast && count > 1) {
                break;
            }
            int to = last ? end : units.get(i + 2);
            words.add(new Word(folded(text.substring(units.get(i), to)), position + i, units.get(i), to, last));
        }
        return position + count;
    }

    private static boolean isOfWord(int character) {
        return Character.isLetterOrDigit(character) || Character.getType(character) == Character.LETTER_NUMBER
                || Character.getType(character) == Character.OTHER_NUMBER;
    }

    private static boolean isMark(int character) {
        return switch (Character.getType(character)) {
            case Character.NON_SPACING_MARK, Character.COMBINING_SPACING_MARK, Character.ENCLOSING_MARK -> true;
            default -> false;
        };
    }

    private static boolean isApostrophe(int character) {
        return character == '\'' || character == '\u2019' || character == '\u02BC';
    }

    private static boolean isWithoutSpaces(int character) {
        return WITHOUT_SPACES.contains(Character.UnicodeScript.of(character));
    }

    private static String folded(String word) {
        boolean plain = word.chars().allMatch(c -> c < 0x80 && c != '\'');
        if (plain) {
            return shortened(word.toLowerCase(Locale.ROOT));
        }
        String apart = Normalizer.normalize(word, Normalizer.Form.NFKD).toLowerCase(Locale.ROOT);
        StringBuilder kept = new StringBuilder(apart.length());
        boolean withoutAccents = false;
        for (int at = 0; at < apart.length(); at += Character.charCount(apart.codePointAt(at))) {
            int character = apart.codePointAt(at);
            if (isMark(character)) {
                if (!withoutAccents) {
                    kept.appendCodePoint(character);
                }
            } else if (isOfWord(character)) {
                withoutAccents = WITHOUT_ACCENTS.contains(Character.UnicodeScript.of(character));
                kept.appendCodePoint(character);
            }
        }
        return shortened(Normalizer.normalize(kept, Normalizer.Form.NFC));
    }

    private static String shortened(String word) {
        return word.length() <= CHARACTERS_MAX || word.codePointCount(0, word.length()) <= CHARACTERS_MAX ? word
                : word.substring(0, word.offsetByCodePoints(0, CHARACTERS_MAX));
    }
}
