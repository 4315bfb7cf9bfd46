package io.arbitration.alerts;

import io.arbitration.platform.queue.AttemptOutcome;
import io.arbitration.platform.queue.Lease;
import io.arbitration.platform.queue.Settlement;
import java.time.Duration;

/** How the attempt to hand an alert to its channel ended. */
sealed interface AlertOutcome extends AttemptOutcome {

    DueAlert alert();

    @Override
    default Lease lease() {
        return alert().lease();
    }

    @Override
    default Settlement settlement() {
        return this instanceof Again again ? new Settlement.Again(again.pause) : Settlement.DONE;
    }

    /** The channel has stored it and sends it. */
    record Accepted(DueAlert alert) implements AlertOutcome {}

    record Dropped(DueAlert alert, String reason) implements AlertOutcome {}

    /** The channel has refused it for good. */
    record Refused(DueAlert alert, String reason) implements AlertOutcome {}

    record Again(DueAlert alert, Duration pause, String reason) implements AlertOutcome {}
}
