package io.arbitration.mainapi.notice;

import io.arbitration.domain.cases.Definitions;
import io.arbitration.domain.notice.NoticeLimits;
import io.arbitration.mainapi.docket.DocketRepository;
import io.arbitration.mainapi.files.Transfers;
import io.arbitration.platform.AreaServices;
import io.arbitration.platform.config.AreaSettings;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.objects.Bucket;
import io.arbitration.platform.paper.PaperWorkers;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.platform.queue.Backoff;
import io.arbitration.platform.queue.BusHandover;
import io.arbitration.platform.queue.Dispatcher;
import io.arbitration.platform.queue.Handover;
import io.arbitration.platform.queue.LeaseQueue;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Service of notice, put together: its operations, and the loops that hand its emails over and forget what is old. */
public final class NoticeWiring {

    /** A case with more would make proofs and exports that nobody can carry. */
    private static final int RECIPIENTS_PER_CASE_MAX = 5000;
    /** Notices waiting to be composed; more are refused. */
    private static final int COMPOSED_QUEUE_MAX = 32;
    private static final int COMPOSED_PER_CALLER = 8;
    private static final long FORGET_MILLIS = Duration.ofHours(1).toMillis();
    private static final Logger LOG = LoggerFactory.getLogger(NoticeWiring.class);

    private final Vertx vertx;
    private final NoticeService service;
    private final NoticeHandlers handlers;
    private final Dispatcher<DueEmail, Handover.Outcome<DueEmail>> dispatcher;
    private long forgetting = -1;

    public NoticeWiring(Vertx vertx, AreaServices services, NoticeSettings settings, AreaSettings areas, Bucket bucket, Definitions definitions,
            DocketRepository docket, Transfers transfers) {
        this.vertx = vertx;
        Database database = services.database();
        PaperWorkers workers = new PaperWorkers(vertx, COMPOSED_QUEUE_MAX, COMPOSED_PER_CALLER);
        service = new NoticeService(database, new NoticeCaseRepository(database), new NoticeRepository(database), new NoticeListRepository(database),
                docket, services.objects().pending(), services.audit(), new NoticeComposer(definitions, workers),
                new NoticeFiles(services.objects(), bucket, transfers),
                new NoticeLimits(RECIPIENTS_PER_CASE_MAX, settings.outsidePerUserAndDay(), settings.outsidePerCaseAndDay(), settings.insidePerUserAndDay()),
                services.clock(), services.random());
        handlers = new NoticeHandlers(service, new ProofService(
                new ProofRepository(database, services.audit(), services.objects().pending()), services.objects(), bucket, transfers, services.pages(), workers,
                services.signingKeys(), services.tokens().issuer(), services.clock()));
        dispatcher = LeaseQueue.dispatcher(vertx, services, Handover.terms(OutboxRepository.QUEUE), new OutboxRepository(database, services.clock()),
                new EmailAttempts(new Handover<>(new BusHandover(vertx, areas), OutboxRepository.QUEUE, Backoff.endless(services.random())), services.meters()),
                EmailAttempts.IN_FLIGHT_MAX);
    }

    public void bind(Contract contract) {
        handlers.bind(contract);
    }

    public void start() {
        dispatcher.start();
        forgetting = vertx.setPeriodic(FORGET_MILLIS, due -> service.deleteExpired()
                .onFailure(failed -> LOG.warn("notices: removing old requests failed and is tried again: {}", failed.getMessage())));
    }

    public Future<Void> stop() {
        vertx.cancelTimer(forgetting);
        return dispatcher.stop();
    }
}
