package io.arbitration.webhooks.deliveries;

import io.arbitration.platform.db.Database;
import io.arbitration.webhooks.sending.DeliveryAttempt;
import io.arbitration.webhooks.urls.RegisteredUrl;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Collectors;

/** The history of deliveries; also queues deliveries again. */
public final class DeliveryRepository {

    /** The most deliveries that one call repeats. */
    static final int REDELIVERED_MAX = 10_000;
    private static final int FORGOTTEN_MAX = 5000;
    /** The most rounds of one call. With a call every minute, up to 8,000 deliveries a second can be removed. */
    private static final int FORGETTING_ROUNDS_MAX = 100;
    /** The most attempts that are shown of a delivery, the latest ones. A delivery that was repeated often has more. */
    private static final int ATTEMPTS_MAX = 20;

    /** The conditions of a list; an empty one does not restrict it. */
    record Filter(Optional<String> url, Optional<UUID> eventId, Optional<String> state) {}

    /** A delivery in a list. @param attemptBytes the estimated bytes of its attempts in an answer */
    record Weighed(Delivery delivery, long attemptBytes) {}

    /** A delivery to be repeated. @param urlIsOpen whether its URL is neither deleted nor disabled */
    record DeliveryStatus(String state, boolean urlIsOpen) {}

    private record AttemptOf(long deliveryId, DeliveryAttempt attempt) {}

    private final Database database;

    public DeliveryRepository(Database database) {
        this.database = database;
    }

    /** Deliveries of the organization without their attempts, newest first, older than the delivery given. */
    Future<List<Weighed>> list(UUID organizationId, Filter filter, OptionalLong before, int limit) {
        Tuple values = Tuple.of(organizationId, before.orElse(Long.MAX_VALUE), limit);
        StringBuilder conditions = new StringBuilder();
        filter.url().ifPresent(url -> conditions.append("""
                 and d.url_id = any (array(select url_id from webhooks.urls where organization_id = $1 and url = $%d))
                """.formatted(place(values.addString(url)))));
        filter.eventId().ifPresent(id -> conditions.append("""
                 and d.url_id = any (array(select url_id from webhooks.urls where organization_id = $1))
                 and d.sequence = (select sequence from platform_api.events where event_id = $%d)
                """.formatted(place(values.addUUID(id)))));
        filter.state().ifPresent(state -> conditions.append(" and d.state = $%d".formatted(place(values.addString(state)))));
        return database.query("""
                select d.delivery_id, d.event_id, d.event, u.url, d.state, q.due, q.claim is not null as claimed,
                       (select coalesce(sum(300 + octet_length(to_json(coalesce(a.response, ''))::text) + octet_length(coalesce(a.error, ''))), 0)::bigint
                        from (select response, error from webhooks.attempts where delivery_id = d.delivery_id order by attempt_id desc limit %d) a)
                from (select d.delivery_id, d.event_id, d.event, d.url_id, d.state from webhooks.deliveries d
                      where d.organization_id = $1 and d.delivery_id < $2 %s
                      order by d.delivery_id desc limit $3) d
                join webhooks.urls u on u.url_id = d.url_id
                left join webhooks.queue q on q.delivery_id = d.delivery_id
                order by d.delivery_id desc
                """.formatted(ATTEMPTS_MAX, conditions), values, DeliveryRepository::weighed);
    }

    private static int place(Tuple values) {
        return values.size();
    }

    private static Weighed weighed(Row row) {
        OffsetDateTime due = row.getOffsetDateTime(5);
        Optional<Instant> nextAttemptAt = Optional.ofNullable(due).filter(waits -> !row.getBoolean(6)).map(OffsetDateTime::toInstant);
        return new Weighed(new Delivery(row.getLong(0), row.getUUID(1), row.getString(2), row.getString(3), row.getString(4), nextAttemptAt, List.of()),
                row.getLong(7));
    }

    /** The last attempts of deliveries, oldest first, by delivery. */
    Future<Map<Long, List<DeliveryAttempt>>> attempts(List<Long> deliveryIds) {
        return database.query("""
                select d.delivery_id, a.at, a.status, a.error, a.duration_millis, a.response
                from unnest($1::bigint[]) as d(delivery_id)
                cross join lateral (
                  select attempt_id, at, status, error, duration_millis, response
                  from webhooks.attempts where delivery_id = d.delivery_id order by attempt_id desc limit %d) a
                order by d.delivery_id, a.attempt_id
                """.formatted(ATTEMPTS_MAX), Tuple.of(deliveryIds.toArray(Long[]::new)), row -> new AttemptOf(row.getLong(0),
                        new DeliveryAttempt(row.getOffsetDateTime(1).toInstant(), Optional.ofNullable(row.getInteger(2)), Optional.ofNullable(row.getString(3)),
                                row.getInteger(4), Optional.ofNullable(row.getString(5)))))
                .map(all -> all.stream().collect(Collectors.groupingBy(AttemptOf::deliveryId, Collectors.mapping(AttemptOf::attempt, Collectors.toList()))));
    }

    /** The delivery of this id; empty if the organization has none, or if it was a test. */
    Future<Optional<DeliveryStatus>> status(SqlConnection transaction, UUID organizationId, long deliveryId) {
        return Database.query(transaction, """
                select d.state, u.disabled_at is null and u.deleted_at is null
                from webhooks.deliveries d join webhooks.urls u on u.url_id = d.url_id
                where d.delivery_id = $1 and d.organization_id = $2 and d.sequence is not null
                """, Tuple.of(deliveryId, organizationId), row -> new DeliveryStatus(row.getString(0), row.getBoolean(1)))
                .map(Database::first);
    }

