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
    private final IdentitySettings settings;
    private final AreaSettings areas;

    public DemoIdentityVerticle(AreaServices services, IdentitySettings settings, AreaSettings areas) {
        super("demo");
        this.services = services;
        this.settings = settings;
        this.areas = areas;
    }

    @Override
    protected Future<List<Contract>> open() {
        return DemoProvider.open(services.database(), services.kms(), services.publicUrl(), settings.audience(),
                Issuer.of(Optional.empty(), areas, services.publicUrl()), IdentityVerticle.ending(services, settings), services.clock()).map(demo ->
                List.of(new DemoHandlers(demo).bind(Contract.read("demo-identity").withoutPrefix("/demo"))));
    }

    @Override
    protected OperationPipeline pipeline() {
        return services.pipeline();
    }
}
