package io.arbitration.identity.clients;

import io.arbitration.identity.Secrets;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiPredicate;

/**
 * A stored machine client. Each secret has a session, and each access token belongs to the session of the secret with which it was
 * requested.
 *
 * @param previousSecret the secret before the last rotation, while it is valid
 * @param sessionId the session of the present secret
 * @param organizationId the organization that it acts for
 * @param grantsRevision how often a permission was revoked
 */
record Client(
        UUID id, String name, byte[] secretHash, Optional<PreviousSecret> previousSecret, Set<String> permissions, UUID sessionId,
        Optional<UUID> organizationId, long grantsRevision, Instant created, Optional<Instant> lastUsed, boolean isDisabled) {

    /** @param sessionId empty if a node of a former release has rotated the secret: it has one session for all secrets */
    record PreviousSecret(byte[] hash, Instant goodUntil, Optional<UUID> sessionId) {}

    /**
     * Stands for a client that does not exist, so that asking for one costs what a wrong secret of another costs. Its hash is that of no
     * secret, and it is disabled.
     */
    static final Client NOBODY = new Client(new UUID(0, 0), "", new byte[Secrets.HASH_BYTES], Optional.empty(), Set.of(), new UUID(0, 0), Optional.empty(), 0,
            Instant.EPOCH, Optional.empty(), true);

    /**
     * The session of a secret; empty for a wrong secret and for a disabled client.
     *
     * @param matches compares a secret with a hash
     */
    Optional<UUID> sessionOf(String secret, Instant now, BiPredicate<String, byte[]> matches) {
        Optional<UUID> session = matches.test(secret, secretHash) ? Optional.of(sessionId)
                : previousSecret.filter(previous -> now.isBefore(previous.goodUntil()) && matches.test(secret, previous.hash()))
                        .map(previous -> previous.sessionId().orElse(sessionId));
        return session.filter(found -> !isDisabled);
    }

    /** The session of the former secret, while it is valid. */
    Optional<UUID> previousSession(Instant now) {
        return previousSecret.filter(previous -> now.isBefore(previous.goodUntil())).flatMap(PreviousSecret::sessionId);
    }
}
