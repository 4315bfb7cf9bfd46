package io.arbitration.domain.cases;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * What the deadlines of a case are counted from.
 *
 * @param responseDeadlineDays    what the case chose
 * @param phaseStartByPhaseID     when each phase began; a phase that has not begun is absent
 * @param docketedAtByDocumentID  when the newest entry of each document type entered the docket
 */
public record CaseDates(
        int responseDeadlineDays,
        Instant created,
        Map<String, Instant> phaseStartByPhaseID,
        Map<String, Instant> docketedAtByDocumentID) {

    public CaseDates {
        phaseStartByPhaseID = Map.copyOf(phaseStartByPhaseID);
        docketedAtByDocumentID = Map.copyOf(docketedAtByDocumentID);
    }

    /** The same, as if that phase began then. */
    CaseDates withPhaseStart(String phaseID, Instant start) {
        Map<String, Instant> starts = new HashMap<>(phaseStartByPhaseID);
        starts.put(phaseID, start);
        return new CaseDates(responseDeadlineDays, created, starts, docketedAtByDocumentID);
    }
}
