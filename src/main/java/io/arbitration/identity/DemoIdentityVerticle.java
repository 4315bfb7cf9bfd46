package io.arbitration.identity;

import io.arbitration.identity.signin.DemoHandlers;
import io.arbitration.identity.signin.DemoProvider;
import io.arbitration.platform.AreaServices;
import io.arbitration.platform.pipeline.AreaVerticle;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.platform.pipeline.OperationPipeline;
import io.vertx.core.Future;
import java.util.List;

/**
 * The demo provider at {@code /demo}, where its issuer is; the same operations stand in the identity area at
 * {@code /auth/demo}. Deployed in the demo profile only.
 */
public final class DemoIdentityVerticle extends AreaVerticle {

    private final AreaServices services;
    private final String audience;

    /** @param audience of the ID tokens that it makes */
    public DemoIdentityVerticle(AreaServices services, String audience) {
        super("demo");
        this.services = services;
        this.audience = audience;
    }

    @Override
    protected Future<List<Contract>> open() {
        return DemoProvider.open(services, audience).map(demo ->
                List.of(new DemoHandlers(demo).bind(Contract.read("demo-identity").withoutPrefix("/demo"))));
    }

    @Override
    protected OperationPipeline pipeline() {
        return services.pipeline();
    }
}
