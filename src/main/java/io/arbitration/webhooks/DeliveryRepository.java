package io.arbitration.webhooks;

import io.arbitration.platform.db.Database;
import io.arbitration.platform.db.RequestKey;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
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

/** The history of deliveries, and bringing them back. */
final class DeliveryRepository {

    /** Deliveries that one call brings back. */
    static final int REDELIVERED_MAX = 10_000;
    private static final int FORGOTTEN_MAX = 5000;

    /** What to list; empty members list all. */
    record Filter(Optional<String> url, Optional<UUID> eventId, Optional<String> state) {}

    /** Where a delivery stands, as far as bringing it back is concerned. */
    record Standing(String state, boolean open) {}

    private record AttemptOf(long deliveryId, Attempt attempt) {}

    private final Database database;

    DeliveryRepository(Database database) {
        this.database = database;
    }

    /** Newest first, of the organization, older than the delivery given. */
    Future<List<Delivery>> list(UUID organizationId, Filter filter, OptionalLong before, int limit) {
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
                select d.delivery_id, d.event_id, d.event, u.url, d.state, q.due, q.ready, q.claim is not null as claimed
                from webhooks.deliveries d
                join webhooks.urls u on u.url_id = d.url_id
                left join webhooks.queue q on q.delivery_id = d.delivery_id
                where d.organization_id = $1 and d.delivery_id < $2 %s
                order by d.delivery_id desc limit $3
                """.formatted(conditions), values, DeliveryRepository::delivery).compose(this::withAttempts);
    }

    private static int place(Tuple values) {
        return values.size();
    }

    private static Delivery delivery(Row row) {
        OffsetDateTime due = row.getOffsetDateTime(5);
        boolean waits = due != null && !row.getBoolean(7);
        return new Delivery(row.getLong(0), row.getUUID(1), row.getString(2), row.getString(3), row.getString(4),
                waits ? due.toInstant() : null, List.of());
    }

    private Future<List<Delivery>> withAttempts(List<Delivery> deliveries) {
        return database.query("""
                select delivery_id, at, status, error, duration_millis, response
                from webhooks.attempts where delivery_id = any ($1) order by delivery_id, attempt_id
                """, Tuple.of(deliveries.stream().map(Delivery::id).toArray(Long[]::new)), row -> new AttemptOf(row.getLong(0),
                        new Attempt(row.getOffsetDateTime(1).toInstant(), row.getInteger(2), row.getString(3), row.getInteger(4), row.getString(5))))
                .map(all -> {
                    Map<Long, List<Attempt>> attempts = all.stream().collect(Collectors.groupingBy(
                            AttemptOf::deliveryId, Collectors.mapping(AttemptOf::attempt, Collectors.toList())));
                    return deliveries.stream()
                            .map(one -> new Delivery(one.id(), one.eventId(), one.event(), one.url(), one.state(), one.nextAttemptAt(),
                                    attempts.getOrDefault(one.id(), List.of())))
                            .toList();
                });
    }

    /** Keeps a test with its only attempt. */
    Future<Void> insertTest(Optional<RequestKey> key, long urlId, UUID organizationId, UUID eventId, Attempt attempt) {
        return database.update(key, """
                with inserted as (
                  insert into webhooks.deliveries (url_id, organization_id, event_id, event, state, created)
                  values ($1, $2, $3, 'test', $4, now()) returning delivery_id)
                insert into webhooks.attempts (delivery_id, at, status, error, duration_millis, response)
                select delivery_id, $5::timestamptz, $6::int, $7::text, $8::int, $9::text from inserted
                """, Tuple.of(urlId, organizationId, eventId, (attempt.succeeded() ? DeliveryState.DELIVERED : DeliveryState.FAILED).text(),
                        attempt.at().atOffset(ZoneOffset.UTC))
                .addInteger(attempt.status()).addString(attempt.error()).addInteger(attempt.durationMillis()).addString(attempt.response()))
                .mapEmpty();
    }

    /** Empty when the organization has no such delivery, or it was a test. */
    Future<Optional<Standing>> standing(UUID organizationId, long deliveryId) {
        return database.query("""
                select d.state, u.disabled_at is null and u.deleted_at is null
                from webhooks.deliveries d join webhooks.urls u on u.url_id = d.url_id
                where d.delivery_id = $1 and d.organization_id = $2 and d.sequence is not null
                """, Tuple.of(deliveryId, organizationId), row -> new Standing(row.getString(0), row.getBoolean(1)))
                .map(rows -> rows.stream().findFirst());
    }

    /** Brings one delivery back, whatever became of it; false when it is pending or its URL takes none. */
    Future<Boolean> redeliver(Optional<RequestKey> key, UUID organizationId, long deliveryId) {
        return database.query(key, """
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
     * Brings back to a URL what it did not get of the events since then: deliveries that failed or were cancelled, and
     * events of which it was told nothing because it was disabled or not registered. The oldest first, one after the other
     * with a pause between, so that the live ones always find their way.
     *
     * @return how many; {@value #REDELIVERED_MAX} when there may be more
     */
    Future<Integer> redeliverSince(Optional<RequestKey> key, UUID organizationId, RegisteredUrl url, Instant since, Duration pause) {
        return database.query(key, """
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
     * Removes the oldest deliveries that ended and their attempts; tells how many. A pending one that is as old stays, with
     * what is younger than the {@value #FORGOTTEN_MAX} oldest, until it has ended.
     */
    Future<Integer> forget(Duration history) {
        return database.query("""
                with old as (
                  select delivery_id from (select delivery_id, state, created from webhooks.deliveries order by delivery_id limit %d) oldest
                  where state <> 'pending' and created < now() - $1::bigint * interval '1 second'),
                attempts as (
                  delete from webhooks.attempts where delivery_id = any (array(select delivery_id from old))),
                deleted as (
                  delete from webhooks.deliveries where delivery_id = any (array(select delivery_id from old)) returning delivery_id)
                select count(*)::int from deleted
                """.formatted(FORGOTTEN_MAX), Tuple.of(history.toSeconds()), row -> row.getInteger(0)).map(List::getFirst);
    }
}
