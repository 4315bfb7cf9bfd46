package io.arbitration.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class IdsTest {

    record Kind(String name, Function<String, Optional<?>> read) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Kind> ofCasesAndPeople() {
        return Stream.of(new Kind("CaseId", CaseId::of), new Kind("UserId", UserId::of), new Kind("OrganizationId", OrganizationId::of));
    }

    static Stream<Kind> numbered() {
        return Stream.of(new Kind("FilingId", FilingId::of), new Kind("EntryId", EntryId::of));
    }

    static Stream<Kind> named() {
        return Stream.of(new Kind("PartyId", PartyId::of), new Kind("PhaseId", PhaseId::of), new Kind("DocumentTypeId", DocumentTypeId::of));
    }

    @ParameterizedTest
    @MethodSource("ofCasesAndPeople")
    void anIdOfACaseOrPersonIsAUuid(Kind kind) {
        String text = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
        assertThat(kind.read.apply(text)).hasValueSatisfying(id -> assertThat(id).hasToString(text));
        assertThat(kind.read.apply("7c9e6679")).isEmpty();
        assertThat(kind.read.apply(null)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("numbered")
    void anIdOfAFilingOrEntryIsAPositiveNumber(Kind kind) {
        assertThat(kind.read.apply("170")).hasValueSatisfying(id -> assertThat(id).hasToString("170"));
        assertThat(Stream.of("0", "-1", "01", "1.0", "", "9999999999999999999", "x").map(kind.read)).allMatch(Optional::isEmpty);
        assertThat(kind.read.apply(null)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("named")
    void anIdOfADefinitionIsItsName(Kind kind) {
        assertThat(kind.read.apply("caseManager2")).hasValueSatisfying(id -> assertThat(id).hasToString("caseManager2"));
        assertThat(Stream.of("", "Claimant", "2nd", "a-b", "a b", "caf\u00e9", "a".repeat(65), "a\u0000").map(kind.read)).allMatch(Optional::isEmpty);
        assertThat(kind.read.apply("a".repeat(64))).isPresent();
        assertThat(kind.read.apply(null)).isEmpty();
    }

    @Test
    void anIdThatCannotBeDoesNotConstruct() {
        assertThatThrownBy(() -> new CaseId(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> new FilingId(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new EntryId(-3)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new PartyId("the claimant")).isInstanceOf(IllegalArgumentException.class);
        assertThat(new CaseId(new UUID(1, 2))).isEqualTo(new CaseId(new UUID(1, 2)));
    }
}
