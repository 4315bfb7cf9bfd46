package io.arbitration.webhooks.deliveries;

import io.arbitration.webhooks.sending.DeliveryAttempt;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A delivery of one event to one URL.
 *
 * @param nextAttemptAt empty if no further attempt follows
 * @param attempts the latest attempts, oldest first
 */
record Delivery(long id, UUID eventId, String event, String url, String state, Optional<Instant> nextAttemptAt, List<DeliveryAttempt> attempts) {

    Delivery with(List<DeliveryAttempt> made) {
        return new Delivery(id, eventId, event, url, state, nextAttemptAt, made);
    }
}
