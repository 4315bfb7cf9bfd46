package io.arbitration.identity.users;

import io.arbitration.identity.users.UserRepository.Grant;
import io.arbitration.identity.users.UserRepository.UserInSession;
import io.arbitration.platform.auth.Permission;
import io.arbitration.platform.auth.Requester;
import io.arbitration.platform.auth.Revocations;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.db.TimeKey;
import io.arbitration.platform.listing.PageByTime;
import io.arbitration.platform.telemetry.SecurityEvents;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

/** Shows and changes profiles and permissions of users, and disables users. */
public final class UserService {

    private final Database database;
    private final UserRepository users;
    private final SuperAdministrators superAdministrators;
    private final Revocations revocations;
    private final SecurityEvents security;
    private final Clock clock;

    /** A user, the organization that the session acts for, and all permissions, granted and configured. */
    record Profile(User user, Optional<UUID> organizationId, Set<String> permissions) {}

    public UserService(Database database, UserRepository users, SuperAdministrators superAdministrators, Revocations revocations, SecurityEvents security,
            Clock clock) {
        this.database = database;
        this.users = users;
        this.superAdministrators = superAdministrators;
        this.revocations = revocations;
        this.security = security;
        this.clock = clock;
    }

    Future<Profile> view(Requester requester) {
        return users.find(requester.userId(), requester.caller().sessionId())
                .map(found -> found.orElseThrow(UserError.USER_NOT_FOUND::refusal))
                .map(this::profile);
    }

    private Profile profile(UserInSession found) {
        return new Profile(found.user(), found.organizationId(), superAdministrators.permissions(found.user()));
    }

    Future<Void> update(Requester requester, Optional<String> firstName, Optional<String> lastName, Optional<Boolean> isPublic) {
        return database.transaction(requester.key(), transaction ->
                users.updateProfile(transaction, requester.userId(), firstName, lastName, isPublic).compose(UserService::require));
    }

    /** Grants a permission, which is in the next token of the user. */
    Future<Void> grant(Requester requester, Optional<UUID> userId, String permission) {
        return database.transaction(requester.key(), transaction -> user(transaction, userId, permission)
                        .compose(user -> users.grant(transaction, user.id(), permission, clock.instant()).map(user)))
                .onSuccess(user -> security.acted(requester.userId(), "permission.granted", user.id() + " " + permission))
                .mapEmpty();
    }

    /**
     * Revokes a permission. The user's present tokens lose it at once, even if it was not granted: a token may have it from an earlier
     * configuration. A permission of the present configuration cannot be revoked here.
     */
    Future<Void> revoke(Requester requester, Optional<UUID> userId, String permission) {
        return database.transaction(requester.key(), transaction -> user(transaction, userId, permission)
                        .compose(user -> permission.equals(Permission.SUPER_ADMINISTRATOR) && superAdministrators.names(user)
                                ? Future.<Taken>failedFuture(UserError.PERMISSION_CONFIGURED.refusal())
                                : take(transaction, user.id(), permission)))
                .onSuccess(taken -> {
                    revocations.permissionTaken(taken.userId(), permission, taken.revision());
                    security.acted(requester.userId(), "permission.revoked", taken.userId() + " " + permission);
                })
                .mapEmpty();
    }

    /** @param revision of the user's grants: tokens of an earlier one are no longer accepted */
    private record Taken(UUID userId, long revision) {}

    private Future<Taken> take(SqlConnection transaction, UUID userId, String permission) {
        return users.raiseRevision(transaction, userId).map(OptionalLong::orElseThrow)
                .compose(revision -> users.deletePermission(transaction, userId, permission)
                        .compose(deleted -> revocations.takePermission(transaction, userId, permission, revision))
                        .map(new Taken(userId, revision)));
    }

    private Future<User> user(SqlConnection transaction, Optional<UUID> userId, String permission) {
        Future<Optional<User>> found = userId.map(id -> users.find(transaction, id)).orElse(Future.succeededFuture(Optional.empty()));
        return found.map(user -> user.orElseThrow(UserError.USER_NOT_FOUND::refusal))
                .compose(user -> Permission.ALL.contains(permission)
                        ? Future.succeededFuture(user)
                        : Future.failedFuture(UserError.PERMISSION_NOT_FOUND.refusal()));
    }

    /**
     * @param userId the user whose permissions are listed; the inner value is empty if the text has not the form of an ID, which
     *     gives an empty list
     */
    Future<PageByTime<Grant>> grants(Optional<Optional<UUID>> userId, Optional<String> permission, PageByTime.Wanted wanted) {
        if (userId.isPresent() && userId.get().isEmpty()) {
            return Future.succeededFuture(new PageByTime<>(List.of(), Optional.empty()));
        }
        return users.grants(userId.flatMap(id -> id), permission, superAdministrators.emails(), Permission.SUPER_ADMINISTRATOR, wanted)
                .map(rows -> wanted.page(rows, grant -> new TimeKey(grant.since(), grant.place())));
    }

    /** Disables a user: ends all sessions, and allows no new ones until the user is enabled again. */
    Future<Void> disable(Requester requester, Optional<UUID> userId, String reason) {
        UUID id = userId.orElseThrow(UserError.USER_NOT_FOUND::refusal);
        return database.transaction(requester.key(), transaction ->
                        users.disable(transaction, id, requester.userId(), reason, clock.instant())
                                .compose(UserService::require)
                                .compose(found -> users.endSessions(transaction, id, clock.instant()))
                                .compose(ended -> revocations.endSessions(transaction, ended).map(ended)))
                .onSuccess(ended -> {
                    ended.forEach(revocations::sessionEnded);
                    security.acted(requester.userId(), "user.disabled", id + " sessions=" + ended.size());
                })
                .mapEmpty();
    }

    Future<Void> enable(Requester requester, Optional<UUID> userId) {
        UUID id = userId.orElseThrow(UserError.USER_NOT_FOUND::refusal);
        return database.transaction(requester.key(), transaction -> users.enable(transaction, id).compose(UserService::require))
                .onSuccess(enabled -> security.acted(requester.userId(), "user.enabled", id.toString()));
    }

    Future<UUID> find(String email) {
        return users.findByEmail(SuperAdministrators.folded(email)).map(found -> found.orElseThrow(UserError.USER_NOT_FOUND::refusal));
    }

    private static Future<Void> require(boolean found) {
        return found ? Future.succeededFuture() : Future.failedFuture(UserError.USER_NOT_FOUND.refusal());
    }
}
