package io.arbitration.domain.cases;

import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.PhaseId;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * What the deadlines of a case are counted from.
 *
 * @param responseDeadlineDays    what the case chose
 * @param phaseStartByPhaseId     when each phase began; a phase that has not begun is absent
 * @param docketedAtByDocumentId  when the newest entry of each document type entered the docket
 */
public record CaseDates(
        int responseDeadlineDays,
        Instant created,
        Map<PhaseId, Instant> phaseStartByPhaseId,
        Map<DocumentTypeId, Instant> docketedAtByDocumentId) {

    public CaseDates {
        phaseStartByPhaseId = Map.copyOf(phaseStartByPhaseId);
        docketedAtByDocumentId = Map.copyOf(docketedAtByDocumentId);
    }

    /** The same, as if that phase began then. */
    CaseDates withPhaseStart(PhaseId phaseId, Instant start) {
        Map<PhaseId, Instant> starts = new HashMap<>(phaseStartByPhaseId);
        starts.put(phaseId, start);
        return new CaseDates(responseDeadlineDays, created, starts, docketedAtByDocumentId);
    }
}
