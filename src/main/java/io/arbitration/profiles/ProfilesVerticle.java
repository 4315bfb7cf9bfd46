package io.arbitration.profiles;

import io.arbitration.platform.AreaServices;
import io.arbitration.platform.events.Addresses;
import io.arbitration.platform.pipeline.AreaVerticle;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.platform.pipeline.OperationPipeline;
import io.vertx.core.Future;
import java.util.List;

/** The profiles area: what users and organizations show of themselves, looked up in bulk. */
public final class ProfilesVerticle extends AreaVerticle {

    private final AreaServices services;

    public ProfilesVerticle(AreaServices services) {
        super("profiles");
        this.services = services;
    }

    @Override
    protected Future<List<Contract>> open() {
        ProfilesHandlers handlers = new ProfilesHandlers(new ProfilesRepository(services.database()));
        // What a verticle registers, Vert.x takes back with it.
        return Future.all(
                        vertx.eventBus().consumer(Addresses.PROFILES_USERS, handlers::askedForUsers).completion(),
                        vertx.eventBus().consumer(Addresses.PROFILES_ORGANIZATIONS, handlers::askedForOrganizations).completion())
                .map(List.of(Contract.read("profiles")
                        .bind("listUserProfiles", handlers::users)
                        .bind("listOrganizationProfiles", handlers::organizations)));
    }

    @Override
    protected OperationPipeline pipeline() {
        return services.pipeline();
    }
}
