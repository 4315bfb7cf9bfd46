package io.arbitration.webhooks.sending;

import java.time.Duration;

/** The consequence of an attempt: the delivery has ended, or is tried again after a pause. */
public sealed interface DeliveryOutcome {

    ClaimedDelivery claimed();

    DeliveryAttempt attempt();

    record Delivered(ClaimedDelivery claimed, DeliveryAttempt attempt) implements DeliveryOutcome {}

    record Failed(ClaimedDelivery claimed, DeliveryAttempt attempt) implements DeliveryOutcome {}

    record Again(ClaimedDelivery claimed, DeliveryAttempt attempt, Duration pause) implements DeliveryOutcome {}
}
