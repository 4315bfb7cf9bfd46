package io.arbitration.platform.events;

import io.arbitration.platform.db.Database;
import io.arbitration.platform.events.EventCursor.Position;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the end of the event log for one node: each event that is committed from now on, once and in the order of the sequences,
 * including those that are committed late. Unlike an {@link EventConsumer} it keeps its position in memory, and every node reads
 * for itself, because it serves the node's own connections.
 *
 * <p>Everything runs on the context on which it was started. The next batch is read when the previous one was handled.
 */
public final class EventTail {

    private static final int BATCH_MAX = 256;
    private static final Duration GATHERING = Duration.ofMillis(20);
    private static final Duration FAILURE_PAUSE = Duration.ofSeconds(1);
    /** How far below the newest event uncommitted ones are expected at the start. */
    private static final int BEHIND_THE_END = 10_000;
    /**
     * The maximum number of missing ranges. Beyond it, the lowest are dropped, whether their transactions are open or not: an
     * event is not delivered if its transaction was open while this many others were rolled back, or were committed with
     * sequences interleaved with its own. If streams waited for it, as consumers do, any long writing transaction of the server
     * would silence them.
     */
    static final int MISSING_MAX = 1000;
    private static final Logger LOG = LoggerFactory.getLogger(EventTail.class);

    private final Database database;
    private final Function<Batch, Future<Void>> handler;
    private final ReadingLoop loop;
    private LogPosition position;
    /** The older generation of missing sequences: those that were missing before the transaction with this number began. */
    private SequenceRanges missingLonger = SequenceRanges.NONE;
    private long settlesAt;

    /**
     * Events of one read.
     *
     * @param from position before the read
     * @param to position for the next batch
     */
    public record Batch(LogPosition from, LogPosition to, List<LoggedEvent> events) {}

    /**
     * @param handler handles each batch; the next one is read when its future completes. After a failure the batch is read again.
     */
    public EventTail(Vertx vertx, Database database, CommitNotifications notifications, Function<Batch, Future<Void>> handler) {
        this.database = database;
        this.handler = handler;
        this.loop = new ReadingLoop(vertx, notifications, GATHERING, FAILURE_PAUSE, ReadingLoop.Concern.ALL, this::read, this::failed);
    }

    /** Begins at the end of the log. */
    public Future<Void> start() {
        return database.query("""
                select n.newest, (int8multirange(int8range(greatest(n.newest - %1$d, 0) + 1, n.newest + 1)) - coalesce((
                  select range_agg(int8range(e.sequence, e.sequence + 1)) from (select e.sequence from platform.events e where e.sequence > n.newest - %1$d order by e.sequence limit %1$d) e), '{}'))::text
                from (select coalesce(max(sequence), 0) as newest from platform.events) n
                """.formatted(BEHIND_THE_END), Tuple.tuple(), row -> new LogPosition(row.getLong(0), SequenceRanges.parse(row.getString(1)).highest(MISSING_MAX)))
                .map(found -> {
                    position = found.getFirst();
                    loop.start();
                    return null;
                });
    }

    /** The position for the next batch; on the context of the tail. */
    public LogPosition position() {
        return position;
    }

    /** Stops reading, or never begins; completes when the batch in progress was handled. */
    public Future<Void> stop() {
        return loop.stop();
    }

    private Future<Void> failed(Throwable failure) {
        if (Database.isUnavailable(failure)) {
            LOG.warn("the end of the event log waits for the database: {}", failure.getMessage());
        } else {
            LOG.error("reading the end of the event log failed and is tried again", failure);
        }
        return Future.succeededFuture();
    }

    private Future<Position> read(ReadingLoop.Chance chance) {
        // The missing ranges are bounded here, so they need not be counted.
        return database.query("select e.* from (select $1::bigint as read_up_to, $2::text::int8multirange as missing, 0 as missing_count) c cross join lateral ("
                        + EventCursor.unread(BATCH_MAX) + ") e order by e.sequence", Tuple.of(position.readUpTo(), position.missing().text()), EventCursor::read)
                .compose(read -> {
                    if (read.isEmpty()) {
                        return Future.succeededFuture(Position.CAUGHT_UP);
                    }
                    List<LoggedEvent> events = read.stream().map(EventCursor.Read::event).toList();
                    LogPosition from = position;
                    LogPosition to = dropRolledBack(from.after(events.stream().map(LoggedEvent::sequence).toList()), events.getLast().sequence(),
                            Long.parseLong(read.getFirst().openFrom())).bounded(MISSING_MAX);
                    return handler.apply(new Batch(from, to, events)).compose(handled -> {
                        position = to;
                        return beginGeneration();
                    }).map(settled -> read.size() == BATCH_MAX ? Position.MORE : Position.CAUGHT_UP);
                });
    }

    /**
     * The older generation never appears when all transactions that may have drawn it have ended and a read has passed it: after
     * the last event of a read there may be more, because a read is bounded.
     *
     * @param last sequence of the last event that was read
     * @param openFrom number of the oldest transaction that was open during the read
     */
    private LogPosition dropRolledBack(LogPosition to, long last, long openFrom) {
        if (missingLonger.isEmpty() || settlesAt > openFrom) {
            return to;
        }
        SequenceRanges gone = missingLonger.between(1, last).common(to.missing());
        missingLonger = SequenceRanges.NONE;
        return to.withMissing(to.missing().without(gone));
    }

    /**
     * If the older generation is empty, all sequences that are missing now become it: they were drawn by transactions with lower
     * numbers than one that begins now.
     */
    private Future<Void> beginGeneration() {
        if (position.missing().isEmpty() || !missingLonger.isEmpty()) {
            return Future.succeededFuture();
        }
        SequenceRanges missing = position.missing();
        return database.query("select pg_current_xact_id()::text", Tuple.tuple(), row -> Long.parseLong(row.getString(0))).map(number -> {
            missingLonger = missing;
            settlesAt = number.getFirst();
            return null;
        });
    }
}
