package io.arbitration.mainapi.notice;

import io.arbitration.platform.queue.AttemptOutcome;
import io.arbitration.platform.queue.Lease;
import io.arbitration.platform.queue.Settlement;
import java.time.Duration;
import java.time.Instant;

/** How the attempt to hand the email of a notice to the emails area ended. */
sealed interface HandoverOutcome extends AttemptOutcome {

    DueEmail due();

    @Override
    default Lease lease() {
        return due().lease();
    }

    @Override
    default Settlement settlement() {
        return this instanceof Again again ? new Settlement.Again(again.pause) : Settlement.DONE;
    }

    /** The emails area has stored it and sends it. */
    record Taken(DueEmail due) implements HandoverOutcome {}

    /** The emails area will never send it. */
    record Refused(DueEmail due, Instant at, String reason) implements HandoverOutcome {}

    record Again(DueEmail due, Duration pause) implements HandoverOutcome {}
}
