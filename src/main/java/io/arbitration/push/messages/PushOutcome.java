package io.arbitration.push.messages;

import java.time.Duration;
import java.util.Optional;

/**
 * The consequence of an attempt.
 *
 * @param status of the push service's answer; null without an answer
 * @param error the failure; null without one
 * @param pause until the next attempt, if the state is {@code PENDING}
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

    /** Another attempt after the pause, or none if the pause is empty. */
    static PushOutcome again(ClaimedMessage claimed, Integer status, String error, Optional<Duration> pause) {
        return pause.map(wait -> new PushOutcome(claimed, State.PENDING, status, error, wait))
                .orElseGet(() -> ended(claimed, State.FAILED, status, error));
    }
}
