package io.arbitration.alerts;

import io.arbitration.platform.Foundation;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.events.EventConsumer;
import io.arbitration.platform.http.Area;
import io.arbitration.platform.http.Contract;
import io.arbitration.platform.http.Door;
import io.arbitration.platform.queue.Dispatcher;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;

/** The alerts area: of what each user wants to be alerted, and telling them. */
public final class AlertsVerticle extends Area {

    private static final String CONSUMER = "alerts";
    /** Nobody looks for an email within less. */
    private static final Duration GATHERING = Duration.ofMillis(200);

    private final Foundation foundation;
    private EventConsumer consumer;
    private JoinWatch joins;
    private Dispatcher<DueAlert, AlertOutcome> dispatcher;

    public AlertsVerticle(Foundation foundation) {
        super("alerts");
        this.foundation = foundation;
    }

    @Override
    protected Future<List<Contract>> open() {
        Database database = foundation.database();
        FanOutRepository fanOut = new FanOutRepository(database);
        consumer = new EventConsumer(vertx, database, foundation.wake(), foundation.meters(), foundation.traces(), CONSUMER, GATHERING, fanOut::tell);
        joins = new JoinWatch(vertx, fanOut, foundation.wake());
        AlertQueue queue = new AlertQueue(vertx, foundation.settings().areas(), new AlertRepository(database), new AlertRequest(foundation.settings().alertsCaseUrl()),
                foundation.meters(), foundation.traces(), foundation.random());
        dispatcher = new Dispatcher<>(vertx, "alerts", queue, foundation.wake(), FanOutRepository.DUE, Dispatcher.Bounds.of(AlertQueue.IN_FLIGHT_MAX), foundation.random());
        AlertsHandlers handlers = new AlertsHandlers(new PreferencesRepository(database));
        Contract contract = Contract.read("alerts").bind("viewPreferences", handlers::view).bind("updatePreferences", handlers::update);
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
    protected Door door() {
        return foundation.door();
    }
}
