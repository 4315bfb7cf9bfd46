package io.arbitration.domain.cases;

import io.arbitration.domain.Decision;
import io.arbitration.domain.Decision.Decided;
import io.arbitration.domain.Decision.Refused;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.PhaseId;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Who may see a case and who may change it. Checked in the order of the specification: existence, participation, role, state.
 */
public final class CasePermissions {

    /** Keeps the list of participants short enough for one answer. */
    public static final int PARTICIPANTS_MAX = 500;

    private final Definitions definitions;

    public CasePermissions(Definitions definitions) {
        this.definitions = definitions;
    }

    /** The reason why a user may not see the case; empty for its participants and for super administrators. */
    public Optional<CaseRefusal> rejectsView(Case seen, CaseUser caseUser) {
        return seen.part(caseUser.userId()).isPresent() || caseUser.isSuperAdministrator()
                ? Optional.empty()
                : Optional.of(CaseRefusal.NOT_A_PARTICIPANT);
    }

    /** The reason why a user may not do what only participants may; a super administrator is no participant. */
    public Optional<CaseRefusal> rejectsParticipation(Case seen, CaseUser caseUser) {
        return seen.part(caseUser.userId()).isPresent() ? Optional.empty() : Optional.of(CaseRefusal.NOT_A_PARTICIPANT);
    }

    /** The reason why a user may not see the audit trail; empty for the case manager and for super administrators. */
    public Optional<CaseRefusal> rejectsAudit(Case seen, CaseUser caseUser) {
        return caseUser.isSuperAdministrator() ? Optional.empty() : rejectsManaging(seen, caseUser);
    }

    /** The reason why a user may not see the open invitations of the case; empty for users who may add participants. */
    public Optional<CaseRefusal> rejectsInvitations(Case seen, CaseUser caseUser) {
        if (caseUser.isSuperAdministrator()) {
            return Optional.empty();
        }
        return rejectsParticipation(seen, caseUser).or(() -> definitions.parties().stream().anyMatch(party -> mayChangeSide(seen, party.id(), caseUser))
                ? Optional.empty()
                : Optional.of(CaseRefusal.NOT_YOUR_SIDE));
    }

    /** Whether a user may add participants to that side, and so invite people to it and revoke invitations. */
    public boolean mayChangeSide(Case seen, PartyId party, CaseUser caseUser) {
        return rejectsChangingSide(seen, party, caseUser).isEmpty();
    }

    /** The side to which a user may invite people now, or the refusal. */
    public Decision<PartyId, CaseRefusal> invite(Case current, String partyID, CaseUser caseUser) {
        Optional<PartyId> party = PartyId.of(partyID).flatMap(definitions::party).map(Party::id);
        if (party.isEmpty()) {
            return new Refused<>(CaseRefusal.PARTY_NOT_FOUND);
        }
        return rejectsObserver(current, caseUser)
                .or(() -> rejectsChangingSide(current, party.get(), caseUser))
                .or(() -> rejectsWriting(current, OptionalLong.empty()))
                .or(() -> rejectsMore(current))
                .<Decision<PartyId, CaseRefusal>>map(Refused::new)
                .orElseGet(() -> new Decided<>(party.get()));
    }

    /**
     * The change that a command makes in the case, or its refusal.
     *
     * @param current the case, locked until the change is written
     * @param user the user whom the command concerns, if the platform knows one
     * @param expectedRevision the revision that the caller has read; empty: any
     */
    public Decision<CaseChange, CaseRefusal> decide(
            Case current, CaseCommand command, Optional<Member> user, CaseUser caseUser, OptionalLong expectedRevision) {
        return switch (command) {
            case CaseCommand.AddParticipant add -> add(current, add, user, caseUser, expectedRevision);
            case CaseCommand.AcceptInvitation accept -> rejectsWriting(current, expectedRevision)
                    .map(CasePermissions::rejected)
                    .orElseGet(() -> join(current, user.orElseThrow(), accept.partyId(), accept.isPrimary(), accept.isObserver()));
            case CaseCommand.Restrict restrict -> restrict(current, restrict, caseUser, expectedRevision);
            case CaseCommand.RemoveParticipant remove -> remove(current, remove, caseUser, expectedRevision);
            case CaseCommand.Advance advance -> advance(current, advance, caseUser, expectedRevision);
            case CaseCommand.Close close -> rejectsManaging(current, caseUser).or(() -> rejectsWriting(current, expectedRevision))
                    .map(CasePermissions::rejected)
                    .orElseGet(() -> new Decided<>(new CaseChange.Closed(close.reason())));
        };
    }

    private Decision<CaseChange, CaseRefusal> add(
            Case current, CaseCommand.AddParticipant command, Optional<Member> user, CaseUser caseUser, OptionalLong expectedRevision) {
        Optional<PartyId> party = PartyId.of(command.partyID()).flatMap(definitions::party).map(Party::id);
        if (party.isEmpty()) {
            return rejected(CaseRefusal.PARTY_NOT_FOUND);
        }
        if (user.isEmpty()) {
            return rejected(CaseRefusal.USER_NOT_FOUND);
        }
        Optional<CaseRefusal> rejection = rejectsChangingSide(current, party.get(), caseUser).or(() -> rejectsWriting(current, expectedRevision));
        if (rejection.isPresent()) {
            return rejected(rejection.get());
        }
        return join(current, user.get(), party.get(), command.isPrimary(), command.isObserver());
    }

