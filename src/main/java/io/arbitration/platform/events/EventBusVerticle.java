package io.arbitration.platform.events;

import io.arbitration.platform.db.Database;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;

/** Publishes new events at the addresses of the event bus, on one node at a time. */
public final class EventBusVerticle extends VerticleBase {

    private static final String CONSUMER = "event-bus";

    private final Database database;
    private final CommitNotifications notifications;
    private final MeterRegistry meters;
    private EventForwarder forwarder;

    public EventBusVerticle(Database database, CommitNotifications notifications, MeterRegistry meters) {
        this.database = database;
        this.notifications = notifications;
        this.meters = meters;
    }

    @Override
    public Future<?> start() {
        forwarder = new EventForwarder(vertx, database, notifications, meters, CONSUMER, EventForwarder.From.NOW, new EventBusSink(vertx.eventBus()));
        return forwarder.start();
    }

    @Override
    public Future<?> stop() {
        return forwarder.stop();
    }
}
