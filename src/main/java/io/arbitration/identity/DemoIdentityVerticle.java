package io.arbitration.identity;

import io.arbitration.identity.signin.DemoHandlers;
import io.arbitration.identity.signin.DemoProvider;
import io.arbitration.platform.AreaServices;
import io.arbitration.platform.auth.Issuer;
import io.arbitration.platform.config.AreaSettings;
import io.arbitration.platform.pipeline.AreaVerticle;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.platform.pipeline.OperationPipeline;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/**
 * The demo provider at {@code /demo}, below its issuer; the identity area has the same operations at {@code /auth/demo}. Deployed
 * in the demo profile only.
 */
public final class DemoIdentityVerticle extends AreaVerticle {

    private final AreaServices services;
    private final String audience;
    private final AreaSettings areas;

    /** @param audience of its ID tokens */
    public DemoIdentityVerticle(AreaServices services, String audience, AreaSettings areas) {
        super("demo");
        this.services = services;
        this.audience = audience;
        this.areas = areas;
    }

    @Override
    protected Future<List<Contract>> open() {
        return DemoProvider.open(services.database(), services.kms(), services.publicUrl(), audience,
                Issuer.of(Optional.empty(), areas, services.publicUrl()), services.clock()).map(demo ->
                List.of(new DemoHandlers(demo).bind(Contract.read("demo-identity").withoutPrefix("/demo"))));
    }

    @Override
    protected OperationPipeline pipeline() {
        return services.pipeline();
    }
}
