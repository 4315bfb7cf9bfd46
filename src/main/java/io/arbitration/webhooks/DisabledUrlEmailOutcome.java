package io.arbitration.webhooks;

import io.arbitration.platform.queue.AttemptOutcome;
import io.arbitration.platform.queue.Lease;
import io.arbitration.platform.queue.Settlement;
import java.time.Duration;

/** How the attempt to hand such an email to the emails area ended. */
sealed interface DisabledUrlEmailOutcome extends AttemptOutcome {

    DisabledUrlEmail email();

    @Override
    default Lease lease() {
        return email().lease();
    }

    @Override
    default Settlement settlement() {
        return this instanceof Again again ? new Settlement.Again(again.pause) : Settlement.DONE;
    }

    /** The emails area has stored it and sends it. */
    record Accepted(DisabledUrlEmail email) implements DisabledUrlEmailOutcome {}

    record Again(DisabledUrlEmail email, Duration pause, String trouble) implements DisabledUrlEmailOutcome {}

    record GivenUp(DisabledUrlEmail email, String trouble) implements DisabledUrlEmailOutcome {}
}
