package io.arbitration.platform.batching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.Await;
import io.arbitration.platform.answer.Refusal;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.ClosedConnectionException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Commands that wait are carried out together; each gets its own result whatever becomes of the others. */
class CommandBatcherTest {

    private static final int WAITING_MAX = 100;

    private final Vertx vertx = Vertx.vertx();
    private final List<List<String>> batches = new CopyOnWriteArrayList<>();

    @AfterEach
    void closeVertx() {
        Await.result(vertx.close());
    }

    private CommandBatcher<String, String> batcher(int partitions, Function<List<String>, Future<List<String>>> carryOut) {
        return new CommandBatcher<>(vertx, partitions, WAITING_MAX, batch -> {
            batches.add(batch);
            return carryOut.apply(batch);
        });
    }

    private static Future<List<String>> done(List<String> batch) {
        return Future.succeededFuture(batch.stream().map(command -> command + " done").toList());
    }

    private static String result(Future<String> future) {
        return Await.result(future);
    }

    @Test
    void whatWaitsDuringABatchIsTheNextInTheOrderOfArrival() {
        List<Promise<Void>> open = new CopyOnWriteArrayList<>();
        CommandBatcher<String, String> batcher = batcher(1, batch -> {
            Promise<Void> gate = Promise.promise();
            open.add(gate);
            return gate.future().compose(opened -> done(batch));
        });
        Future<String> first = batcher.submit("case", "first");
        Await.until("the first batch runs", () -> open.size() == 1);
        List<Future<String>> others = IntStream.range(0, 70).mapToObj(i -> batcher.submit("case", "c" + i)).toList();
        assertThat(others).noneMatch(Future::isComplete);
        open.get(0).complete();
        assertThat(result(first)).isEqualTo("first done");
        Await.until("the second batch runs", () -> open.size() == 2);
        open.get(1).complete();
        Await.until("the third batch runs", () -> open.size() == 3);
        open.get(2).complete();
        for (int i = 0; i < others.size(); i++) {
            assertThat(result(others.get(i))).isEqualTo("c" + i + " done");
        }
        assertThat(batches).containsExactly(List.of("first"),
                IntStream.range(0, CommandBatcher.BATCH_MAX).mapToObj(i -> "c" + i).toList(),
                IntStream.range(CommandBatcher.BATCH_MAX, 70).mapToObj(i -> "c" + i).toList());
    }

    /** A first command holds the partition until the rest wait, so that these share a batch. */
    private List<Future<String>> together(CommandBatcher<String, String> batcher, CompletableFuture<Void> gate, String... commands) {
        batcher.submit("case", "gate");
        Await.until("the partition is busy", () -> batches.size() == 1);
        List<Future<String>> results = new ArrayList<>();
        for (String command : commands) {
            results.add(batcher.submit("case", command));
        }
        gate.complete(null);
        return results;
    }

    private static Future<Void> after(CompletableFuture<Void> gate) {
        return Future.fromCompletionStage(gate);
    }

    @Test
    void aCommandThatFailsTheBatchFailsAloneAndTheOthersAreCarriedOut() {
        CompletableFuture<Void> gate = new CompletableFuture<>();
        CommandBatcher<String, String> batcher = batcher(1, batch -> after(gate).compose(opened -> batch.contains("bad")
                ? Future.failedFuture(new IllegalStateException("no " + batch)) : done(batch)));
        List<Future<String>> results = together(batcher, gate, "a", "bad", "b");
        assertThat(result(results.get(0))).isEqualTo("a done");
        assertThatThrownBy(() -> result(results.get(1))).hasMessage("no [bad]");
        assertThat(result(results.get(2))).isEqualTo("b done");
        assertThat(batches).containsExactly(List.of("gate"), List.of("a", "bad", "b"), List.of("a"), List.of("bad"), List.of("b"));
    }

    @Test
    void aBatchThatThrowsIsTriedOneByOneToo() {
        CompletableFuture<Void> gate = new CompletableFuture<>();
        CommandBatcher<String, String> batcher = batcher(1, batch -> {
            if (batch.size() > 1) {
                throw new IllegalStateException("too many");
            }
            return after(gate).compose(opened -> done(batch));
        });
        List<Future<String>> results = together(batcher, gate, "a", "b");
        assertThat(results).allSatisfy(one -> assertThat(result(one)).endsWith(" done"));
    }

    @Test
    void aDatabaseThatIsAwayFailsTheWholeBatchAtOnceAndThePartitionGoesOn() {
        CompletableFuture<Void> gate = new CompletableFuture<>();
        CommandBatcher<String, String> batcher = batcher(1, batch -> after(gate).compose(opened -> batch.contains("a")
                ? Future.failedFuture(ClosedConnectionException.INSTANCE) : done(batch)));
        List<Future<String>> results = together(batcher, gate, "a", "b");
        assertThat(results).allSatisfy(one -> assertThatThrownBy(() -> result(one)).isInstanceOf(ClosedConnectionException.class));
        assertThat(result(batcher.submit("case", "later"))).isEqualTo("later done");
        assertThat(batches).containsExactly(List.of("gate"), List.of("a", "b"), List.of("later"));
    }

    @Test
    void morePerPartitionThanItsBoundIsRefusedWith503() {
        Promise<List<String>> never = Promise.promise();
        CommandBatcher<String, String> batcher = batcher(1, batch -> never.future());
        batcher.submit("case", "running");
        Await.until("the partition is busy", () -> batches.size() == 1);
        IntStream.range(0, WAITING_MAX).forEach(i -> batcher.submit("case", "waits"));
        assertThat(batcher.submit("case", "one more").cause()).isInstanceOfSatisfying(Refusal.class, refusal -> {
            assertThat(refusal.status()).isEqualTo(503);
            assertThat(refusal.retryAfterSeconds()).hasValue(1);
        });
        never.fail("ended");
    }

    @Test
    void partitionsDoNotWaitForEachOther() {
        Promise<List<String>> never = Promise.promise();
        CommandBatcher<Integer, String> batcher = new CommandBatcher<>(vertx, 2, WAITING_MAX, batch -> batch.contains(0)
                ? never.future() : Future.succeededFuture(batch.stream().map(String::valueOf).toList()));
        Future<String> stuck = batcher.submit(0, 0);
        assertThat(Await.<String>result(batcher.submit(1, 1))).isEqualTo("1");
        assertThat(stuck.isComplete()).isFalse();
        never.fail("ended");
    }

    @Test
    void eachResultComesOnTheContextOfItsCaller() {
        CommandBatcher<String, String> batcher = batcher(1, CommandBatcherTest::done);
        Context one = vertx.getOrCreateContext();
        Promise<Context> on = Promise.promise();
        one.runOnContext(now -> batcher.submit("case", "a").onSuccess(done -> on.complete(Vertx.currentContext())));
        assertThat(Await.<Context>result(on.future())).isSameAs(one);
    }
}
