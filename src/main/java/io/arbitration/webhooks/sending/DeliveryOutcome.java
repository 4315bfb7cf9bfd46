package io.arbitration.webhooks.sending;

import java.time.Duration;
import java.util.Optional;

/** What becomes of a claimed delivery: it has ended, or is tried again after a pause. */
public sealed interface DeliveryOutcome {

    ClaimedDelivery claimed();

    record Delivered(ClaimedDelivery claimed, DeliveryAttempt attempt) implements DeliveryOutcome {}

    record Failed(ClaimedDelivery claimed, DeliveryAttempt attempt) implements DeliveryOutcome {}

    record Again(ClaimedDelivery claimed, DeliveryAttempt attempt, Duration pause) implements DeliveryOutcome {}

    /** Its URL was disabled or deleted before it was sent. */
    record Cancelled(ClaimedDelivery claimed) implements DeliveryOutcome {}

    /** The attempt that was made; empty if the delivery was not sent. */
    default Optional<DeliveryAttempt> made() {
        return switch (this) {
            case Delivered delivered -> Optional.of(delivered.attempt);
            case Failed failed -> Optional.of(failed.attempt);
            case Again again -> Optional.of(again.attempt);
            case Cancelled cancelled -> Optional.empty();
        };
    }
}
