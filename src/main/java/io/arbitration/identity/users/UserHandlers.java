package io.arbitration.identity.users;

import io.arbitration.domain.Identifiers;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.identity.Fields;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.listing.PageByTime;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The operations on users and permissions. */
public final class UserHandlers {

    private final UserService users;

    public UserHandlers(UserService users) {
        this.users = users;
    }

    public Contract bind(Contract contract) {
        return contract
                .bind("viewCurrentUser", this::viewMe)
                .bind("updateCurrentUser", this::updateMe)
                .bind("disableUser", this::disable)
                .bind("enableUser", this::enable)
                .bind("findUser", this::find)
                .bind("grantPermission", this::grantPermission)
                .bind("revokePermission", this::revokePermission)
                .bind("listPermissions", this::listPermissions);
    }

    private Future<Reply> viewMe(Call call) {
        return users.view(call.requester()).map(profile -> Reply.json(new JsonObject()
                .put("id", profile.user().id().toString())
                .put("email", profile.user().email())
                .put("first_name", profile.user().firstName())
                .put("last_name", profile.user().lastName())
                .put("organizationID", profile.organizationId().map(UUID::toString).orElse(null))
                .put("permissions", new JsonArray(List.copyOf(profile.permissions())))));
    }

    private Future<Reply> updateMe(Call call) {
        Optional<Boolean> isPublic = Optional.ofNullable(call.body().getBoolean("publicProfile"));
        return users.update(call.requester(), Fields.optionalName(call, "first_name"), Fields.optionalName(call, "last_name"), isPublic)
                .map(updated -> Reply.sentence("Profile updated successfully."));
    }

    private Future<Reply> disable(Call call) {
        return users.disable(call.requester(), Fields.id(call, "userID"), call.text("reason")).map(disabled -> Reply.sentence("User disabled."));
    }

    private Future<Reply> enable(Call call) {
        return users.enable(call.requester(), Fields.id(call, "userID")).map(enabled -> Reply.sentence("User enabled."));
    }

    private Future<Reply> find(Call call) {
        return users.find(call.text("email")).map(id -> Reply.json(new JsonObject().put("userID", id.toString())));
    }

    private Future<Reply> grantPermission(Call call) {
        return users.grant(call.requester(), Fields.id(call, "userID"), call.text("permission"))
                .map(granted -> Reply.sentence("Permission granted."));
    }

    private Future<Reply> revokePermission(Call call) {
        return users.revoke(call.requester(), Fields.id(call, "userID"), call.text("permission"))
                .map(taken -> Reply.sentence("Permission revoked."));
    }

    private Future<Reply> listPermissions(Call call) {
        return users.grants(call.optionalText("userID").map(Identifiers::uuid), call.optionalText("permission"), PageByTime.Wanted.of(call))
                .map(page -> page.reply("permissions", grant -> new JsonObject()
                        .put(grant.isClient() ? "clientID" : "userID", grant.holderId().toString())
                        .put("permission", grant.permission())
                        .put("since", Timestamps.text(grant.since()))));
    }
}
