package io.arbitration.platform.events;

import io.arbitration.platform.db.Database;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the event log for one purpose, every event once, on whichever node is free: the cursor is a row that one node at a
 * time holds ({@code FOR UPDATE SKIP LOCKED}), and moves in the transaction of the reader's own writes. Starts at the
 * beginning of the log.
 *
 * <p>The order is that of the transactions that appended ({@code xid8}, then sequence), and reading stops before the oldest
 * one still open: an event that commits late is never skipped. Woken by {@link Wake}; looks on its own every
 * {@value #POLL_MILLIS} ms. Everything runs on the context it was started on.
 */
public final class EventConsumer {

    /** Events of one transaction. */
    static final int BATCH_MAX = 256;
    private static final long POLL_MILLIS = 2000;
    private static final long HELD_BACK_FIRST_MILLIS = 3;
    private static final long HELD_BACK_LAST_MILLIS = 300;
    private static final Duration FAILURE_PAUSE = Duration.ofSeconds(1);
    private static final Logger LOG = LoggerFactory.getLogger(EventConsumer.class);

    /** How a round ended: at the end of the log, with more to read, or before an event whose turn has not come. */
    private enum Round { CAUGHT_UP, MORE, HELD_BACK, ELSEWHERE }

    private record Cursor(String transaction, long sequence) {}

    private record Read(LoggedEvent event, String transaction, boolean settled) {}

    private final Vertx vertx;
    private final Database database;
    private final Wake wake;
    private final String name;
    private final EventReader reader;
    private final Counter taken;
    private Wake.Registration registration;
    private long poll;
    private boolean running;
    private boolean wanted;
    private long heldBackMillis = HELD_BACK_FIRST_MILLIS;
    private Promise<Void> stopping;

    /** @param name of the cursor, one per purpose, the same on all nodes */
    public EventConsumer(Vertx vertx, Database database, Wake wake, MeterRegistry meters, String name, EventReader reader) {
        this.vertx = vertx;
        this.database = database;
        this.wake = wake;
        this.name = name;
        this.reader = reader;
        this.taken = Counter.builder("events.taken").description("Events that a consumer has taken from the log")
                .tag("consumer", name).register(meters);
    }

    public Future<Void> start() {
        return createCursor().onSuccess(created -> {
            registration = wake.on(EventLog.CHANNEL, this::look);
            poll = vertx.setPeriodic(POLL_MILLIS, timer -> look());
            look();
        });
    }

    /** Reads no further; done when the round in progress is. */
    public Future<Void> stop() {
        if (registration == null) {
            return Future.succeededFuture();
        }
        vertx.cancelTimer(poll);
        Promise<Void> done = Promise.promise();
        stopping = done;
        if (!running) {
            done.complete();
        }
        return registration.end().compose(ended -> done.future());
    }

    private void look() {
        if (running || stopping != null) {
            wanted = true;
            return;
        }
        running = true;
        wanted = false;
        database.transaction(this::round).onComplete(this::ended, this::failed);
    }

    private void ended(Round round) {
        running = false;
        if (stopping != null) {
            stopping.complete();
            return;
        }
        switch (round) {
            case MORE -> {
                heldBackMillis = HELD_BACK_FIRST_MILLIS;
                look();
            }
            case HELD_BACK -> {
                // Nobody notifies when the transaction that is in the way ends without an event of its own.
                vertx.setTimer(heldBackMillis, timer -> look());
                heldBackMillis = Math.min(HELD_BACK_LAST_MILLIS, heldBackMillis * 2);
            }
            case CAUGHT_UP, ELSEWHERE -> {
                heldBackMillis = HELD_BACK_FIRST_MILLIS;
                if (wanted) {
                    look();
                }
            }
        }
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

    private Future<Round> round(SqlConnection transaction) {
        return lockCursor(transaction).compose(cursor -> cursor.isEmpty()
                ? Future.succeededFuture(Round.ELSEWHERE)
                : next(transaction, cursor.get()).compose(read -> take(transaction, read)));
    }

    private Future<Round> take(SqlConnection transaction, List<Read> read) {
        List<Read> settled = read.stream().takeWhile(Read::settled).toList();
        Round round = settled.size() < read.size() ? Round.HELD_BACK : read.size() == BATCH_MAX ? Round.MORE : Round.CAUGHT_UP;
        if (settled.isEmpty()) {
            return Future.succeededFuture(round);
        }
        return reader.take(transaction, settled.stream().map(Read::event).toList())
                .compose(written -> moveCursor(transaction, settled.getLast()))
                .map(moved -> {
                    taken.increment(settled.size());
                    return round;
                });
    }

    private Future<Void> createCursor() {
        return database.update("""
                insert into platform.event_consumers (consumer) values ($1) on conflict do nothing
                """, Tuple.of(name)).mapEmpty();
    }

    private Future<Optional<Cursor>> lockCursor(SqlConnection transaction) {
        return Database.query(transaction, """
                select transaction::text, sequence from platform.event_consumers where consumer = $1 for update skip locked
                """, Tuple.of(name), row -> new Cursor(row.getString(0), row.getLong(1)))
                .map(rows -> rows.stream().findFirst());
    }

    /** A statement of its own: its snapshot must be younger than the lock. */
    private static Future<List<Read>> next(SqlConnection transaction, Cursor cursor) {
        return Database.query(transaction, """
                select e.sequence, e.event_id, e.event, e.case_id, e.actor_id, e.occurred_at, e.envelope,
                       e.transaction::text as transaction_text,
                       e.transaction < pg_snapshot_xmin(pg_current_snapshot()) as settled
                from platform.events e
                where (e.transaction, e.sequence) > ($1::text::xid8, $2)
                order by e.transaction, e.sequence
                limit %d
                """.formatted(BATCH_MAX), Tuple.of(cursor.transaction(), cursor.sequence()), EventConsumer::read);
    }

    private static Read read(Row row) {
        OffsetDateTime occurredAt = row.getOffsetDateTime(5);
        LoggedEvent event = new LoggedEvent(row.getLong(0), row.getUUID(1), row.getString(2), row.getUUID(3),
                Optional.ofNullable(row.getUUID(4)), occurredAt.toInstant(), row.getString(6));
        return new Read(event, row.getString(7), row.getBoolean(8));
    }

    private Future<Void> moveCursor(SqlConnection transaction, Read last) {
        return transaction.preparedQuery("""
                update platform.event_consumers set transaction = $2::text::xid8, sequence = $3 where consumer = $1
                """).execute(Tuple.of(name, last.transaction(), last.event().sequence())).mapEmpty();
    }
}
