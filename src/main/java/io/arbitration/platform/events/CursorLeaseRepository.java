package io.arbitration.platform.events;

import io.arbitration.platform.db.Database;
import io.arbitration.platform.events.EventCursor.Read;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The lease on a cursor: the node that may move it, and the end of the lease by the clock of the database. */
final class CursorLeaseRepository {

    private final Database database;
    private final String consumer;
    private final UUID holder;
    private final long leaseMillis;

    CursorLeaseRepository(Database database, String consumer, UUID holder, Duration lease) {
        this.database = database;
        this.consumer = consumer;
        this.holder = holder;
        this.leaseMillis = lease.toMillis();
    }

    /**
     * Acquires or extends the lease. Answers its term, a new one if another node had the lease meanwhile; empty if another node
     * has it now.
     */
    Future<Optional<Long>> acquire() {
        return database.query("""
                update platform.event_consumers set
                  term = term + case when holder is not distinct from $2 then 0 else 1 end,
                  holder = $2, held_until = now() + $3 * interval '1 millisecond'
                where consumer = $1 and (holder is null or holder = $2 or held_until < now())
                returning term
                """, Tuple.of(consumer, holder, leaseMillis), row -> row.getLong(0)).map(Database::first);
    }

    /** The next events after the cursor in the order of the log; none if another node has the lease. */
    Future<List<Read>> next(long term, int limit) {
        return database.query("select e.* from (select " + EventCursor.PLACE + """
                  from platform.event_consumers c where c.consumer = $1 and c.holder = $2 and c.term = $3 and\s""" + EventCursor.BY_SEQUENCE + """
                  offset 0) c
                cross join lateral (""" + EventCursor.unread(limit) + ") e order by e.sequence", Tuple.of(consumer, holder, term), EventCursor::read);
    }

    /** Moves the cursor after events and extends the lease; false if another node has the lease. */
    Future<Boolean> move(long term, List<Read> read) {
        return database.read(client -> EventCursor.move(client, read, ", held_until = now() + $7 * interval '1 millisecond'",
                "c.consumer = $4 and c.holder = $5 and c.term = $6", Tuple.of(consumer, holder, term, leaseMillis)));
    }

    /** Extends the lease during a long publication. */
    Future<Void> renew(long term) {
        return database.update("""
                update platform.event_consumers set held_until = now() + $4 * interval '1 millisecond'
                where consumer = $1 and holder = $2 and term = $3
                """, Tuple.of(consumer, holder, term, leaseMillis)).mapEmpty();
    }

    /** Ends the lease, so that another node can acquire it at once. */
    Future<Void> release() {
        return database.update("""
                update platform.event_consumers set holder = null, held_until = null where consumer = $1 and holder = $2
                """, Tuple.of(consumer, holder)).mapEmpty();
    }
}
