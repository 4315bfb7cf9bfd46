package io.arbitration.platform.auth;

import java.util.Set;
import java.util.UUID;

/**
 * Who a request comes from, as its access token or its cookie says. What organization it has the rights of is no part of this: that may
 * change while the token lives, so whoever needs it asks the session (view {@code identity_api.sessions}).
 *
 * @param id user, or machine client, that the token was given to
 * @param sessionId session that the token belongs to; revoking it ends the token
 * @param permissions permissions of the token that have not been revoked since
 * @param tenant whose part of a node the caller's work counts for: the organization that the token or the session named when it was read,
 *     else the caller itself; decides no right
 */
public record Caller(UUID id, UUID sessionId, Set<String> permissions, UUID tenant) {

    /** A caller who acts for itself. */
    public Caller(UUID id, UUID sessionId, Set<String> permissions) {
        this(id, sessionId, permissions, id);
    }

    public boolean may(String permission) {
        return permissions.contains(permission);
    }

    public boolean isSuperAdministrator() {
        return may(Permission.SUPER_ADMINISTRATOR);
    }
}
