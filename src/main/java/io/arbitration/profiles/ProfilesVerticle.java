package io.arbitration.profiles;

import io.arbitration.platform.AreaServices;
import io.arbitration.platform.events.Addresses;
import io.arbitration.platform.pipeline.AreaVerticle;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.platform.pipeline.OperationPipeline;
import io.vertx.core.Future;
import java.util.List;

/** The profiles area: what users and organizations publish about themselves, looked up in bulk. */
public final class ProfilesVerticle extends AreaVerticle {

    private final AreaServices services;

    public ProfilesVerticle(AreaServices services) {
        super("profiles");
        this.services = services;
    }

    @Override
    protected Future<List<Contract>> open() {
        ProfilesService service = new ProfilesService(new ProfilesRepository(services.database()));
        ProfilesHandlers handlers = new ProfilesHandlers(service);
        ProfileRequests requests = new ProfileRequests(service);
        // Vert.x unregisters these consumers when it undeploys the verticle.
        return Future.all(
                        vertx.eventBus().consumer(Addresses.PROFILES_USERS, requests::users).completion(),
                        vertx.eventBus().consumer(Addresses.PROFILES_ORGANIZATIONS, requests::organizations).completion())
                .map(List.of(Contract.read("profiles")
                        .bind("listUserProfiles", handlers::users)
                        .bind("listOrganizationProfiles", handlers::organizations)));
    }

    @Override
    protected OperationPipeline pipeline() {
        return services.pipeline();
    }
}
