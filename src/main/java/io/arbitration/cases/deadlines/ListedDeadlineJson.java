package io.arbitration.cases.deadlines;

import io.arbitration.domain.cases.CaseDeadline;
import io.arbitration.platform.answer.DeadlineJson;
import io.vertx.core.json.JsonObject;
import java.time.Instant;

/** Deadlines of cases as the contract shows them. */
final class ListedDeadlineJson {

    private ListedDeadlineJson() {}

    /** @param now by the time of the platform */
    static JsonObject of(ListedDeadline listed, Instant now) {
        CaseDeadline deadline = listed.deadline();
        return new JsonObject()
                .put("deadlineID", deadline.deadlineId().toString())
                .put("caseID", deadline.caseId().toString())
                .put("phaseID", deadline.phaseId().value())
                .put("documentID", deadline.documentId().value())
                .put("partyID", deadline.partyId().value())
                .mergeIn(DeadlineJson.of(listed.current()))
                .put("status", DeadlineStatus.of(listed.isMet(), listed.current().date(), listed.clock().now(now)).wireName());
    }
}
