package io.arbitration.platform.auth;

import java.util.Set;
import java.util.UUID;

/**
 * Who a request comes from, as its access token or its cookie says. What organization it acts for is no part of this: it may
 * change while the token lives, so whoever needs it asks the session (view {@code identity_api.sessions}).
 *
 * @param id user, or machine client, that the token was given to
 * @param sessionId session that the token belongs to; revoking it ends the token
 * @param permissions permissions of the token that have not been revoked since
 */
public record Caller(UUID id, UUID sessionId, Set<String> permissions) {

    public boolean may(String permission) {
        return permissions.contains(permission);
    }

    public boolean isSuperAdministrator() {
        return may(Permission.SUPER_ADMINISTRATOR);
    }
}
