package io.arbitration.identity;

import io.arbitration.platform.auth.Caller;
import io.arbitration.platform.auth.Permission;
import io.arbitration.platform.auth.Requester;
import io.arbitration.platform.auth.Revocations;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The profile of the caller and the permissions of users. */
final class UserService {

    private static final Logger LOG = LoggerFactory.getLogger(UserService.class);

    private final UserRepository users;
    private final SuperAdministrators superAdministrators;
    private final Revocations revocations;

    /** A user with what it may do, granted or configured. */
    record Profile(User user, Set<String> permissions) {}

    UserService(UserRepository users, SuperAdministrators superAdministrators, Revocations revocations) {
        this.users = users;
        this.superAdministrators = superAdministrators;
        this.revocations = revocations;
    }

    Future<Profile> view(Caller caller) {
        return user(caller.id()).map(user -> new Profile(user, superAdministrators.permissions(user)));
    }

    Future<Void> update(Caller caller, Optional<String> firstName, Optional<String> lastName, Optional<Boolean> isPublic) {
        return users.updateProfile(caller.id(), firstName, lastName, isPublic).compose(found ->
                found ? Future.succeededFuture() : Future.failedFuture(IdentityError.USER_NOT_FOUND.refusal()));
    }

    /** The next token of the user carries the permission. */
    Future<Void> grant(Caller caller, Optional<UUID> userId, String permission) {
        return user(userId, permission).compose(user -> users.grant(user.id(), permission)
                .onSuccess(granted -> LOG.info("{} granted {} to user {}", caller.id(), permission, user.id())));
    }

    /** The user's tokens lose the permission at once; what the configuration gives, only the configuration takes. */
    Future<Void> revoke(Requester by, Optional<UUID> userId, String permission) {
        return user(userId, permission).compose(user -> {
            if (permission.equals(Permission.SUPER_ADMINISTRATOR) && superAdministrators.names(user)) {
                return Future.failedFuture(IdentityError.PERMISSION_CONFIGURED.refusal());
            }
            return users.take(by, user.id(), permission)
                    .onSuccess(revision -> revision.ifPresent(at -> {
                        revocations.permissionTaken(user.id(), permission, at);
                        LOG.info("{} revoked {} from user {}", by.userId(), permission, user.id());
                    }))
                    .mapEmpty();
        });
    }

    private Future<User> user(Optional<UUID> userId, String permission) {
        Future<User> user = userId.map(this::user).orElse(Future.failedFuture(IdentityError.USER_NOT_FOUND.refusal()));
        return user.compose(found -> Permission.ALL.contains(permission)
                ? Future.succeededFuture(found)
                : Future.failedFuture(IdentityError.PERMISSION_NOT_FOUND.refusal()));
    }

    private Future<User> user(UUID userId) {
        return users.find(userId).compose(user -> user.map(Future::succeededFuture)
                .orElse(Future.failedFuture(IdentityError.USER_NOT_FOUND.refusal())));
    }
}
