package io.arbitration.platform.queue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * When something that failed is tried again, and after how many attempts no more. Each pause is ±20 %, so that what failed together
 * does not come back together.
 */
public final class Backoff {

    private static final double JITTER = 0.2;

    private final List<Duration> pauses;
    private final int attemptsMax;
    private final RandomGenerator random;

    private Backoff(List<Duration> pauses, int attemptsMax, RandomGenerator random) {
        this.pauses = List.copyOf(pauses);
        this.attemptsMax = attemptsMax;
        this.random = random;
    }

    /** These pauses, and then no attempt any more. */
    public static Backoff of(RandomGenerator random, List<Duration> pauses) {
        return new Backoff(pauses, pauses.size() + 1, random);
    }

    /** From a second, doubled up to five minutes, without an end. */
    public static Backoff endless(RandomGenerator random) {
        return upTo(Integer.MAX_VALUE, random);
    }

    /** From a second, doubled up to five minutes, until so many attempts were made. */
    public static Backoff upTo(int attemptsMax, RandomGenerator random) {
        return new Backoff(List.of(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(4), Duration.ofSeconds(8),
                Duration.ofSeconds(16), Duration.ofSeconds(32), Duration.ofSeconds(64), Duration.ofSeconds(128), Duration.ofSeconds(256),
                Duration.ofMinutes(5)), attemptsMax, random);
    }

    /**
     * The pause after an attempt that failed; empty when it was the last.
     *
     * @param attempts made so far, at least 1
     */
    public Optional<Duration> pause(int attempts) {
        return pause(attempts, Duration.ZERO);
    }

    /** @param asked the least pause that the other side asks for */
    public Optional<Duration> pause(int attempts, Duration asked) {
        if (attempts >= attemptsMax) {
            return Optional.empty();
        }
        Duration planned = pauses.get(Math.min(attempts, pauses.size()) - 1);
        double factor = 1 + JITTER * (2 * random.nextDouble() - 1);
        Duration varied = Duration.ofMillis(Math.round(planned.toMillis() * factor));
        return Optional.of(varied.compareTo(asked) >= 0 ? varied : asked);
    }
}
