package io.arbitration.webhooks;

import io.arbitration.platform.Foundation;
import io.arbitration.platform.http.Area;
import io.arbitration.platform.http.Contract;
import io.arbitration.platform.http.Door;
import io.vertx.core.Future;
import java.util.List;

/** The webhooks area: tells organizations of the events in their cases. */
public final class WebhooksVerticle extends Area {

    private final Foundation foundation;

    public WebhooksVerticle(Foundation foundation) {
        super("webhooks");
        this.foundation = foundation;
    }

    @Override
    protected Future<List<Contract>> open() {
        WelcomeHandler welcome = new WelcomeHandler(foundation.settings().webhooks());
        return Future.succeededFuture(List.of(Contract.read("webhooks").bind("welcome", welcome::welcome)));
    }

    @Override
    protected Door door() {
        return foundation.door();
    }
}
