package io.arbitration.platform.pipeline;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.ext.web.Router;
import java.util.List;

/** A service area: a verticle with contracts. The public server mounts the router that {@link #start} has created. */
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

    /** Wires the area: binds every operation of its contracts, and starts its consumers and queues. */
    protected abstract Future<List<Contract>> open();

    /** The steps before every operation of the area. */
    protected abstract OperationPipeline pipeline();

    /**
     * Called when the node begins to drain, from any thread: ends long exchanges, such as event streams, so that their clients connect to
     * another node.
     */
    public void drain() {}

    @Override
    public final Future<?> start() {
        return open().compose(contracts -> Future.all(contracts.stream().map(contract -> contract.router(vertx, pipeline())).toList())
                .onSuccess(routers -> {
                    router = Router.router(vertx);
                    if (contracts.stream().anyMatch(Contract::plainTextErrors)) {
                        // Also for requests that match none of its operations.
                        router.route().handler(ErrorBodies::asText);
                    }
                    routers.<Router>list().forEach(part -> router.route("/*").subRouter(part));
                }));
    }
}
