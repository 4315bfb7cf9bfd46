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
public record PushOutcome(ClaimedMessage claimed, State state, Integer status, String error, Duration pause) {

    enum State {
        PENDING, SENT, GONE, EXPIRED, FAILED;

        String text() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    static PushOutcome ended(ClaimedMessage claimed, State state, Integer status, String error) {
        return new PushOutcome(claimed, state, status, error, Duration.ZERO);
    }

    /** Tried again after the pause, or never when there is none. */
    static PushOutcome again(ClaimedMessage claimed, Integer status, String error, Optional<Duration> pause) {
        return pause.map(wait -> new PushOutcome(claimed, State.PENDING, status, error, wait))
                .orElseGet(() -> ended(claimed, State.FAILED, status, error));
    }
}
