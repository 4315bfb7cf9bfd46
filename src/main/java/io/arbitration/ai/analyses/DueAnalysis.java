package io.arbitration.ai.analyses;

import io.arbitration.platform.queue.Lease;
import io.arbitration.platform.queue.LeasedItem;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/**
 * An analysis that this node may run until its lease ends.
 *
 * @param instructions the text of the prompt in that version
 * @param failures answers so far that could not be used
 * @param runToday analyses of the case that the model was asked for and that ended on this day of UTC
 * @param restOfDay until that day ends
 */
record DueAnalysis(
        Lease lease, int failures, String instructions, boolean includeEvidence, boolean includeFullCase,
        UUID caseId, long filingId, boolean drafted, Optional<Long> entryId,
        int runToday, Duration restOfDay) implements LeasedItem {}
