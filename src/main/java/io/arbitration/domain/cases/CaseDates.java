package io.arbitration.domain.cases;

import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.time.Deadline;
import io.arbitration.domain.time.Seat;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What the deadlines of a case are counted from.
 *
 * @param responseDeadlineDays    what the case chose
 * @param phaseStartByPhaseId     when each phase began; a phase that has not begun is absent
 * @param docketedAtByDocumentId  when the newest entry of each document type entered the docket
 * @param extendedTo              the deadlines that were extended, and up to when
 * @param seat                    whose working days count; empty: those of the rule set
 */
public record CaseDates(
        int responseDeadlineDays,
        Instant created,
        Map<PhaseId, Instant> phaseStartByPhaseId,
        Map<DocumentTypeId, Instant> docketedAtByDocumentId,
        Map<Extended, Instant> extendedTo,
        Optional<Seat> seat) {

    /**
     * Which deadline was extended.
     *
     * @param trigger when it began to run
     */
    public record Extended(PhaseId phaseId, DocumentTypeId documentId, PartyId partyId, Instant trigger) {}

    public CaseDates {
        phaseStartByPhaseId = Map.copyOf(phaseStartByPhaseId);
        docketedAtByDocumentId = Map.copyOf(docketedAtByDocumentId);
        extendedTo = Map.copyOf(extendedTo);
    }

    /** The deadline with what was granted to that party. */
    Deadline extended(Deadline deadline, MatrixEntry entry, PartyId partyId) {
        Instant until = extendedTo.get(new Extended(entry.phaseId(), entry.documentId(), partyId, deadline.trigger()));
        return until == null ? deadline : deadline.extendedTo(until);
    }

    /** The same, as if that phase began then. */
    CaseDates withPhaseStart(PhaseId phaseId, Instant start) {
        Map<PhaseId, Instant> starts = new HashMap<>(phaseStartByPhaseId);
        starts.put(phaseId, start);
        return new CaseDates(responseDeadlineDays, created, starts, docketedAtByDocumentId, extendedTo, seat);
    }
}
