package io.arbitration.webhooks.sending;

import io.arbitration.platform.db.Columns;
import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The queue of deliveries. All its times are by the clock of the database, because the clocks of nodes may differ or jump. */
public final class QueueRepository {

    private static final int ACTIVATED_MAX = 1000;
    /** A delivery that has been ready for longer than this is moved out of its slot, so that the slot can be truncated. */
    private static final int IN_SLOT_SECONDS_MAX = 30;
    private static final int MOVED_MAX = 1000;
    /** A smaller slot is not truncated: its dead rows do not delay claims. */
    private static final long EMPTIED_BYTES_MIN = 64 * 8192;
    /** The most attempts at once to a URL whose last attempt failed: enough to notice when it works again. */
    static final int FAILING_IN_FLIGHT_MAX = 2;

    /** @param remain whether more deliveries are ready, which were not claimed because of the bound of their URL or of the claim */
    record Claims(List<ClaimedDelivery> claimed, boolean remain) {}

    /** A URL that has to be disabled, because it answered 410 or has failed for too long. */
    record Broken(long urlId, boolean isGone) {}

    private final Database database;

    public QueueRepository(Database database) {
        this.database = database;
    }

    /**
     * Claims deliveries that are ready. It goes through the URLs that have some, in the order of their numbers, beginning after {@code
     * afterUrlId}. From each URL it claims no more than may be in flight to it at once: {@code perUrlMax}, or {@value
     * #FAILING_IN_FLIGHT_MAX} while the URL fails. So the work of a claim is bounded by the number of URLs with ready deliveries, and a URL
     * that does not answer delays no other URL.
     *
     * <p>Each table is read by an index, and only as far as needed for the claimed deliveries. The planner cannot know how few these are;
     * "offset 0" and the array keep it from reading a whole table instead.
     *
     * <p>The commit of a claim does not wait for the disk (synchronous_commit off). A claim that is lost in a crash of the database is
     * repeated, as any claim is after a crash.
     */
    Future<Claims> claim(UUID claim, long afterUrlId, int perUrlMax, int most, Duration lease) {
        return database.query("""
                with recursive next_url(url_id) as (
                  (select q.url_id from webhooks.queue q where q.ready and q.url_id > $2 order by q.url_id limit 1)
                  union all
                  select (select q.url_id from webhooks.queue q where q.ready and q.url_id > next_url.url_id order by q.url_id limit 1)
                  from next_url where next_url.url_id is not null),
                picked as materialized (
                  select p.delivery_id
                  from next_url
                  cross join lateral (
                    select q.delivery_id from webhooks.queue q
                    where q.ready and q.url_id = next_url.url_id
                    order by q.replay, q.delivery_id
                    limit greatest(0, (select case when failing_since is null then $3::int else least($3::int, %d) end
                                       from webhooks.urls where url_id = next_url.url_id)
                                      - (select count(*) from webhooks.queue c where c.claim is not null and c.url_id = next_url.url_id))
                    for update skip locked) p
                  where next_url.url_id is not null
                  limit $4::int),
                claimed as (
                  update webhooks.queue q set ready = false, claim = $1, due = now() + $5::bigint * interval '1 millisecond'
                  where q.delivery_id = any (array(select delivery_id from picked))
                  returning q.delivery_id, q.url_id, q.sequence, q.attempts)
                select c.delivery_id, c.url_id, c.attempts, c.url, c.organization_id, c.secret, c.previous, c.event_id, c.envelope,
                       rest.remains, rest.commits, c.trace, c.sandbox, c.cancelled
                from (
                  select (select count(*) from (
                            select from webhooks.queue q where q.ready order by q.url_id, q.replay, q.delivery_id limit $4::int + 1) ready)
                           > (select count(*) from picked) as remains,
                         set_config('synchronous_commit', 'off', true) as commits) rest
                left join (
                  select d.delivery_id, d.url_id, d.attempts, u.url, u.organization_id, u.secret,
                         array(select p.secret from unnest(u.previous_secrets, u.previous_until) as p(secret, until) where p.until > now()) as previous,
                         e.event_id, e.envelope, e.trace, e.sandbox, u.disabled_at is not null or u.deleted_at is not null as cancelled
                  from claimed d
                  cross join lateral (select url, organization_id, secret, previous_secrets, previous_until, disabled_at, deleted_at from webhooks.urls where url_id = d.url_id offset 0) u
                  cross join lateral (select event_id, envelope, trace, sandbox from platform_api.events where sequence = d.sequence offset 0) e) c on true
                order by c.delivery_id
                """.formatted(FAILING_IN_FLIGHT_MAX), Tuple.of(claim, afterUrlId, perUrlMax, most, lease.toMillis()), row -> row)
                .map(rows -> new Claims(
                        rows.stream().filter(row -> row.getLong(0) != null).map(row -> claimed(claim, row)).toList(),
                        rows.getFirst().getBoolean(9)));
    }

