package io.arbitration.cases.calendar;

import io.arbitration.domain.UserId;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.db.TimeKey;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The table {@code cases.calendar_feeds}. */
final class FeedRepository {

    private final Database database;

    FeedRepository(Database database) {
        this.database = database;
    }

    /** Locks the feeds of that user until the transaction ends. False: there is no such user. */
    Future<Boolean> lockOwner(SqlConnection transaction, UserId userId) {
        return Database.query(transaction, "select pg_advisory_xact_lock(hashtextextended('cases.calendar_feeds ' || $1::uuid, 0))",
                        Tuple.of(userId.value()), row -> row)
                .compose(locked -> Database.query(transaction, "select from identity_api.users where user_id = $1", Tuple.of(userId.value()), row -> row))
                .map(found -> !found.isEmpty());
    }

    Future<Integer> count(SqlConnection transaction, UserId userId) {
        return Database.query(transaction, "select count(*)::integer from cases.calendar_feeds where user_id = $1", Tuple.of(userId.value()),
                row -> row.getInteger(0)).map(List::getFirst);
    }

    Future<Void> insert(SqlConnection transaction, Feed feed, byte[] secretHash) {
        return transaction.preparedQuery("""
                insert into cases.calendar_feeds (feed_id, user_id, name, secret_hash, created) values ($1, $2, $3, $4, $5)
                """).execute(Tuple.of(feed.feedId(), feed.userId().value(), feed.name().orElse(null), Buffer.buffer(secretHash),
                        feed.created().atOffset(ZoneOffset.UTC))).mapEmpty();
    }

    /** In order of creation, after the cursor. */
    Future<List<Feed>> ofUser(UserId userId, TimeKey after, int rows) {
        return database.query("""
                select feed_id, user_id, name, created from cases.calendar_feeds
                where user_id = $1 and (created, feed_id) > ($2, $3) order by created, feed_id limit $4
                """, Tuple.of(userId.value(), after.at().atOffset(ZoneOffset.UTC), after.id(), rows), FeedRepository::feed);
    }

    /** The feed with that secret, unless its user is disabled; empty if there is none. */
    Future<Optional<Feed>> bySecret(byte[] secretHash) {
        return database.query("""
                select f.feed_id, f.user_id, f.name, f.created
                from cases.calendar_feeds f join identity_api.users u on u.user_id = f.user_id and not u.disabled
                where f.secret_hash = $1
                """, Tuple.of(Buffer.buffer(secretHash)), FeedRepository::feed).map(found -> found.stream().findFirst());
    }

    /** False: the user has no such feed. */
    Future<Boolean> delete(SqlConnection transaction, UserId userId, UUID feedId) {
        return transaction.preparedQuery("delete from cases.calendar_feeds where feed_id = $1 and user_id = $2")
                .execute(Tuple.of(feedId, userId.value())).map(deleted -> deleted.rowCount() > 0);
    }

    private static Feed feed(Row row) {
        return new Feed(row.getUUID("feed_id"), new UserId(row.getUUID("user_id")), Optional.ofNullable(row.getString("name")),
                row.getOffsetDateTime("created").toInstant());
    }
}
