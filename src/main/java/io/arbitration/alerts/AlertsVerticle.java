package io.arbitration.alerts;

import io.arbitration.platform.Foundation;
import io.arbitration.platform.http.Area;
import io.arbitration.platform.http.Contract;
import io.arbitration.platform.http.Door;
import io.vertx.core.Future;
import java.util.List;

/** The alerts area: of what each user wants to be alerted. */
public final class AlertsVerticle extends Area {

    private final Foundation foundation;

    public AlertsVerticle(Foundation foundation) {
        super("alerts");
        this.foundation = foundation;
    }

    @Override
    protected Future<List<Contract>> open() {
        AlertsHandlers handlers = new AlertsHandlers(new PreferencesRepository(foundation.database()));
        return Future.succeededFuture(List.of(Contract.read("alerts")
                .bind("viewPreferences", handlers::view)
                .bind("updatePreferences", handlers::update)));
    }

    @Override
    protected Door door() {
        return foundation.door();
    }
}
