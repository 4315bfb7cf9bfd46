package io.arbitration.mainapi.docket;

import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.UUID;

/** An entry as docket lists show it, in the values of its row: lists are long, and nothing is decided by them. */
record ListedEntry(
        long entryId, int number, OffsetDateTime enteredAt, UUID userId, Optional<UUID> organizationId, String phaseId, String documentId,
        String partyId, long filingId, String title, Optional<Long> supersedes) {}
