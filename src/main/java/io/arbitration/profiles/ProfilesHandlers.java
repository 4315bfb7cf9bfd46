package io.arbitration.profiles;

import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.pipeline.Call;
import io.vertx.core.Future;
import java.util.List;

/** The operations on profiles. */
final class ProfilesHandlers {

    private final ProfilesService service;

    ProfilesHandlers(ProfilesService service) {
        this.service = service;
    }

    Future<Reply> users(Call call) {
        return service.users(call.texts("userIDs")).map(ProfilesHandlers::reply);
    }

    Future<Reply> organizations(Call call) {
        return service.organizations(call.texts("organizationIDs")).map(ProfilesHandlers::reply);
    }

    private static Reply reply(List<? extends Profile> profiles) {
        return Reply.json(Profile.json(profiles));
    }
}
