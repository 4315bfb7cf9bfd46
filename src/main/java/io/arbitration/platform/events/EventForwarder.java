package io.arbitration.platform.events;

import io.arbitration.platform.db.Database;
import io.arbitration.platform.events.EventCursor.Position;
import io.arbitration.platform.events.EventCursor.Read;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the event log to an {@link EventSink} outside the database: every event at least once, in the order of {@link
 * EventConsumer}, by the node that has the lease on the cursor. No transaction holds the cursor, because it would stay open as
 * long as publishing takes, and the database could remove no dead rows meanwhile. With a lease, two nodes may both believe for a
 * moment that they have it. Therefore a node first opens the sink, which ends the publishing of any other node, and then checks
 * the lease again.
 *
 * <p>After a crash, events that were published before the cursor had moved are published again, those of each case in the same
 * order. A sink that fails is closed and the lease released, so that another node can try; this node tries again without end.
 * {@link ReadingLoop} decides when it publishes.
 */
public final class EventForwarder {

    /** The maximum number of events that are published before the cursor moves. */
    static final int BATCH_MAX = 256;
    private static final Duration LEASE = Duration.ofSeconds(5);
    /** Longer than a poll, so that another node gets the lease if this one cannot publish. */
    private static final Duration FAILURE_PAUSE = Duration.ofMillis(ReadingLoop.POLL_MILLIS + 1000);
    /** Not a term of a lease: terms begin at 1. */
    private static final long CLOSED = 0;
    private static final Logger LOG = LoggerFactory.getLogger(EventForwarder.class);

    /** The position at which a missing cursor is created. */
    public enum From { BEGINNING, NOW }

    private final Vertx vertx;
    private final String name;
    private final From from;
    private final EventSink sink;
    private final EventCursor cursor;
    private final CursorLeaseRepository lease;
    private final Counter taken;
    private final EventLag lag;
    private final ReadingLoop loop;
    private long renewal = -1;
    private long openTerm = CLOSED;
    private long failures;
    private volatile Optional<Throwable> lastFailure = Optional.empty();

    /** @param name of the cursor, one for each purpose, the same on all nodes */
    public EventForwarder(Vertx vertx, Database database, CommitNotifications notifications, MeterRegistry meters, String name, From from, EventSink sink) {
        this.vertx = vertx;
        this.name = name;
        this.from = from;
        this.sink = sink;
        this.cursor = new EventCursor(database, name);
        this.lease = new CursorLeaseRepository(database, name, UUID.randomUUID(), LEASE);
        this.taken = Counter.builder("events.taken").description("Events that a consumer has taken from the log")
                .tag("consumer", name).register(meters);
        this.lag = new EventLag(vertx, database, meters, name);
        this.loop = new ReadingLoop(vertx, notifications, Duration.ZERO, FAILURE_PAUSE, ReadingLoop.Concern.ALL, this::read, this::failed);
    }

    public Future<Void> start() {
        Future<Void> cursorThere = switch (from) {
            case BEGINNING -> cursor.createAtTheBeginning();
            case NOW -> cursor.createAtTheEnd();
        };
        return cursorThere.onSuccess(created -> {
            lag.start();
            loop.start();
        });
    }

    /** Stops publishing; completes when the batch in progress is published and the lease released. */
    public Future<Void> stop() {
        lag.stop();
        return loop.stop().compose(ended -> release());
    }

    /** Why this node could not publish at its last attempt; empty: it could, or there was no event to publish. From any thread. */
    public Optional<Throwable> lastFailure() {
        return lastFailure;
    }

    /** Publishes all waiting events; called when the sink has become ready. */
    public void publish() {
        loop.read();
    }

    private Future<Position> read(ReadingLoop.Chance chance) {
        return cursor.position()
                .onSuccess(position -> lastFailure = position == Position.CAUGHT_UP ? Optional.empty() : lastFailure)
                .compose(position -> position == Position.MORE ? publishUnderLease() : Future.succeededFuture(position));
    }

    private Future<Position> publishUnderLease() {
        return lease.acquire().compose(acquired -> {
            if (acquired.isEmpty()) {
                return Future.succeededFuture(Position.CAUGHT_UP);
            }
            renewal = vertx.setPeriodic(LEASE.toMillis() / 3, timer -> lease.renew(acquired.get())
                    .onFailure(failed -> LOG.warn("consumer {} cannot renew its lease: {}", name, failed.getMessage())));
            return acquired.get() == openTerm ? publishNext() : open();
        }).eventually(() -> {
            vertx.cancelTimer(renewal);
            return Future.succeededFuture();
        });
    }

    /** The lease is checked again after opening: another node that acquired it meanwhile may have published the same events. */
    private Future<Position> open() {
        openTerm = CLOSED;
        return sink.close()
                .compose(closed -> sink.open().onFailure(this::publishingFailed))
                .compose(opened -> lease.acquire())
                .compose(acquired -> {
                    openTerm = acquired.orElse(CLOSED);
                    return acquired.isPresent() ? publishNext() : sink.close().map(Position.CAUGHT_UP);
                });
    }

    private Future<Position> publishNext() {
        long term = openTerm;
        return lease.next(term, BATCH_MAX).compose(read -> {
            if (read.isEmpty()) {
                // Too many sequences are missing, or another node has the lease or has published the events.
                return cursor.dropRolledBack().map(forgotten -> forgotten ? Position.MORE : Position.CAUGHT_UP);
            }
            Position position = read.size() == BATCH_MAX ? Position.MORE : Position.CAUGHT_UP;
            return sink.publish(read.stream().map(Read::event).toList()).onFailure(this::publishingFailed)
                    .compose(published -> lease.move(term, read))
                    .compose(moved -> moved ? published(read.size(), position) : lost());
        });
    }

    private void publishingFailed(Throwable failure) {
        lastFailure = Optional.of(failure);
    }

    private Future<Position> published(int events, Position position) {
        taken.increment(events);
        lastFailure = Optional.empty();
        if (failures > 0) {
            LOG.info("consumer {} publishes events again, after {} attempts that failed", name, failures);
            failures = 0;
        }
        return Future.succeededFuture(position);
    }

    private Future<Position> lost() {
        LOG.info("another node has the lease of consumer {} now", name);
        openTerm = CLOSED;
        return sink.close().map(Position.CAUGHT_UP);
    }

    private Future<Void> failed(Throwable failure) {
        // Logged once, not at every attempt while a broker is unavailable; health shows the state of the sink meanwhile.
        if (failures++ == 0) {
            LOG.warn("consumer {} failed and tries again until it succeeds: {}", name,
                    String.valueOf(failure.getCause() == null ? failure : failure.getCause()));
        }
        return release();
    }

    private Future<Void> release() {
        openTerm = CLOSED;
        return sink.close().eventually(lease::release)
                .onFailure(failed -> LOG.warn("releasing the lease of consumer {} failed; another node takes over when it expires: {}", name, failed.getMessage()))
                .otherwiseEmpty();
    }
}
