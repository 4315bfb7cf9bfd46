package io.arbitration.platform.queue;

import io.arbitration.platform.db.Columns;
import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/**
 * The table {@code platform.queue_items}. All its times are by the clock of the database, because the clocks of the nodes may differ or
 * jump. The SQL function {@code platform.enqueue} adds items, in the statement that writes their content.
 */
public final class QueueItemRepository {

    /** After so many claims in a row without an outcome, the item itself, and not the crash of a node, is assumed to be the cause. */
    static final int UNRECORDED_TOLERATED = 3;
    /** How often the lease of such an item is doubled at most. */
    private static final int DOUBLED_MAX = 6;

    private final Database database;

    public QueueItemRepository(Database database) {
        this.database = database;
    }

    /** @param unrecorded how many claims in a row, including this one, have no recorded outcome */
    record ClaimedItem(Lease lease, int unrecorded) {}

    /** Claims due items, the oldest first: new ones, ones whose pause has ended, and ones whose lease has ended. */
    Future<List<ClaimedItem>> claim(String queue, UUID claim, int most, Duration lease) {
        return database.query("""
                with picked as materialized (
                  select key from platform.queue_items where queue = $1 and due <= now() order by due limit $3 for update skip locked)
                """ + CLAIM, Tuple.of(queue, claim, most, lease.toMillis()), row -> claimed(claim, row));
    }

    /**
     * Claims the oldest due item of each lane, at most so many: first of the lanes after the given one, then of the others. So a lane with
     * thousands of items delays another lane by one item only.
     */
    Future<List<ClaimedItem>> claimFairly(String queue, UUID claim, int most, Duration lease, String afterLane) {
        return database.query("""
                with oldest as materialized (
                  select distinct on (q.lane) q.lane, q.key from platform.queue_items q
                  where q.queue = $1 and q.due <= now() order by q.lane, q.due, q.key),
                picked as materialized (
                  select q.key from oldest o join platform.queue_items q on q.queue = $1 and q.key = o.key
                  where q.due <= now()
                  order by coalesce(o.lane, '') collate "C" <= $5, o.lane collate "C" limit $3 for update of q skip locked)
                """ + CLAIM, Tuple.of(queue, claim, most, lease.toMillis(), afterLane), row -> claimed(claim, row));
    }

    private static final String CLAIM = """
            update platform.queue_items q
            set claim = $2, unrecorded = q.unrecorded + 1,
                due = now() + $4::bigint * (1 << greatest(0, least(q.unrecorded + 1 - %d, %d))) * interval '1 millisecond'
            from picked where q.queue = $1 and q.key = picked.key
            returning q.key, q.attempts, coalesce(q.lane, ''), q.unrecorded
            """.formatted(UNRECORDED_TOLERATED, DOUBLED_MAX);

    private static ClaimedItem claimed(UUID claim, Row row) {
        return new ClaimedItem(new Lease(row.getLong(0), claim, row.getInteger(1), row.getString(2)), row.getInteger(3));
    }

    /** Extends a lease to so long from now; false if the item is done, or claimed by another node. */
    Future<Boolean> extend(String queue, Lease lease, Duration by) {
        return database.update("""
                update platform.queue_items set due = now() + $4::bigint * interval '1 millisecond' where queue = $1 and key = $2 and claim = $3
                """, Tuple.of(queue, lease.key(), lease.claim(), by.toMillis())).map(rows -> rows == 1);
    }

    /**
     * Records outcomes in the queue and in the content of the items, in one transaction. An outcome counts if its claim is the current one,
     * or if it is valid whoever holds the item.
     *
     * @return how many outcomes counted
     */
    <O extends AttemptOutcome> Future<Integer> settle(String queue, List<O> outcomes, ContentRepository<?, O> content) {
        return database.transaction(Optional.empty(), transaction -> settle(transaction, queue, outcomes).compose(keys -> {
            // An item can occur twice, if its lease ended and this node claimed it again. Its first outcome counts.
            Set<Long> left = new HashSet<>(keys);
            List<O> counted = outcomes.stream().filter(outcome -> left.remove(outcome.lease().key())).toList();
            return counted.isEmpty() ? Future.succeededFuture(0) : content.record(transaction, counted).map(counted.size());
        }));
    }

    private static <O extends AttemptOutcome> Future<List<Long>> settle(SqlConnection transaction, String queue, List<O> outcomes) {
        Columns<O> columns = new Columns<>(outcomes)
                .numbers(outcome -> outcome.lease().key())
                .ids(outcome -> outcome.lease().claim())
                .flags(outcome -> outcome.settlement() instanceof Settlement.Done(boolean whoeverHoldsIt) && whoeverHoldsIt)
                .numbers(outcome -> outcome.settlement() instanceof Settlement.Again(Duration pause) ? pause.toMillis() : null);
        return Database.query(transaction, """
                with decided as materialized (
                  select o.key, o.pause_millis
                  from unnest($1::bigint[], $2::uuid[], $3::boolean[], $4::bigint[]) as o(key, claim, whoever_holds_it, pause_millis)
                  join platform.queue_items q on q.queue = $5 and q.key = o.key and (q.claim = o.claim or o.whoever_holds_it)
                  order by o.key
                  for update of q),
                removed as (
                  delete from platform.queue_items q using decided d where q.queue = $5 and q.key = d.key and d.pause_millis is null),
                put_back as (
                  update platform.queue_items q
                  set claim = null, attempts = q.attempts + 1, unrecorded = 0, due = now() + d.pause_millis * interval '1 millisecond'
                  from decided d where q.queue = $5 and q.key = d.key and d.pause_millis is not null)
                select key from decided
                """, columns.tuple().addString(queue), row -> row.getLong(0));
    }

    /** Releases claimed items: they are due at once, as if they had never been claimed. */
    Future<Void> release(String queue, List<Lease> leases) {
        Columns<Lease> columns = new Columns<>(leases).numbers(Lease::key).ids(Lease::claim);
        return database.update("""
                update platform.queue_items q set claim = null, due = now(), unrecorded = greatest(0, q.unrecorded - 1)
                from unnest($1::bigint[], $2::uuid[]) as c(key, claim)
                where q.queue = $3 and q.key = c.key and q.claim = c.claim
                """, columns.tuple().addString(queue)).mapEmpty();
    }

    /**
     * What is due in a queue.
     *
     * @param lateSeconds for how long the oldest due item has been due; empty if none is due
     * @param next in how long the next item will be due; empty if no other item waits
     */
    record DueItems(String queue, Optional<Double> lateSeconds, Optional<Duration> next) {}

    /** What is due in each of these queues. */
    Future<List<DueItems>> due(Set<String> queues) {
        return database.query("""
                select w.queue,
                       (select extract(epoch from now() - min(q.due))::float8 from platform.queue_items q where q.queue = w.queue and q.due <= now()),
                       (select (extract(epoch from min(q.due) - now()) * 1000)::bigint from platform.queue_items q where q.queue = w.queue and q.due > now())
                from unnest($1::text[]) as w(queue)
                """, Tuple.tuple().addArrayOfString(queues.toArray(String[]::new)), row -> new DueItems(row.getString(0),
                        Optional.ofNullable(row.getDouble(1)), Optional.ofNullable(row.getLong(2)).map(Duration::ofMillis)));
    }
}
