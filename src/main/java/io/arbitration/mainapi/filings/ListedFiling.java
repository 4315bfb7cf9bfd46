package io.arbitration.mainapi.filings;

import io.arbitration.domain.filing.FiledFile;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A filing as lists show it, in the values of its row: nothing is decided by them.
 *
 * @param fields the JSON object that is stored, its bytes in UTF-8: pages show it as it is
 * @param sealed how its entry is to be sealed, the JSON object that is stored
 */
record ListedFiling(
        long filingId, UUID caseId, String documentId, String phaseId, String partyId, UUID userId, Optional<UUID> organizationId,
        String state, String title, Buffer fields, long revision, Instant created, Instant updated, Optional<Long> supersedes,
        Optional<Long> parentEntryId, Optional<Instant> submittedAt, Optional<Instant> decidedAt, Optional<UUID> decidedBy,
        Optional<String> reason, Optional<Long> entryId, Optional<String> sealed, List<FiledFile> files) {}
