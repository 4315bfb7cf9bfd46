package io.arbitration.push.subscriptions;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * A browser that receives notifications.
 *
 * @param userId empty if it subscribed without a token
 * @param keyId the VAPID key of the subscription, which signs all its messages
 * @param endpoint the address at its push service; anybody who knows it can send to it, with a signature of that key
 * @param service origin of the endpoint
 * @param p256dh the browser's public key
 * @param auth the secret that it shares with the platform, 16 bytes
 * @param expires when the push service will end it, according to the browser
 */
public record Subscription(
        UUID id, Optional<UUID> userId, long keyId, String endpoint, String service, byte[] p256dh, byte[] auth, Instant created,
        Optional<Instant> expires) {

    /** Without confidential values, for the log. */
    @Override
    public String toString() {
        return "Subscription[%s at %s]".formatted(id, service);
    }
}
