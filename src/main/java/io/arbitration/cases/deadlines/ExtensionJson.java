package io.arbitration.cases.deadlines;

import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.Extension;
import io.arbitration.domain.cases.Extension.Outcome;
import io.arbitration.domain.time.Timestamps;
import io.vertx.core.json.JsonObject;
import java.time.Instant;

/** Requests for more time as the contract shows them. */
final class ExtensionJson {

    private ExtensionJson() {}

    /** The name of the outcome of a request, in the interface and in the database. */
    static String state(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Open() -> "open";
            case Outcome.Withdrawn(UserId by, Instant at) -> "withdrawn";
            case Outcome.Granted(UserId by, Instant at, Instant until, String reason) -> "granted";
            case Outcome.Refused(UserId by, Instant at, String reason) -> "refused";
        };
    }

    static JsonObject of(Extension extension) {
        JsonObject json = new JsonObject()
                .put("extensionID", extension.extensionId().toString())
                .put("caseID", extension.caseId().toString())
                .put("deadlineID", extension.deadlineId().toString())
                .put("partyID", extension.partyId().value())
                .put("requestedBy", extension.requestedBy().toString())
                .put("requested", Timestamps.text(extension.requestedAt()))
                .put("until", Timestamps.text(extension.until()))
                .put("reason", extension.reason())
                .put("state", state(extension.outcome()));
        switch (extension.outcome()) {
            case Outcome.Open() -> { }
            case Outcome.Withdrawn(UserId by, Instant at) -> json.put("ended", Timestamps.text(at));
            case Outcome.Granted(UserId by, Instant at, Instant until, String reason) -> json.put("ended", Timestamps.text(at))
                    .put("decidedBy", by.toString()).put("grantedUntil", Timestamps.text(until)).put("decisionReason", reason);
            case Outcome.Refused(UserId by, Instant at, String reason) -> json.put("ended", Timestamps.text(at))
                    .put("decidedBy", by.toString()).put("decisionReason", reason);
        }
        return json;
    }
}
