package io.arbitration.identity.sessions;

import io.arbitration.identity.users.ExternalIdentity;
import io.arbitration.platform.db.Columns;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.listing.PageByTime;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The tables {@code identity.sessions} and {@code identity.refresh_tokens}, and the users that sign in. */
public final class SessionRepository {

    static final int SWEPT_AT_ONCE = 1000;
    /** Tokens of older generations are deleted, so their second use is refused like an unknown token. */
    private static final int GENERATIONS_KEPT = 20;
    /** The maximum number of tokens of one generation: each lost answer and each change of the organization adds one. */
    private static final int TOKENS_PER_GENERATION = 10;

    private static final String SESSION = """
            select s.session_id, s.user_id, s.generation, s.advanced_at, s.created, coalesce(s.authenticated_at, s.created) as authenticated_at,
                   coalesce(s.last_used, s.created) as last_used, s.expires_at, s.organization_id, s.provider, s.ended_at is not null as is_ended, u.disabled_at is not null as is_disabled
            from identity.sessions s join identity.users u using (user_id)
            """;

    private final Database database;

    /** A user who signs in. */
    record SignedInUser(UUID userId, boolean isDisabled) {}

    /** A session to be opened. @param cookieHash the hash of the cookie, for a browser; empty for a session with refresh tokens */
    record Opening(UUID sessionId, UUID userId, ExternalIdentity identity, String address, Optional<byte[]> cookieHash, Instant now,
            Instant authenticatedAt, Instant expiresAt) {}

    /** A session in a list. */
    record Listed(UUID sessionId, Instant created, Instant lastUsed, String provider, String address) {}

    public SessionRepository(Database database) {
        this.database = database;
    }

    /**
     * The user of an identity; created at the first sign-in, also if two sign-ins are simultaneous. The email is always the one
     * of the provider; the names of the provider are used only while the user has none. Locks the row of the user.
     */
    Future<SignedInUser> upsertUser(SqlConnection transaction, ExternalIdentity identity, UUID freshId, Instant now) {
        return Database.query(transaction, """
                insert into identity.users (user_id, provider, subject, email, first_name, last_name, created, signed_in)
                values ($1, $2, $3, $4, $5, $6, $7, $7)
                on conflict (provider, subject) do update set email = excluded.email, signed_in = excluded.signed_in
                returning user_id, disabled_at is not null as is_disabled
                """, Tuple.of(freshId, identity.provider(), identity.subject(), identity.email(), identity.firstName(),
                        identity.lastName(), Columns.utc(now)), row -> new SignedInUser(row.getUUID("user_id"), row.getBoolean("is_disabled")))
                .map(List::getFirst);
    }

    /**
     * Opens a session and answers the organization for which it acts: the one for which the user last acted, otherwise the only
     * one, otherwise none.
     */
    Future<Optional<UUID>> insert(SqlConnection transaction, Opening opening) {
        return Database.query(transaction, """
                insert into identity.sessions (session_id, user_id, organization_id, advanced_at, expires_at, provider, provider_session, address,
                                               created, last_used, authenticated_at, cookie_hash)
                select $1, u.user_id, identity.usual_organization(u.user_id, u.acted_for), $3, $4, $5, $6, $7, $3, $3, $8, $9
                from identity.users u where u.user_id = $2
                returning organization_id
                """, Tuple.of(opening.sessionId(), opening.userId(), Columns.utc(opening.now()), Columns.utc(opening.expiresAt()), opening.identity().provider(),
                        opening.identity().session().orElse(null), opening.address(), Columns.utc(opening.authenticatedAt()))
                        .addBuffer(opening.cookieHash().map(Buffer::buffer).orElse(null)),
                row -> Optional.ofNullable(row.getUUID("organization_id"))).map(List::getFirst);
    }

    /** Locks a session. Every use, end and deletion of a session locks it first, so they do not overlap. */
    Future<Optional<Session>> lockByRefreshToken(SqlConnection transaction, byte[] hash) {
        return Database.query(transaction, SESSION + """
                where session_id = (select session_id from identity.refresh_tokens where token_hash = $1)
                for update of s
                """, Tuple.of(Buffer.buffer(hash)), SessionRepository::session).map(Database::first);
    }

