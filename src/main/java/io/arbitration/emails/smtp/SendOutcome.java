package io.arbitration.emails.smtp;

import io.arbitration.platform.queue.AttemptOutcome;
import io.arbitration.platform.queue.Lease;
import io.arbitration.platform.queue.Settlement;
import java.time.Duration;

/** What follows from an attempt to send. */
sealed interface SendOutcome extends AttemptOutcome {

    ClaimedEmail claimed();

    SendAttempt attempt();

    @Override
    default Lease lease() {
        return claimed().lease();
    }

    record Sent(ClaimedEmail claimed, SendAttempt attempt) implements SendOutcome {

        /** The mail server has it: that is true whoever holds the item by now, and spares the recipient another copy. */
        @Override
        public Settlement settlement() {
            return Settlement.DONE_WHOEVER_HOLDS_IT;
        }
    }

    /** The mail server refused this mail for this recipient for good. */
    record Bounced(ClaimedEmail claimed, SendAttempt attempt) implements SendOutcome {

        @Override
        public Settlement settlement() {
            return Settlement.DONE;
        }
    }

    /** It was sent to nobody, since what it says is so no more. */
    record Dropped(ClaimedEmail claimed, SendAttempt attempt) implements SendOutcome {

        @Override
        public Settlement settlement() {
            return Settlement.DONE;
        }
    }

    /** No attempt is left. */
    record Failed(ClaimedEmail claimed, SendAttempt attempt) implements SendOutcome {

        @Override
        public Settlement settlement() {
            return Settlement.DONE;
        }
    }

    record Again(ClaimedEmail claimed, SendAttempt attempt, Duration pause) implements SendOutcome {

        @Override
        public Settlement settlement() {
            return new Settlement.Again(pause);
        }
    }
}
