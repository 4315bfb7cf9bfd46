package io.arbitration.platform.events;

import io.arbitration.platform.db.Database;
import io.arbitration.platform.events.EventCursor.Position;
import io.arbitration.platform.events.EventCursor.Read;
import io.arbitration.platform.telemetry.Traces;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the event log for one purpose, exactly once, from the beginning of the log. Every node runs the consumer; the node that
 * locks the row of its cursor ({@code FOR UPDATE SKIP LOCKED}) reads. The cursor moves in the same transaction in which the
 * handler writes.
 *
 * <p>Events are read in the order of their sequence, each as soon as it is committed: one that is committed late is read late, and
 * none is skipped (see {@link EventCursor}). Events of one case come in the order of its changes, because a transaction that
 * appends holds a lock of the case, so that the sequences of the next one are drawn after its commit. The consumer reads
 * when {@link CommitNotifications} says that there are events, and polls every {@value #POLL_MILLIS} ms. Everything runs on
 * the context it was started on.
 *
 * <p>A consumer that may be late by more than some milliseconds is given a gathering time, in which it collects events for one
 * transaction.
 */
public final class EventConsumer {

    /** Events that one transaction handles at most. */
    static final int BATCH_MAX = 256;
    private static final long POLL_MILLIS = 2000;
    private static final long ELSEWHERE_MILLIS_MAX = 300;
    private static final Duration FAILURE_PAUSE = Duration.ofSeconds(1);
    private static final Logger LOG = LoggerFactory.getLogger(EventConsumer.class);

    private final Vertx vertx;
    private final Database database;
    private final CommitNotifications notifications;
    private final Traces traces;
    private final String name;
    private final Duration gathering;
    private final EventCursor cursor;
    private final EventHandler handler;
    private final Counter taken;
    private final EventLag lag;
    private CommitNotifications.Registration registration;
    private long poll;
    private boolean running;
    private boolean notifiedMeanwhile;
    private boolean gatheringStarted;
    private long elsewhereSince;
    private long retry;
    private Promise<Void> stopping;

    /**
     * @param name of the cursor, one per purpose, the same on all nodes
     * @param gathering how long to collect events before they are read together; zero: read at once
     */
    public EventConsumer(Vertx vertx, Database database, CommitNotifications notifications, MeterRegistry meters, Traces traces, String name, Duration gathering,
            EventHandler handler) {
        this.vertx = vertx;
        this.database = database;
        this.notifications = notifications;
        this.traces = traces;
        this.name = name;
        this.gathering = gathering;
        this.cursor = new EventCursor(database, name);
        this.handler = handler;
        this.taken = Counter.builder("events.taken").description("Events that a consumer has taken from the log")
                .tag("consumer", name).register(meters);
        this.lag = new EventLag(vertx, database, meters, name);
    }

    public Future<Void> start() {
        return cursor.createAtTheBeginning().onSuccess(created -> {
            registration = notifications.on(EventLog.CHANNEL, this::notified);
            poll = vertx.setPeriodic(POLL_MILLIS, timer -> poll());
            lag.start();
            read();
        });
    }

    /** Reads no more; done when the transaction in progress has ended. */
    public Future<Void> stop() {
        if (registration == null) {
            return Future.succeededFuture();
        }
        vertx.cancelTimer(poll);
        lag.stop();
        Promise<Void> done = Promise.promise();
        stopping = done;
        if (!running) {
            done.complete();
        }
        return registration.end().compose(ended -> done.future());
    }

    private void notified() {
        if (gathering.isZero()) {
            read();
        } else if (!gatheringStarted) {
            gatheringStarted = true;
            vertx.setTimer(gathering.toMillis(), timer -> {
                gatheringStarted = false;
                read();
            });
        }
    }

    /** After a notification there is most likely an event to read, so a transaction begins at once. */
    private void read() {
        if (begins()) {
            database.transaction(this::handleNext)
                    .compose(position -> position.isPresent() ? Future.succeededFuture(position.get()) : cursor.position())
                    .onComplete(this::ended, this::failed);
        }
    }

    /** Without a notification there is most likely none, so a cheap query comes before a transaction. */
    private void poll() {
        if (begins()) {
            cursor.position().compose(position -> position != Position.MORE
                            ? Future.succeededFuture(position)
                            // Nothing was read: another node has the cursor and reads, or has read already. The next poll will tell.
                            : database.transaction(this::handleNext).map(after -> after.orElse(Position.ELSEWHERE)))
                    .onComplete(this::ended, this::failed);
        }
    }

    private boolean begins() {
        if (running || stopping != null) {
            notifiedMeanwhile = true;
            return false;
        }
        vertx.cancelTimer(retry);
        running = true;
        notifiedMeanwhile = false;
        return true;
    }

    private void ended(Position position) {
        running = false;
        if (stopping != null) {
            stopping.complete();
            return;
        }
        switch (position) {
            case MORE -> {
                elsewhereSince = 0;
                poll();
            }
            case ELSEWHERE -> retryLater();
            case CAUGHT_UP -> {
                elsewhereSince = 0;
                if (notifiedMeanwhile) {
                    notified();
                }
            }
        }
    }

    /**
     * No notification comes when the node that has the cursor dies. The pause is a quarter of the time waited so far, so that an
     * event is at most that much later than necessary.
     */
    private void retryLater() {
        long now = System.nanoTime();
        elsewhereSince = elsewhereSince == 0 ? now : elsewhereSince;
        long waited = Duration.ofNanos(now - elsewhereSince).toMillis();
        retry = vertx.setTimer(Math.clamp(waited / 4, 1, ELSEWHERE_MILLIS_MAX), timer -> poll());
    }

    private void failed(Throwable failure) {
        if (Database.isUnavailable(failure)) {
            LOG.warn("consumer {} waits for the database: {}", name, failure.getMessage());
        } else {
            LOG.error("consumer {} failed and tries again", name, failure);
        }
        vertx.setTimer(FAILURE_PAUSE.toMillis(), timer -> {
            running = false;
            if (stopping != null) {
                stopping.complete();
            } else {
                read();
            }
        });
    }

    /** Handles the next events; empty when there are none, or another node has the cursor. */
    private Future<Optional<Position>> handleNext(SqlConnection transaction) {
        return next(transaction).compose(read -> {
            if (read.isEmpty()) {
                return Future.<Optional<Position>>succeededFuture(Optional.empty());
            }
            Instant begun = Instant.now();
            Position position = read.size() == BATCH_MAX ? Position.MORE : Position.CAUGHT_UP;
            return handler.handle(transaction, read.stream().map(Read::event).toList())
                    .compose(written -> EventCursor.move(transaction, read, "", "c.consumer = $4", Tuple.of(name)))
                    .map(moved -> {
                        taken.increment(read.size());
                        elsewhereSince = 0;
                        if (traces.isOn()) {
                            read.forEach(one -> traces.happened(one.event().trace(), work(one.event()), begun));
                        }
                        return Optional.of(position);
                    });
        });
    }

    private Traces.Work work(LoggedEvent event) {
        return new Traces.Work("%s takes %s".formatted(name, event.kind()), Traces.Kind.TAKES, Map.of(
                "acp.event.id", event.id().toString(), "acp.case.id", event.caseId().toString(), "acp.consumer", name));
    }

    /**
     * Locks the cursor if there are events after it, and reads these, in one statement and so by one snapshot. If another node
     * has moved the cursor since the snapshot, the moved cursor is the one that is locked. It then may name a higher sequence than
     * the snapshot shows, and what the snapshot does not show yet is read by the next read.
     */
    private Future<List<Read>> next(SqlConnection transaction) {
        return Database.query(transaction, "with locked as materialized (select " + EventCursor.PLACE + """
                  from platform.event_consumers c
                  where c.consumer = $1 and\s""" + EventCursor.BY_SEQUENCE + " and " + EventCursor.ANY_UNREAD + """
                  for update of c skip locked)
                select e.* from locked c cross join lateral (""" + EventCursor.unread(BATCH_MAX) + ") e order by e.sequence", Tuple.of(name), EventCursor::read);
    }
}
