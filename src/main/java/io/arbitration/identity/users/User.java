package io.arbitration.identity.users;

import java.util.Set;
import java.util.UUID;

/**
 * A user as stored.
 *
 * @param granted permissions granted by super administrators; the configuration may add to them
 * @param grantsRevision counts revocations of the user's grants, see {@code identity.users}
 */
public record User(
        UUID id, String email, String firstName, String lastName, Set<String> granted, long grantsRevision, boolean isDisabled) {}