    Future<Optional<Session>> lock(SqlConnection transaction, UUID sessionId) {
        return Database.query(transaction, SESSION + "where session_id = $1 for update of s", Tuple.of(sessionId), SessionRepository::session)
                .map(Database::first);
    }

    Future<Optional<Session>> findByCookie(byte[] hash) {
        return database.query(SESSION + "where cookie_hash = $1", Tuple.of(Buffer.buffer(hash)), SessionRepository::session)
                .map(Database::first);
    }

    Future<Void> used(UUID sessionId, Instant now) {
        return database.update("update identity.sessions set last_used = greatest(last_used, $2) where session_id = $1", Tuple.of(sessionId, Columns.utc(now))).mapEmpty();
    }

    private static Session session(Row row) {
        return new Session(row.getUUID("session_id"), row.getUUID("user_id"), row.getInteger("generation"), instant(row, "advanced_at"),
                instant(row, "created"), instant(row, "authenticated_at"), instant(row, "last_used"), instant(row, "expires_at"),
                Optional.ofNullable(row.getUUID("organization_id")), Optional.ofNullable(row.getString("provider")),
                row.getBoolean("is_ended"), row.getBoolean("is_disabled"));
    }

    /** The generation of a refresh token; empty if the token was deleted meanwhile. */
    Future<Optional<Integer>> generationOf(SqlConnection transaction, byte[] hash) {
        return Database.query(transaction, "select generation from identity.refresh_tokens where token_hash = $1",
                Tuple.of(Buffer.buffer(hash)), row -> row.getInteger("generation")).map(Database::first);
    }

    Future<Void> advance(SqlConnection transaction, UUID sessionId, Instant now, Instant expires) {
        return transaction.preparedQuery("""
                update identity.sessions set generation = generation + 1, advanced_at = $2, last_used = $2, expires_at = $3 where session_id = $1
                """).execute(Tuple.of(sessionId, Columns.utc(now), Columns.utc(expires))).mapEmpty();
    }

    /** Adds a refresh token, and deletes those of older generations and those beyond the bound of a generation. */
    Future<Void> insertToken(SqlConnection transaction, byte[] hash, UUID sessionId, int generation) {
        return transaction.preparedQuery("""
                with pruned as (
                  delete from identity.refresh_tokens
                  where session_id = $2
                    and (generation < $3 - %d or token_hash in (
                      select token_hash from identity.refresh_tokens where session_id = $2 and generation = $3 offset %d)))
                insert into identity.refresh_tokens (token_hash, session_id, generation) values ($1, $2, $3)
                """.formatted(GENERATIONS_KEPT, TOKENS_PER_GENERATION - 1)).execute(Tuple.of(Buffer.buffer(hash), sessionId, generation)).mapEmpty();
    }

    /** Ends a session, unless it has ended already. */
    Future<Void> end(SqlConnection transaction, UUID sessionId, Instant now) {
        return transaction.preparedQuery("""
                update identity.sessions set ended_at = $2 where session_id = $1 and ended_at is null
                """).execute(Tuple.of(sessionId, Columns.utc(now))).mapEmpty();
    }

    /**
     * Replaces the ended session of a machine client by a new one, because each valid secret of a client always has a session. If it is the
     * session of a former secret, answers until when that secret is valid.
     */
    Future<Optional<Instant>> replaceClientSession(SqlConnection transaction, UUID sessionId, UUID nextSessionId) {
        return Database.query(transaction, """
                with current as (
                  update identity.clients set session_id = $2 where session_id = $1)
                update identity.clients set previous_session_id = $2 where previous_session_id = $1 returning previous_secret_until
                """, Tuple.of(sessionId, nextSessionId), row -> instant(row, "previous_secret_until")).map(Database::first);
    }

