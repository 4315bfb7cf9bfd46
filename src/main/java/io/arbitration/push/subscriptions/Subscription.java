package io.arbitration.push.subscriptions;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * A browser that takes notifications.
 *
 * @param userId empty when it subscribed without a token
 * @param keyId the VAPID key it subscribed with, which signs for it for as long as it lives
 * @param endpoint where its push service takes messages for it; whoever knows it can send to it, signed with that key
 * @param service origin of the endpoint
 * @param p256dh the browser's public key
 * @param auth the secret it shares with the platform, 16 bytes
 * @param expires when the push service will end it, as the browser was told
 */
public record Subscription(
        UUID id, Optional<UUID> userId, long keyId, String endpoint, String service, byte[] p256dh, byte[] auth, Instant created,
        Optional<Instant> expires) {

    /** Without what must not be in a log. */
    @Override
    public String toString() {
        return "Subscription[%s at %s]".formatted(id, service);
    }
}
