package io.arbitration.push.subscriptions;

import io.arbitration.platform.db.Database;
import io.arbitration.platform.db.RequestKey;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The table {@code push.subscriptions}. */
public final class SubscriptionRepository {

    private static final String COLUMNS = "subscription_id, user_id, key_id, endpoint, service, p256dh, auth, created, expires";

    /** A subscription with the public part of its key. */
    public record Listed(Subscription subscription, byte[] vapidKey) {}

    /** The position of a subscription in the list of a user. */
    record Place(Instant created, UUID id) {

        static final Place BEGINNING = new Place(Instant.EPOCH, new UUID(0, 0));
    }

    private final Database database;

    public SubscriptionRepository(Database database) {
        this.database = database;
    }

    /** Also empty for a disabled user, who gets no messages. */
    public Future<Optional<Subscription>> find(UUID id) {
        return database.query("""
                select %s from push.subscriptions s where subscription_id = $1
                  and not exists (select from identity_api.users u where u.user_id = s.user_id and u.disabled)
                """.formatted(COLUMNS), Tuple.of(id), row -> subscription(row)).map(found -> found.stream().findFirst());
    }

    /** Subscriptions of a user after a place, the oldest first. */
    Future<List<Listed>> list(UUID userId, Place after, int limit) {
        return database.query("""
                select s.subscription_id, s.user_id, s.key_id, s.endpoint, s.service, s.p256dh, s.auth, s.created, s.expires, k.public_key
                from push.subscriptions s join push.vapid_keys k using (key_id)
                where s.user_id = $1 and (s.created, s.subscription_id) > ($2::timestamptz, $3::uuid)
                order by s.created, s.subscription_id limit $4
                """, Tuple.of(userId, after.created().atOffset(ZoneOffset.UTC), after.id(), limit), row -> new Listed(subscription(row), row.getBuffer(9).getBytes()));
    }

    /**
     * Stores a subscription of a user and answers its ID. If the user has one with the same endpoint, that one gets the new keys
     * and keeps its ID. Another user's subscription with the same endpoint ends, because the new user uses that browser now.
     *
     * @param most maximum number of subscriptions of one user; beyond it the oldest end
     */
    Future<UUID> put(Optional<RequestKey> key, Subscription fresh, int most) {
        UUID user = fresh.userId().orElseThrow();
        return database.transaction(key, transaction -> endOthers(transaction, fresh.endpoint(), user)
                .compose(ended -> put(transaction, fresh))
                .compose(id -> endOldest(transaction, user, most).map(id)));
    }

    private static Future<Void> endOthers(SqlConnection transaction, String endpoint, UUID user) {
        return transaction.preparedQuery("""
                delete from push.subscriptions where endpoint = $1 and user_id is not null and user_id <> $2
                """).execute(Tuple.of(endpoint, user)).mapEmpty();
    }

    private static Future<UUID> put(SqlConnection transaction, Subscription fresh) {
        return Database.query(transaction, """
                insert into push.subscriptions as s (%s) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
                on conflict (endpoint) where user_id is not null do update
                set subscription_id = case when s.user_id = excluded.user_id then s.subscription_id else excluded.subscription_id end,
                    user_id = excluded.user_id, key_id = excluded.key_id, p256dh = excluded.p256dh, auth = excluded.auth,
                    created = excluded.created, expires = excluded.expires
                returning subscription_id
                """.formatted(COLUMNS), values(fresh), row -> row.getUUID(0)).map(List::getFirst);
    }

    private static Future<Void> endOldest(SqlConnection transaction, UUID user, int most) {
        return transaction.preparedQuery("""
                delete from push.subscriptions where subscription_id in (
                  select subscription_id from push.subscriptions where user_id = $1 order by created desc, subscription_id offset $2)
                """).execute(Tuple.of(user, most)).mapEmpty();
    }

    /** Stores a subscription that belongs to no user; empty if it is new and the maximum is reached. */
    Future<Optional<UUID>> putAnonymous(Subscription fresh, int most) {
        Tuple values = values(fresh);
        values.addLong((long) most);
        return database.query("""
                insert into push.subscriptions as s (%s)
                select $1, $2, $3, $4, $5, $6, $7, $8, $9
                where (select count(*) from (select from push.subscriptions where user_id is null limit $10) counted) < $10
                   or exists (select from push.subscriptions where user_id is null and endpoint = $4)
                on conflict (endpoint) where user_id is null do update
                set key_id = excluded.key_id, p256dh = excluded.p256dh, auth = excluded.auth, created = excluded.created, expires = excluded.expires
                returning subscription_id
                """.formatted(COLUMNS), values, row -> row.getUUID(0)).map(ids -> ids.stream().findFirst());
    }

    private static Tuple values(Subscription fresh) {
        return Tuple.of(fresh.id(), fresh.userId().orElse(null), fresh.keyId(), fresh.endpoint(), fresh.service(), Buffer.buffer(fresh.p256dh()),
                Buffer.buffer(fresh.auth()), fresh.created().atOffset(ZoneOffset.UTC),
                fresh.expires().map(expires -> expires.atOffset(ZoneOffset.UTC)).orElse(null));
    }

    /** Ends a subscription of a user; false if the user has none with that ID. */
    Future<Boolean> delete(UUID id, UUID userId) {
        return database.update("""
                delete from push.subscriptions where subscription_id = $1 and user_id = $2
                """, Tuple.of(id, userId)).map(rows -> rows > 0);
    }

    /** Ends a subscription that belongs to no user. Its id is a secret of the browser that subscribed. */
    Future<Boolean> deleteAnonymous(UUID id) {
        return database.update("""
                delete from push.subscriptions where subscription_id = $1 and user_id is null
                """, Tuple.of(id)).map(rows -> rows > 0);
    }

    /** Ends a subscription that has ended at the push service, unless the browser has subscribed again meanwhile. */
    public Future<Boolean> deleteGone(Subscription gone) {
        return database.update("""
                delete from push.subscriptions where subscription_id = $1 and endpoint = $2 and p256dh = $3
                """, Tuple.of(gone.id(), gone.endpoint(), Buffer.buffer(gone.p256dh()))).map(rows -> rows > 0);
    }

    private static Subscription subscription(Row row) {
        OffsetDateTime expires = row.getOffsetDateTime(8);
        return new Subscription(row.getUUID(0), Optional.ofNullable(row.getUUID(1)), row.getLong(2), row.getString(3), row.getString(4),
                row.getBuffer(5).getBytes(), row.getBuffer(6).getBytes(), row.getOffsetDateTime(7).toInstant(),
                Optional.ofNullable(expires).map(OffsetDateTime::toInstant));
    }
}
