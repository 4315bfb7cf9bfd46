package io.arbitration.cases;

import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/**
 * A filing on which something may still be done, as the main API publishes it.
 *
 * @param approver the party that it waits for; empty before it is submitted
 */
record OpenFiling(long filingId, String documentID, String partyID, UUID userId, State state, Optional<String> approver) {

    /** The states that aren't final. */
    enum State {
        DRAFT, SUBMITTED, REJECTED;

        static State of(String published) {
            return valueOf(published.toUpperCase(Locale.ROOT));
        }
    }
}
