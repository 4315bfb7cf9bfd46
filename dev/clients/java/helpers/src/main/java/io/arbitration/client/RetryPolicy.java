package io.arbitration.client;

import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How often and for how long a call is repeated that had no answer, or one that passes. What is repeated: see {@link Platform}.
 *
 * @param attempts at most, the first one counted; 1 repeats nothing
 * @param totalSeconds from the first attempt to the beginning of the last one, at most
 * @param firstPauseSeconds before the first repetition where the answer has no {@code Retry-After}; doubled before each further one
 * @param pauseSecondsMax what that grows to at most
 */
public record RetryPolicy(int attempts, double totalSeconds, double firstPauseSeconds, double pauseSecondsMax) {

    /** At most 5 attempts within 60 s; pauses grow from 0.5 s to 20 s. */
    public static final RetryPolicy DEFAULT = new RetryPolicy(5, 60, 0.5, 20);
    /** One attempt. */
    public static final RetryPolicy NONE = new RetryPolicy(1, 0, 0, 0);

    /** Checks the bounds: at least one attempt, no negative time. */
    public RetryPolicy {
        if (attempts < 1 || !(totalSeconds >= 0) || !(firstPauseSeconds >= 0) || !(pauseSecondsMax >= 0)) {
            throw new IllegalArgumentException("attempts: at least 1; seconds: at least 0");
        }
    }

    /** The pause before the repetition with this number, the first being 1. A random part of it lets clients come back at different times. */
    Duration pause(int repetition, Optional<Double> retryAfterSeconds) {
        Random random = ThreadLocalRandom.current();
        double seconds = retryAfterSeconds.map(asked -> asked * (1 + 0.1 * random.nextDouble()))
                .orElseGet(() -> Math.min(pauseSecondsMax, firstPauseSeconds * Math.pow(2, repetition - 1)) * (0.5 + 0.5 * random.nextDouble()));
        return Duration.ofNanos((long) Math.min(seconds * 1e9, Long.MAX_VALUE));
    }

    /** Waits before the next attempt, if there is one within the bounds. */
    boolean pauses(int attempt, Optional<Double> retryAfterSeconds, long begunNanos) throws InterruptedException {
        if (attempt >= attempts) {
            return false;
        }
        Duration pause = pause(attempt, retryAfterSeconds);
        if (System.nanoTime() - begunNanos + pause.toNanos() > totalSeconds * 1e9) {
            return false;
        }
        Thread.sleep(pause.toMillis());
        return true;
    }

    /** Reads a {@code Retry-After}: seconds, or a date of HTTP; empty where it is neither. */
    static Optional<Double> retryAfterSeconds(Optional<String> header, Instant now) {
        return header.flatMap(text -> {
            if (text.matches("\\d{1,9}")) {
                return Optional.of(Double.valueOf(text));
            }
            try {
                Instant then = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
                return Optional.of(Math.max(0, Duration.between(now, then).toMillis() / 1000.0));
            } catch (DateTimeParseException unreadable) {
                return Optional.empty();
            }
        });
    }
}