    private static Decision<CaseChange, CaseRefusal> join(Case current, Member user, PartyId party, boolean isPrimary, boolean isObserver) {
        // Checked last: a user who may add nobody must not learn who belongs to which organization.
        if (!user.belongs()) {
            return rejected(CaseRefusal.ORGANIZATION_NOT_FOUND);
        }
        if (current.part(user.userId()).isPresent()) {
            return rejected(CaseRefusal.ALREADY_ADDED);
        }
        return rejectsMore(current).map(CasePermissions::rejected).orElseGet(() -> new Decided<>(new CaseChange.ParticipantAdded(
                Participant.joining(user.userId(), user.organizationId(), party, isPrimary, isObserver))));
    }

    private static Optional<CaseRefusal> rejectsMore(Case current) {
        return current.participants().size() >= PARTICIPANTS_MAX ? Optional.of(CaseRefusal.TOO_MANY_PARTICIPANTS) : Optional.empty();
    }

    private Decision<CaseChange, CaseRefusal> restrict(
            Case current, CaseCommand.Restrict command, CaseUser caseUser, OptionalLong expectedRevision) {
        Optional<CaseRefusal> rejection = rejectsParticipation(current, caseUser)
                .or(() -> rejectsObserver(current, caseUser))
                .or(() -> rejectsManaging(current, caseUser));
        if (rejection.isPresent()) {
            return rejected(rejection.get());
        }
        Optional<Participant> restricted = command.userId().flatMap(current::part);
        if (restricted.isEmpty()) {
            return rejected(CaseRefusal.PARTICIPANT_NOT_FOUND);
        }
        return rejectsWriting(current, expectedRevision).map(CasePermissions::rejected)
                .orElseGet(() -> new Decided<>(new CaseChange.ParticipantRestricted(restricted.get().userId(), command.mayFile())));
    }

    private Decision<CaseChange, CaseRefusal> remove(
            Case current, CaseCommand.RemoveParticipant command, CaseUser caseUser, OptionalLong expectedRevision) {
        // Only users who may see the case learn that somebody is no participant.
        Optional<CaseRefusal> hidden = rejectsView(current, caseUser);
        if (hidden.isPresent()) {
            return rejected(hidden.get());
        }
        Optional<Participant> leaving = command.userId().flatMap(current::part)
                .filter(participant -> command.partyID().isEmpty() || participant.partyId().value().equals(command.partyID().get()));
        if (leaving.isEmpty()) {
            return rejected(CaseRefusal.PARTICIPANT_NOT_FOUND);
        }
        Optional<CaseRefusal> rejection =
                rejectsChangingSide(current, leaving.get().partyId(), caseUser).or(() -> rejectsWriting(current, expectedRevision));
        if (rejection.isPresent()) {
            return rejected(rejection.get());
        }
        return current.isLastPrimaryOfClaimant(leaving.get())
                ? rejected(CaseRefusal.LAST_PRIMARY)
                : new Decided<>(new CaseChange.ParticipantRemoved(leaving.get()));
    }

    private Decision<CaseChange, CaseRefusal> advance(
            Case current, CaseCommand.Advance command, CaseUser caseUser, OptionalLong expectedRevision) {
        Optional<Phase> named = command.phaseID().flatMap(PhaseId::of).flatMap(definitions::phase);
        if (command.phaseID().isPresent() && named.isEmpty()) {
            return rejected(CaseRefusal.PHASE_NOT_FOUND);
        }
        Optional<CaseRefusal> rejection = rejectsManaging(current, caseUser).or(() -> rejectsWriting(current, expectedRevision));
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

    private Optional<CaseRefusal> rejectsManaging(Case current, CaseUser caseUser) {
        return rejectsParticipation(current, caseUser).or(() -> current.part(caseUser.userId()).orElseThrow().actsFor(Party.CASE_MANAGER)
                ? Optional.empty()
                : Optional.of(CaseRefusal.NOT_CASE_MANAGER));
    }

    private static Optional<CaseRefusal> rejectsObserver(Case current, CaseUser caseUser) {
        return !caseUser.isSuperAdministrator() && current.part(caseUser.userId()).filter(Participant::isObserver).isPresent()
                ? Optional.of(CaseRefusal.OBSERVER)
                : Optional.empty();
    }

    private Optional<CaseRefusal> rejectsChangingSide(Case current, PartyId party, CaseUser caseUser) {
        if (caseUser.isSuperAdministrator()) {
            return Optional.empty();
        }
        return rejectsParticipation(current, caseUser).or(() -> current.part(caseUser.userId()).orElseThrow().mayChangeSide(party)
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
