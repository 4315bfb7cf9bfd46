package io.arbitration.domain.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.domain.RandomTexts;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SearchQueryTest {

    private static List<String> words(String text) {
        return SearchWords.of(text).stream().map(SearchWords.Word::text).toList();
    }

    private static List<List<String>> wanted(String query) {
        return texts(SearchQuery.of(query).wanted());
    }

    private static List<List<String>> texts(List<SearchQuery.Phrase> phrases) {
        return phrases.stream().map(phrase -> phrase.words().stream().map(SearchWords.Word::text).toList()).toList();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            The Cranes                | the,cranes
            Übergabe der Kräne        | ubergabe,der,krane
            l’arbitrage aujourd'hui   | larbitrage,aujourdhui
            ﬁnal Ⅳ ½                  | final,iv,12
            125,000.00                | 125,000,00
            e-mail                    | e,mail
            仲裁判断                  | 仲裁,裁判,判断,断
            裁                        | 裁
            ABC仲裁                   | abc,仲裁,裁
            คดี                       | คดี,ดี
            हिन्दी                       | हिन्दी
            مُحَكَّم                      | محكم
            """)
    void aTextIsFoundByItsWords(String text, String expected) {
        assertThat(words(text)).containsExactly(expected.split(","));
    }

    @Test
    void wordsPhrasesAndWhatMustNotBeThere() {
        SearchQuery query = SearchQuery.of("crane \"late delivery\" -quarry -\"force majeure\" e-mail");
        assertThat(texts(query.wanted())).containsExactly(List.of("crane"), List.of("late", "delivery"), List.of("e", "mail"));
        assertThat(texts(query.unwanted())).containsExactly(List.of("quarry"), List.of("force", "majeure"));
    }

    @Test
    void aPartOfASentenceWithoutSpacesIsAPhraseOfPairs() {
        assertThat(wanted("裁判断")).containsExactly(List.of("裁判", "判断"));
        SearchWords.Word single = SearchQuery.of("断").wanted().getFirst().words().getFirst();
        assertThat(single.text()).isEqualTo("断");
        assertThat(single.isBeginning()).isTrue();
    }

    @Test
    void aQuotationMarkWithoutItsOtherOneQuotesTheRest() {
        assertThat(wanted("late \"delivery of cranes")).containsExactly(List.of("late"), List.of("delivery", "of", "cranes"));
        assertThat(wanted("\"\"\"\"late")).containsExactly(List.of("late"));
        assertThat(wanted("“late delivery” «en retard»")).containsExactly(List.of("late", "delivery"), List.of("en", "retard"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-", "- -", "\"", "\"\"", "-\"", "...", "  ", "-quarry", "😀😀😀", "\uD800", "--"})
    void whatHasNoWordToFindIsEmpty(String text) {
        assertThat(SearchQuery.of(text).isEmpty()).isTrue();
    }

    @Test
    void charactersBeyondTheBasicPlaneAreWordsToo() {
        assertThat(wanted("𠀀".repeat(200)).getFirst()).hasSize(199);
        assertThat(words("𝐂𝐫𝐚𝐧𝐞")).containsExactly("crane");
    }

    @Test
    void theSnippetStandsAboutTheFirstWordThatIsSearchedFor() {
        String text = "It began well. ".repeat(40) + "Then the CRANES\nwere\u0000 late." + " And so on".repeat(40);
        String snippet = SearchQuery.of("cranes").snippet(text, 120);
        assertThat(snippet).startsWith("… ").endsWith(" …").contains("Then the CRANES were late.").hasSizeLessThan(140);
        assertThat(SearchQuery.of("nothing").snippet("Short.", 120)).isEqualTo("Short.");
        assertThat(SearchQuery.of("断").snippet("仲裁判断", 120)).isEqualTo("仲裁判断");
    }

    @Test
    void anyTextIsReadWithoutAFault() {
        RandomTexts.each(1500, 300, text -> {
            SearchQuery query = SearchQuery.of(text);
            query.snippet(text, 40);
            query.snippet(text.repeat(3), 60);
        });
    }

    /** What is searched for in a text that contains it is found: its words follow each other there. */
    @Test
    void aPieceOfATextIsAPhraseOfIt() {
        RandomTexts.each(1500, 90, text -> {
            int middle = text.length() * 2 / 3;
            List<SearchWords.Word> searched = SearchWords.searched(text.substring(middle));
            List<SearchWords.Word> all = SearchWords.of(text.substring(0, middle) + " " + text.substring(middle) + " ");
            boolean found = searched.isEmpty() || all.stream().anyMatch(first -> searched.stream().allMatch(word -> all.stream().anyMatch(other ->
                    other.position() - first.position() == word.position() - searched.getFirst().position()
                            && (other.text().equals(word.text()) || word.isBeginning() && other.text().startsWith(word.text())))));
            if (!found) {
                throw new AssertionError("%s in %s".formatted(searched, all));
            }
        });
    }
}
