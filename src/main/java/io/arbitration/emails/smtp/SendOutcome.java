package io.arbitration.emails.smtp;

import io.arbitration.platform.queue.AttemptOutcome;
import io.arbitration.platform.queue.Lease;
import io.arbitration.platform.queue.Settlement;
import java.time.Duration;

/** The result of an attempt to send an email to one recipient. */
sealed interface SendOutcome extends AttemptOutcome {

    ClaimedEmail claimed();

    SendAttempt attempt();

    @Override
    default Lease lease() {
        return claimed().lease();
    }

    record Sent(ClaimedEmail claimed, SendAttempt attempt) implements SendOutcome {

        /**
         * Valid whichever node holds the item: the mail server has the email, and a repetition would be a second copy for the
         * recipient.
         */
        @Override
        public Settlement settlement() {
            return Settlement.DONE_WHOEVER_HOLDS_IT;
        }
    }

    /** The mail server refused this mail for this recipient permanently. */
    record Bounced(ClaimedEmail claimed, SendAttempt attempt) implements SendOutcome {

        @Override
        public Settlement settlement() {
            return Settlement.DONE;
        }
    }

    /** It was not sent, because its content is out of date. */
    record Dropped(ClaimedEmail claimed, SendAttempt attempt) implements SendOutcome {

        @Override
        public Settlement settlement() {
            return Settlement.DONE;
        }
    }

    /** No further attempt is allowed. */
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
