package io.arbitration.platform.events;

import io.arbitration.platform.db.Database;
import io.arbitration.platform.events.EventCursor.Look;
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
 * Reads the event log for one purpose, every event once, on whichever node is free: the cursor is a row that one node at a
 * time holds ({@code FOR UPDATE SKIP LOCKED}), and moves in the transaction of the reader's own writes. Starts at the
 * beginning of the log.
 *
 * <p>The order is that of the transactions that appended ({@code xid8}, then sequence), and reading stops before the oldest
 * one still open: an event that commits late is never skipped. Woken by {@link CommitNotifications}; looks on its own every
 * {@value #POLL_MILLIS} ms. Everything runs on the context it was started on.
 *
 * <p>The transaction of a reader is itself one that others stop before. A reader that nobody waits for within milliseconds
 * therefore gathers: it takes the events of some time together.
 */
public final class EventConsumer {

    /** Events of one transaction. */
    static final int BATCH_MAX = 256;
    private static final long POLL_MILLIS = 2000;
    private static final long HELD_BACK_MILLIS_MAX = 300;
    private static final Duration FAILURE_PAUSE = Duration.ofSeconds(1);
    private static final Logger LOG = LoggerFactory.getLogger(EventConsumer.class);

    private final Vertx vertx;
    private final Database database;
    private final CommitNotifications notifications;
    private final Traces traces;
    private final String name;
    private final Duration gathering;
    private final EventCursor cursor;
    private final EventReader reader;
    private final Counter taken;
    private final EventLag lag;
    private CommitNotifications.Registration registration;
    private long poll;
    private boolean running;
    private boolean wanted;
    private boolean gathers;
    private long heldBackSince;
    private long again;
    private Promise<Void> stopping;

    /**
     * @param name of the cursor, one per purpose, the same on all nodes
     * @param gathering from the first event to the look that takes it and those behind it; zero: at once
     */
    public EventConsumer(Vertx vertx, Database database, CommitNotifications notifications, MeterRegistry meters, Traces traces, String name, Duration gathering,
            EventReader reader) {
        this.vertx = vertx;
        this.database = database;
        this.notifications = notifications;
        this.traces = traces;
        this.name = name;
        this.gathering = gathering;
        this.cursor = new EventCursor(database, name);
        this.reader = reader;
        this.taken = Counter.builder("events.taken").description("Events that a consumer has taken from the log")
                .tag("consumer", name).register(meters);
        this.lag = new EventLag(vertx, database, meters, name);
    }

    public Future<Void> start() {
        return cursor.createAtTheBeginning().onSuccess(created -> {
            registration = notifications.on(EventLog.CHANNEL, this::woken);
            poll = vertx.setPeriodic(POLL_MILLIS, timer -> lookAgain());
            lag.start();
            look();
        });
    }

    /** Reads no further; done when the round in progress is. */
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

    private void woken() {
        if (gathering.isZero()) {
            look();
        } else if (!gathers) {
            gathers = true;
            vertx.setTimer(gathering.toMillis(), timer -> {
                gathers = false;
                look();
            });
        }
    }

    /** For a commit: there is most likely something to take. */
    private void look() {
        if (begins()) {
            database.transaction(this::takeNext)
                    .compose(took -> took.isPresent() ? Future.succeededFuture(took.get()) : cursor.standing())
                    .onComplete(this::ended, this::failed);
        }
    }

    /** On its own: one cheap question before a transaction is begun. */
    private void lookAgain() {
        if (begins()) {
            cursor.standing().compose(standing -> standing != Look.MORE
                            ? Future.succeededFuture(standing)
                            // Held by another node, which takes what is there; or else it is there at the next question.
                            : database.transaction(this::takeNext).map(took -> took.orElse(Look.HELD_BACK)))
                    .onComplete(this::ended, this::failed);
        }
    }

    private boolean begins() {
        if (running || stopping != null) {
            wanted = true;
            return false;
        }
        vertx.cancelTimer(again);
        running = true;
        wanted = false;
        return true;
    }

    private void ended(Look look) {
        running = false;
        if (stopping != null) {
            stopping.complete();
            return;
        }
        switch (look) {
            case MORE -> {
                heldBackSince = 0;
                lookAgain();
            }
            case HELD_BACK -> waitALittle();
            case CAUGHT_UP -> {
                heldBackSince = 0;
                if (wanted) {
                    woken();
                }
            }
        }
    }

    /**
     * Nobody notifies when the transaction that is in the way ends without an event of its own. The pause is a quarter of
     * the wait so far, so that an event is late by no more than that.
     */
    private void waitALittle() {
        long now = System.nanoTime();
        heldBackSince = heldBackSince == 0 ? now : heldBackSince;
        long waited = Duration.ofNanos(now - heldBackSince).toMillis();
        again = vertx.setTimer(Math.clamp(waited / 4, 1, HELD_BACK_MILLIS_MAX), timer -> lookAgain());
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
                look();
            }
        });
    }

    /** Takes the next events; empty when there were none, or not for this node. */
    private Future<Optional<Look>> takeNext(SqlConnection transaction) {
        return next(transaction).compose(read -> {
            List<Read> settled = read.stream().takeWhile(Read::settled).toList();
            if (settled.isEmpty()) {
                return Future.<Optional<Look>>succeededFuture(Optional.empty());
            }
            Instant begun = Instant.now();
            Look look = settled.size() < read.size() ? Look.HELD_BACK : read.size() == BATCH_MAX ? Look.MORE : Look.CAUGHT_UP;
            return reader.take(transaction, settled.stream().map(Read::event).toList())
                    .compose(written -> moveCursor(transaction, settled.getLast()))
                    .map(moved -> {
                        taken.increment(settled.size());
                        heldBackSince = 0;
                        if (traces.isOn()) {
                            settled.forEach(one -> traces.happened(one.event().trace(), work(one.event()), begun));
                        }
                        return Optional.of(look);
                    });
        });
    }

    private Traces.Work work(LoggedEvent event) {
        return new Traces.Work("%s takes %s".formatted(name, event.kind()), Traces.Kind.TAKES, Map.of(
                "acp.event.id", event.id().toString(), "acp.case.id", event.caseId().toString(), "acp.consumer", name));
    }

    /**
     * Locks the cursor if there is something for it and reads from there. One snapshot serves for both: where the cursor
     * has moved meanwhile it is the moved one that is locked, and all that is settled by the snapshot is visible in it.
     */
    private Future<List<Read>> next(SqlConnection transaction) {
        return Database.query(transaction, """
                with locked as materialized (
                  select c.transaction, c.sequence from platform.event_consumers c
                  where c.consumer = $1 and exists (
                    select from platform.events e
                    where (e.transaction, e.sequence) > (c.transaction, c.sequence)
                      and e.transaction < pg_snapshot_xmin(pg_current_snapshot()))
                  for update of c skip locked)
                select e.sequence, e.event_id, e.event, e.case_id, e.actor_id, e.occurred_at, e.envelope,
                       e.transaction::text as transaction_text,
                       e.transaction < pg_snapshot_xmin(pg_current_snapshot()) as settled, e.trace
                from locked c cross join lateral (
                  select * from platform.events e
                  where (e.transaction, e.sequence) > (c.transaction, c.sequence)
                  order by e.transaction, e.sequence
                  limit %d) e
                order by e.transaction, e.sequence
                """.formatted(BATCH_MAX), Tuple.of(name), EventCursor::read);
    }

    private Future<Void> moveCursor(SqlConnection transaction, Read last) {
        return transaction.preparedQuery("""
                update platform.event_consumers set transaction = $2::text::xid8, sequence = $3 where consumer = $1
                """).execute(Tuple.of(name, last.transaction(), last.event().sequence())).mapEmpty();
    }
}
