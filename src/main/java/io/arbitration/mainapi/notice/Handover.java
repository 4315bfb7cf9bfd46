package io.arbitration.mainapi.notice;

import io.arbitration.platform.queue.AttemptOutcome;
import io.arbitration.platform.queue.Lease;
import io.arbitration.platform.queue.Settlement;
import java.time.Duration;
import java.time.Instant;

/** What follows from offering an email to the emails area. */
sealed interface Handover extends AttemptOutcome {

    DueEmail due();

    @Override
    default Lease lease() {
        return due().lease();
    }

    @Override
    default Settlement settlement() {
        return this instanceof Again again ? new Settlement.Again(again.pause) : Settlement.DONE;
    }

    /** It has the email, durably, and sends it. */
    record Taken(DueEmail due) implements Handover {}

    /** It will never send this one. */
    record Refused(DueEmail due, Instant at, String reason) implements Handover {}

    record Again(DueEmail due, Duration pause) implements Handover {}
}
