package io.arbitration.webhooks.sending;

import io.arbitration.platform.outbound.RetryAfter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * When a delivery that failed is tried again: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h after the attempt
 * before, each ±20 %, so that deliveries that failed together are not all tried again at the same moment; later where the receiver asks for it.
 */
final class RetrySchedule {

    private static final List<Duration> PAUSES = List.of(
            Duration.ofSeconds(5), Duration.ofMinutes(5), Duration.ofMinutes(30), Duration.ofHours(2), Duration.ofHours(5),
            Duration.ofHours(10), Duration.ofHours(14), Duration.ofHours(20), Duration.ofHours(24));
    private static final double JITTER = 0.2;

    private final RandomGenerator random;

    RetrySchedule(RandomGenerator random) {
        this.random = random;
    }

    /**
     * The pause after an attempt that failed; empty when it was the last.
     *
     * @param attempts made so far, at least 1
     * @param retryAfter the header {@code Retry-After} of the answer
     */
    Optional<Duration> pause(int attempts, Optional<String> retryAfter, Instant now) {
        if (attempts > PAUSES.size()) {
            return Optional.empty();
        }
        double factor = 1 + JITTER * (2 * random.nextDouble() - 1);
        Duration planned = Duration.ofMillis(Math.round(PAUSES.get(attempts - 1).toMillis() * factor));
        Duration asked = RetryAfter.of(retryAfter.orElse(null), now);
        return Optional.of(planned.compareTo(asked) >= 0 ? planned : asked);
    }
}
