package io.arbitration.mainapi.filings;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A filing as lists show it, in the values of its row: nothing is decided by them.
 *
 * @param fields the JSON object that is stored
 */
record ListedFiling(
        long filingId, UUID caseId, String documentId, String phaseId, String partyId, UUID userId, Optional<UUID> organizationId,
        String state, String title, String fields, long revision, Instant created, Instant updated, Optional<Long> supersedes,
        Optional<Long> parentEntryId, Optional<Instant> submittedAt, Optional<Instant> decidedAt, Optional<UUID> decidedBy,
        Optional<String> reason, Optional<Long> entryId) {

    /** Some filings of a list, and whether the list goes on after them. */
    record Page(List<ListedFiling> filings, boolean hasMore) {

        /** The filing behind which the next page begins; empty at the end. */
        Optional<ListedFiling> next() {
            return hasMore ? Optional.of(filings.getLast()) : Optional.empty();
        }
    }
}
