package io.arbitration.emails;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * When an email that was not taken is tried again: soon at first, for a mail server that starts or asks unknown senders to
 * come back (greylisting), then more and more rarely for four days, as RFC 5321 advises in section 4.5.4.1. Each pause is
 * ±20 %, so that what failed together does not come back together.
 */
final class RetrySchedule {

    private static final List<Duration> PAUSES = List.of(
            Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofMinutes(2), Duration.ofMinutes(10), Duration.ofMinutes(30),
            Duration.ofHours(1), Duration.ofHours(2), Duration.ofHours(4), Duration.ofHours(8), Duration.ofHours(12),
            Duration.ofHours(24), Duration.ofHours(24), Duration.ofHours(24));
    private static final double JITTER = 0.2;

    private final RandomGenerator random;

    RetrySchedule(RandomGenerator random) {
        this.random = random;
    }

    /**
     * The pause after an attempt that failed; empty when it was the last.
     *
     * @param attempts made so far, at least 1
     */
    Optional<Duration> pause(int attempts) {
        if (attempts > PAUSES.size()) {
            return Optional.empty();
        }
        double factor = 1 + JITTER * (2 * random.nextDouble() - 1);
        return Optional.of(Duration.ofMillis(Math.round(PAUSES.get(attempts - 1).toMillis() * factor)));
    }
}