    /** Queues an ended delivery again; false if it is pending, or its URL is deleted or disabled. */
    Future<Boolean> redeliver(SqlConnection transaction, UUID organizationId, long deliveryId) {
        return Database.query(transaction, """
                with again as (
                  update webhooks.deliveries d set state = 'pending'
                  from webhooks.urls u
                  where d.delivery_id = $1 and d.organization_id = $2 and d.sequence is not null and d.state <> 'pending'
                    and u.url_id = d.url_id and u.disabled_at is null and u.deleted_at is null
                  returning d.delivery_id, d.url_id, d.sequence),
                queued as (
                  insert into webhooks.queue (delivery_id, url_id, sequence, replay, ready, due)
                  select delivery_id, url_id, sequence, true, true, now() from again
                  returning delivery_id)
                select delivery_id, pg_notify('webhooks_due', '') from queued
                """, Tuple.of(deliveryId, organizationId), row -> row.getLong(0)).map(rows -> !rows.isEmpty());
    }

    /**
     * Queues the events since an instant that a URL has not received: failed and cancelled deliveries, and events without a delivery,
     * because the URL was disabled or not registered at that time. They become due one after the other, the oldest first, with a pause
     * between two, so that new deliveries are not delayed.
     *
     * @return how many; if this is {@value #REDELIVERED_MAX}, there may be more
     */
    Future<Integer> redeliverSince(SqlConnection transaction, UUID organizationId, RegisteredUrl url, Instant since, Duration pause) {
        return Database.query(transaction, """
                with wanted as materialized (
                  select f.position, f.sequence, f.event, d.delivery_id
                  from webhooks.feed f
                  left join webhooks.deliveries d on d.url_id = $2 and d.sequence = f.sequence
                  where f.organization_id = $1 and f.occurred_at >= $3
                    and (d.state in ('failed', 'cancelled') or d.delivery_id is null and f.event = any ($4))
                  order by f.position limit %d),
                again as (
                  update webhooks.deliveries d set state = 'pending'
                  from wanted w where d.delivery_id = w.delivery_id and d.state in ('failed', 'cancelled')
                  returning d.delivery_id, d.sequence),
                missed as (
                  insert into webhooks.deliveries (url_id, organization_id, sequence, event_id, event, state, created)
                  select $2, $1, w.sequence, e.event_id, w.event, 'pending', now()
                  from wanted w join platform_api.events e on e.sequence = w.sequence
                  where w.delivery_id is null
                  on conflict (url_id, sequence) where sequence is not null do nothing
                  returning delivery_id, sequence),
                queued as (
                  insert into webhooks.queue (delivery_id, url_id, sequence, replay, ready, due)
                  select b.delivery_id, $2, b.sequence, true, false,
                         now() + (row_number() over (order by w.position) - 1) * $5::bigint * interval '1 millisecond'
                  from (select delivery_id, sequence from again union all select delivery_id, sequence from missed) b
                  join wanted w on w.sequence = b.sequence
                  returning delivery_id)
                select count(*)::int from queued
                """.formatted(REDELIVERED_MAX), Tuple.of(organizationId, url.id(), since.atOffset(ZoneOffset.UTC),
                        url.events().toArray(String[]::new), pause.toMillis()), row -> row.getInteger(0))
                .map(List::getFirst);
    }

    /**
     * Removes ended deliveries that are older than the history, with their attempts; answers how many. It checks {@value #FORGOTTEN_MAX} at
     * a time, the oldest first, and continues while some of them were removed, up to {@value #FORGETTING_ROUNDS_MAX} times. Pending
     * deliveries stay until they have ended.
     */
    public Future<Integer> deleteExpired(Duration history) {
        return deleteExpired(history, 0, 1);
    }

    private Future<Integer> deleteExpired(Duration history, long after, int round) {
        return deleteExpiredAfter(history, after).compose(seen -> seen.forgotten == 0 || seen.looked < FORGOTTEN_MAX || round == FORGETTING_ROUNDS_MAX
                ? Future.succeededFuture(seen.forgotten)
                : deleteExpired(history, seen.lastId, round + 1).map(more -> seen.forgotten + more));
    }

    private record Deleted(int looked, long lastId, int forgotten) {}

    /** Begins after the last checked delivery, because the index still contains the rows that were just removed. */
    private Future<Deleted> deleteExpiredAfter(Duration history, long after) {
        return database.query("""
                with oldest as materialized (
                  select delivery_id, state, created from webhooks.deliveries where delivery_id > $2 order by delivery_id limit %d),
                old as (
                  select delivery_id from oldest where state <> 'pending' and created < now() - $1::bigint * interval '1 second'),
                attempts as (
                  delete from webhooks.attempts where delivery_id = any (array(select delivery_id from old))),
                deleted as (
                  delete from webhooks.deliveries where delivery_id = any (array(select delivery_id from old)) returning delivery_id)
                select (select count(*) from oldest)::int, (select coalesce(max(delivery_id), 0) from oldest), count(*)::int from deleted
                """.formatted(FORGOTTEN_MAX), Tuple.of(history.toSeconds(), after), row -> new Deleted(row.getInteger(0), row.getLong(1), row.getInteger(2)))
                .map(List::getFirst);
    }
}
