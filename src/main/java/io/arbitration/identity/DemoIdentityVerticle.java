package io.arbitration.identity;

import io.arbitration.platform.Foundation;
import io.arbitration.platform.http.Area;
import io.arbitration.platform.http.Contract;
import io.arbitration.platform.http.Door;
import io.vertx.core.Future;
import java.util.List;

/**
 * The demo provider at {@code /demo}, where its issuer is; the same operations stand in the identity area at
 * {@code /auth/demo}. Deployed in the demo profile only.
 */
public final class DemoIdentityVerticle extends Area {

    private final Foundation foundation;

    public DemoIdentityVerticle(Foundation foundation) {
        super("demo");
        this.foundation = foundation;
    }

    @Override
    protected Future<List<Contract>> open() {
        return DemoProvider.open(foundation).map(demo ->
                List.of(new DemoHandlers(demo).bind(Contract.read("demo-identity").withoutPrefix("/demo"))));
    }

    @Override
    protected Door door() {
        return foundation.door();
    }
}
