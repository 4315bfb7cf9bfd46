package io.arbitration.push;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/**
 * A delivery that this node may attempt until its lease ends.
 *
 * @param claim counts as long as the queue holds the same one
 * @param subscription empty when it has ended meanwhile
 * @param attempts made before
 * @param left until the message is of no use any more; may be negative
 * @param idempotencyKey of the message
 * @param trace context of the trace that asked for it
 */
record Claimed(
        long deliveryId, UUID claim, Optional<Subscription> subscription, int attempts, byte[] payload, Duration left, String idempotencyKey,
        Optional<String> trace) {

    @Override
    public String toString() {
        return "delivery %d to %s".formatted(deliveryId, subscription.map(Subscription::toString).orElse("nobody"));
    }
}
