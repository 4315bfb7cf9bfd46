package io.arbitration.push.messages;

import java.time.Duration;
import java.util.Optional;

/**
 * What follows from an attempt.
 *
 * @param status that the push service answered; null when it answered nothing
 * @param error what went wrong; null when nothing did
 * @param pause until the next attempt, where the state is {@code PENDING}
 */
public record Outcome(Claimed claimed, State state, Integer status, String error, Duration pause) {

    enum State {
        PENDING, SENT, GONE, EXPIRED, FAILED;

        String text() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    static Outcome ended(Claimed claimed, State state, Integer status, String error) {
        return new Outcome(claimed, state, status, error, Duration.ZERO);
    }

    /** Tried again after the pause, or never when there is none. */
    static Outcome again(Claimed claimed, Integer status, String error, Optional<Duration> pause) {
        return pause.map(wait -> new Outcome(claimed, State.PENDING, status, error, wait))
                .orElseGet(() -> ended(claimed, State.FAILED, status, error));
    }
}
