package io.arbitration.platform.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When a poll looks again. */
class PeriodicPollTest {

    private final Vertx vertx = Vertx.vertx();
    private final Context context = vertx.getOrCreateContext();

    @AfterEach
    void close() {
        Await.result(vertx.close());
    }

    private PeriodicPoll started(Supplier<Future<Optional<Duration>>> look) {
        Promise<PeriodicPoll> started = Promise.promise();
        context.runOnContext(now -> started.complete(PeriodicPoll.started(vertx, "test", look)));
        return Await.result(started.future());
    }

    @Test
    void whereSomethingBecomesDueSoonItLooksSooner() {
        AtomicInteger soon = new AtomicInteger();
        AtomicInteger late = new AtomicInteger();
        started(() -> {
            late.incrementAndGet();
            return Future.succeededFuture(Optional.of(Duration.ofDays(1)));
        });
        started(() -> {
            soon.incrementAndGet();
            return Future.succeededFuture(Optional.of(Duration.ofMillis(60)));
        });
        // Both have their timers on one context, so a busy machine delays both.
        Await.until("it has looked often", () -> soon.get() >= 20);
        assertThat(late.get()).isBetween(1, 10);
    }

    @Test
    void aLookThatFailsOrThrowsIsRepeated() {
        AtomicInteger looks = new AtomicInteger();
        started(() -> switch (looks.incrementAndGet()) {
            case 1 -> Future.failedFuture("no connection");
            case 2 -> throw new IllegalStateException("no connection");
            default -> Future.succeededFuture(Optional.empty());
        });
        Await.until("it looks again", () -> looks.get() >= 3);
    }

    @Test
    void nothingIsLookedForAfterTheEnd() {
        AtomicInteger looks = new AtomicInteger();
        Promise<Optional<Duration>> answer = Promise.promise();
        PeriodicPoll poll = started(() -> {
            looks.incrementAndGet();
            return answer.future();
        });
        AtomicInteger others = new AtomicInteger();
        Promise<Void> ended = Promise.promise();
        context.runOnContext(now -> {
            poll.end();
            answer.complete(Optional.of(Duration.ofMillis(1)));
            ended.complete();
        });
        Await.result(ended.future());
        started(() -> {
            others.incrementAndGet();
            return Future.succeededFuture(Optional.of(Duration.ofMillis(1)));
        });
        Await.until("another one, started later, has looked", () -> others.get() >= 5);
        assertThat(looks.get()).isEqualTo(1);
    }
}
