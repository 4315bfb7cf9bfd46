package io.arbitration.webhooks;

import io.arbitration.platform.db.Database;
import io.arbitration.platform.db.RequestKey;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/** The registered URLs. */
final class UrlRepository {

    private static final String COLUMNS = "url_id, url, created, created_by, events, disabled_at, disabled_reason";
    /** Secrets beside the current one; a fifth rotation within a day ends the oldest early. */
    private static final int PREVIOUS_SECRETS_MAX = 4;

    /** @param fresh whether this call registered it */
    record Registration(RegisteredUrl url, boolean fresh) {}

    private final Database database;

    UrlRepository(Database database) {
        this.database = database;
    }

    Future<List<RegisteredUrl>> list(UUID organizationId) {
        return database.query("""
                select %s from webhooks.urls where organization_id = $1 and deleted_at is null order by url_id
                """.formatted(COLUMNS), Tuple.of(organizationId), UrlRepository::url);
    }

    Future<Optional<RegisteredUrl>> find(UUID organizationId, String url) {
        return find(database::query, organizationId, url);
    }

    /**
     * Registers the URL, or finds it registered; its kinds of events are then those given, if any were.
     *
     * @param events empty for the usual ones
     */
    Future<Registration> register(Optional<RequestKey> key, Member by, String url, List<String> events, List<String> usualEvents, byte[] secret, int most, Instant now) {
        return database.transaction(key, transaction -> lockOrganization(transaction, by.organizationId())
                .compose(locked -> inTransaction(transaction, by.organizationId(), url))
                .compose(found -> found.isPresent()
                        ? kept(transaction, found.get(), events)
                        : count(transaction, by.organizationId()).compose(count -> count >= most
                                ? Future.failedFuture(WebhooksError.TOO_MANY_URLS.refusal(most))
                                : insert(transaction, by, url, events.isEmpty() ? usualEvents : events, secret, now)
                                        .map(inserted -> new Registration(inserted, true)))));
    }

    private Future<Registration> kept(SqlConnection transaction, RegisteredUrl found, List<String> events) {
        if (events.isEmpty() || events.equals(found.events())) {
            return Future.succeededFuture(new Registration(found, false));
        }
        return Database.query(transaction, """
                update webhooks.urls set events = $2 where url_id = $1 returning %s
                """.formatted(COLUMNS), Tuple.of(found.id()).addArrayOfString(events.toArray(String[]::new)), UrlRepository::url)
                .map(rows -> new Registration(rows.getFirst(), false));
    }

    private static Future<Void> lockOrganization(SqlConnection transaction, UUID organizationId) {
        return transaction.preparedQuery("""
                insert into webhooks.organizations as o (organization_id) values ($1)
                on conflict (organization_id) do update set last_position = o.last_position
                """).execute(Tuple.of(organizationId)).mapEmpty();
    }

    private static Future<Optional<RegisteredUrl>> inTransaction(SqlConnection transaction, UUID organizationId, String url) {
        return find((sql, values, read) -> Database.query(transaction, sql, values, read), organizationId, url);
    }

    @FunctionalInterface
    private interface Query {
        Future<List<RegisteredUrl>> run(String sql, Tuple values, Function<Row, RegisteredUrl> read);
    }

    private static Future<Optional<RegisteredUrl>> find(Query query, UUID organizationId, String url) {
        return query.run("""
                select %s from webhooks.urls where organization_id = $1 and url = $2 and deleted_at is null
                """.formatted(COLUMNS), Tuple.of(organizationId, url), UrlRepository::url)
                .map(rows -> rows.stream().findFirst());
    }

    private static Future<Long> count(SqlConnection transaction, UUID organizationId) {
        return Database.query(transaction, """
                select count(*) from webhooks.urls where organization_id = $1 and deleted_at is null
                """, Tuple.of(organizationId), row -> row.getLong(0)).map(List::getFirst);
    }

