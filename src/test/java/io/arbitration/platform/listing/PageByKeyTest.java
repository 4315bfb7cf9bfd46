package io.arbitration.platform.listing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.platform.answer.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages of a list that is read as a whole. */
class PageByKeyTest {

    private static final List<String> ALL = List.of("ada", "ben", "cleo", "dan", "eve");

    private static PageByKey<String> page(List<String> all, Optional<String> cursor, int limit) {
        return PageByKey.Wanted.of(cursor, limit).page(all, Function.identity());
    }

    @Test
    void pagesFollowEachOtherUntilTheEnd() {
        List<String> read = new ArrayList<>();
        Optional<String> cursor = Optional.empty();
        int pages = 0;
        do {
            PageByKey<String> page = page(ALL, cursor, 2);
            read.addAll(page.items());
            cursor = page.next();
            pages++;
        } while (cursor.isPresent());
        assertThat(read).isEqualTo(ALL);
        assertThat(pages).isEqualTo(3);
    }

    @Test
    void aPageThatHoldsAllIsTheLast() {
        assertThat(page(ALL, Optional.empty(), 5).next()).isEmpty();
        assertThat(page(List.of(), Optional.empty(), 5).next()).isEmpty();
    }

    @Test
    void whatIsRemovedBetweenTwoPagesMakesNoneBeLeftOutOrComeTwice() {
        Optional<String> cursor = page(ALL, Optional.empty(), 2).next();
        assertThat(page(List.of("ada", "cleo", "dan", "eve"), cursor, 2).items()).as("the last of the page before").containsExactly("cleo", "dan");
        assertThat(page(List.of("ben", "cleo", "dan", "eve"), cursor, 2).items()).as("one before it").containsExactly("cleo", "dan");
        assertThat(page(List.of(), cursor, 2).items()).as("all").isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ben", "1:", ":ben", "-1:ben", "12345678:ben"})
    void whatIsNoCursorIsRefused(String text) {
        assertThatThrownBy(() -> page(ALL, Optional.of(text), 2)).isInstanceOf(Refusal.class).hasMessageContaining("cursor: must be");
    }
}
