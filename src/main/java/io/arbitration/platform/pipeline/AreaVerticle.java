package io.arbitration.platform.pipeline;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.ext.web.Router;
import java.util.List;

/** A service area: a verticle with a contract. The public server mounts the router that its start made. */
public abstract class AreaVerticle extends VerticleBase {

    private final String name;
    private Router router;

    /** @param name the area's name in addresses and settings, e.g. {@code cases} */
    protected AreaVerticle(String name) {
        this.name = name;
    }

    public final String name() {
        return name;
    }

    public final Router router() {
        return router;
    }

    /** Wires the area: binds every operation of its contracts, starts its consumers and loops. */
    protected abstract Future<List<Contract>> open();

    /** Passed to every operation on its way in. */
    protected abstract OperationPipeline pipeline();

    /** Ends what would keep clients here while the node waits for its last answers; from any thread. */
    public void leave() {}

    @Override
    public final Future<?> start() {
        return open().compose(contracts -> Future.all(contracts.stream().map(contract -> contract.router(vertx, pipeline())).toList())
                .onSuccess(routers -> {
                    router = Router.router(vertx);
                    if (contracts.stream().anyMatch(Contract::plainTextErrors)) {
                        // Also for what is none of its operations.
                        router.route().handler(ErrorBodies::asText);
                    }
                    routers.<Router>list().forEach(part -> router.route("/*").subRouter(part));
                }));
    }
}
