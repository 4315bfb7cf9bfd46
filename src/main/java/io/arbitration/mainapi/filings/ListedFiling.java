package io.arbitration.mainapi.filings;

import io.arbitration.domain.filing.FiledFile;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A filing as lists show it, with the values of its database row; no rule uses them.
 *
 * @param fields the stored JSON object in UTF-8, which pages copy
 * @param sealed the stored JSON object of the seal that its docket entry will get
 */
record ListedFiling(
        long filingId, UUID caseId, String documentId, String phaseId, String partyId, UUID userId, Optional<UUID> organizationId,
        String state, String title, Buffer fields, long revision, Instant created, Instant updated, Optional<Long> supersedes,
        Optional<Long> parentEntryId, Optional<Instant> submittedAt, Optional<Instant> decidedAt, Optional<UUID> decidedBy,
        Optional<String> reason, Optional<Long> entryId, Optional<String> sealed, List<FiledFile> files) {}
