package io.arbitration.cases.hearings;

import io.arbitration.domain.HearingId;
import io.arbitration.platform.queue.AttemptOutcome;
import io.arbitration.platform.queue.Lease;
import io.arbitration.platform.queue.Settlement;

/** A hearing that was cancelled since its case was closed, of which its people are to be told. All there is to do is done when that is recorded. */
record ClosedHearing(Lease lease, HearingId hearingId) implements AttemptOutcome {

    @Override
    public Settlement settlement() {
        return Settlement.DONE;
    }
}
