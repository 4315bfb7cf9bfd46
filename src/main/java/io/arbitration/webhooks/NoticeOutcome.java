package io.arbitration.webhooks;

import io.arbitration.platform.queue.AttemptOutcome;
import io.arbitration.platform.queue.Lease;
import io.arbitration.platform.queue.Settlement;
import java.time.Duration;

/** What became of a notice to an organization. */
sealed interface NoticeOutcome extends AttemptOutcome {

    Notice notice();

    @Override
    default Lease lease() {
        return notice().lease();
    }

    @Override
    default Settlement settlement() {
        return this instanceof Again again ? new Settlement.Again(again.pause) : Settlement.DONE;
    }

    /** The email service has it, durably. */
    record Told(Notice notice) implements NoticeOutcome {}

    record Again(Notice notice, Duration pause, String trouble) implements NoticeOutcome {}

    record GivenUp(Notice notice, String trouble) implements NoticeOutcome {}
}
