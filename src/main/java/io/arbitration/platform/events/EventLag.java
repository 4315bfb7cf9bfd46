package io.arbitration.platform.events;

import io.arbitration.platform.db.Database;
import io.arbitration.platform.events.EventCursor.Lag;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Measures every {@value #PERIOD_MILLIS} ms how far a consumer is behind the event log, on every node, whichever node reads. */
final class EventLag {

    private static final long PERIOD_MILLIS = 5000;
    private static final Logger LOG = LoggerFactory.getLogger(EventLag.class);

    private final Vertx vertx;
    private final EventCursor cursor;
    private final String consumer;
    private Lag lag = new Lag(0, 0);
    private long timer = -1;
    private boolean warned;

    EventLag(Vertx vertx, Database database, MeterRegistry meters, String consumer) {
        this.vertx = vertx;
        this.cursor = new EventCursor(database, consumer);
        this.consumer = consumer;
        Gauge.builder("events.lag", () -> lag.events()).description("Events that a consumer has still to take, counted up to 10000")
                .tag("consumer", consumer).register(meters);
        Gauge.builder("events.lag.age", () -> lag.seconds()).description("Time since the oldest of these events happened")
                .baseUnit("seconds").tag("consumer", consumer).register(meters);
    }

    void start() {
        timer = vertx.setPeriodic(0, PERIOD_MILLIS, due -> measure());
    }

    void stop() {
        vertx.cancelTimer(timer);
    }

    private void measure() {
        cursor.lag().onComplete(measured -> {
            lag = measured;
            warned = false;
        }, failed -> {
            // Logged once, not at every attempt while the database is unavailable.
            if (!warned) {
                LOG.warn("reading the lag of consumer {} failed: {}", consumer, failed.getMessage());
                warned = true;
            }
        });
    }
}