    private static ClaimedDelivery claimed(UUID claim, Row row) {
        List<byte[]> secrets = new ArrayList<>();
        secrets.add(row.getBuffer(5).getBytes());
        for (Buffer previous : (Buffer[]) row.getValue(6)) {
            secrets.add(previous.getBytes());
        }
        return new ClaimedDelivery(row.getLong(0), claim, row.getLong(1), row.getInteger(2), row.getString(3), row.getUUID(4), secrets,
                row.getUUID(7), row.getString(8), Optional.ofNullable(row.getString(11)), row.getBoolean(12), row.getBoolean(13));
    }

    /**
     * Records attempts and what follows from them, in one statement. An outcome changes nothing if its claim is not the current one any
     * more, because its lease has ended and another node has claimed the delivery.
     *
     * @return the URLs that have to be disabled for what was recorded
     */
    Future<List<Broken>> record(List<DeliveryOutcome> outcomes, Duration failingMax) {
        Columns<DeliveryOutcome> columns = new Columns<>(outcomes)
                .numbers(outcome -> outcome.claimed().deliveryId())
                .ids(outcome -> outcome.claimed().claim())
                .times(outcome -> outcome.made().map(DeliveryAttempt::at).orElse(null))
                .numbers(outcome -> outcome.made().flatMap(DeliveryAttempt::status).map(Integer::longValue).orElse(null))
                .texts(outcome -> outcome.made().flatMap(DeliveryAttempt::error).orElse(null))
                .numbers(outcome -> outcome.made().map(attempt -> (long) attempt.durationMillis()).orElse(null))
                .texts(outcome -> outcome.made().flatMap(DeliveryAttempt::response).orElse(null))
                .texts(QueueRepository::state)
                .numbers(QueueRepository::pauseMillis);
        Tuple values = columns.tuple();
        values.addLong(failingMax.toMillis());
        return database.query("""
                with decided as materialized (
                  select o.delivery_id, o.at, o.status, o.error, o.duration_millis, o.response, o.pause_millis, q.url_id, q.slot,
                         case when o.state = 'pending' and (u.disabled_at is not null or u.deleted_at is not null)
                              then 'cancelled' else o.state end as verdict
                  from unnest($1::bigint[], $2::uuid[], $3::timestamptz[], $4::bigint[], $5::text[], $6::bigint[], $7::text[],
                              $8::text[], $9::bigint[])
                       as o(delivery_id, claim, at, status, error, duration_millis, response, state, pause_millis)
                  join webhooks.queue q on q.delivery_id = o.delivery_id and q.claim = o.claim
                  join webhooks.urls u on u.url_id = q.url_id
                  order by o.delivery_id
                  for update of q),
                removed as (
                  delete from webhooks.queue q using decided d
                  where q.delivery_id = d.delivery_id and (d.verdict <> 'pending' or d.slot > 0)
                  returning q.delivery_id, q.url_id, q.sequence, q.replay, q.attempts, d.verdict, d.pause_millis),
                put_back as (
                  update webhooks.queue q
                  set claim = null, attempts = q.attempts + 1, due = now() + d.pause_millis * interval '1 millisecond'
                  from decided d where q.delivery_id = d.delivery_id and d.verdict = 'pending' and d.slot = 0),
                put_aside as (
                  insert into webhooks.queue (slot, delivery_id, url_id, sequence, replay, attempts, ready, due)
                  select 0, delivery_id, url_id, sequence, replay, attempts + 1, false, now() + pause_millis * interval '1 millisecond'
                  from removed where verdict = 'pending'),
                ended as (
                  update webhooks.deliveries v set state = d.verdict
                  from decided d where v.delivery_id = d.delivery_id and d.verdict <> 'pending'),
                logged as (
                  insert into webhooks.attempts (delivery_id, at, status, error, duration_millis, response)
                  select delivery_id, at, status, error, duration_millis, response from decided where at is not null),
                health as materialized (
                  select url_id, bool_or(verdict = 'delivered') as works, coalesce(bool_or(status = 410), false) as gone
                  from decided where at is not null group by url_id order by url_id),
                noted as (
                  update webhooks.urls u set failing_since = case when h.works then null else now() end
                  from health h where u.url_id = h.url_id and h.works = (u.failing_since is not null))
                select h.url_id, h.gone
                from health h
                cross join lateral (
                  select failing_since from webhooks.urls
                  where url_id = h.url_id and disabled_at is null and deleted_at is null offset 0) u
                where h.gone or not h.works and u.failing_since <= now() - $10::bigint * interval '1 millisecond'
                """, values, row -> new Broken(row.getLong(0), row.getBoolean(1)));
    }

