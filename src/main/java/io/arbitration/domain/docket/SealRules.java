package io.arbitration.domain.docket;

import io.arbitration.domain.PartyId;
import io.arbitration.domain.cases.Participant;
import io.arbitration.domain.cases.Party;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Who may seal, unseal and redact which docket entries. Checked in the order of the specification; all of it is allowed in a
 * closed case, too.
 */
public final class SealRules {

    private SealRules() {}

    /** The reasons why an entry is not sealed, unsealed or redacted. */
    public enum Refusal { NOT_A_PARTICIPANT, OBSERVER, NOT_OF_THE_TRIBUNAL, NOT_CASE_MANAGER, MAY_NOT_FILE, ENTRY_NOT_FOUND, PARTY_NOT_FOUND, NOT_SEALED }

    /**
     * An entry to be sealed, unsealed or redacted.
     *
     * @param part the user's participation in the case
     * @param exists whether the case has the entry
     */
    public record Subject(Optional<Participant> part, boolean exists, boolean isSealed) {}

    /** @param parties all existing parties */
    public static Optional<Refusal> refusesSealing(Subject subject, List<PartyId> visibleTo, Set<PartyId> parties) {
        return first(
                () -> refusesRole(subject.part, Set.of(Party.CASE_MANAGER, Party.ARBITRATOR)),
                () -> when(!subject.exists, Refusal.ENTRY_NOT_FOUND),
                () -> when(!parties.containsAll(visibleTo), Refusal.PARTY_NOT_FOUND));
    }

    public static Optional<Refusal> refusesUnsealing(Subject subject) {
        return first(
                () -> refusesRole(subject.part, Set.of(Party.CASE_MANAGER, Party.ARBITRATOR)),
                () -> when(!subject.exists, Refusal.ENTRY_NOT_FOUND),
                () -> when(!subject.isSealed, Refusal.NOT_SEALED));
    }

    /** Only a case manager with the right to file may redact, because a redaction uploads a file. */
    public static Optional<Refusal> refusesRedacting(Subject subject) {
        return first(
                () -> refusesRole(subject.part, Set.of(Party.CASE_MANAGER)).map(refusal ->
                        refusal == Refusal.NOT_OF_THE_TRIBUNAL ? Refusal.NOT_CASE_MANAGER : refusal),
                () -> when(!subject.part.orElseThrow().mayFile(), Refusal.MAY_NOT_FILE),
                () -> when(!subject.exists, Refusal.ENTRY_NOT_FOUND));
    }

    private static Optional<Refusal> refusesRole(Optional<Participant> part, Set<PartyId> entitled) {
        if (part.isEmpty()) {
            return Optional.of(Refusal.NOT_A_PARTICIPANT);
        }
        return part.get().isObserver() ? Optional.of(Refusal.OBSERVER)
                : when(!entitled.contains(part.get().partyId()), Refusal.NOT_OF_THE_TRIBUNAL);
    }

    private static Optional<Refusal> when(boolean holds, Refusal refusal) {
        return holds ? Optional.of(refusal) : Optional.empty();
    }

    @SafeVarargs
    private static Optional<Refusal> first(Supplier<Optional<Refusal>>... refusals) {
        return Stream.of(refusals).map(Supplier::get).flatMap(Optional::stream).findFirst();
    }
}
