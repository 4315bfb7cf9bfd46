package io.arbitration.ai.award;

import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The exhibits that a text cites. The model is asked to cite as {@code [Exhibit C-1]}; other usual forms are recognized too:
 * {@code Exhibits 1, 2 and 3}, {@code Exh. R-4}, and {@code (C-7)} if the inputs have exhibits with such numbers. Where parties number
 * alike, a number stands behind its party: {@code [Exhibit claimant 1]}.
 *
 * @param known exhibits of the inputs, as the inputs number them
 * @param unknown numbers that no input has, as the text has them
 */
record Citations(Set<String> known, Set<String> unknown) {

    /** The word before a citation. */
    private static final Pattern WORD = Pattern.compile(
            "\\b(?:exhibits?|exhs?\\.?|ex\\.)(?:\\s*(?:nos?\\.|numbers?|#|№))?[\\s:]*", Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
    /** A number as people give them: 7, 12a, C-1, R 4.2, IV, A. Without a digit only capitals: "exhibit shows" cites nothing. */
    private static final Pattern NUMBER = Pattern.compile(
            "\\p{Lu}{1,5}[-\\u2010-\\u2015. /]?\\p{Nd}{1,6}\\p{L}?(?:[-./]\\p{Nd}{1,4})*|\\p{Nd}{1,6}\\p{L}?(?:[-./]\\p{Nd}{1,4})*|\\p{Lu}{1,3}(?![\\p{L}\\p{Nd}])");
    private static final Pattern NEXT = Pattern.compile("\\s*(?:,\\s*(?:and|or)?|;|&|\\band\\b|\\bor\\b|\\bto\\b|\\bthrough\\b)\\s*(?:exhibits?\\s*|exhs?\\.?\\s*)?",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern PREFIXED = Pattern.compile("(\\p{L}{1,5})[-\\u2010-\\u2015]\\p{Nd}{1,6}\\p{L}?");

    static Citations in(String text, Collection<String> numbers) {
        Reader reader = new Reader(text, numbers);
        reader.words();
        reader.prefixed();
        return new Citations(reader.known, reader.unknown);
    }

    /** The form in which numbers are compared: kinds of dashes, spaces and capitals make no difference. */
    static String normal(String number) {
        return number.strip().replaceAll("[\\u2010-\\u2015]", "-").replaceAll("\\s+", " ").toLowerCase(Locale.ROOT);
    }

    private static final class Reader {

        private final String text;
        private final Map<String, String> byNormal = new LinkedHashMap<>();
        /** The numbers of the inputs, the longest first, so that 12 is not read as 1 followed by 2. */
        private final List<String> longest;
        /** What stands before the numbers where parties number alike, each with the space after it, the longest first. */
        private final List<String> parties;
        /** The places that were read as citations. */
        private final BitSet read = new BitSet();
        private final Set<String> known = new LinkedHashSet<>();
        private final Set<String> unknown = new LinkedHashSet<>();

        Reader(String text, Collection<String> numbers) {
            this.text = text;
            numbers.forEach(number -> byNormal.put(normal(number), number));
            this.longest = longestFirst(numbers.stream());
            this.parties = longestFirst(byNormal.keySet().stream().filter(number -> number.indexOf(' ') > 0)
                    .map(number -> number.substring(0, number.lastIndexOf(' ') + 1)).distinct());
        }

        private static List<String> longestFirst(Stream<String> texts) {
            return texts.sorted(Comparator.comparingInt(String::length).reversed()).toList();
        }

        void words() {
            Matcher word = WORD.matcher(text);
            int from = 0;
            while (word.find(from)) {
                boolean list = word.group().toLowerCase(Locale.ROOT).matches("(?:exhibits|exhs).*") || word.start() > 0 && text.charAt(word.start() - 1) == '[';
                boolean capital = Character.isUpperCase(word.group().charAt(0));
                // A number may itself begin with the word, like "Exhibit 1".
                Optional<String> whole = knownAt(word.start());
                whole.ifPresent(known::add);
                from = whole.map(number -> word.start() + number.length())
                        .orElseGet(() -> Math.max(numbers(word.end(), list, capital), word.end()));
                read.set(word.start(), from);
            }
        }

        /** A list of numbers follows only a plural or an opening bracket: "Exhibit 1 and 12 cranes" cites one exhibit. */
        private int numbers(int start, boolean list, boolean capital) {
            int at = start;
            while (true) {
                int end = one(at, capital);
                if (end < 0) {
                    return at;
                }
                Matcher next = NEXT.matcher(text).region(end, text.length());
                if (!list || !next.lookingAt() || next.end() == end) {
                    return end;
                }
                at = next.end();
            }
        }

        /** Reads the number at a place; answers where it ends, or -1 if there is none. After a small "exhibit" a lone capital is a word: "the exhibit I saw". */
        private int one(int at, boolean capital) {
            Optional<String> exact = knownAt(at);
            if (exact.isPresent()) {
                known.add(exact.get());
                return at + exact.get().length();
            }
            int begin = at + partyAt(at);
            Matcher number = NUMBER.matcher(text).region(begin, text.length());
            if (!number.lookingAt() || !capital && number.group().chars().noneMatch(Character::isDigit)) {
                return -1;
            }
            cite(text.substring(at, begin) + number.group());
            return number.end();
        }

        /** How many characters the name of a party takes at a place, with the space after it; 0 where there is none. */
        private int partyAt(int at) {
            return parties.stream().filter(party -> at + party.length() <= text.length()
                            && normal(text.substring(at, at + party.length()) + ".").equals(normal(party + ".")))
                    .mapToInt(String::length).findFirst().orElse(0);
        }

        private void cite(String number) {
            String mine = byNormal.get(normal(number));
            if (mine == null) {
                unknown.add(number);
            } else {
                known.add(mine);
            }
        }

        private Optional<String> knownAt(int at) {
            return longest.stream().filter(number -> {
                int end = at + number.length();
                return end <= text.length() && normal(text.substring(at, end)).equals(normal(number))
                        && (end == text.length() || !goesOn(end));
            }).findFirst();
        }

        /** Whether the text at a place belongs to the number before it, which is then another number. */
        private boolean goesOn(int end) {
            char next = text.charAt(end);
            if (Character.isLetterOrDigit(next)) {
                return true;
            }
            return (next == '-' || next == '.' || next == '/' || next >= '\u2010' && next <= '\u2015')
                    && end + 1 < text.length() && Character.isDigit(text.charAt(end + 1));
        }

        /** Numbers like C-7 without a word before them, where some exhibit is numbered with that letter. */
        void prefixed() {
            Set<String> prefixes = byNormal.keySet().stream().map(PREFIXED::matcher).filter(Matcher::matches)
                    .map(matcher -> matcher.group(1)).collect(Collectors.toSet());
            Matcher matcher = PREFIXED.matcher(text);
            while (matcher.find()) {
                boolean wholeWord = matcher.start() == 0 || !Character.isLetterOrDigit(text.charAt(matcher.start() - 1));
                if (wholeWord && !read.get(matcher.start()) && matcher.group(1).equals(matcher.group(1).toUpperCase(Locale.ROOT))
                        && prefixes.contains(matcher.group(1).toLowerCase(Locale.ROOT))) {
                    knownAt(matcher.start()).ifPresentOrElse(known::add, () -> cite(matcher.group()));
                }
            }
        }
    }
}
