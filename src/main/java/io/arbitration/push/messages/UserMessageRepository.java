package io.arbitration.push.messages;

import io.arbitration.platform.db.Columns;
import io.arbitration.platform.db.Database;
import io.arbitration.push.subscriptions.Subscription;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Messages to users and their deliveries. All times are by the clock of the database, because the clocks of nodes may differ or jump. */
public final class UserMessageRepository {

    /** Channel that a commit with deliveries notifies. */
    public static final String DUE = "push_due";
    private static final int PROMOTED_MAX = 1000;
    private static final int FORGOTTEN_MAX = 10_000;

    private final Database database;

    public UserMessageRepository(Database database) {
        this.database = database;
    }

    /** Queues a message for each subscription of the user, unless it is queued already; answers the number of subscriptions. */
    Future<Long> put(String idempotencyKey, UUID userId, byte[] payload, Duration ttl, Optional<String> trace) {
        return insert(idempotencyKey, userId, payload, ttl, trace).compose(inserted -> count(idempotencyKey, userId));
    }

    private Future<Void> insert(String idempotencyKey, UUID userId, byte[] payload, Duration ttl, Optional<String> trace) {
        return database.query("""
                with message as (
                  insert into push.messages (idempotency_key, user_id, payload, created, expires, trace)
                  values ($1, $2, $3, now(), now() + $4::bigint * interval '1 millisecond', $5)
                  on conflict do nothing
                  returning message_id),
                queued as (
                  insert into push.deliveries (message_id, subscription_id, service, ready, due)
                  select m.message_id, s.subscription_id, s.service, true, now()
                  from message m, push.subscriptions s where s.user_id = $2
                  returning delivery_id)
                select pg_notify('push_due', '') from (select count(*) as n from queued) counted where n > 0
                """, Tuple.of(idempotencyKey, userId, Buffer.buffer(payload), ttl.toMillis(), trace.orElse(null)), row -> true).mapEmpty();
    }

    /** A second statement, because it has to see what another node has inserted under the same key meanwhile. */
    private Future<Long> count(String idempotencyKey, UUID userId) {
        return database.query("""
                select count(*) from push.messages join push.deliveries using (message_id) where idempotency_key = $1 and user_id = $2
                """, Tuple.of(idempotencyKey, userId), row -> row.getLong(0)).map(List::getFirst);
    }

    /**
     * Claims deliveries that are ready, in the order in which they were queued. For each push service it claims no more than may
     * be in flight to it at once, so that a slow push service does not delay the others.
     */
    Future<List<ClaimedMessage>> claim(UUID claim, int perServiceMax, int most, Duration lease) {
        return database.query("""
                with recursive next_service(service) as (
                  (select d.service from push.deliveries d where d.ready order by d.service limit 1)
                  union all
                  select (select d.service from push.deliveries d where d.ready and d.service > next_service.service order by d.service limit 1)
                  from next_service where next_service.service is not null),
                picked as materialized (
                  select p.delivery_id
                  from next_service
                  cross join lateral (
                    select d.delivery_id from push.deliveries d
                    where d.ready and d.service = next_service.service
                    order by d.delivery_id
                    limit greatest(0, $2::int - (select count(*) from push.deliveries c where c.claim is not null and c.service = next_service.service))
                    for update skip locked) p
                  where next_service.service is not null
                  limit $3::int),
                claimed as (
                  update push.deliveries d set ready = false, claim = $1, due = now() + $4::bigint * interval '1 millisecond'
                  from picked where d.delivery_id = picked.delivery_id
                  returning d.delivery_id, d.message_id, d.subscription_id, d.attempts)
                select c.delivery_id, c.attempts, m.payload, (extract(epoch from m.expires - now()) * 1000)::bigint, m.idempotency_key,
                       s.subscription_id, s.user_id, s.key_id, s.endpoint, s.service, s.p256dh, s.auth, s.created, m.trace
                from claimed c
                join push.messages m using (message_id)
                left join push.subscriptions s on s.subscription_id = c.subscription_id and s.user_id = m.user_id
                  and not exists (select from identity_api.users u where u.user_id = s.user_id and u.disabled)
                order by c.delivery_id
                """, Tuple.of(claim, perServiceMax, most, lease.toMillis()), row -> claimed(claim, row));
    }

