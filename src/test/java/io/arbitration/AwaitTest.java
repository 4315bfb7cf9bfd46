package io.arbitration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AwaitTest {
    private static final Duration SHORT = Duration.ofMillis(50);

    @Test
    void whatHoldsAfterSomeTriesEndsTheWait() {
        AtomicInteger tries = new AtomicInteger();
        Await.until("the third try", () -> tries.incrementAndGet() == 3);
        assertThat(tries).hasValue(3);
        assertThat(Await.value("a value", () -> tries.incrementAndGet() < 6 ? null : tries.get())).isEqualTo(6);
    }

    @Test
    void whatNeverHoldsFailsWithWhatWasAwaitedAsItStandsThen() {
        AtomicInteger tries = new AtomicInteger();
        assertThatThrownBy(() -> Await.until(() -> "a millionth try, now " + tries, SHORT, () -> tries.incrementAndGet() == 1_000_000))
                .isInstanceOf(AssertionError.class).hasMessage("not within 50 ms: a millionth try, now %s", tries);
    }

    @Test
    void anExceptionFailsTheWaitUnlessFailuresAreExpected() {
        AtomicInteger tries = new AtomicInteger();
        assertThatThrownBy(() -> Await.until("an answer", () -> answer(tries))).isInstanceOf(AssertionError.class)
                .hasMessage("failed while awaited: an answer").hasRootCauseInstanceOf(IOException.class);
        assertThat(tries).hasValue(1);
        Await.despiteFailures("an answer", Await.BOUND, () -> answer(tries));
        assertThat(tries).hasValue(3);
        assertThatThrownBy(() -> Await.despiteFailures("an answer", SHORT, () -> answer(new AtomicInteger())))
                .hasMessage("not within 50 ms: an answer").hasRootCauseMessage("away");
    }

    private static boolean answer(AtomicInteger tries) throws IOException {
        if (tries.incrementAndGet() < 3) {
            throw new IOException("away");
        }
        return true;
    }

    @Test
    void aFutureGivesItsResultItsFailureOrItsLateness() {
        assertThat(Await.result(Future.succeededFuture("here"))).isEqualTo("here");
        assertThatThrownBy(() -> Await.result(Future.failedFuture(new IllegalArgumentException("no")))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Await.result(Future.failedFuture(new IOException("away")))).isInstanceOf(IllegalStateException.class)
                .hasRootCauseMessage("away");
        assertThatThrownBy(() -> Await.result(Promise.promise().future(), SHORT)).isInstanceOf(AssertionError.class)
                .hasMessage("no result within 50 ms");
    }
}