    /** Ends all sessions of a user except for the ones used last, up to the given number; answers their ids. */
    Future<List<UUID>> endBeyond(SqlConnection transaction, UUID userId, int kept, Instant now) {
        return Database.query(transaction, """
                update identity.sessions set ended_at = $2
                where session_id in (
                  select session_id from identity.sessions where user_id = $1 and ended_at is null and expires_at > $2
                  order by coalesce(last_used, created) desc, created desc, session_id offset $3)
                returning session_id
                """, Tuple.of(userId, Columns.utc(now), kept), row -> row.getUUID("session_id"));
    }

    /** Ends the session with this cookie; answers its id, if there is one. */
    Future<List<UUID>> endByCookie(SqlConnection transaction, byte[] cookieHash, Instant now) {
        return Database.query(transaction, "update identity.sessions set ended_at = $2 where cookie_hash = $1 and ended_at is null returning session_id",
                Tuple.of(Buffer.buffer(cookieHash), Columns.utc(now)), row -> row.getUUID("session_id"));
    }

    /** Ends all sessions of a user; answers their ids. */
    Future<List<UUID>> endAll(SqlConnection transaction, UUID userId, Instant now) {
        return Database.query(transaction, """
                update identity.sessions set ended_at = $2 where user_id = $1 and ended_at is null returning session_id
                """, Tuple.of(userId, Columns.utc(now)), row -> row.getUUID("session_id"));
    }

    /**
     * Locks a session of a provider until the transaction ends. So a sign-in with an ID token of this session either is over before the session
     * ends, or finds that it has ended. The lock is taken before any row is locked.
     */
    Future<Void> lockAtProvider(SqlConnection transaction, String provider, String providerSession) {
        return Database.query(transaction, "select pg_advisory_xact_lock(hashtextextended('identity.provider_session ' || $1 || ' ' || $2, 0))",
                Tuple.of(provider, providerSession), row -> row).mapEmpty();
    }

    Future<Boolean> hasEndedAtProvider(SqlConnection transaction, String provider, String providerSession) {
        return Database.query(transaction, "select from identity.provider_logouts where provider = $1 and provider_session = $2",
                Tuple.of(provider, providerSession), row -> row).map(rows -> !rows.isEmpty());
    }

    Future<Void> keepEndAtProvider(SqlConnection transaction, String provider, String providerSession, Instant now) {
        return transaction.preparedQuery("""
                insert into identity.provider_logouts (provider, provider_session, ended_at) values ($1, $2, $3) on conflict do nothing
                """).execute(Tuple.of(provider, providerSession, Columns.utc(now))).mapEmpty();
    }

    /** Deletes at most {@value #SWEPT_AT_ONCE} of the ends of sessions at providers from before the given time, and answers how many. */
    Future<Integer> deleteEndsAtProviders(Instant before) {
        return database.update("""
                delete from identity.provider_logouts where (provider, provider_session) in (
                  select provider, provider_session from identity.provider_logouts where ended_at < $1 order by ended_at limit $2 for update skip locked)
                """, Tuple.of(Columns.utc(before), SWEPT_AT_ONCE));
    }

    /**
     * Ends the sessions that a logout token names, if they began before the logout; answers their ids.
     *
     * @param subject the user at the provider; empty if only the session is named
     * @param providerSession the session at the provider; empty: all sessions of the user
     */
    Future<List<UUID>> endAtProvider(SqlConnection transaction, String provider, Optional<String> subject, Optional<String> providerSession,
            Instant begunBefore, Instant now) {
        return Database.query(transaction, """
                update identity.sessions s set ended_at = $5
                from identity.users u
                where u.user_id = s.user_id and s.ended_at is null and s.created <= $4
                  and u.provider = $1 and ($2::text is null or u.subject = $2) and ($3::text is null or s.provider_session = $3)
                returning s.session_id
                """, Tuple.of(provider, subject.orElse(null), providerSession.orElse(null), Columns.utc(begunBefore), Columns.utc(now)),
                row -> row.getUUID("session_id"));
    }

    Future<Boolean> userExists(UUID userId) {
        return database.query("select from identity.users where user_id = $1", Tuple.of(userId), row -> row).map(rows -> !rows.isEmpty());
    }

