package io.arbitration.platform.auth;

import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Who a request comes from, as its access token says.
 *
 * @param id user, or machine client, that the token was given to
 * @param sessionId session that the token belongs to; revoking it ends the token
 * @param organizationId organization the caller was a member of when the token was made
 * @param permissions permissions of the token that have not been revoked since
 */
public record Caller(UUID id, UUID sessionId, Optional<UUID> organizationId, Set<String> permissions) {

    public boolean may(String permission) {
        return permissions.contains(permission);
    }

    public boolean isSuperAdministrator() {
        return may(Permission.SUPER_ADMINISTRATOR);
    }
}
