package io.arbitration.identity;

import io.arbitration.platform.auth.Revocations;
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
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The tables {@code identity.sessions} and {@code identity.refresh_tokens}. */
final class SessionRepository {

    static final int SWEPT_AT_ONCE = 1000;

    /** What the use of a refresh token came to. */
    sealed interface Use {
        /** The token was good: the session goes on. */
        record Renewed(UUID sessionId, User user) implements Use {}

        /** The token had been used before: the session was ended in the same transaction. */
        record Reused(UUID sessionId) implements Use {}

        /** No such token, or its session is over. */
        record Unknown() implements Use {}
    }

    private record Session(UUID id, UUID userId, int generation, Instant advancedAt, boolean isOver) {}

    private final Database database;
    private final Revocations revocations;

    SessionRepository(Database database, Revocations revocations) {
        this.database = database;
        this.revocations = revocations;
    }

    /** Opens a session of the identity's user, who is made at first sight; two first sights at once make one user. */
    Future<User> open(ExternalIdentity identity, UUID freshUserId, UUID sessionId, byte[] refreshHash, Instant now, Instant expires) {
        return database.transaction(transaction -> upsertUser(transaction, identity, freshUserId, now)
                .compose(userId -> insertSession(transaction, sessionId, userId, now, expires)
                        .compose(inserted -> insertToken(transaction, refreshHash, sessionId, 1))
                        .compose(inserted -> UserRepository.find(transaction, userId))
                        .map(Optional::orElseThrow)));
    }

    /** The email follows the provider; the names are the user's own once it has them. Locks the user's row. */
    private static Future<UUID> upsertUser(SqlConnection transaction, ExternalIdentity identity, UUID freshId, Instant now) {
        return Database.query(transaction, """
                insert into identity.users (user_id, provider, subject, email, first_name, last_name, created, signed_in)
                values ($1, $2, $3, $4, $5, $6, $7, $7)
                on conflict (provider, subject) do update set email = excluded.email, signed_in = excluded.signed_in
                returning user_id
                """, Tuple.of(freshId, identity.provider(), identity.subject(), identity.email(), identity.firstName(),
                        identity.lastName(), now.atOffset(ZoneOffset.UTC)), row -> row.getUUID("user_id"))
                .map(List::getFirst);
    }

    private static Future<Void> insertSession(
            SqlConnection transaction, UUID sessionId, UUID userId, Instant now, Instant expires) {
        return transaction.preparedQuery("""
                insert into identity.sessions (session_id, user_id, advanced_at, expires_at) values ($1, $2, $3, $4)
                """).execute(Tuple.of(sessionId, userId, now.atOffset(ZoneOffset.UTC), expires.atOffset(ZoneOffset.UTC)))
                .mapEmpty();
    }

    private static Future<Void> insertToken(SqlConnection transaction, byte[] hash, UUID sessionId, int generation) {
        return transaction.preparedQuery("""
                insert into identity.refresh_tokens (token_hash, session_id, generation) values ($1, $2, $3)
                """).execute(Tuple.of(Buffer.buffer(hash), sessionId, generation)).mapEmpty();
    }

    /**
     * Uses a refresh token. One of the current generation advances the session; one of the generation before, within the
     * window, gets another token of the current generation (its answer may have been lost). So at any time one generation
     * lives: of a thief and an owner who both hold a current token, the second to use it is found out.
     */
    Future<Use> use(byte[] hash, byte[] freshHash, Instant now, Duration reuseWindow, Instant expires) {
        return database.transaction(transaction -> lockSessionOf(transaction, hash, now).compose(session -> {
            if (session.isEmpty() || session.get().isOver()) {
                return Future.succeededFuture(new Use.Unknown());
            }
            return generationOf(transaction, hash).compose(generation ->
                    use(transaction, session.get(), generation, freshHash, now, reuseWindow, expires));
        }));
    }

