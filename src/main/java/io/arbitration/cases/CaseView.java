package io.arbitration.cases;

import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.cases.Case;
import java.time.Instant;
import java.util.Map;

/**
 * A case with what its timetable needs.
 *
 * @param docketedAtByDocumentId when the newest entry of each document type entered the docket; empty where the timetable of the
 *                               rule set does not depend on it
 */
record CaseView(Case of, Map<DocumentTypeId, Instant> docketedAtByDocumentId) {

    CaseView {
        docketedAtByDocumentId = Map.copyOf(docketedAtByDocumentId);
    }
}
