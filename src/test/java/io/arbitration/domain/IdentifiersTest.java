package io.arbitration.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdentifiersTest {

    @Test
    void theCanonicalFormInSmallOrCapitalLettersIsTheIdentifier() {
        SplittableRandom random = new SplittableRandom();
        for (int i = 0; i < 1000; i++) {
            UUID id = new UUID(random.nextLong(), random.nextLong());
            assertThat(Identifiers.uuid(id.toString())).contains(id);
            assertThat(Identifiers.uuid(id.toString().toUpperCase(Locale.ROOT))).contains(id);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "", "no-uuid", "1-1-1-1-1", "7c9e6679742540de944be07fc1f90ae7", "7c9e6679-7425-40de-944b-e07fc1f90ae", "7c9e6679-7425-40de-944b-e07fc1f90ae7 ",
            "7c9e6679-7425-40de-944b-e07fc1f90aeg", "+c9e6679-7425-40de-944b-e07fc1f90ae7", "7c9e667-97425-40de-944b-e07fc1f90ae7",
            "7c9e6679-7425-40de-944b-e07fc1f90ae\uff11", "7c9e6679-7425-40de-944b-e07fc1f90aeＡ", "7c9e6679-7425-40de-944b-e07fc1f90ae\u0301",
            "-c9e6679-7425-40de-944b-e07fc1f90ae7", "7c9e6679-7425-40de-944b-e07f-1f90ae7", "7c9e6679\u20117425\u201140de\u2011944b\u2011e07fc1f90ae7"})
    void anythingElseIsNoIdentifier(String text) {
        assertThat(Identifiers.uuid(text)).isEmpty();
    }

    /** Of identifiers with one character replaced, some are taken. */
    @Test
    void whateverIsTakenIsWhatTheJdkReads() {
        int[] taken = {0};
        RandomTexts.each(1000, 8, text -> {
            StringBuilder changed = new StringBuilder("7c9e6679-7425-40de-944b-e07fc1f90ae7");
            changed.replace(text.hashCode() & 31, (text.hashCode() & 31) + 1, text);
            Optional<UUID> id = Identifiers.uuid(changed.toString());
            id.ifPresent(read -> assertThat(read).isEqualTo(UUID.fromString(changed.toString())));
            taken[0] += id.isPresent() ? 1 : 0;
        });
        assertThat(taken[0]).isPositive();
        assertThat(Identifiers.uuid(null)).isEmpty();
    }

    @Test
    void allDigitsAreRead() {
        assertThat(Identifiers.uuid("01234567-89ab-cdef-ABCD-EF9876543210").orElseThrow().toString()).isEqualTo("01234567-89ab-cdef-abcd-ef9876543210");
    }
}
