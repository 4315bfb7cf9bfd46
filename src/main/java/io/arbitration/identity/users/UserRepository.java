package io.arbitration.identity.users;

import io.arbitration.platform.db.Database;
import io.arbitration.platform.listing.PageByTime;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

/** The tables {@code identity.users} and {@code identity.permissions}. */
public final class UserRepository {

    /** Read by one statement, so that permissions and revision are consistent. */
    private static final String USER = """
            select u.user_id, u.email, u.first_name, u.last_name, u.grants_revision, u.disabled_at is not null as is_disabled,
                   array(select p.permission from identity.permissions p where p.user_id = u.user_id) as granted
            from identity.users u
            where u.user_id = $1
            """;

    private final Database database;

    /** A user, and the organization that the session of the request acts for. */
    record UserInSession(User user, Optional<UUID> organizationId) {}

    /** @param holderId a user, or a machine client */
    record Grant(UUID holderId, boolean isClient, String permission, Instant since, UUID place) {}

    public UserRepository(Database database) {
        this.database = database;
    }

    public Future<Optional<User>> find(UUID userId) {
        return database.query(USER, Tuple.of(userId), UserRepository::user).map(Database::first);
    }

    public Future<Optional<User>> find(SqlConnection transaction, UUID userId) {
        return Database.query(transaction, USER, Tuple.of(userId), UserRepository::user).map(Database::first);
    }

    Future<Optional<UserInSession>> find(UUID userId, UUID sessionId) {
        return database.query("""
                select u.*, s.organization_id
                from (%s) u left join identity_api.sessions s on s.session_id = $2 and s.caller_id = u.user_id
                """.formatted(USER), Tuple.of(userId, sessionId),
                row -> new UserInSession(user(row), Optional.ofNullable(row.getUUID("organization_id")))).map(Database::first);
    }

    /** The user with this email; if several have signed in at different providers, the last one. */
    Future<Optional<UUID>> findByEmail(String foldedEmail) {
        return database.query("""
                select user_id from identity.users where lower(email collate "C") = $1 order by signed_in desc, user_id limit 1
                """, Tuple.of(foldedEmail), row -> row.getUUID("user_id")).map(Database::first);
    }

    /** Changes the given values and keeps the others; false if there is no such user. */
    Future<Boolean> updateProfile(
            SqlConnection transaction, UUID userId, Optional<String> firstName, Optional<String> lastName, Optional<Boolean> isPublic) {
        return transaction.preparedQuery("""
                update identity.users
                set first_name = coalesce($2, first_name),
                    last_name = coalesce($3, last_name),
                    public_profile = coalesce($4, public_profile)
                where user_id = $1
                """).execute(Tuple.of(userId, firstName.orElse(null), lastName.orElse(null), isPublic.orElse(null)))
                .map(updated -> updated.rowCount() == 1);
    }

    Future<Void> grant(SqlConnection transaction, UUID userId, String permission, Instant now) {
        return transaction.preparedQuery("""
                insert into identity.permissions (user_id, permission, since) values ($1, $2, $3) on conflict do nothing
                """).execute(Tuple.of(userId, permission, now.atOffset(ZoneOffset.UTC))).mapEmpty();
    }

    /**
     * Locks the user until the transaction ends, so that no token is issued with a permission that is being revoked. Empty if there is no
     * such user.
     */
    Future<OptionalLong> raiseRevision(SqlConnection transaction, UUID userId) {
        return Database.query(transaction, """
                update identity.users set grants_revision = grants_revision + 1 where user_id = $1 returning grants_revision
                """, Tuple.of(userId), row -> row.getLong("grants_revision"))
                .map(rows -> rows.isEmpty() ? OptionalLong.empty() : OptionalLong.of(rows.getFirst()));
    }

    Future<Void> deletePermission(SqlConnection transaction, UUID userId, String permission) {
        return transaction.preparedQuery("delete from identity.permissions where user_id = $1 and permission = $2")
                .execute(Tuple.of(userId, permission)).mapEmpty();
    }

    /** Disables a user; a user that is already disabled keeps the former reason. False if there is no such user. */
    Future<Boolean> disable(SqlConnection transaction, UUID userId, UUID by, String reason, Instant now) {
        return transaction.preparedQuery("""
                update identity.users
                set disabled_at = coalesce(disabled_at, $2),
                    disabled_by = case when disabled_at is null then $3 else disabled_by end,
                    disabled_reason = case when disabled_at is null then $4 else disabled_reason end
                where user_id = $1
                """).execute(Tuple.of(userId, now.atOffset(ZoneOffset.UTC), by, reason)).map(updated -> updated.rowCount() == 1);
    }

    /** Ends all sessions of a user; answers their ids. */
    Future<List<UUID>> endSessions(SqlConnection transaction, UUID userId, Instant now) {
        return Database.query(transaction, """
                update identity.sessions set ended_at = $2 where user_id = $1 and ended_at is null returning session_id
                """, Tuple.of(userId, now.atOffset(ZoneOffset.UTC)), row -> row.getUUID("session_id"));
    }

    /** Enables a user; false if there is no such user. */
    Future<Boolean> enable(SqlConnection transaction, UUID userId) {
        return transaction.preparedQuery("""
                update identity.users set disabled_at = null, disabled_by = null, disabled_reason = null where user_id = $1
                """).execute(Tuple.of(userId)).map(updated -> updated.rowCount() == 1);
    }

    /**
     * The holders of permissions: users and clients with granted ones, and users with configured ones.
     *
     * @param configuredEmails the emails of the configured super administrators, in lower case
     * @param superPermission the permission that these have
     */
    Future<List<Grant>> grants(Optional<UUID> userId, Optional<String> permission, Collection<String> configuredEmails, String superPermission,
            PageByTime.Wanted wanted) {
        return database.query("""
                select holder_id, is_client, permission, since, place
                from (
                  select held.*, md5(holder_id::text || ' ' || permission)::uuid as place
                  from (
                    select user_id as holder_id, false as is_client, permission, since from identity.permissions
                    union all
                    select u.user_id, false, $4::text, u.created
                    from identity.users u
                    where lower(u.email collate "C") = any($3::text[])
                      and not exists (select from identity.permissions p where p.user_id = u.user_id and p.permission = $4)
                    union all
                    select c.client_id, true, p.permission, coalesce((c.granted ->> p.permission)::timestamptz, c.created)
                    from identity.clients c cross join lateral unnest(c.permissions) as p(permission)) held
                  where ($1::uuid is null or not is_client and holder_id = $1) and ($2::text is null or permission = $2)) found
                where (since, place) > ($5, $6)
                order by since, place
                limit $7
                """, Tuple.of(userId.orElse(null), permission.orElse(null), configuredEmails.toArray(String[]::new), superPermission,
                        wanted.after().at().atOffset(ZoneOffset.UTC), wanted.after().id(), wanted.rows()),
                row -> new Grant(row.getUUID("holder_id"), row.getBoolean("is_client"), row.getString("permission"),
                        row.get(OffsetDateTime.class, "since").toInstant(), row.getUUID("place")));
    }

    private static User user(Row row) {
        return new User(
                row.getUUID("user_id"), row.getString("email"), row.getString("first_name"), row.getString("last_name"),
                Set.of(row.getArrayOfStrings("granted")), row.getLong("grants_revision"), row.getBoolean("is_disabled"));
    }
}
