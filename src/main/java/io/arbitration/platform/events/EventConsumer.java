package io.arbitration.platform.events;

import io.arbitration.platform.db.Database;
import io.arbitration.platform.events.EventCursor.Position;
import io.arbitration.platform.events.EventCursor.Read;
import io.arbitration.platform.telemetry.Traces;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
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
 * <p>Events are read in the order of their sequence, each as soon as it is committed: an event that is committed late is read
 * late, and none is skipped (see {@link EventCursor}). Events of one case come in the order of its changes, because a transaction
 * that appends events holds a lock of the case, so that the next transaction draws its sequences after that commit. {@link
 * ReadingLoop} decides when it reads.
 *
 * <p>A consumer that tolerates a longer delay gets a gathering time, in which it collects events for one transaction.
 */
public final class EventConsumer {

    /** The maximum number of events of one transaction. */
    static final int BATCH_MAX = 256;
    private static final Duration FAILURE_PAUSE = Duration.ofSeconds(1);
    private static final Logger LOG = LoggerFactory.getLogger(EventConsumer.class);

    private final Database database;
    private final Traces traces;
    private final String name;
    private final EventCursor cursor;
    private final EventHandler handler;
    private final Counter taken;
    private final EventLag lag;
    private final ReadingLoop loop;

    /**
     * @param name of the cursor, one for each purpose, the same on all nodes
     * @param gathering how long to collect events before they are read together; zero: read at once
     */
    public EventConsumer(Vertx vertx, Database database, CommitNotifications notifications, MeterRegistry meters, Traces traces, String name, Duration gathering,
            EventHandler handler) {
        this(vertx, database, notifications, meters, traces, name, gathering, ReadingLoop.Concern.ALL, handler);
    }

    private EventConsumer(Vertx vertx, Database database, CommitNotifications notifications, MeterRegistry meters, Traces traces, String name, Duration gathering,
            ReadingLoop.Concern concern, EventHandler handler) {
        this.database = database;
        this.traces = traces;
        this.name = name;
        this.cursor = new EventCursor(database, name);
        this.handler = handler;
        this.taken = Counter.builder("events.taken").description("Events that a consumer has taken from the log")
                .tag("consumer", name).register(meters);
        this.lag = new EventLag(vertx, database, meters, name);
        this.loop = new ReadingLoop(vertx, notifications, gathering, FAILURE_PAUSE, concern, this::read, this::failed);
    }

    /**
     * A consumer that has nothing to do for drafts ({@code filing_drafted}). It is not notified of them, and skips them when it reads the
     * next other event, or with the next poll.
     */
    public static EventConsumer withoutDrafts(Vertx vertx, Database database, CommitNotifications notifications, MeterRegistry meters, Traces traces, String name,
            Duration gathering, EventHandler handler) {
        return new EventConsumer(vertx, database, notifications, meters, traces, name, gathering, ReadingLoop.Concern.NOT_DRAFTS, handler);
    }

    public Future<Void> start() {
        return cursor.createAtTheBeginning().onSuccess(created -> {
            lag.start();
            loop.start();
        });
    }

    /** Stops reading; completes when the transaction in progress has ended. */
    public Future<Void> stop() {
        lag.stop();
        return loop.stop();
    }

    /** After a notification a transaction begins at once. Otherwise there is probably no event, so a cheap query comes first. */
    private Future<Position> read(ReadingLoop.Chance chance) {
        return switch (chance) {
            case LIKELY -> database.transaction(this::handleNext)
                    .compose(position -> position.isPresent() ? Future.succeededFuture(position.get()) : cursor.position());
            case UNLIKELY -> cursor.position().compose(position -> position != Position.MORE
                    ? Future.succeededFuture(position)
                    // Nothing was read: too many sequences are missing, or another node reads now or has read the events. The
                    // next poll decides.
                    : database.transaction(this::handleNext).compose(after -> after.map(Future::succeededFuture)
                            .orElseGet(() -> cursor.dropRolledBack().map(forgotten -> forgotten ? Position.MORE : Position.ELSEWHERE))));
        };
    }

    private Future<Void> failed(Throwable failure) {
        if (Database.isUnavailable(failure)) {
            LOG.warn("consumer {} waits for the database: {}", name, failure.getMessage());
        } else {
            LOG.error("consumer {} failed and tries again", name, failure);
        }
        return Future.succeededFuture();
    }

    /** Handles the next events; empty if there are none, or another node has locked the cursor. */
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
                        if (traces.isOn()) {
                            read.forEach(one -> traces.recordSpan(one.event().trace(), work(one.event()), begun));
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
     * Locks the cursor if there are events after it, and reads these, in one statement and so with one snapshot. If another node
     * has moved the cursor since the snapshot, the moved row is locked. It may then contain a higher sequence than the snapshot,
     * and the next read returns the events that this snapshot does not contain.
     */
    private Future<List<Read>> next(SqlConnection transaction) {
        return Database.query(transaction, "with locked as materialized (select " + EventCursor.PLACE + """
                  from platform.event_consumers c
                  where c.consumer = $1 and\s""" + EventCursor.BY_SEQUENCE + " and " + EventCursor.ANY_UNREAD + """
                  for update of c skip locked)
                select e.* from locked c cross join lateral (""" + EventCursor.unread(BATCH_MAX) + ") e order by e.sequence", Tuple.of(name), EventCursor::read);
    }
}
