package io.arbitration.mainapi.live;

import io.arbitration.domain.PhaseId;
import io.arbitration.platform.AreaServices;
import io.arbitration.platform.pipeline.Contract;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Set;

/** The parts that serve event streams, wired. */
public final class LiveWiring {

    private final LiveStreams streams;
    private final LiveHandlers handlers;

    /**
     * @param sharedPhases phases in which every participant sees all evidence of a case
     * @param superAdministrators case-folded emails of the super administrators in the configuration
     */
    public LiveWiring(Vertx vertx, AreaServices services, LiveSettings settings, List<PhaseId> sharedPhases, Set<String> superAdministrators) {
        LiveRepository repository = new LiveRepository(services.database());
        LiveChanges changes = new LiveChanges(vertx, services.notifications(), new ChangeReaderRepository(services.database(), sharedPhases, superAdministrators),
                services.tokens());
        streams = new LiveStreams(vertx, services.database(), services.notifications(), repository, services.tokens(), changes, services.meters());
        handlers = new LiveHandlers(new LiveService(vertx, repository, streams, settings, services.clock()));
    }

    public void bind(Contract contract) {
        handlers.bind(contract);
    }

    /** Ends all streams, from any thread: their clients connect to another node. */
    public void endStreams() {
        streams.end();
    }

    public Future<Void> stop() {
        return streams.stop();
    }
}
