package io.arbitration.alerts;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * What happened in a case, as far as an alert tells it.
 *
 * @param entry of a {@code docket_filing}; empty when there is none of that id
 * @param by public name of the filer of the entry, else of whoever made it happen
 */
record News(UUID eventId, String event, UUID caseId, String caseTitle, Optional<Entry> entry, Optional<String> by, Instant at) {

    /** The docket entry of a {@code docket_filing}. */
    record Entry(long id, int number, String title) {}

    boolean isOfAnEntry() {
        return event.equals("docket_filing");
    }
}