    private static ClaimedMessage claimed(UUID claim, Row row) {
        Optional<Subscription> subscription = Optional.ofNullable(row.getUUID(5)).map(id -> new Subscription(
                id, Optional.of(row.getUUID(6)), row.getLong(7), row.getString(8), row.getString(9), row.getBuffer(10).getBytes(),
                row.getBuffer(11).getBytes(), row.get(OffsetDateTime.class, 12).toInstant(), Optional.empty()));
        return new ClaimedMessage(row.getLong(0), claim, subscription, row.getInteger(1), row.getBuffer(2).getBytes(),
                Duration.ofMillis(row.getLong(3)), row.getString(4), Optional.ofNullable(row.getString(13)));
    }

    /**
     * Records the results of attempts, in one statement. An outcome changes nothing if its claim is no longer the one in the
     * queue. A subscription that has ended is deleted, unless its browser has subscribed again meanwhile.
     */
    Future<Void> record(List<PushOutcome> outcomes) {
        Columns<PushOutcome> columns = new Columns<>(outcomes)
                .numbers(outcome -> outcome.claimed().deliveryId())
                .ids(outcome -> outcome.claimed().claim())
                .texts(outcome -> outcome.state().text())
                .numbers(outcome -> outcome.pause().toMillis())
                .numbers(outcome -> outcome.status() == null ? null : outcome.status().longValue())
                .texts(PushOutcome::error)
                .times(outcome -> outcome.claimed().subscription().map(Subscription::created).orElse(null));
        return database.update("""
                with decided as materialized (
                  select o.delivery_id, o.state, o.pause_millis, o.status, o.error, o.subscribed, d.subscription_id
                  from unnest($1::bigint[], $2::uuid[], $3::text[], $4::bigint[], $5::bigint[], $6::text[], $7::timestamptz[])
                       as o(delivery_id, claim, state, pause_millis, status, error, subscribed)
                  join push.deliveries d on d.delivery_id = o.delivery_id and d.claim = o.claim
                  order by o.delivery_id
                  for update of d),
                removed as (
                  delete from push.subscriptions s using decided d
                  where d.state = 'gone' and s.subscription_id = d.subscription_id and s.created = d.subscribed)
                update push.deliveries q
                set claim = null, state = d.state, attempts = q.attempts + 1, status = d.status, error = d.error,
                    due = now() + d.pause_millis * interval '1 millisecond'
                from decided d where q.delivery_id = d.delivery_id
                """, columns.tuple()).mapEmpty();
    }

    /**
     * What there is to do in the queue.
     *
     * @param isReady whether deliveries are ready
     * @param isDue whether deliveries have to be made ready
     * @param next in how long the next one has to be made ready; empty if some have to be now, or none waits
     */
    record Due(boolean isReady, boolean isDue, Optional<Duration> next) {}

    /** Sorted by the keys of the indexes, so that the planner reads these and not the tables. */
    Future<Due> due() {
        return database.query("""
                select (select true from push.deliveries where ready order by service, delivery_id limit 1) is not null,
                       (select (extract(epoch from due - now()) * 1000)::bigint from push.deliveries where state = 'pending' and not ready order by due limit 1)
                """, Tuple.tuple(), row -> {
                    Optional<Long> millis = Optional.ofNullable(row.getLong(1));
                    return new Due(row.getBoolean(0), millis.filter(rest -> rest <= 0).isPresent(), millis.filter(rest -> rest > 0).map(Duration::ofMillis));
                }).map(List::getFirst);
    }

    /** Makes deliveries ready whose pause or lease has ended; answers how many. */
    Future<Integer> activateDue() {
        return database.update("""
                update push.deliveries set ready = true, claim = null
                where delivery_id in (
                  select delivery_id from push.deliveries where state = 'pending' and not ready and due <= now()
                  order by due limit %d for update skip locked)
                """.formatted(PROMOTED_MAX), Tuple.tuple());
    }

    /** Releases deliveries that were claimed and not sent. */
    Future<Void> release(List<ClaimedMessage> claimed) {
        Columns<ClaimedMessage> columns = new Columns<>(claimed).numbers(ClaimedMessage::deliveryId).ids(ClaimedMessage::claim);
        return database.update("""
                update push.deliveries d set ready = true, claim = null
                from unnest($1::bigint[], $2::uuid[]) as c(delivery_id, claim)
                where d.delivery_id = c.delivery_id and d.claim = c.claim
                """, columns.tuple()).mapEmpty();
    }

    /** Deletes messages older than the history, with their deliveries. */
    public Future<Integer> deleteExpired(Duration history) {
        return database.update("""
                delete from push.messages where message_id in (
                  select message_id from push.messages where created < now() - $1::bigint * interval '1 millisecond' and expires < now()
                  order by created limit %d)
                """.formatted(FORGOTTEN_MAX), Tuple.of(history.toMillis()));
    }
}
