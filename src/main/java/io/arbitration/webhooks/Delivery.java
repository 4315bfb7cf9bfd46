package io.arbitration.webhooks;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * A delivery with what was tried so far, oldest first.
 *
 * @param nextAttemptAt null unless it waits for an attempt
 */
record Delivery(
        long id, UUID eventId, String event, String url, String state, Instant nextAttemptAt, List<Attempt> attempts) {}
