package io.arbitration.mainapi.docket;

import io.arbitration.platform.answer.HttpError;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Puts the questions of many requests into one query. What an event loop asks while it works through the sockets that are
 * ready goes out together when it is done with them; under load that is many questions a query, else one, and none waits
 * for more to come. Each is answered as of a moment after it was asked.
 *
 * @param <Q> a question
 * @param <A> its answer
 */
final class SharedQuestions<Q, A> {

    private static final int BATCH_MAX = 64;
    private static final int WAITING_MAX = 10_000;
    /** Queries in flight for one event loop; more would only make each of them smaller. */
    private static final int QUERIES_MAX = 1;

    private record Asked<Q, A>(Q question, Promise<A> answer) {}

    private final Vertx vertx;
    private final Function<List<Q>, Future<List<A>>> answer;
    private final ThreadLocal<Loop> loops = ThreadLocal.withInitial(Loop::new);

    /** @param answer answers questions, in their order */
    SharedQuestions(Vertx vertx, Function<List<Q>, Future<List<A>>> answer) {
        this.vertx = vertx;
        this.answer = answer;
    }

    /** The answer; fails with 503 when too many wait. Call on an event loop. */
    Future<A> ask(Q question) {
        return loops.get().ask(question);
    }

    /** What one event loop asks; touched by that loop alone. */
    private final class Loop {

        private final Context context = vertx.getOrCreateContext();
        private List<Asked<Q, A>> waiting = new ArrayList<>();
        private boolean scheduled;
        private int queries;

        Future<A> ask(Q question) {
            if (waiting.size() >= WAITING_MAX) {
                return Future.failedFuture(HttpError.OVERLOADED.refusal().retryAfter(1));
            }
            Promise<A> promise = Promise.promise();
            waiting.add(new Asked<>(question, promise));
            schedule();
            return promise.future();
        }

        private void schedule() {
            if (!scheduled && queries < QUERIES_MAX && !waiting.isEmpty()) {
                scheduled = true;
                context.runOnContext(now -> send());
            }
        }

        private void send() {
            scheduled = false;
            List<Asked<Q, A>> batch = waiting;
            if (batch.size() > BATCH_MAX) {
                waiting = new ArrayList<>(batch.subList(BATCH_MAX, batch.size()));
                batch = batch.subList(0, BATCH_MAX);
            } else {
                waiting = new ArrayList<>();
            }
            List<Asked<Q, A>> sent = batch;
            queries++;
            answer.apply(sent.stream().map(Asked::question).toList()).onComplete(result -> {
                queries--;
                schedule();
                for (int i = 0; i < sent.size(); i++) {
                    if (result.succeeded()) {
                        sent.get(i).answer.complete(result.result().get(i));
                    } else {
                        sent.get(i).answer.fail(result.cause());
                    }
                }
            });
        }
    }
}
