package io.arbitration.webhooks.sending;

import java.time.Duration;
import java.util.Optional;

/** What becomes of a claimed delivery: it has ended, or is tried again after a pause. */
public sealed interface DeliveryOutcome {

    ClaimedDelivery claimed();

    /** The attempt that was made; empty if the delivery was not sent. */
    Optional<DeliveryAttempt> made();

    record Delivered(ClaimedDelivery claimed, DeliveryAttempt attempt) implements DeliveryOutcome {
        @Override
        public Optional<DeliveryAttempt> made() {
            return Optional.of(attempt);
        }
    }

    record Failed(ClaimedDelivery claimed, DeliveryAttempt attempt) implements DeliveryOutcome {
        @Override
        public Optional<DeliveryAttempt> made() {
            return Optional.of(attempt);
        }
    }

    record Again(ClaimedDelivery claimed, DeliveryAttempt attempt, Duration pause) implements DeliveryOutcome {
        @Override
        public Optional<DeliveryAttempt> made() {
            return Optional.of(attempt);
        }
    }

    /** Its URL was disabled or deleted before it was sent. */
    record Cancelled(ClaimedDelivery claimed) implements DeliveryOutcome {
        @Override
        public Optional<DeliveryAttempt> made() {
            return Optional.empty();
        }
    }
}