    private static String state(DeliveryOutcome outcome) {
        return switch (outcome) {
            case DeliveryOutcome.Delivered delivered -> DeliveryState.DELIVERED.text();
            case DeliveryOutcome.Failed failed -> DeliveryState.FAILED.text();
            case DeliveryOutcome.Cancelled cancelled -> DeliveryState.CANCELLED.text();
            case DeliveryOutcome.Again again -> DeliveryState.PENDING.text();
        };
    }

    private static Long pauseMillis(DeliveryOutcome outcome) {
        return switch (outcome) {
            case DeliveryOutcome.Delivered delivered -> 0L;
            case DeliveryOutcome.Failed failed -> 0L;
            case DeliveryOutcome.Cancelled cancelled -> 0L;
            case DeliveryOutcome.Again again -> again.pause().toMillis();
        };
    }

    /**
     * What there is to do in the queue.
     *
     * @param isReady whether deliveries are ready
     * @param isDue whether deliveries have to be made ready
     * @param next in how long the next one has to be made ready; empty if some have to be now, or none waits
     * @param isInSlots whether the slots of new deliveries have rows, or are large enough to be truncated
     */
    record Due(boolean isReady, boolean isDue, Optional<Duration> next, boolean isInSlots) {}

    /** Sorted by the keys of the indexes, so that the planner reads these and not the tables. */
    Future<Due> due() {
        return database.query("""
                select (select true from webhooks.queue where ready order by url_id, replay, delivery_id limit 1) is not null,
                       (select (extract(epoch from due - now()) * 1000)::bigint from webhooks.queue where not ready order by due limit 1),
                       exists (select from webhooks.queue where slot > 0)
                         or greatest(pg_relation_size('webhooks.queue_a'), pg_relation_size('webhooks.queue_b'), pg_relation_size('webhooks.queue_c')) >= $1
                """, Tuple.of(EMPTIED_BYTES_MIN), row -> {
                    Optional<Long> millis = Optional.ofNullable(row.getLong(1));
                    return new Due(row.getBoolean(0), millis.filter(rest -> rest <= 0).isPresent(), millis.filter(rest -> rest > 0).map(Duration::ofMillis), row.getBoolean(2));
                }).map(List::getFirst);
    }

