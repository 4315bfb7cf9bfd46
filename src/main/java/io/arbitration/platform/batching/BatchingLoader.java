package io.arbitration.platform.batching;

import io.arbitration.platform.answer.HttpError;
import io.arbitration.platform.request.WorkOwner;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Loads data for many requests with few queries (known as DataLoader). The keys that are requested on an event loop while it
 * reads the sockets that are ready are loaded together as soon as it has read them. Under load this gives many keys for each
 * query. A key that is requested during a query of its loop waits until that query has ended. A value is always read after it was requested.
 *
 * <p>Each caller gets its value on its own Vert.x context, so that its later log lines and spans are its own. The query belongs
 * to the trace of the first caller in it.
 *
 * @param <K> a key
 * @param <V> the value that is loaded for it
 */
public final class BatchingLoader<K, V> {

    static final int BATCH_MAX = 64;
    private static final int WAITING_MAX = 10_000;

    private record Waiting<K, V>(K key, Promise<V> value, Context caller) {

        void answer(V loaded) {
            caller.runOnContext(back -> value.complete(loaded));
        }

        void fail(Throwable failure) {
            caller.runOnContext(back -> value.fail(failure));
        }
    }

    private final Vertx vertx;
    private final Function<List<K>, Future<List<V>>> query;
    private final ThreadLocal<Loop> loops = ThreadLocal.withInitial(Loop::new);

    /** @param query loads the values of keys, in the order of the keys */
    public BatchingLoader(Vertx vertx, Function<List<K>, Future<List<V>>> query) {
        this.vertx = vertx;
        this.query = query;
    }

    /** The value of a key; fails with 503 when too many keys wait. To be called on an event loop. */
    public Future<V> load(K key) {
        return loops.get().load(key);
    }

    /** The keys of one event loop, used only by that loop. It has one query in flight: more would only make each smaller. */
    private final class Loop {

        private List<Waiting<K, V>> waiting = new ArrayList<>();
        private boolean busy;

        Future<V> load(K key) {
            if (waiting.size() >= WAITING_MAX) {
                return Future.failedFuture(HttpError.OVERLOADED.refusal().retryAfter(1));
            }
            Promise<V> value = Promise.promise();
            waiting.add(new Waiting<>(key, value, vertx.getOrCreateContext()));
            schedule();
            return value.future();
        }

        private void schedule() {
            if (!busy && !waiting.isEmpty()) {
                busy = true;
                waiting.getFirst().caller.runOnContext(now -> send());
            }
        }

        private void send() {
            List<Waiting<K, V>> batch = waiting;
            if (batch.size() > BATCH_MAX) {
                waiting = new ArrayList<>(batch.subList(BATCH_MAX, batch.size()));
                batch = batch.subList(0, BATCH_MAX);
            } else {
                waiting = new ArrayList<>();
            }
            List<Waiting<K, V>> sent = batch;
            load(sent).onComplete(result -> {
                busy = false;
                schedule();
                for (int i = 0; i < sent.size(); i++) {
                    if (result.succeeded()) {
                        sent.get(i).answer(result.result().get(i));
                    } else {
                        sent.get(i).fail(result.cause());
                    }
                }
            });
        }

        /** An exception of a query is a failure like any other; otherwise this loop would never send another query. */
        private Future<List<V>> load(List<Waiting<K, V>> sent) {
            try {
                return WorkOwner.ofSeveral(() -> query.apply(sent.stream().map(Waiting::key).toList()));
            } catch (RuntimeException failed) {
                return Future.failedFuture(failed);
            }
        }
    }
}
