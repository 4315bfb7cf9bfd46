package io.arbitration.domain.cases;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.CaseDeadline.TriggeringEntry;
import io.arbitration.domain.time.CaseClock;
import io.arbitration.domain.time.Seat;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A case at one revision.
 *
 * @param ruleSet id of the rule set that it follows
 * @param revision from 1; grows by 1 with every write to the case
 * @param participants in the order in which they were added
 * @param phaseStartByPhaseId when each phase began that has begun
 * @param extendedTo the extended deadlines, each with its new date
 * @param clock the clock of the case
 * @param seat the place whose working days count; empty: those of the rule set
 */
public record Case(
        CaseId caseId,
        String title,
        String ruleSet,
        PhaseId phaseId,
        boolean isOpen,
        long revision,
        int responseDeadlineDays,
        Instant created,
        List<Participant> participants,
        Map<PhaseId, Instant> phaseStartByPhaseId,
        Map<CaseDates.Extended, Instant> extendedTo,
        CaseClock clock,
        Optional<Seat> seat) {

    public Case {
        participants = List.copyOf(participants);
        phaseStartByPhaseId = Map.copyOf(phaseStartByPhaseId);
        extendedTo = Map.copyOf(extendedTo);
    }

    /** The user's participation in the case; empty if there is none. */
    public Optional<Participant> part(UserId userId) {
        return participants.stream().filter(participant -> participant.userId().equals(userId)).findFirst();
    }

    /** Whether no other primary participant of the claimant is left. */
    boolean isLastPrimaryOfClaimant(Participant participant) {
        return isPrimaryOfClaimant(participant)
                && participants.stream().noneMatch(other -> isPrimaryOfClaimant(other) && !other.equals(participant));
    }

    /** The dates from which its deadlines are counted, with the given docket entries. */
    public CaseDates dates(List<TriggeringEntry> triggering) {
        return new CaseDates(responseDeadlineDays, created, phaseStartByPhaseId, triggering, extendedTo, seat);
    }

    private static boolean isPrimaryOfClaimant(Participant participant) {
        return participant.isPrimary() && participant.partyId().equals(Party.CLAIMANT);
    }
}
