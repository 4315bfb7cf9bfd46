package io.arbitration.webhooks.urls;

import io.arbitration.platform.db.Database;
import io.arbitration.webhooks.members.Member;
import io.arbitration.webhooks.sending.TestSender;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The table {@code webhooks.urls}. */
public final class UrlRepository {

    private static final String COLUMNS = "url_id, url, created, created_by, events, disabled_at, disabled_reason";
    /** The most replaced secrets that still sign. A fifth rotation within a day ends the oldest one early. */
    private static final int PREVIOUS_SECRETS_MAX = 4;

    private final Database database;

    public UrlRepository(Database database) {
        this.database = database;
    }

    Future<List<RegisteredUrl>> list(UUID organizationId) {
        return database.query("""
                select %s from webhooks.urls where organization_id = $1 and deleted_at is null order by url_id
                """.formatted(COLUMNS), Tuple.of(organizationId), UrlRepository::url);
    }

    Future<Optional<RegisteredUrl>> find(UUID organizationId, String url) {
        return database.read(client -> find(client, organizationId, url));
    }

    /** The same inside a transaction. */
    public Future<Optional<RegisteredUrl>> find(SqlClient client, UUID organizationId, String url) {
        return Database.query(client, """
                select %s from webhooks.urls where organization_id = $1 and url = $2 and deleted_at is null
                """.formatted(COLUMNS), Tuple.of(organizationId, url), UrlRepository::url)
                .map(Database::first);
    }

    /** Makes transactions that register URLs of the same organization wait for each other, so that their number can be checked. */
    Future<Void> lockOrganization(SqlConnection transaction, UUID organizationId) {
        return transaction.preparedQuery("""
                insert into webhooks.organizations as o (organization_id) values ($1)
                on conflict (organization_id) do update set last_position = o.last_position
                """).execute(Tuple.of(organizationId)).mapEmpty();
    }

    Future<Long> count(SqlConnection transaction, UUID organizationId) {
        return Database.query(transaction, """
                select count(*) from webhooks.urls where organization_id = $1 and deleted_at is null
                """, Tuple.of(organizationId), row -> row.getLong(0)).map(List::getFirst);
    }

    Future<RegisteredUrl> setEvents(SqlConnection transaction, long urlId, List<String> events) {
        return Database.query(transaction, """
                update webhooks.urls set events = $2 where url_id = $1 returning %s
                """.formatted(COLUMNS), Tuple.of(urlId).addArrayOfString(events.toArray(String[]::new)), UrlRepository::url)
                .map(List::getFirst);
    }

    Future<RegisteredUrl> insert(SqlConnection transaction, Member by, String url, List<String> events, byte[] secret, Instant now) {
        return Database.query(transaction, """
                insert into webhooks.urls (organization_id, url, events, created, created_by, secret)
                values ($1, $2, $3, $4, $5, $6) returning %s
                """.formatted(COLUMNS), Tuple.of(by.organizationId(), url, events.toArray(String[]::new), now.atOffset(ZoneOffset.UTC),
                        by.userId(), Buffer.buffer(secret)), UrlRepository::url)
                .map(List::getFirst);
    }

    /** Deletes a URL with its secrets, and cancels the deliveries that wait; false when there is no such URL. */
    Future<Boolean> delete(SqlConnection transaction, UUID organizationId, String url) {
        return Database.query(transaction, """
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

    /** Disables a URL, unless it is disabled already, and cancels the deliveries that wait; false when there is no such URL. */
    Future<Boolean> disable(SqlConnection transaction, UUID organizationId, String url, String reason) {
        return Database.query(transaction, """
                with disabled as (
                  update webhooks.urls set disabled_at = coalesce(disabled_at, now()), disabled_reason = coalesce(disabled_reason, $3)
                  where organization_id = $1 and url = $2 and deleted_at is null
                  returning url_id),
                cancelled as (
                  delete from webhooks.queue q using disabled d where q.url_id = d.url_id and q.claim is null
                  returning q.delivery_id),
                marked as (
                  update webhooks.deliveries v set state = 'cancelled' from cancelled c where v.delivery_id = c.delivery_id)
                select url_id from disabled
                """, Tuple.of(organizationId, url, reason), row -> row.getLong(0)).map(rows -> !rows.isEmpty());
    }

    /** Enables a URL; the events that it missed meanwhile can be redelivered. False when there is no such URL. */
    Future<Boolean> enable(SqlConnection transaction, UUID organizationId, String url) {
        return transaction.preparedQuery("""
                update webhooks.urls set disabled_at = null, disabled_reason = null, failing_since = null
                where organization_id = $1 and url = $2 and deleted_at is null
                """).execute(Tuple.of(organizationId, url)).map(rows -> rows.rowCount() > 0);
    }

    /** Gives a URL a new secret; for the given time the former one signs, too. False if there is no such URL. */
    Future<Boolean> rotate(SqlConnection transaction, UUID organizationId, String url, byte[] secret, Duration beside) {
        return transaction.preparedQuery("""
                update webhooks.urls u set
                  previous_secrets = array[u.secret] || array(select p.secret from unnest(u.previous_secrets, u.previous_until)
                    with ordinality as p(secret, until, place) where p.until > now() order by place limit %1$d),
                  previous_until = array[now() + $4::bigint * interval '1 millisecond'] || array(select p.until from unnest(u.previous_secrets, u.previous_until)
                    with ordinality as p(secret, until, place) where p.until > now() order by place limit %1$d),
                  secret = $3
                where organization_id = $1 and url = $2 and deleted_at is null
                """.formatted(PREVIOUS_SECRETS_MAX - 1)).execute(Tuple.of(organizationId, url, Buffer.buffer(secret), beside.toMillis()))
                .map(rows -> rows.rowCount() > 0);
    }

    /** A URL to test, with the secrets that sign now; empty when there is no such URL. */
    Future<Optional<TestSender.Target>> target(UUID organizationId, String url) {
        return database.query("""
                select url_id, secret, array(select p.secret from unnest(previous_secrets, previous_until) as p(secret, until) where p.until > now())
                from webhooks.urls where organization_id = $1 and url = $2 and deleted_at is null
                """, Tuple.of(organizationId, url), row -> {
                    List<byte[]> secrets = new ArrayList<>();
                    secrets.add(row.getBuffer(1).getBytes());
                    Arrays.stream((Buffer[]) row.getValue(2)).map(Buffer::getBytes).forEach(secrets::add);
                    return new TestSender.Target(row.getLong(0), organizationId, url, secrets);
                }).map(Database::first);
    }

    private static RegisteredUrl url(Row row) {
        return new RegisteredUrl(row.getLong(0), row.getString(1), row.getOffsetDateTime(2).toInstant(), row.getUUID(3), List.of(row.getArrayOfStrings(4)),
                Optional.ofNullable(row.getOffsetDateTime(5)).map(at -> new RegisteredUrl.Disabled(at.toInstant(), row.getString(6))));
    }
}
