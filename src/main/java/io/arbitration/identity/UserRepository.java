package io.arbitration.identity;

import io.arbitration.platform.auth.Requester;
import io.arbitration.platform.auth.Revocations;
import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

/** The tables {@code identity.users} and {@code identity.permissions}. */
final class UserRepository {

    /** One statement, so that permissions and revision are of one moment. */
    private static final String USER = """
            select u.user_id, u.email, u.first_name, u.last_name, u.grants_revision, m.organization_id,
                   array(select p.permission from identity.permissions p where p.user_id = u.user_id) as granted
            from identity.users u left join identity.members m using (user_id)
            where u.user_id = $1
            """;

    private final Database database;
    private final Revocations revocations;

    UserRepository(Database database, Revocations revocations) {
        this.database = database;
        this.revocations = revocations;
    }

    Future<Optional<User>> find(UUID userId) {
        return database.query(USER, Tuple.of(userId), UserRepository::user).map(UserRepository::first);
    }

    static Future<Optional<User>> find(SqlConnection transaction, UUID userId) {
        return Database.query(transaction, USER, Tuple.of(userId), UserRepository::user).map(UserRepository::first);
    }

    /** Absent values keep what is stored. Tells whether there is such a user. */
    Future<Boolean> updateProfile(UUID userId, Optional<String> firstName, Optional<String> lastName, Optional<Boolean> isPublic) {
        return database.update("""
                update identity.users
                set first_name = coalesce($2, first_name),
                    last_name = coalesce($3, last_name),
                    public_profile = coalesce($4, public_profile)
                where user_id = $1
                """, Tuple.of(userId, firstName.orElse(null), lastName.orElse(null), isPublic.orElse(null)))
                .map(updated -> updated == 1);
    }

    Future<Void> grant(UUID userId, String permission) {
        return database.update("""
                insert into identity.permissions (user_id, permission) values ($1, $2) on conflict do nothing
                """, Tuple.of(userId, permission)).mapEmpty();
    }

    /**
     * Takes a permission, held or not, and tells the revision from which tokens count again: a token that carries the
     * permission from a configuration of yesterday loses it too. Empty when there is no such user.
     */
    Future<OptionalLong> take(Requester by, UUID userId, String permission) {
        return database.transaction(by.key(), transaction -> raiseRevision(transaction, userId).compose(revision -> revision.isEmpty()
                ? Future.succeededFuture(revision)
                : deletePermission(transaction, userId, permission)
                        .compose(deleted -> revocations.takePermission(transaction, userId, permission, revision.getAsLong()))
                        .map(revision)));
    }

    /** Locks the user until the transaction ends, so that no token is made of what is being taken. */
    static Future<OptionalLong> raiseRevision(SqlConnection transaction, UUID userId) {
        return Database.query(transaction, """
                update identity.users set grants_revision = grants_revision + 1 where user_id = $1 returning grants_revision
                """, Tuple.of(userId), row -> row.getLong("grants_revision"))
                .map(rows -> rows.isEmpty() ? OptionalLong.empty() : OptionalLong.of(rows.getFirst()));
    }

    private static Future<Void> deletePermission(SqlConnection transaction, UUID userId, String permission) {
        return transaction.preparedQuery("delete from identity.permissions where user_id = $1 and permission = $2")
                .execute(Tuple.of(userId, permission)).mapEmpty();
    }

    private static User user(Row row) {
        return new User(
                row.getUUID("user_id"), row.getString("email"), row.getString("first_name"), row.getString("last_name"),
                Optional.ofNullable(row.getUUID("organization_id")), Set.of(row.getArrayOfStrings("granted")),
                row.getLong("grants_revision"));
    }

    private static <T> Optional<T> first(List<T> rows) {
        return rows.stream().findFirst();
    }
}
