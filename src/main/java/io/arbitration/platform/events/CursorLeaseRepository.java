package io.arbitration.platform.events;

import io.arbitration.platform.db.Database;
import io.arbitration.platform.events.EventCursor.Read;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The lease on a cursor: which node may move it, and until when by the clock of the database. */
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

    /** Acquires or extends the lease. Answers its term, which is a new one if another node had the lease meanwhile; empty if another node has it now. */
    Future<Optional<Long>> acquire() {
        return database.query("""
                update platform.event_consumers set
                  term = term + case when holder is not distinct from $2 then 0 else 1 end,
                  holder = $2, held_until = now() + $3 * interval '1 millisecond'
                where consumer = $1 and (holder is null or holder = $2 or held_until < now())
                returning term
                """, Tuple.of(consumer, holder, leaseMillis), row -> row.getLong(0)).map(rows -> rows.stream().findFirst());
    }

    /** The next events after the cursor in the order of the log; none when another node has the lease. */
    Future<List<Read>> next(long term, int limit) {
        return database.query("""
                select e.sequence, e.event_id, e.event, e.case_id, e.actor_id, e.occurred_at, e.envelope,
                       e.transaction::text as transaction_text,
                       e.transaction < pg_snapshot_xmin(pg_current_snapshot()) as settled, e.trace
                from platform.event_consumers c cross join lateral (
                  select e.sequence, e.event_id, e.event, e.case_id, e.actor_id, e.occurred_at, e.envelope, e.transaction, e.trace from platform.events e
                  where (e.transaction, e.sequence) > (c.transaction, c.sequence)
                  order by e.transaction, e.sequence
                  limit $4) e
                where c.consumer = $1 and c.holder = $2 and c.term = $3
                order by e.transaction, e.sequence
                """, Tuple.of(consumer, holder, term, limit), EventCursor::read);
    }

    /** Moves the cursor after an event and extends the lease; false when another node has the lease. */
    Future<Boolean> move(long term, Read last) {
        return database.update("""
                update platform.event_consumers set
                  transaction = $4::text::xid8, sequence = $5, held_until = now() + $6 * interval '1 millisecond'
                where consumer = $1 and holder = $2 and term = $3
                """, Tuple.of(consumer, holder, term, last.transaction(), last.event().sequence(), leaseMillis)).map(rows -> rows == 1);
    }

    /** Extends the lease while publishing takes long. */
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
