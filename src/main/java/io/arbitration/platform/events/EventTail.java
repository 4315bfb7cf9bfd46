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
 * Reads the end of the event log for one node: each event that is committed from now on, once and in the order of the sequences, those
 * that are committed late as well. Unlike an {@link EventConsumer} it keeps its place in memory and every node reads for itself, since
 * what it serves, connections, is the node's own.
 *
 * <p>Everything runs on the context it was started on. The next batch is read when the one before was handled.
 */
public final class EventTail {

    private static final int BATCH_MAX = 256;
    private static final Duration GATHERING = Duration.ofMillis(20);
    private static final Duration FAILURE_PAUSE = Duration.ofSeconds(1);
    /** How far below the newest event one is looked for that is not committed yet, at the beginning. */
    private static final int BEHIND_THE_END = 10_000;
    /**
     * Ranges of sequences that were not seen. Of more, the lowest are given up, whether their transactions are open or not: an event is not
     * told if its transaction was open while so many others were rolled back, or were committed with sequences between its own. A stream
     * that waited for it instead, as consumers do, would be silent for as long as any transaction of the server that writes lasts.
     */
    static final int MISSING_MAX = 1000;
    private static final Logger LOG = LoggerFactory.getLogger(EventTail.class);

    private final Database database;
    private final Function<Batch, Future<Void>> handler;
    private final ReadingLoop loop;
    private LogPosition position;
    /** Of what is missing, that which was missed before the transaction of this number began; the rest was missed later. */
    private SequenceRanges missingLonger = SequenceRanges.NONE;
    private long settlesAt;

    /**
     * Events that were read together.
     *
     * @param from where the log was read from; @param to where the next batch is read from
     */
    public record Batch(LogPosition from, LogPosition to, List<LoggedEvent> events) {}

    /** @param handler handles each batch; the next one is read when its future is done. One that it fails on is read again. */
    public EventTail(Vertx vertx, Database database, CommitNotifications notifications, Function<Batch, Future<Void>> handler) {
        this.database = database;
        this.handler = handler;
        this.loop = new ReadingLoop(vertx, notifications, GATHERING, FAILURE_PAUSE, this::read, this::failed);
    }

    /** Begins at the end of the log. */
    public Future<Void> start() {
        return database.query("""
                select n.newest, (int8multirange(int8range(greatest(n.newest - %1$d, 0) + 1, n.newest + 1)) - coalesce((
                  select range_agg(int8range(e.sequence, e.sequence + 1)) from platform.events e where e.sequence > n.newest - %1$d), '{}'))::text
                from (select coalesce(max(sequence), 0) as newest from platform.events) n
                """.formatted(BEHIND_THE_END), Tuple.tuple(), row -> new LogPosition(row.getLong(0), SequenceRanges.parse(row.getString(1)).highest(MISSING_MAX)))
                .map(found -> {
                    position = found.getFirst();
                    loop.start();
                    return null;
                });
    }

    /** Where the next batch is read from; on the context of the tail. */
    public LogPosition position() {
        return position;
    }

    /** Reads no more, or never if it has not begun yet; done when the batch in progress was handled. */
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
        // No more is missing than is bounded here, so that nothing need be counted.
        return database.query("select e.* from (select $1::bigint as read_up_to, $2::text::int8multirange as missing, 0 as missing_count) c cross join lateral ("
                        + EventCursor.unread(BATCH_MAX) + ") e order by e.sequence", Tuple.of(position.readUpTo(), position.missing().text()), EventCursor::read)
                .compose(read -> {
                    if (read.isEmpty()) {
                        return Future.succeededFuture(Position.CAUGHT_UP);
                    }
                    List<LoggedEvent> events = read.stream().map(EventCursor.Read::event).toList();
                    LogPosition from = position;
                    LogPosition to = forget(from.after(events.stream().map(LoggedEvent::sequence).toList()), events.getLast().sequence(),
                            Long.parseLong(read.getFirst().openFrom())).bounded(MISSING_MAX);
                    return handler.apply(new Batch(from, to, events)).compose(handled -> {
                        position = to;
                        return settle();
                    }).map(settled -> read.size() == BATCH_MAX ? Position.MORE : Position.CAUGHT_UP);
                });
    }

    /**
     * What was missed longer ago never appears when all transactions that may have drawn it have ended and the reading has come past it:
     * behind the last event that was read there may be more, because a reading is bounded.
     *
     * @param last sequence of the last event that was read
     * @param openFrom number of the oldest transaction that was open when the log was read
     */
    private LogPosition forget(LogPosition to, long last, long openFrom) {
        if (missingLonger.isEmpty() || settlesAt > openFrom) {
            return to;
        }
        SequenceRanges gone = missingLonger.between(1, last).common(to.missing());
        missingLonger = SequenceRanges.NONE;
        return to.withMissing(to.missing().without(gone));
    }

    /** When nothing is missing longer, all that is missing now is: it was drawn by transactions with lower numbers than one that begins now. */
    private Future<Void> settle() {
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
