package io.arbitration.platform.events;

import io.arbitration.platform.db.Database;
import io.arbitration.platform.events.EventCursor.Read;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Who may move a cursor, and until when: by the clock of the database. */
final class LeaseRepository {

    private final Database database;
    private final String consumer;
    private final UUID holder;
    private final long leaseMillis;

    LeaseRepository(Database database, String consumer, UUID holder, Duration lease) {
        this.database = database;
        this.consumer = consumer;
        this.holder = holder;
        this.leaseMillis = lease.toMillis();
    }

    /** Takes the cursor, or keeps it; its term, which is a new one if another had it meanwhile. Empty: another has it. */
    Future<Optional<Long>> hold() {
        return database.query("""
                update platform.event_consumers set
                  term = term + case when holder is not distinct from $2 then 0 else 1 end,
                  holder = $2, held_until = now() + $3 * interval '1 millisecond'
                where consumer = $1 and (holder is null or holder = $2 or held_until < now())
                returning term
                """, Tuple.of(consumer, holder, leaseMillis), row -> row.getLong(0)).map(rows -> rows.stream().findFirst());
    }

    /** The next events behind the cursor in the order of the log; none when another has it. */
    Future<List<Read>> next(long term, int limit) {
        return database.query("""
                select e.sequence, e.event_id, e.event, e.case_id, e.actor_id, e.occurred_at, e.envelope,
                       e.transaction::text as transaction_text,
                       e.transaction < pg_snapshot_xmin(pg_current_snapshot()) as settled, e.trace
                from platform.event_consumers c cross join lateral (
                  select * from platform.events e
                  where (e.transaction, e.sequence) > (c.transaction, c.sequence)
                  order by e.transaction, e.sequence
                  limit $4) e
                where c.consumer = $1 and c.holder = $2 and c.term = $3
                order by e.transaction, e.sequence
                """, Tuple.of(consumer, holder, term, limit), EventCursor::read);
    }

    /** Moves the cursor behind an event, and keeps it; whether it was this holder's to move. */
    Future<Boolean> move(long term, Read last) {
        return database.update("""
                update platform.event_consumers set
                  transaction = $4::text::xid8, sequence = $5, held_until = now() + $6 * interval '1 millisecond'
                where consumer = $1 and holder = $2 and term = $3
                """, Tuple.of(consumer, holder, term, last.transaction(), last.event().sequence(), leaseMillis)).map(rows -> rows == 1);
    }

    /** Keeps the cursor while something takes long. */
    Future<Void> renew(long term) {
        return database.update("""
                update platform.event_consumers set held_until = now() + $4 * interval '1 millisecond'
                where consumer = $1 and holder = $2 and term = $3
                """, Tuple.of(consumer, holder, term, leaseMillis)).mapEmpty();
    }

    /** Lets another have it. */
    Future<Void> release() {
        return database.update("""
                update platform.event_consumers set holder = null, held_until = null where consumer = $1 and holder = $2
                """, Tuple.of(consumer, holder)).mapEmpty();
    }
}
