package io.arbitration.platform.auth;

import java.util.Set;
import java.util.UUID;

/**
 * The caller of a request, according to its access token or its cookie. The organization whose rights it has is not included: it
 * may change during the lifetime of the token, so it is looked up in the session (view {@code identity_api.sessions}).
 *
 * @param id user or machine client to which the token was issued
 * @param sessionId session of the token; revoking the session ends the token
 * @param permissions permissions of the token that have not been revoked since
 * @param tenant the tenant whose share of a node the caller's work counts for: the organization in the token or session when it
 *     was read, else the caller itself; it has no effect on rights
 */
public record Caller(UUID id, UUID sessionId, Set<String> permissions, UUID tenant) {

    /** A caller who acts for itself. */
    public Caller(UUID id, UUID sessionId, Set<String> permissions) {
        this(id, sessionId, permissions, id);
    }

    public boolean hasPermission(String permission) {
        return permissions.contains(permission);
    }

    public boolean isSuperAdministrator() {
        return hasPermission(Permission.SUPER_ADMINISTRATOR);
    }
}
