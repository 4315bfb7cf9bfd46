package io.arbitration.mainapi.search;

import io.arbitration.domain.PhaseId;
import io.arbitration.platform.AreaServices;
import io.arbitration.platform.events.EventConsumer;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.platform.queue.Dispatcher;
import io.arbitration.platform.queue.LeaseQueue;
import io.arbitration.platform.reading.ObjectReader;
import io.arbitration.platform.reading.ReadingBounds;
import io.arbitration.platform.reading.Scans;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Wires the search. A consumer of the event log and, for exhibits and files, triggers of the database queue the sources to be
 * indexed; a dispatcher indexes them. After a crash both continue at their position. The metrics {@code events.lag.age} and
 * {@code queue.late.seconds} show how far they are behind.
 */
public final class SearchWiring {

    private static final String CONSUMER = "search";
    private static final Duration GATHERING = Duration.ofMillis(200);
    private static final int AT_ONCE = 2;
    /** A file beyond these bounds is not read; it is found only by its name and title. */
    private static final ReadingBounds BOUNDS = new ReadingBounds(104_857_600, 5000, Duration.ofSeconds(60));

    private final EventConsumer consumer;
    private final Dispatcher<IndexSource, IndexOutcome> dispatcher;
    private final SearchHandlers handlers;

    /**
     * @param sharedPhases phases in which every participant sees all evidence of a case
     * @param peopleWait whether users wait for files, so that indexing should be delayed
     */
    public SearchWiring(Vertx vertx, AreaServices services, List<PhaseId> sharedPhases, BooleanSupplier peopleWait) {
        IndexRepository index = new IndexRepository(services.database());
        ObjectReader reader = ObjectReader.inPlace(vertx, services.objects(), services.reading(), BOUNDS, () -> Scans.PASSED_OVER);
        this.consumer = new EventConsumer(vertx, services.database(), services.notifications(), services.meters(), services.traces(), CONSUMER, GATHERING, index::want);
        this.dispatcher = LeaseQueue.dispatcher(vertx, services, IndexWork.TERMS, index, new IndexWork(vertx, reader, new GivingWay(peopleWait, services.clock()),
                services.random()), AT_ONCE);
        this.handlers = new SearchHandlers(new SearchService(new SearchRepository(services.database(), sharedPhases)));
    }

    /** The statement of a search, for the benchmark that examines its plan. */
    public static String statement() {
        return SearchRepository.FIND;
    }

    public void bind(Contract contract) {
        handlers.bind(contract);
    }

    public Future<Void> start() {
        return consumer.start().onSuccess(started -> dispatcher.start());
    }

    public Future<Void> stop() {
        return consumer.stop().compose(stopped -> dispatcher.stop());
    }
}
