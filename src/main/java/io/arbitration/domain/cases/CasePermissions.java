package io.arbitration.domain.cases;

import io.arbitration.domain.Decision;
import io.arbitration.domain.Decision.Decided;
import io.arbitration.domain.Decision.Refused;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.PhaseId;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Who may see a case and who may change what in it. Checked in the order of the specification: existence, participation, role,
 * state.
 */
public final class CasePermissions {

    /** Keeps the list of participants short enough for one answer. */
    public static final int PARTICIPANTS_MAX = 500;

    private final Definitions definitions;

    public CasePermissions(Definitions definitions) {
        this.definitions = definitions;
    }

    /** Why somebody may not see the case; empty for its participants and for super administrators. */
    public Optional<CaseRefusal> rejectsView(Case seen, Asker asker) {
        return seen.part(asker.userId()).isPresent() || asker.isSuperAdministrator()
                ? Optional.empty()
                : Optional.of(CaseRefusal.NOT_A_PARTICIPANT);
    }

    /** Why somebody may not do what only participants may; a super administrator is no participant. */
    public Optional<CaseRefusal> rejectsParticipation(Case seen, Asker asker) {
        return seen.part(asker.userId()).isPresent() ? Optional.empty() : Optional.of(CaseRefusal.NOT_A_PARTICIPANT);
    }

    /** Why somebody may not see the audit trail; empty for the case manager and for super administrators. */
    public Optional<CaseRefusal> rejectsAudit(Case seen, Asker asker) {
        return asker.isSuperAdministrator() ? Optional.empty() : rejectsManaging(seen, asker);
    }

    /**
     * What a command changes in the case, or why it changes nothing.
     *
     * @param current          the case as it stays until the change is written
     * @param user             the user that the command is about, if the platform knows one
     * @param expectedRevision the revision that the caller has seen; empty: any
     */
    public Decision<CaseChange, CaseRefusal> decide(
            Case current, CaseCommand command, Optional<Member> user, Asker asker, OptionalLong expectedRevision) {
        return switch (command) {
            case CaseCommand.AddParticipant add -> add(current, add, user, asker, expectedRevision);
            case CaseCommand.RemoveParticipant remove -> remove(current, remove, asker, expectedRevision);
            case CaseCommand.Advance advance -> advance(current, advance, asker, expectedRevision);
            case CaseCommand.Close close -> rejectsManaging(current, asker).or(() -> rejectsWriting(current, expectedRevision))
                    .map(CasePermissions::rejected)
                    .orElseGet(() -> new Decided<>(new CaseChange.Closed(close.reason())));
        };
    }

    private Decision<CaseChange, CaseRefusal> add(
            Case current, CaseCommand.AddParticipant command, Optional<Member> user, Asker asker, OptionalLong expectedRevision) {
        Optional<PartyId> party = PartyId.of(command.partyID()).flatMap(definitions::party).map(Party::id);
        if (party.isEmpty()) {
            return rejected(CaseRefusal.PARTY_NOT_FOUND);
        }
        if (user.isEmpty()) {
            return rejected(CaseRefusal.USER_NOT_FOUND);
        }
        Optional<CaseRefusal> rejection = rejectsChangingSide(current, party.get(), asker).or(() -> rejectsWriting(current, expectedRevision));
        if (rejection.isPresent()) {
            return rejected(rejection.get());
        }
        if (current.part(user.get().userId()).isPresent()) {
            return rejected(CaseRefusal.ALREADY_ADDED);
        }
        return current.participants().size() >= PARTICIPANTS_MAX
                ? rejected(CaseRefusal.TOO_MANY_PARTICIPANTS)
                : new Decided<>(new CaseChange.ParticipantAdded(new Participant(user.get().userId(), user.get().organizationId(),
                        party.get(), command.isPrimary(), command.isObserver())));
    }

    private Decision<CaseChange, CaseRefusal> remove(
            Case current, CaseCommand.RemoveParticipant command, Asker asker, OptionalLong expectedRevision) {
        // Only those who may see the case learn that somebody has no part in it.
        Optional<CaseRefusal> hidden = rejectsView(current, asker);
        if (hidden.isPresent()) {
            return rejected(hidden.get());
        }
        Optional<Participant> leaving = command.userId().flatMap(current::part)
                .filter(participant -> command.partyID().isEmpty() || participant.partyId().value().equals(command.partyID().get()));
        if (leaving.isEmpty()) {
            return rejected(CaseRefusal.PARTICIPANT_NOT_FOUND);
        }
        Optional<CaseRefusal> rejection =
                rejectsChangingSide(current, leaving.get().partyId(), asker).or(() -> rejectsWriting(current, expectedRevision));
        if (rejection.isPresent()) {
            return rejected(rejection.get());
        }
        return current.isLastPrimaryOfClaimant(leaving.get())
                ? rejected(CaseRefusal.LAST_PRIMARY)
                : new Decided<>(new CaseChange.ParticipantRemoved(leaving.get().userId()));
    }

    private Decision<CaseChange, CaseRefusal> advance(
            Case current, CaseCommand.Advance command, Asker asker, OptionalLong expectedRevision) {
        Optional<Phase> named = command.phaseID().flatMap(PhaseId::of).flatMap(definitions::phase);
        if (command.phaseID().isPresent() && named.isEmpty()) {
            return rejected(CaseRefusal.PHASE_NOT_FOUND);
        }
        Optional<CaseRefusal> rejection = rejectsManaging(current, asker).or(() -> rejectsWriting(current, expectedRevision));
        if (rejection.isPresent()) {
            return rejected(rejection.get());
        }
        Phase before = definitions.phase(current.phaseId()).orElseThrow();
        Optional<Phase> begun = named.or(() -> definitions.phaseAfter(before.id()));
        if (begun.isEmpty()) {
            return rejected(CaseRefusal.LAST_PHASE);
        }
        return begun.get().isAfter(before)
                ? new Decided<>(new CaseChange.PhaseBegun(before.id(), begun.get().id()))
                : rejected(CaseRefusal.PHASE_NOT_LATER);
    }

    private Optional<CaseRefusal> rejectsManaging(Case current, Asker asker) {
        return rejectsParticipation(current, asker).or(() -> current.part(asker.userId()).orElseThrow().actsFor(Party.CASE_MANAGER)
                ? Optional.empty()
                : Optional.of(CaseRefusal.NOT_CASE_MANAGER));
    }

    private Optional<CaseRefusal> rejectsChangingSide(Case current, PartyId party, Asker asker) {
        if (asker.isSuperAdministrator()) {
            return Optional.empty();
        }
        return rejectsParticipation(current, asker).or(() -> current.part(asker.userId()).orElseThrow().mayChangeSide(party)
                ? Optional.empty()
                : Optional.of(CaseRefusal.NOT_YOUR_SIDE));
    }

    private static Optional<CaseRefusal> rejectsWriting(Case current, OptionalLong expectedRevision) {
        if (!current.isOpen()) {
            return Optional.of(CaseRefusal.CLOSED);
        }
        return expectedRevision.isPresent() && expectedRevision.getAsLong() != current.revision()
                ? Optional.of(CaseRefusal.STALE)
                : Optional.empty();
    }

    private static Decision<CaseChange, CaseRefusal> rejected(CaseRefusal reason) {
        return new Refused<>(reason);
    }
}
