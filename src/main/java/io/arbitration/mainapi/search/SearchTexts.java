package io.arbitration.mainapi.search;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.search.SearchQuery;
import io.arbitration.domain.search.SearchWords;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeSet;

/**
 * Writes words in the text forms of PostgreSQL's {@code tsvector} and {@code tsquery} (PostgreSQL 18, 8.11). {@link SearchWords} splits
 * both documents and queries into words, not a parser of the database, so that both are split in the same way.
 */
final class SearchTexts {

    /** The words of a piece of a text: few enough for PostgreSQL to store every position (12.11: at most 256 of one word). */
    private static final int PIECE_WORDS = 600;
    /** How many words of the previous piece a piece repeats, so that no phrase of a query is split. */
    private static final int PIECE_OVERLAP = 200;
    /** Of the words of one document; a tsvector has at most 1 MB. Words beyond it are found only in the pieces and by phrases. */
    private static final int WORDS_BYTES_MAX = 900_000;
    /** No word of a text contains a colon. */
    private static final String CASE = "c:";

    private SearchTexts() {}

    /** A piece of a text. */
    record Piece(String text, String words) {}

    /** An indexed text. */
    record Indexed(String words, List<Piece> pieces) {}

    /** Splits a text; takes long for a long one, so it runs on a worker thread. */
    static Indexed of(CaseId caseId, String title, String text) {
        List<SearchWords.Word> ofTitle = SearchWords.of(title);
        List<SearchWords.Word> ofText = SearchWords.of(text);
        TreeSet<String> all = new TreeSet<>();
        all.add(word(caseId));
        int bytes = 64;
        for (List<SearchWords.Word> words : List.of(ofTitle, ofText)) {
            for (SearchWords.Word word : words) {
                if (bytes < WORDS_BYTES_MAX && all.add(word.text())) {
                    bytes += word.text().getBytes(StandardCharsets.UTF_8).length + 4;
                }
            }
        }
        StringJoiner lexemes = new StringJoiner(" ");
        all.forEach(word -> lexemes.add(quoted(word)));
        return new Indexed(lexemes.toString(), pieces(ofTitle, text, ofText));
    }

    private static List<Piece> pieces(List<SearchWords.Word> title, String text, List<SearchWords.Word> words) {
        List<Piece> pieces = new ArrayList<>();
        int from = 0;
        do {
            int to = Math.min(from + PIECE_WORDS, words.size());
            boolean isLast = to == words.size();
            int begin = from == 0 ? 0 : words.get(from).begin();
            int end = isLast ? text.length() : words.get(to - 1).end();
            // The title comes before the first piece, with a gap, so that no phrase extends from it into the text.
            List<SearchWords.Word> placed = words.subList(from, to);
            pieces.add(new Piece(text.substring(begin, end).replace('\u0000', ' '), vector(from == 0 ? title : List.of(), placed)));
            from = isLast ? words.size() : to - PIECE_OVERLAP;
        } while (from < words.size());
        return pieces;
    }

    private static String vector(List<SearchWords.Word> title, List<SearchWords.Word> words) {
        Map<String, StringJoiner> places = new HashMap<>();
        title.forEach(word -> place(places, word.text(), word.position() + 1));
        int offset = (title.isEmpty() ? 0 : title.getLast().position() + 2) - (words.isEmpty() ? 0 : words.getFirst().position()) + 1;
        words.forEach(word -> place(places, word.text(), word.position() + offset));
        StringJoiner vector = new StringJoiner(" ");
        places.forEach((word, at) -> vector.add(quoted(word) + ":" + at));
        return vector.toString();
    }

    private static void place(Map<String, StringJoiner> places, String word, int place) {
        places.computeIfAbsent(word, first -> new StringJoiner(",")).add(String.valueOf(place));
    }

    private static String quoted(String word) {
        return "'" + word.replace("'", "''").replace("\\", "\\\\") + "'";
    }

    /** The word that every document of a case has. */
    private static String word(CaseId caseId) {
        return CASE + caseId;
    }

    /** The prefix of that word, before the id of the case. */
    static String caseWordPrefix() {
        return CASE;
    }

    /** The condition that all wanted words occur and no unwanted one, anywhere: necessary for every document that the query finds. */
    static String candidates(SearchQuery query) {
        StringJoiner all = new StringJoiner(" & ");
        query.wanted().forEach(phrase -> phrase.words().forEach(word -> all.add(searched(word))));
        query.unwanted().stream().filter(phrase -> phrase.words().size() == 1).forEach(phrase -> all.add("!" + searched(phrase.words().getFirst())));
        return all.toString();
    }

    /** The condition that any wanted word occurs. */
    static String any(SearchQuery query) {
        StringJoiner any = new StringJoiner(" | ");
        query.wanted().forEach(phrase -> phrase.words().forEach(word -> any.add(searched(word))));
        return any.toString();
    }

    /** The phrases of several words, each as consecutive words. */
    static String[] phrases(List<SearchQuery.Phrase> phrases) {
        return phrases.stream().filter(phrase -> phrase.words().size() > 1).map(SearchTexts::phrase).toArray(String[]::new);
    }

    private static String phrase(SearchQuery.Phrase phrase) {
        StringBuilder text = new StringBuilder();
        SearchWords.Word before = null;
        for (SearchWords.Word word : phrase.words()) {
            if (before != null) {
                text.append(" <").append(word.position() - before.position()).append("> ");
            }
            text.append(searched(word));
            before = word;
        }
        return text.toString();
    }

    private static String searched(SearchWords.Word word) {
        return quoted(word.text()) + (word.isBeginning() ? ":*" : "");
    }
}
