package io.arbitration.cases.hearings;

import io.arbitration.domain.HearingId;
import io.arbitration.platform.queue.AttemptOutcome;
import io.arbitration.platform.queue.Lease;
import io.arbitration.platform.queue.Settlement;

/**
 * A hearing that was cancelled by the closing of its case, whose notifications are not queued yet. It is its own outcome:
 * recording it, which queues them, is all of the work.
 */
record ClosedHearing(Lease lease, HearingId hearingId) implements AttemptOutcome {

    @Override
    public Settlement settlement() {
        return Settlement.DONE;
    }
}
