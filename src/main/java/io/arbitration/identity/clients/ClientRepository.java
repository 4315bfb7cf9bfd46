package io.arbitration.identity.clients;

import io.arbitration.identity.clients.Client.PreviousSecret;
import io.arbitration.platform.db.Columns;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.listing.PageByTime;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** The table {@code identity.clients}. */
public final class ClientRepository {

    private static final String COLUMNS = """
            client_id, name, secret_hash, previous_secret_hash, previous_secret_until, previous_session_id, permissions, session_id, organization_id, grants_revision,
            created, last_used, disabled_at is not null as is_disabled
            """;

    private final Database database;

    public ClientRepository(Database database) {
        this.database = database;
    }

    Future<Void> insert(SqlConnection transaction, Client client, UUID createdBy) {
        return transaction.preparedQuery("""
                insert into identity.clients (client_id, name, secret_hash, permissions, session_id, organization_id, created, created_by)
                values ($1, $2, $3, $4, $5, $6, $7, $8)
                """).execute(Tuple.of(client.id(), client.name(), Buffer.buffer(client.secretHash()), client.permissions().toArray(String[]::new),
                        client.sessionId(), client.organizationId().orElse(null), Columns.utc(client.created()), createdBy)).mapEmpty();
    }

    Future<Optional<Client>> find(UUID clientId) {
        return database.query("select " + COLUMNS + "from identity.clients where client_id = $1", Tuple.of(clientId), ClientRepository::client)
                .map(Database::first);
    }

    Future<Optional<Client>> lock(SqlConnection transaction, UUID clientId) {
        return Database.query(transaction, "select " + COLUMNS + "from identity.clients where client_id = $1 for update", Tuple.of(clientId),
                ClientRepository::client).map(Database::first);
    }

    /**
     * Locks an organization until the transaction ends, so that the number of its clients does not change meanwhile; false if there is no
     * such organization.
     */
    Future<Boolean> lockOrganization(SqlConnection transaction, UUID organizationId) {
        return Database.query(transaction, "select from identity.organizations where organization_id = $1 for no key update",
                Tuple.of(organizationId), row -> row).map(rows -> !rows.isEmpty());
    }

    Future<Integer> countOf(SqlConnection transaction, UUID organizationId) {
        return Database.query(transaction, "select count(*)::integer from identity.clients where organization_id = $1", Tuple.of(organizationId),
                row -> row.getInteger(0)).map(List::getFirst);
    }

    /** @param organizations those whose clients are listed; empty: all */
    Future<List<Client>> list(Optional<Collection<UUID>> organizations, PageByTime.Wanted wanted) {
        return database.query("select " + COLUMNS + """
                from identity.clients
                where ($1::uuid[] is null or organization_id = any($1)) and (created, client_id) > ($2, $3)
                order by created, client_id
                limit $4
                """, Tuple.of(organizations.map(ids -> ids.toArray(UUID[]::new)).orElse(null), Columns.utc(wanted.after().at()), wanted.after().id(),
                        wanted.rows()), ClientRepository::client);
    }

    /**
     * @param sessionId the session of the new secret
     * @param previousUntil until when the former secret and its session stay valid; empty: they end now
     */
    Future<Void> setSecret(SqlConnection transaction, UUID clientId, byte[] secretHash, UUID sessionId, Optional<Instant> previousUntil) {
        return transaction.preparedQuery("""
                update identity.clients
                set previous_secret_hash = case when $3::timestamptz is null then null else secret_hash end, previous_secret_until = $3,
                    previous_session_id = case when $3::timestamptz is null then null else session_id end,
                    secret_hash = $2, session_id = $4
                where client_id = $1
                """).execute(Tuple.of(clientId, Buffer.buffer(secretHash), previousUntil.map(Columns::utc).orElse(null), sessionId)).mapEmpty();
    }

    Future<Void> disable(SqlConnection transaction, UUID clientId, UUID nextSessionId, Instant now) {
        return transaction.preparedQuery("update identity.clients set disabled_at = $3, session_id = $2, previous_session_id = null where client_id = $1")
                .execute(Tuple.of(clientId, nextSessionId, Columns.utc(now))).mapEmpty();
    }

    Future<Void> enable(SqlConnection transaction, UUID clientId) {
        return transaction.preparedQuery("update identity.clients set disabled_at = null where client_id = $1")
                .execute(Tuple.of(clientId)).mapEmpty();
    }

    Future<Void> grant(SqlConnection transaction, UUID clientId, String permission, Instant now) {
        return transaction.preparedQuery("""
                update identity.clients set permissions = array_append(permissions, $2), granted = granted || $3::jsonb
                where client_id = $1 and not $2 = any(permissions)
                """).execute(Tuple.of(clientId, permission, new JsonObject().put(permission, Columns.utc(now).toString()))).mapEmpty();
    }

    /** Increases the revision of the grants and answers it: tokens of an earlier revision are no longer accepted. */
    Future<Long> revoke(SqlConnection transaction, UUID clientId, String permission) {
        return Database.query(transaction, """
                update identity.clients
                set permissions = array_remove(permissions, $2), granted = granted - $2, grants_revision = grants_revision + 1
                where client_id = $1 returning grants_revision
                """, Tuple.of(clientId, permission), row -> row.getLong(0)).map(List::getFirst);
    }

    /**
     * Records that a client gets a token of a session. Waits for a change of the client in another transaction; false if that change has
     * ended the session or disabled the client.
     */
    Future<Boolean> used(UUID clientId, UUID sessionId, Instant now) {
        return database.update("""
                update identity.clients set last_used = $3
                where client_id = $1 and disabled_at is null and (session_id = $2 or previous_session_id = $2)
                """, Tuple.of(clientId, sessionId, Columns.utc(now))).map(updated -> updated > 0);
    }

    private static Client client(Row row) {
        Optional<PreviousSecret> previous = Optional.ofNullable(row.getBuffer("previous_secret_hash"))
                .map(hash -> new PreviousSecret(hash.getBytes(), row.get(OffsetDateTime.class, "previous_secret_until").toInstant(),
                        Optional.ofNullable(row.getUUID("previous_session_id"))));
        return new Client(row.getUUID("client_id"), row.getString("name"), row.getBuffer("secret_hash").getBytes(), previous,
                Set.of(row.getArrayOfStrings("permissions")), row.getUUID("session_id"), Optional.ofNullable(row.getUUID("organization_id")),
                row.getLong("grants_revision"), row.get(OffsetDateTime.class, "created").toInstant(),
                Optional.ofNullable(row.get(OffsetDateTime.class, "last_used")).map(OffsetDateTime::toInstant), row.getBoolean("is_disabled"));
    }
}
