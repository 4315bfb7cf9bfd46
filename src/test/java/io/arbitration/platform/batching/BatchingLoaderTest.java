package io.arbitration.platform.batching;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.LoggingEvent;
import io.arbitration.Await;
import io.arbitration.platform.telemetry.LogContext;
import io.arbitration.platform.telemetry.LogLine;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Keys that are asked for together are loaded together. */
class BatchingLoaderTest {

    private final Vertx vertx = Vertx.vertx();
    private final List<List<Integer>> queries = new ArrayList<>();
    private final List<Promise<List<String>>> open = new ArrayList<>();
    private final BatchingLoader<Integer, String> loader = new BatchingLoader<>(vertx, keys -> {
        queries.add(keys);
        Promise<List<String>> values = Promise.promise();
        open.add(values);
        return values.future();
    });

    @AfterEach
    void closeVertx() {
        Await.result(vertx.close());
    }

    /** Runs each step on the event loop, once the loop is done with what the step before has left to do. */
    @SafeVarargs
    private <T> T run(Runnable first, Supplier<T>... steps) {
        Promise<T> last = Promise.promise();
        vertx.runOnContext(begin -> {
            first.run();
            then(0, last, steps);
        });
        return Await.result(last.future());
    }

    @SafeVarargs
    private <T> void then(int index, Promise<T> last, Supplier<T>... steps) {
        vertx.runOnContext(next -> {
            T result = steps[index].get();
            if (index + 1 == steps.length) {
                last.complete(result);
            } else {
                then(index + 1, last, steps);
            }
        });
    }

    private void answer(int query) {
        open.get(query).complete(queries.get(query).stream().map(key -> "value of " + key).toList());
    }

    @Test
    void whatIsAskedForBeforeTheLoopIsDoneGoesIntoOneQueryAndEachGetsItsOwnValue() {
        List<Future<String>> values = new ArrayList<>();
        run(() -> IntStream.range(0, 3).forEach(i -> values.add(loader.load(i))), () -> {
            answer(0);
            return null;
        }, () -> null);
        assertThat(queries).containsExactly(List.of(0, 1, 2));
        assertThat(values).extracting(Future::result).containsExactly("value of 0", "value of 1", "value of 2");
    }

    @Test
    void aKeyAskedForDuringAQueryIsLoadedByTheNext() {
        List<Future<String>> values = new ArrayList<>();
        List<String> early = run(() -> values.add(loader.load(1)), () -> {
            values.add(loader.load(2));
            values.add(loader.load(3));
            return null;
        }, () -> {
            answer(0);
            return null;
        }, () -> values.stream().map(Future::result).toList());
        assertThat(early).containsExactly("value of 1", null, null);
        assertThat(queries).containsExactly(List.of(1), List.of(2, 3));
    }

    @Test
    void aQueryThatFailsFailsItsOwnCallersAlone() {
        List<Future<String>> values = new ArrayList<>();
        run(() -> values.add(loader.load(1)), () -> {
            values.add(loader.load(2));
            open.getFirst().fail("broken");
            return null;
        }, () -> {
            answer(1);
            return null;
        }, () -> null);
        assertThat(values.getFirst().cause()).hasMessage("broken");
        assertThat(values.getLast().result()).isEqualTo("value of 2");
    }

    @Test
    void aQueryThatThrowsFailsItsCallersAndTheNextIsSent() {
        List<Integer> asked = new ArrayList<>();
        BatchingLoader<Integer, Integer> throwing = new BatchingLoader<>(vertx, keys -> {
            asked.addAll(keys);
            if (keys.contains(1)) {
                throw new IllegalStateException("no statement");
            }
            return Future.succeededFuture(keys);
        });
        List<Future<Integer>> values = new ArrayList<>();
        run(() -> values.add(throwing.load(1)), () -> null, () -> values.add(throwing.load(2)), () -> null, () -> null);
        assertThat(values.getFirst().cause()).hasMessage("no statement");
        assertThat(values.getLast().result()).isEqualTo(2);
        assertThat(asked).containsExactly(1, 2);
    }

    @Test
    void aQueryHoldsNoMoreKeysThanItsBoundAndTheRestFollows() {
        run(() -> IntStream.range(0, 100).forEach(loader::load), () -> {
            answer(0);
            return null;
        }, () -> null);
        assertThat(queries).extracting(List::size).containsExactly(BatchingLoader.BATCH_MAX, 36);
    }

    /** Three requests of one event loop: two share a query, and a third comes when the first has long had its answer. */
    @Test
    void eachRequestGoesOnAsItselfWithWhomeverItSharedAQuery() {
        List<String> lines = new CopyOnWriteArrayList<>();
        ContextInternal loop = (ContextInternal) vertx.getOrCreateContext();
        List<ContextInternal> requests = List.of(loop.duplicate(), loop.duplicate(), loop.duplicate());
        BatchingLoader<Integer, Integer> atOnce = new BatchingLoader<>(vertx, Future::succeededFuture);
        Promise<Void> early = Promise.promise();
        loop.runOnContext(begin -> {
            request(requests.get(0), "first", atOnce, lines);
            request(requests.get(1), "second", atOnce, lines).onComplete(early);
        });
        Await.result(early.future());
        Promise<Void> late = Promise.promise();
        loop.runOnContext(begin -> request(requests.get(2), "third", atOnce, lines).onComplete(late));
        Await.result(late.future());
        assertThat(lines).hasSize(3);
        assertThat(lines.get(0)).contains("answered first request=first");
        assertThat(lines.get(1)).contains("answered second request=second");
        assertThat(lines.get(2)).contains("answered third request=third");
    }

    /** Handles a request as the server does: on a context of its own, marked with its id. */
    private Future<Void> request(ContextInternal own, String name, BatchingLoader<Integer, Integer> from, List<String> lines) {
        Promise<Void> answered = Promise.promise();
        own.dispatch(handled -> {
            LogContext.begin(vertx, name);
            from.load(1).onSuccess(value -> {
                lines.add(line("answered " + name));
                answered.complete();
            });
        });
        return answered.future();
    }

    /** The line that the log would get now. */
    private static String line(String message) {
        Logger logger = (Logger) LoggerFactory.getLogger(BatchingLoaderTest.class);
        return new String(new LogLine().encode(new LoggingEvent("", logger, Level.INFO, message, null, null)), StandardCharsets.UTF_8);
    }
}
