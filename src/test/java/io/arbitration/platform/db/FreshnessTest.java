package io.arbitration.platform.db;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.MovableClock;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FreshnessTest {

    private final MovableClock clock = new MovableClock();
    private final List<Promise<Void>> reads = new ArrayList<>();
    private final Freshness freshness = new Freshness("what is tested", () -> {
        reads.add(Promise.promise());
        return reads.getLast().future();
    }, clock);

    private void read() {
        Future<Void> first = freshness.next();
        reads.getLast().complete();
        assertThat(first.succeeded()).isTrue();
    }

    @Test
    void aCopyThatWasReadJustNowIsTrustedWithoutAnotherRead() {
        read();
        assertThat(freshness.isFresh()).isTrue();
        assertThat(freshness.catchUp().succeeded()).isTrue();
        assertThat(reads).hasSize(1);
    }

    @Test
    void aCopyGetsOldByEitherClock() {
        read();
        clock.forward(Freshness.TRUSTED.plusMillis(1));
        assertThat(freshness.isFresh()).as("the machine slept").isFalse();
        read();
        assertThat(freshness.isFresh()).isTrue();
        Await.until("the process was stopped", () -> !freshness.isFresh());
    }

    /** It may have begun, and the database have answered it, before the node was stopped. */
    @Test
    void aReadThatIsUnderWayIsNotEnoughToBeCaughtUp() {
        read();
        freshness.poll();
        clock.forward(Duration.ofMinutes(1));
        Future<Void> caughtUp = freshness.catchUp();
        Future<Void> another = freshness.catchUp();
        freshness.poll();
        assertThat(reads).as("one at a time").hasSize(2);
        reads.getLast().complete();
        assertThat(caughtUp.isComplete()).isFalse();
        assertThat(reads).as("one more for all who wait").hasSize(3);
        reads.getLast().complete();
        assertThat(caughtUp.succeeded()).isTrue();
        assertThat(another.succeeded()).isTrue();
        assertThat(freshness.isFresh()).isTrue();
    }

    @Test
    void aReadThatThrowsFailsLikeAnyOtherAndTheNextIsTried() {
        List<Integer> tries = new ArrayList<>();
        Freshness throwing = new Freshness("what is tested", () -> {
            tries.add(tries.size());
            if (tries.size() == 1) {
                throw new IllegalStateException("closed");
            }
            return Future.succeededFuture();
        }, clock);
        assertThat(throwing.next().cause()).hasMessage("closed");
        assertThat(throwing.next().succeeded()).as("tried again").isTrue();
        assertThat(tries).hasSize(2);
    }

    @Test
    void aReadThatFailsTellsWhoWaitsAndTheNextIsTried() {
        read();
        freshness.poll();
        clock.forward(Duration.ofMinutes(1));
        Future<Void> caughtUp = freshness.catchUp();
        reads.getLast().fail("cut off");
        assertThat(freshness.isFresh()).isFalse();
        reads.getLast().fail("still cut off");
        assertThat(caughtUp.failed()).isTrue();
        assertThat(freshness.isFresh()).isFalse();
        read();
        assertThat(freshness.isFresh()).isTrue();
    }
}
