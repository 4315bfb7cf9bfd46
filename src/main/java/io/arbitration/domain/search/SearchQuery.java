package io.arbitration.domain.search;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A search query: words, phrases in quotation marks, and excluded words or phrases, each after a hyphen.
 *
 * @param wanted every result contains all of them; at least one
 * @param unwanted no result contains any of them
 */
public record SearchQuery(List<Phrase> wanted, List<Phrase> unwanted) {

    /** Consecutive words; often one. */
    public record Phrase(List<SearchWords.Word> words) {

        public Phrase {
            words = List.copyOf(words);
        }
    }

    public SearchQuery {
        wanted = List.copyOf(wanted);
        unwanted = List.copyOf(unwanted);
    }

    /**
     * Parses the text of a user. A quotation mark without a closing one quotes the rest. A word with a hyphen or another sign in
     * it is the phrase of its parts. Parts without a letter or digit are omitted.
     */
    public static SearchQuery of(String text) {
        List<Phrase> wanted = new ArrayList<>();
        List<Phrase> unwanted = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            if (Character.isWhitespace(text.codePointAt(at))) {
                at += Character.charCount(text.codePointAt(at));
                continue;
            }
            boolean negated = text.charAt(at) == '-';
            int begin = negated ? at + 1 : at;
            boolean quoted = begin < text.length() && isQuotationMark(text.charAt(begin));
            int from = quoted ? begin + 1 : begin;
            int end = from;
            while (end < text.length() && !(quoted ? isQuotationMark(text.charAt(end))
                    : Character.isWhitespace(text.charAt(end)) || isQuotationMark(text.charAt(end)))) {
                end++;
            }
            List<SearchWords.Word> words = SearchWords.searched(text.substring(from, end));
            if (!words.isEmpty()) {
                (negated ? unwanted : wanted).add(new Phrase(words));
            }
            at = quoted && end < text.length() ? end + 1 : Math.max(end, at + 1);
        }
        return new SearchQuery(wanted, unwanted);
    }

    private static boolean isQuotationMark(char character) {
        return "\"\u201C\u201D\u201E\u201F\u00AB\u00BB\u300C\u300D\u300E\u300F\uFF02".indexOf(character) >= 0;
    }

    /** Whether there is anything to search for. */
    public boolean isEmpty() {
        return wanted.isEmpty();
    }

    /**
     * A part of a text around the first of the searched words, in one line; from the beginning if none of them occurs.
     *
     * @param lengthMax in characters
     */
    public String snippet(String text, int lengthMax) {
        Set<String> searched = new HashSet<>();
        wanted.stream().flatMap(phrase -> phrase.words.stream()).map(SearchWords.Word::text).forEach(searched::add);
        int first = SearchWords.of(text).stream().filter(word -> searched.contains(word.text())
                        || searched.stream().anyMatch(one -> one.codePointCount(0, one.length()) == 1 && word.text().startsWith(one)))
                .mapToInt(SearchWords.Word::begin).findFirst().orElse(0);
        int begin = first <= lengthMax / 3 ? 0 : beginOfWord(text, first - lengthMax / 3);
        int end = begin + lengthMax >= text.length() ? text.length() : endOfWord(text, begin + lengthMax);
        String line = text.substring(begin, end).codePoints()
                .map(c -> Character.isISOControl(c) || Character.getType(c) == Character.FORMAT ? ' ' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString().strip().replaceAll("\\s+", " ");
        return Stream.of(begin > 0 ? "… " : "", line, end < text.length() ? " …" : "").reduce("", String::concat);
    }

    private static int beginOfWord(String text, int near) {
        for (int at = near; at < Math.min(near + 20, text.length()); at++) {
            if (Character.isWhitespace(text.charAt(at))) {
                return at + 1;
            }
        }
        return Character.isLowSurrogate(text.charAt(near)) ? near + 1 : near;
    }

    private static int endOfWord(String text, int near) {
        for (int at = near; at > Math.max(near - 20, 0); at--) {
            if (Character.isWhitespace(text.charAt(at))) {
                return at;
            }
        }
        return Character.isLowSurrogate(text.charAt(near)) ? near - 1 : near;
    }
}
