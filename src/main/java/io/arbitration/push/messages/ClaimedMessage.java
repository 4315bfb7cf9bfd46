package io.arbitration.push.messages;

import io.arbitration.push.subscriptions.Subscription;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/**
 * A delivery that this node may attempt until its lease ends.
 *
 * @param claim valid as long as the queue has the same one
 * @param subscription empty if it has ended meanwhile
 * @param attempts earlier attempts
 * @param left time until the message expires; may be negative
 * @param idempotencyKey of the message
 * @param trace trace context of the request ({@code traceparent})
 */
public record ClaimedMessage(
        long deliveryId, UUID claim, Optional<Subscription> subscription, int attempts, byte[] payload, Duration left, String idempotencyKey,
        Optional<String> trace) {

    @Override
    public String toString() {
        return "delivery %d to %s".formatted(deliveryId, subscription.map(Subscription::toString).orElse("nobody"));
    }
}
