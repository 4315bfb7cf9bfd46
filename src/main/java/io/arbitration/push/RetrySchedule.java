package io.arbitration.push;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** When a message that a push service did not take is tried again; each pause ±20 %, longer where the service asks for it. */
final class RetrySchedule {

    private static final List<Duration> PAUSES = List.of(
            Duration.ofSeconds(2), Duration.ofSeconds(10), Duration.ofMinutes(1), Duration.ofMinutes(5), Duration.ofMinutes(15),
            Duration.ofMinutes(30), Duration.ofHours(1), Duration.ofHours(2), Duration.ofHours(4), Duration.ofHours(8));
    private static final double JITTER = 0.2;

    private final RandomGenerator random;

    RetrySchedule(RandomGenerator random) {
        this.random = random;
    }

    /**
     * The pause after an attempt that failed; empty when it was the last, or the next would come too late.
     *
     * @param attempts made so far, at least 1
     * @param asked by the push service; zero when it asked for nothing
     * @param left until the message is of no use any more
     */
    Optional<Duration> pause(int attempts, Duration asked, Duration left) {
        if (attempts > PAUSES.size()) {
            return Optional.empty();
        }
        double factor = 1 + JITTER * (2 * random.nextDouble() - 1);
        Duration planned = Duration.ofMillis(Math.round(PAUSES.get(attempts - 1).toMillis() * factor));
        Duration pause = planned.compareTo(asked) >= 0 ? planned : asked;
        return pause.compareTo(left) < 0 ? Optional.of(pause) : Optional.empty();
    }
}
