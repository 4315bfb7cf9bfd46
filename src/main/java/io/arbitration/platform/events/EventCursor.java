package io.arbitration.platform.events;

import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.Optional;

/** How far a consumer has read the event log: a row of {@code platform.event_consumers}. */
final class EventCursor {

    private static final int LAG_COUNTED_MAX = 10_000;

    private final Database database;
    private final String name;

    EventCursor(Database database, String name) {
        this.database = database;
        this.name = name;
    }

    /** Creates the cursor, if there is none, before all events. */
    Future<Void> createAtTheBeginning() {
        return database.update("""
                insert into platform.event_consumers (consumer) values ($1) on conflict do nothing
                """, Tuple.of(name)).mapEmpty();
    }

    /** Creates the cursor, if there is none, before the events of all transactions that have not ended yet. */
    Future<Void> createAtTheEnd() {
        return database.update("""
                insert into platform.event_consumers (consumer, transaction)
                values ($1, pg_snapshot_xmin(pg_current_snapshot())) on conflict do nothing
                """, Tuple.of(name)).mapEmpty();
    }

    /** Whether there are events after the cursor, and whether they may be read yet. */
    Future<Position> position() {
        return database.query("""
                select e.transaction < pg_snapshot_xmin(pg_current_snapshot())
                from platform.event_consumers c cross join lateral (
                  select transaction from platform.events e
                  where (e.transaction, e.sequence) > (c.transaction, c.sequence)
                  order by e.transaction, e.sequence
                  limit 1) e
                where c.consumer = $1
                """, Tuple.of(name), row -> row.getBoolean(0))
                .map(next -> next.isEmpty() ? Position.CAUGHT_UP : next.getFirst() ? Position.MORE : Position.HELD_BACK);
    }

    /** How many events are after the cursor; more than {@value #LAG_COUNTED_MAX} events are not counted. */
    Future<Lag> lag() {
        return database.query("""
                select count(*), coalesce(extract(epoch from now() - min(e.occurred_at)), 0)::float8
                from platform.event_consumers c cross join lateral (
                  select occurred_at from platform.events e
                  where (e.transaction, e.sequence) > (c.transaction, c.sequence)
                  order by e.transaction, e.sequence
                  limit %d) e
                where c.consumer = $1
                """.formatted(LAG_COUNTED_MAX), Tuple.of(name), row -> new Lag(row.getLong(0), Math.max(0, row.getDouble(1))))
                .map(rows -> rows.getFirst());
    }

    /** Reads the columns sequence, id, kind, case, actor, time, envelope, transaction as text, settled, trace. */
    static Read read(Row row) {
        OffsetDateTime occurredAt = row.getOffsetDateTime(5);
        LoggedEvent event = new LoggedEvent(row.getLong(0), row.getUUID(1), row.getString(2), row.getUUID(3),
                Optional.ofNullable(row.getUUID(4)), occurredAt.toInstant(), row.getString(6),
                Optional.ofNullable(row.getString(9)));
        return new Read(event, row.getString(7), row.getBoolean(8));
    }

    /**
     * Where a cursor is: at the end of the log, before events that may be read, or before an event that may not be read yet,
     * because a transaction that is still open may commit events that come before it.
     */
    enum Position { CAUGHT_UP, MORE, HELD_BACK }

    /** @param settled whether no event can be committed any more that comes before it */
    record Read(LoggedEvent event, String transaction, boolean settled) {}

    /** @param seconds since the oldest of the events happened */
    record Lag(long events, double seconds) {}
}
