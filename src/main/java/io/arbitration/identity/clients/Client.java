package io.arbitration.identity.clients;

import io.arbitration.identity.Secrets;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * A machine client as stored. Every access token that it gets belongs to the session of the secret that it got it with.
 *
 * @param previousSecret what a rotation replaced, while that stays good
 * @param sessionId of its secret
 * @param organizationId what it acts for
 * @param grantsRevision counts what was taken from it
 */
record Client(
        UUID id, String name, byte[] secretHash, Optional<PreviousSecret> previousSecret, Set<String> permissions, UUID sessionId,
        Optional<UUID> organizationId, long grantsRevision, Instant created, Optional<Instant> lastUsed, boolean isDisabled) {

    /** @param sessionId empty when a node of a former release, which knew one session for all secrets, has rotated it */
    record PreviousSecret(byte[] hash, Instant goodUntil, Optional<UUID> sessionId) {}

    /** The session that a secret opens now; empty for a wrong one. */
    Optional<UUID> sessionOf(String secret, Instant now) {
        if (Secrets.matches(secret, secretHash)) {
            return Optional.of(sessionId);
        }
        return previousSecret.filter(previous -> now.isBefore(previous.goodUntil()) && Secrets.matches(secret, previous.hash()))
                .map(previous -> previous.sessionId().orElse(sessionId));
    }

    /** The session of a secret that a rotation replaced, while that has one. */
    Optional<UUID> previousSession(Instant now) {
        return previousSecret.filter(previous -> now.isBefore(previous.goodUntil())).flatMap(PreviousSecret::sessionId);
    }
}
