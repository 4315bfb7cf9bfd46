package io.arbitration.platform.db;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxBootstrap;
import io.vertx.core.spi.VertxServiceProvider;
import io.vertx.core.spi.context.storage.ContextLocal;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The {@code Idempotency-Key} that the present request holds. It is marked in the very transaction that does the work of the
 * request, so that the work is done exactly when the mark is there. Kept with the context of the request.
 *
 * @param claimedAt when the request took the key: another may hold it by now
 */
public record RequestKey(UUID caller, String operation, String key, Instant claimedAt) {

    /** Vert.x asks for it before it makes a context: a place in contexts can be had only then. */
    public static final class Place implements VertxServiceProvider {

        static final ContextLocal<RequestKey> LOCAL = ContextLocal.registerLocal(RequestKey.class);

        @Override
        public void init(VertxBootstrap bootstrap) {}
    }

    /** The key is another request's by now, which does the work; this one must not. */
    public static final class Taken extends RuntimeException {

        Taken() {
            super("the key of the request is another's by now", null, false, false);
        }
    }

    /** From now on transactions of the present context work for the request with this key. */
    public void begin() {
        context().ifPresent(context -> context.putLocal(Place.LOCAL, this));
    }

    /** What is still done on the context of a request after its answer is not its work any more. */
    public static void end() {
        context().ifPresent(context -> context.removeLocal(Place.LOCAL));
    }

    /** Of the request that the present context works for, if it has one. */
    public static Optional<RequestKey> now() {
        return context().map(context -> context.getLocal(Place.LOCAL));
    }

    private static Optional<ContextInternal> context() {
        Context context = Vertx.currentContext();
        return Optional.ofNullable((ContextInternal) context);
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
