package io.arbitration.ai.analyses;

import java.util.Optional;
import java.util.UUID;

/**
 * An analysis that this node has claimed.
 *
 * @param instructions the text of the prompt in that version
 * @param failures answers so far that could not be used
 */
record DueAnalysis(
        long analysisId, UUID claim, int attempts, int failures, String instructions, boolean includeEvidence, boolean includeFullCase,
        UUID caseId, long filingId, boolean drafted, Optional<Long> entryId) {}
