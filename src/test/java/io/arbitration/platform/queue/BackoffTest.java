package io.arbitration.platform.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BackoffTest {

    /** Those of webhooks, which their contract names. */
    private static final List<Duration> PLANNED = List.of(
            Duration.ofSeconds(5), Duration.ofMinutes(5), Duration.ofMinutes(30), Duration.ofHours(2), Duration.ofHours(5),
            Duration.ofHours(10), Duration.ofHours(14), Duration.ofHours(20), Duration.ofHours(24));

    private final Backoff backoff = Backoff.of(new Random(1), PLANNED);

    private static void isWithinTwentyPercent(Backoff backoff, int attempt, Duration planned) {
        long shortest = Long.MAX_VALUE;
        long longest = 0;
        for (int i = 0; i < 2000; i++) {
            long millis = backoff.pause(attempt).orElseThrow().toMillis();
            shortest = Math.min(shortest, millis);
            longest = Math.max(longest, millis);
        }
        assertThat(shortest).isBetween((long) (planned.toMillis() * 0.8), (long) (planned.toMillis() * 0.81));
        assertThat(longest).isBetween((long) (planned.toMillis() * 1.19), (long) (planned.toMillis() * 1.2));
    }

    @Test
    void eachPauseIsThePlannedOneWithinTwentyPercentAndTheTenthAttemptIsTheLast() {
        for (int attempt = 1; attempt <= PLANNED.size(); attempt++) {
            isWithinTwentyPercent(backoff, attempt, PLANNED.get(attempt - 1));
        }
        assertThat(backoff.pause(10)).isEmpty();
        assertThat(backoff.pause(10, Duration.ofSeconds(5))).isEmpty();
        assertThat(backoff.pause(11)).isEmpty();
    }

    @Test
    void whoAsksForALaterAttemptGetsItAndNobodyGetsAnEarlierOne() {
        assertThat(backoff.pause(1, Duration.ofHours(1))).hasValue(Duration.ofHours(1));
        assertThat(backoff.pause(1, Duration.ofSeconds(1)).orElseThrow()).isGreaterThanOrEqualTo(Duration.ofSeconds(4));
    }

    @Test
    void theOtherKindDoublesFromASecondToFiveMinutesAndStaysThere() {
        Backoff endless = Backoff.endless(new Random(1));
        isWithinTwentyPercent(endless, 1, Duration.ofSeconds(1));
        isWithinTwentyPercent(endless, 4, Duration.ofSeconds(8));
        for (int attempt : new int[] {10, 11, 1_000_000}) {
            isWithinTwentyPercent(endless, attempt, Duration.ofMinutes(5));
        }
        Backoff bounded = Backoff.upTo(20, new Random(1));
        isWithinTwentyPercent(bounded, 19, Duration.ofMinutes(5));
        assertThat(bounded.pause(20)).isEmpty();
    }
}