    Future<Boolean> organizationExists(SqlConnection transaction, UUID organizationId) {
        return Database.query(transaction, "select from identity.organizations where organization_id = $1", Tuple.of(organizationId), row -> row)
                .map(rows -> !rows.isEmpty());
    }

    /** Whether the user is a member; locks the membership until the transaction ends. */
    Future<Boolean> isMember(SqlConnection transaction, UUID userId, UUID organizationId) {
        return Database.query(transaction, """
                select from identity.memberships where user_id = $1 and organization_id = $2 for key share
                """, Tuple.of(userId, organizationId), row -> row).map(rows -> !rows.isEmpty());
    }

    Future<Void> actFor(SqlConnection transaction, UUID sessionId, Optional<UUID> organizationId) {
        return transaction.preparedQuery("""
                with chosen as (update identity.sessions set organization_id = $2 where session_id = $1 returning user_id)
                update identity.users u set acted_for = coalesce($2, u.acted_for) from chosen where u.user_id = chosen.user_id
                """).execute(Tuple.of(sessionId, organizationId.orElse(null))).mapEmpty();
    }

    /** Sets the organization of a session that acts for none. */
    public Future<Void> actForIfNone(SqlConnection transaction, UUID sessionId, UUID userId, UUID organizationId) {
        return transaction.preparedQuery("""
                with chosen as (
                  update identity.sessions s set organization_id = $3
                  where s.session_id = $1 and s.user_id = $2
                    and not exists (
                      select from identity.memberships m where m.user_id = s.user_id and m.organization_id = s.organization_id and m.organization_id <> $3)
                  returning s.user_id)
                update identity.users u set acted_for = $3 from chosen where u.user_id = chosen.user_id
                """).execute(Tuple.of(sessionId, userId, organizationId)).mapEmpty();
    }

    /** Ends the use of the organization in all sessions of the user. */
    public Future<Void> actNoMoreFor(SqlConnection transaction, UUID userId, UUID organizationId) {
        return transaction.preparedQuery("""
                update identity.sessions set organization_id = null where user_id = $1 and organization_id = $2 and ended_at is null
                """).execute(Tuple.of(userId, organizationId)).mapEmpty();
    }

    /** The open sessions of a user. */
    Future<List<Listed>> list(UUID userId, Instant now, Instant createdAfter, Instant browsersUsedAfter, PageByTime.Wanted wanted) {
        return database.query("""
                select s.session_id, s.created, s.last_used, coalesce(s.provider, u.provider) as provider, coalesce(s.address, '') as address
                from identity.sessions s join identity.users u using (user_id)
                where s.user_id = $1 and s.ended_at is null and s.expires_at > $2 and s.created > $3 and (s.created, s.session_id) > ($4, $5)
                  and (s.cookie_hash is null or coalesce(s.last_used, s.created) > $7)
                order by s.created, s.session_id
                limit $6
                """, Tuple.of(userId, Columns.utc(now), Columns.utc(createdAfter), Columns.utc(wanted.after().at()), wanted.after().id(), wanted.rows())
                        .addOffsetDateTime(Columns.utc(browsersUsedAfter)),
                row -> new Listed(row.getUUID("session_id"), instant(row, "created"), instant(row, "last_used"), row.getString("provider"),
                        row.getString("address")));
    }

    /** Deletes at most {@value #SWEPT_AT_ONCE} of the sessions that ended or expired before the given time and answers how many. */
    Future<Integer> deleteOver(Instant before) {
        return database.update("""
                with expired as materialized (
                  select session_id from identity.sessions where expires_at < $1 order by expires_at limit $2 for update skip locked),
                ended as materialized (
                  select session_id from identity.sessions where ended_at < $1 and expires_at >= $1 order by ended_at limit $2
                  for update skip locked),
                over as (select session_id from expired union all select session_id from ended limit $2)
                delete from identity.sessions using over where sessions.session_id = over.session_id
                """, Tuple.of(Columns.utc(before), SWEPT_AT_ONCE));
    }

    private static Instant instant(Row row, String column) {
        return row.get(OffsetDateTime.class, column).toInstant();
    }
}
