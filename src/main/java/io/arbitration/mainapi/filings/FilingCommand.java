package io.arbitration.mainapi.filings;

import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/** What a caller wants done with a filing. */
sealed interface FilingCommand {

    UUID caseId();

    By by();

    /** The filing it is about; 0 for a new one. */
    default long filingId() {
        return 0;
    }

    /** Who wants it, and where the wish came from, for the audit trail. */
    record By(UUID userId, String requestId, String address, Optional<String> trace) {}

    record Create(UUID caseId, By by, String documentId, Filing.Content content) implements FilingCommand {}

    /** An empty optional keeps what is there; an optional reference of 0 takes it away. */
    record Update(
            UUID caseId, By by, long filingId, OptionalLong ifMatch, Optional<String> title, Optional<JsonObject> fields,
            OptionalLong supersedes, OptionalLong parentEntryId) implements FilingCommand {}

    record Submit(UUID caseId, By by, long filingId, OptionalLong ifMatch) implements FilingCommand {}

    record Withdraw(UUID caseId, By by, long filingId, OptionalLong ifMatch) implements FilingCommand {}

    record Approve(UUID caseId, By by, long filingId, OptionalLong ifMatch) implements FilingCommand {}

    record Reject(UUID caseId, By by, long filingId, OptionalLong ifMatch, String reason) implements FilingCommand {}
}
