package io.arbitration.webhooks.sending;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A delivery that this node may attempt until its lease ends.
 *
 * @param claim the token of the claim; the lease is valid while the queue has the same one
 * @param attempts how many attempts were made before
 * @param secrets encrypted, the current one first
 * @param envelope the body that is sent, the same bytes at every attempt
 * @param trace trace context of the request that caused the event ({@code traceparent})
 * @param inSandbox whether the event happened in a sandbox
 * @param isCancelled whether the URL was disabled or deleted while the delivery was being added
 */
public record ClaimedDelivery(
        long deliveryId, UUID claim, long urlId, int attempts, String url, UUID organizationId, List<byte[]> secrets,
        UUID eventId, String envelope, Optional<String> trace, boolean inSandbox, boolean isCancelled) {}
