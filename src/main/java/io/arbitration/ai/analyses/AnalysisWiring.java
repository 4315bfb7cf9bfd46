package io.arbitration.ai.analyses;

import io.arbitration.ai.AiSettings;
import io.arbitration.ai.model.ModelClient;
import io.arbitration.platform.AreaServices;
import io.arbitration.platform.events.EventConsumer;
import io.arbitration.platform.queue.Dispatcher;
import io.arbitration.platform.queue.LeaseQueue;
import io.arbitration.platform.reading.ObjectReader;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Makes what analyses need, and starts and stops their consumer and queue. Without a model analyses are planned and wait for one. */
public final class AnalysisWiring {

    private static final String CONSUMER = "ai";
    private static final Duration GATHERING = Duration.ofMillis(500);

    private final EventConsumer consumer;
    private final Optional<Dispatcher<DueAnalysis, AnalysisOutcome>> dispatcher;
    private final AnalysisHandlers handlers;
    private final AnalysisRepository repository;

    /** @param sharedPhases phases in which every participant sees all evidence of a case */
    public AnalysisWiring(Vertx vertx, AreaServices services, AiSettings settings, Optional<ModelClient> model, Optional<ObjectReader> reader, List<String> sharedPhases) {
        this.repository = new AnalysisRepository(services.database());
        this.consumer = new EventConsumer(vertx, services.database(), services.notifications(), services.meters(), services.traces(), CONSUMER, GATHERING, new PlanRepository()::plan);
        this.dispatcher = model.map(asked -> {
            Analyst analyst = new Analyst(asked, reader.orElseThrow(), new SubjectRepository(services.database(), sharedPhases), settings.analysis(),
                    services.random());
            return LeaseQueue.dispatcher(vertx, services, AnalysisWork.TERMS, repository, new AnalysisWork(analyst, settings.analysesPerCaseAndDay(), asked, services.meters(), services.random()),
                    settings.analysesAtOnce());
        });
        this.handlers = new AnalysisHandlers(new AnalysisService(repository));
    }

    public AnalysisHandlers handlers() {
        return handlers;
    }

    /** Removes analyses that ended before the history to keep; answers how many. */
    public Future<Integer> deleteExpired(Duration history) {
        return repository.deleteExpired(history);
    }

    public Future<Void> start() {
        return consumer.start().onSuccess(started -> dispatcher.ifPresent(Dispatcher::start));
    }

    public Future<Void> stop() {
        return consumer.stop().compose(stopped -> dispatcher.map(Dispatcher::stop).orElse(Future.succeededFuture()));
    }
}
