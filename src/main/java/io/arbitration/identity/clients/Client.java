package io.arbitration.identity.clients;

import io.arbitration.identity.Secrets;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * A machine client as stored; every access token that it gets belongs to its session.
 *
 * @param previousSecret what a rotation replaced, while that stays good
 * @param organizationId what it acts for
 * @param grantsRevision counts what was taken from it
 */
record Client(
        UUID id, String name, byte[] secretHash, Optional<PreviousSecret> previousSecret, Set<String> permissions, UUID sessionId,
        Optional<UUID> organizationId, long grantsRevision, Instant created, Optional<Instant> lastUsed, boolean isDisabled) {

    record PreviousSecret(byte[] hash, Instant goodUntil) {}

    boolean isProvenBy(String secret, Instant now) {
        return Secrets.matches(secret, secretHash)
                || previousSecret.filter(previous -> now.isBefore(previous.goodUntil()) && Secrets.matches(secret, previous.hash())).isPresent();
    }
}
