package io.arbitration.webhooks;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A delivery that this node may attempt until its lease ends.
 *
 * @param claim counts as long as the queue holds the same one
 * @param attempts made before
 * @param secrets sealed, the current one first
 * @param envelope what is sent, byte for byte, at every attempt
 * @param trace context of the trace that the event goes on
 */
record Claimed(
        long deliveryId, UUID claim, long urlId, int attempts, String url, UUID organizationId, List<byte[]> secrets,
        UUID eventId, String envelope, Optional<String> trace) {}
