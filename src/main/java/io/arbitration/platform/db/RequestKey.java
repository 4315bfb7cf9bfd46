package io.arbitration.platform.db;

import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;

/**
 * The {@code Idempotency-Key} that a request holds. It is marked in the very transaction that does the work of the request, so
 * that the work is done exactly when the mark is there.
 *
 * @param claimedAt when the request took the key: another may hold it by now
 */
public record RequestKey(UUID caller, String operation, String key, Instant claimedAt) {

    /** The key is another request's by now, which does the work; this one must not. */
    public static final class Taken extends RuntimeException {

        Taken() {
            super("the key of the request is another's by now", null, false, false);
        }
    }

    /** Marks keys in the transaction that does the work of their requests; fails with {@link Taken}, to undo it, when one is another's. */
    public static Future<Void> mark(SqlConnection transaction, List<RequestKey> keys) {
        if (keys.isEmpty()) {
            return Future.succeededFuture();
        }
        return transaction.preparedQuery("""
                update platform.idempotency i set decided = true
                from unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[]) as k (caller_id, operation, key, claimed_at)
                where i.caller_id = k.caller_id and i.operation = k.operation and i.key = k.key and i.claimed_at = k.claimed_at
                """).execute(Tuple.of(
                        keys.stream().map(RequestKey::caller).toArray(UUID[]::new),
                        keys.stream().map(RequestKey::operation).toArray(String[]::new),
                        keys.stream().map(RequestKey::key).toArray(String[]::new),
                        keys.stream().map(key -> key.claimedAt.atOffset(ZoneOffset.UTC)).toArray(OffsetDateTime[]::new)))
                .compose(rows -> rows.rowCount() == keys.size() ? Future.succeededFuture() : Future.failedFuture(new Taken()));
    }
}
