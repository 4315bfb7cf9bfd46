package io.arbitration.profiles;

import io.arbitration.platform.Foundation;
import io.arbitration.platform.http.Area;
import io.arbitration.platform.http.Contract;
import io.arbitration.platform.http.Door;
import io.vertx.core.Future;
import java.util.List;

/** The profiles area: what users and organizations show of themselves, looked up in bulk. */
public final class ProfilesVerticle extends Area {

    private final Foundation foundation;

    public ProfilesVerticle(Foundation foundation) {
        super("profiles");
        this.foundation = foundation;
    }

    @Override
    protected Future<List<Contract>> open() {
        ProfilesHandlers handlers = new ProfilesHandlers(new ProfilesRepository(foundation.database()));
        return Future.succeededFuture(List.of(Contract.read("profiles")
                .bind("listUserProfiles", handlers::users)
                .bind("listOrganizationProfiles", handlers::organizations)));
    }

    @Override
    protected Door door() {
        return foundation.door();
    }
}
