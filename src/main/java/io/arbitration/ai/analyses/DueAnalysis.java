package io.arbitration.ai.analyses;

import io.arbitration.platform.queue.Lease;
import io.arbitration.platform.queue.Leased;
import java.util.Optional;
import java.util.UUID;

/**
 * An analysis that this node may run until its lease ends.
 *
 * @param instructions the text of the prompt in that version
 * @param failures answers so far that could not be used
 */
record DueAnalysis(
        Lease lease, int failures, String instructions, boolean includeEvidence, boolean includeFullCase,
        UUID caseId, long filingId, boolean drafted, Optional<Long> entryId) implements Leased {}
