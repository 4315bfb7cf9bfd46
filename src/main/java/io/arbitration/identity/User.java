package io.arbitration.identity;

import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * A user as stored.
 *
 * @param granted permissions granted by super administrators; the configuration may add to them
 * @param grantsRevision counts what was taken from the user, see {@code identity.users}
 */
record User(
        UUID id, String email, String firstName, String lastName, Optional<UUID> organizationId, Set<String> granted,
        long grantsRevision) {}