    /** Makes deliveries ready whose pause has ended, or whose lease has ended; answers how many. */
    Future<Integer> activateDue() {
        return database.update("""
                update webhooks.queue set ready = true, claim = null
                where delivery_id in (
                  select delivery_id from webhooks.queue where not ready and due <= now() order by due limit %d for update skip locked)
                """.formatted(ACTIVATED_MAX), Tuple.tuple());
    }

    /**
     * Keeps the slots of new deliveries small. A delivery that has been ready for {@value #IN_SLOT_SECONDS_MAX} s, because its
     * URL has its maximum in flight, is moved to slot 0. Then a slot without rows is truncated. Unlike a vacuum, a truncation
     * removes dead rows even while some program keeps a transaction open, so claims stay fast.
     */
    Future<Void> emptySlots() {
        return database.update("""
                with late as materialized (
                  select delivery_id from webhooks.queue
                  where slot > 0 and ready and due < now() - %1$d * interval '1 second' limit %2$d for update skip locked),
                gone as (
                  delete from webhooks.queue q where q.slot > 0 and q.delivery_id = any (array(select delivery_id from late))
                  returning q.delivery_id, q.url_id, q.sequence, q.replay, q.attempts, q.due)
                insert into webhooks.queue (slot, delivery_id, url_id, sequence, replay, attempts, ready, due)
                select 0, delivery_id, url_id, sequence, replay, attempts, true, due from gone
                """.formatted(IN_SLOT_SECONDS_MAX, MOVED_MAX), Tuple.tuple())
                .compose(moved -> database.query("select webhooks.empty_queue_slot($1)", Tuple.of(EMPTIED_BYTES_MIN), row -> row.getInteger(0))).mapEmpty();
    }

    /** Releases deliveries that were claimed and not sent. */
    Future<Void> release(List<ClaimedDelivery> claimed) {
        Columns<ClaimedDelivery> columns = new Columns<>(claimed).numbers(ClaimedDelivery::deliveryId).ids(ClaimedDelivery::claim);
        return database.update("""
                update webhooks.queue q set ready = true, claim = null
                from unnest($1::bigint[], $2::uuid[]) as c(delivery_id, claim)
                where q.delivery_id = c.delivery_id and q.claim = c.claim
                """, columns.tuple()).mapEmpty();
    }

    /** Disables a URL, cancels its waiting deliveries and queues the email to its organization; false if it was disabled already. */
    Future<Boolean> disable(long urlId, String reason) {
        return database.query("""
                with disabled as (
                  update webhooks.urls set disabled_at = now(), disabled_reason = $2
                  where url_id = $1 and disabled_at is null and deleted_at is null
                  returning url_id, organization_id, url),
                cancelled as (
                  delete from webhooks.queue q using disabled d where q.url_id = d.url_id and q.claim is null
                  returning q.delivery_id),
                marked as (
                  update webhooks.deliveries v set state = 'cancelled' from cancelled c where v.delivery_id = c.delivery_id),
                noticed as (
                  insert into webhooks.notices (organization_id, url, reason, at, due)
                  select organization_id, url, $2, now(), 'infinity' from disabled
                  returning notice_id)
                select count(*), platform.enqueue('webhook_notices', array_agg(notice_id)) from noticed
                """, Tuple.of(urlId, reason), row -> row.getLong(0)).map(rows -> rows.getFirst() > 0);
    }

    /** How many deliveries are ready and not claimed, counted up to a bound. */
    Future<Long> readyCount(int most) {
        return database.query("""
                select count(*) from (select 1 from webhooks.queue where ready limit $1) counted
                """, Tuple.of(most), row -> row.getLong(0)).map(List::getFirst);
    }
}
