package io.arbitration.platform.queue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The pauses between the attempts at something that failed, and the most attempts. Each pause varies by up to 20 %, so that items that
 * failed at the same time are not all repeated at the same time.
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

    /** One more attempt than there are pauses. */
    public static Backoff of(RandomGenerator random, List<Duration> pauses) {
        return new Backoff(pauses, pauses.size() + 1, random);
    }

    /** Pauses from a second, doubled up to five minutes, and attempts without end. */
    public static Backoff endless(RandomGenerator random) {
        return upTo(Integer.MAX_VALUE, random);
    }

    /** Pauses from a second, doubled up to five minutes, and at most so many attempts. */
    public static Backoff upTo(int attemptsMax, RandomGenerator random) {
        return new Backoff(List.of(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(4), Duration.ofSeconds(8),
                Duration.ofSeconds(16), Duration.ofSeconds(32), Duration.ofSeconds(64), Duration.ofSeconds(128), Duration.ofSeconds(256),
                Duration.ofMinutes(5)), attemptsMax, random);
    }

    /**
     * The pause after a failed attempt; empty if no further attempt is allowed.
     *
     * @param attempts made so far, at least 1
     */
    public Optional<Duration> pause(int attempts) {
        return pause(attempts, Duration.ZERO);
    }

    /** @param asked the shortest pause that the other side accepts, for instance by {@code Retry-After} */
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