    private static Future<RegisteredUrl> insert(
            SqlConnection transaction, Member by, String url, List<String> events, byte[] secret, Instant now) {
        return Database.query(transaction, """
                insert into webhooks.urls (organization_id, url, events, created, created_by, secret)
                values ($1, $2, $3, $4, $5, $6) returning %s
                """.formatted(COLUMNS), Tuple.of(by.organizationId(), url, events.toArray(String[]::new), now.atOffset(ZoneOffset.UTC),
                        by.userId(), Buffer.buffer(secret)), UrlRepository::url)
                .map(List::getFirst);
    }

    /** Deletes the URL with its secrets, and cancels what waits for it; false when there is none. */
    Future<Boolean> delete(UUID organizationId, String url) {
        return database.query("""
                with deleted as (
                  update webhooks.urls
                  set deleted_at = now(), secret = ''::bytea, previous_secrets = '{}', previous_until = '{}'
                  where organization_id = $1 and url = $2 and deleted_at is null
                  returning url_id),
                cancelled as (
                  delete from webhooks.queue q using deleted d where q.url_id = d.url_id and q.claim is null
                  returning q.delivery_id),
                marked as (
                  update webhooks.deliveries v set state = 'cancelled' from cancelled c where v.delivery_id = c.delivery_id)
                select url_id from deleted
                """, Tuple.of(organizationId, url), row -> row.getLong(0)).map(rows -> !rows.isEmpty());
    }

    /** Enables the URL; what it missed meanwhile is there to be redelivered. False when there is none. */
    Future<Boolean> enable(UUID organizationId, String url) {
        return database.update("""
                update webhooks.urls set disabled_at = null, disabled_reason = null, failing_since = null
                where organization_id = $1 and url = $2 and deleted_at is null
                """, Tuple.of(organizationId, url)).map(rows -> rows > 0);
    }

    /** Gives the URL a new secret; those before sign beside it for the time given. False when there is no such URL. */
    Future<Boolean> rotate(Optional<RequestKey> key, UUID organizationId, String url, byte[] secret, Duration beside) {
        return database.update(key, """
                update webhooks.urls u set
                  previous_secrets = array[u.secret] || array(select p.secret from unnest(u.previous_secrets, u.previous_until)
                    with ordinality as p(secret, until, place) where p.until > now() order by place limit %1$d),
                  previous_until = array[now() + $4::bigint * interval '1 millisecond'] || array(select p.until from unnest(u.previous_secrets, u.previous_until)
                    with ordinality as p(secret, until, place) where p.until > now() order by place limit %1$d),
                  secret = $3
                where organization_id = $1 and url = $2 and deleted_at is null
                """.formatted(PREVIOUS_SECRETS_MAX - 1), Tuple.of(organizationId, url, Buffer.buffer(secret), beside.toMillis())).map(rows -> rows > 0);
    }

    /** The secrets that sign now, sealed, the current one first; empty when there is no such URL. */
    Future<List<byte[]>> secrets(UUID organizationId, String url) {
        return database.query("""
                select secret, array(select p.secret from unnest(previous_secrets, previous_until) as p(secret, until) where p.until > now())
                from webhooks.urls where organization_id = $1 and url = $2 and deleted_at is null
                """, Tuple.of(organizationId, url), row -> {
                    List<byte[]> all = new ArrayList<>();
                    all.add(row.getBuffer(0).getBytes());
                    Arrays.stream((Buffer[]) row.getValue(1)).map(Buffer::getBytes).forEach(all::add);
                    return all;
                }).map(rows -> rows.isEmpty() ? List.of() : rows.getFirst());
    }

    private static RegisteredUrl url(Row row) {
        OffsetDateTime disabledAt = row.getOffsetDateTime(5);
        return new RegisteredUrl(row.getLong(0), row.getString(1), row.getOffsetDateTime(2).toInstant(), row.getUUID(3),
                List.of(row.getArrayOfStrings(4)), disabledAt == null ? null : disabledAt.toInstant(), row.getString(6));
    }
}
