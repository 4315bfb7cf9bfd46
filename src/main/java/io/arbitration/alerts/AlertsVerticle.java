package io.arbitration.alerts;

import io.arbitration.domain.cases.Definitions;
import io.arbitration.platform.AreaServices;
import io.arbitration.platform.config.AreaSettings;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.events.EventConsumer;
import io.arbitration.platform.pipeline.AreaVerticle;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.platform.pipeline.OperationPipeline;
import io.arbitration.platform.queue.BusHandover;
import io.arbitration.platform.queue.Dispatcher;
import io.arbitration.platform.queue.Handover;
import io.arbitration.platform.queue.LeaseQueue;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The alerts area: stores which alerts each user wants, and sends them. */
public final class AlertsVerticle extends AreaVerticle {

    private static final String CONSUMER = "alerts";
    /** Nobody looks for an email within less. */
    private static final Duration GATHERING = Duration.ofMillis(200);

    private static final String CASE_IN_CONSOLE = "/console/cases/{caseID}";
    private static final Logger LOG = LoggerFactory.getLogger(AlertsVerticle.class);
    private static final Duration FORGET_PERIOD = Duration.ofMinutes(1);

    private final AreaServices services;
    private final AlertsSettings settings;
    private final boolean isBounded;
    private final AreaSettings areas;
    private final Definitions definitions;
    private EventConsumer consumer;
    private JoinWatch joins;
    private Dispatcher<DueAlert, Handover.Outcome<DueAlert>> dispatcher;

    /** @param isBounded whether the emails of a day are counted */
    public AlertsVerticle(AreaServices services, AlertsSettings settings, boolean isBounded, AreaSettings areas, Definitions definitions) {
        super("alerts");
        this.services = services;
        this.settings = settings;
        this.isBounded = isBounded;
        this.areas = areas;
        this.definitions = definitions;
    }

    @Override
    protected Future<List<Contract>> open() {
        Database database = services.database();
        FanOutRepository fanOut = new FanOutRepository(database, isBounded ? settings.emailsPerPersonAndDay() : Integer.MAX_VALUE);
        consumer = EventConsumer.withoutDrafts(vertx, database, services.notifications(), services.meters(), services.traces(), CONSUMER, GATHERING, fanOut::fanOut);
        joins = new JoinWatch(vertx, fanOut);
        AlertHistoryRepository history = new AlertHistoryRepository(database);
        AlertRepository alerts = new AlertRepository(database,
                new AlertRequest(settings.caseUrl().orElse(services.publicUrl() + CASE_IN_CONSOLE), definitions), services.clock());
        vertx.setPeriodic(FORGET_PERIOD.toMillis(), timer -> history.deleteExpired(settings.history())
                .onFailure(failed -> LOG.warn("removing old alerts failed: {}", failed.getMessage())));
        AlertAttempts attempts = new AlertAttempts(vertx, new BusHandover(vertx, areas), services.meters(), services.traces(), services.random());
        dispatcher = LeaseQueue.dispatcher(vertx, services, Handover.terms(AlertRepository.QUEUE), alerts, attempts, Handover.IN_FLIGHT_MAX);
        AlertsHandlers handlers = new AlertsHandlers(new PreferencesService(new PreferencesRepository(database)));
        Contract contract = Contract.read("alerts").bind("viewAlertPreferences", handlers::view).bind("updateAlertPreferences", handlers::update);
        return consumer.start().map(started -> {
            joins.start();
            dispatcher.start();
            return List.of(contract);
        });
    }

    @Override
    public Future<?> stop() {
        return consumer.stop().compose(stopped -> joins.stop()).compose(stopped -> dispatcher.stop());
    }

    @Override
    protected OperationPipeline pipeline() {
        return services.pipeline();
    }
}