    private Future<Use> use(SqlConnection transaction, Session session, int generation, byte[] freshHash, Instant now,
            Duration reuseWindow, Instant expires) {
        Future<Void> renewed;
        if (generation == session.generation()) {
            renewed = advance(transaction, session.id(), now, expires)
                    .compose(advanced -> insertToken(transaction, freshHash, session.id(), generation + 1));
        } else if (generation == session.generation() - 1 && !now.isAfter(session.advancedAt().plus(reuseWindow))) {
            renewed = insertToken(transaction, freshHash, session.id(), session.generation());
        } else {
            return end(transaction, session.id(), now).map(new Use.Reused(session.id()));
        }
        return renewed.compose(done -> UserRepository.find(transaction, session.userId()))
                .map(user -> new Use.Renewed(session.id(), user.orElseThrow()));
    }

    /** Whoever uses, ends or sweeps a session locks it first, so they come one after the other. */
    private static Future<Optional<Session>> lockSessionOf(SqlConnection transaction, byte[] hash, Instant now) {
        return Database.query(transaction, """
                select session_id, user_id, generation, advanced_at, ended_at is not null or expires_at <= $2 as is_over
                from identity.sessions
                where session_id = (select session_id from identity.refresh_tokens where token_hash = $1)
                for update
                """, Tuple.of(Buffer.buffer(hash), now.atOffset(ZoneOffset.UTC)), SessionRepository::session)
                .map(rows -> rows.stream().findFirst());
    }

    private static Session session(Row row) {
        return new Session(row.getUUID("session_id"), row.getUUID("user_id"), row.getInteger("generation"),
                row.get(OffsetDateTime.class, "advanced_at").toInstant(), row.getBoolean("is_over"));
    }

    private static Future<Integer> generationOf(SqlConnection transaction, byte[] hash) {
        return Database.query(transaction, "select generation from identity.refresh_tokens where token_hash = $1",
                Tuple.of(Buffer.buffer(hash)), row -> row.getInteger("generation")).map(List::getFirst);
    }

    private static Future<Void> advance(SqlConnection transaction, UUID sessionId, Instant now, Instant expires) {
        return transaction.preparedQuery("""
                update identity.sessions set generation = generation + 1, advanced_at = $2, expires_at = $3 where session_id = $1
                """).execute(Tuple.of(sessionId, now.atOffset(ZoneOffset.UTC), expires.atOffset(ZoneOffset.UTC))).mapEmpty();
    }

    /** Ends one session of a user or of a client, with its access tokens; a client gets its next session at once. */
    Future<Void> end(Optional<RequestKey> key, UUID sessionId, UUID clientsNextSessionId, Instant now) {
        return database.transaction(key, transaction -> end(transaction, sessionId, now)
                .compose(ended -> replaceClientSession(transaction, sessionId, clientsNextSessionId)));
    }

    private static Future<Void> replaceClientSession(SqlConnection transaction, UUID sessionId, UUID nextSessionId) {
        return transaction.preparedQuery("update identity.clients set session_id = $2 where session_id = $1")
                .execute(Tuple.of(sessionId, nextSessionId)).mapEmpty();
    }

    private Future<Void> end(SqlConnection transaction, UUID sessionId, Instant now) {
        return transaction.preparedQuery("""
                update identity.sessions set ended_at = $2 where session_id = $1 and ended_at is null
                """).execute(Tuple.of(sessionId, now.atOffset(ZoneOffset.UTC)))
                .compose(updated -> revocations.endSessions(transaction, List.of(sessionId)));
    }

    /** Ends every session of a user and tells which. */
    Future<List<UUID>> endAll(Optional<RequestKey> key, UUID userId, Instant now) {
        return database.transaction(key, transaction -> Database.query(transaction, """
                update identity.sessions set ended_at = $2 where user_id = $1 and ended_at is null returning session_id
                """, Tuple.of(userId, now.atOffset(ZoneOffset.UTC)), row -> row.getUUID("session_id"))
                .compose(ended -> revocations.endSessions(transaction, ended).map(ended)));
    }

    /** Deletes at most {@value #SWEPT_AT_ONCE} of the sessions that are long over and tells how many. */
    Future<Integer> deleteOver(Instant before) {
        return database.update("""
                with over as materialized (
                  select session_id from identity.sessions where expires_at < $1 order by expires_at limit $2
                  for update skip locked)
                delete from identity.sessions using over where sessions.session_id = over.session_id
                """, Tuple.of(before.atOffset(ZoneOffset.UTC), SWEPT_AT_ONCE));
    }
}
