package io.arbitration.cases;

import io.arbitration.domain.cases.CaseDates;
import io.arbitration.domain.cases.Party;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * A case as it stands at a revision.
 *
 * @param revision            from 1; grows by 1 with every write to the case
 * @param participants        in the order in which they were added
 * @param phaseStartByPhaseID when each phase began that has begun
 */
record Case(
        UUID caseId,
        String title,
        String ruleSet,
        String phaseID,
        boolean isOpen,
        long revision,
        int responseDeadlineDays,
        Instant created,
        List<Participant> participants,
        Map<String, Instant> phaseStartByPhaseID) {

    static final String OPEN = "open";
    static final String CLOSED = "closed";

    Case {
        participants = List.copyOf(participants);
        phaseStartByPhaseID = Map.copyOf(phaseStartByPhaseID);
    }

    String status() {
        return isOpen ? OPEN : CLOSED;
    }

    Optional<Participant> part(UUID userId) {
        return participants.stream().filter(participant -> participant.userId().equals(userId)).findFirst();
    }

    /** Whether nobody else is left who may speak for the claimant. */
    boolean isLastPrimaryOfClaimant(Participant participant) {
        return isPrimaryOfClaimant(participant)
                && participants.stream().noneMatch(other -> isPrimaryOfClaimant(other) && !other.equals(participant));
    }

    CaseDates dates(Map<String, Instant> docketedAtByDocumentID) {
        return new CaseDates(responseDeadlineDays, created, phaseStartByPhaseID, docketedAtByDocumentID);
    }

    private static boolean isPrimaryOfClaimant(Participant participant) {
        return participant.isPrimary() && participant.partyID().equals(Party.CLAIMANT);
    }
}
