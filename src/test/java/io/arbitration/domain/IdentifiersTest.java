package io.arbitration.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdentifiersTest {

    @Property
    void theCanonicalFormInSmallOrCapitalLettersIsTheIdentifier(@ForAll long high, @ForAll long low) {
        UUID id = new UUID(high, low);
        assertThat(Identifiers.uuid(id.toString())).contains(id);
        assertThat(Identifiers.uuid(id.toString().toUpperCase())).contains(id);
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

    @Property
    void whateverIsTakenIsWhatTheJdkReads(@ForAll String text) {
        Optional<UUID> id = Identifiers.uuid(text);
        id.ifPresent(taken -> assertThat(taken).isEqualTo(UUID.fromString(text)));
        assertThat(Identifiers.uuid(null)).isEmpty();
    }

    @Test
    void allDigitsAreRead() {
        assertThat(Identifiers.uuid("01234567-89ab-cdef-ABCD-EF9876543210").orElseThrow().toString()).isEqualTo("01234567-89ab-cdef-abcd-ef9876543210");
    }
}
