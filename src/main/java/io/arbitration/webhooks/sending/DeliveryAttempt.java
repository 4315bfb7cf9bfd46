package io.arbitration.webhooks.sending;

import java.time.Instant;
import java.util.Optional;

/**
 * The result of one attempt to deliver an event.
 *
 * @param status of the answer; empty without an answer
 * @param error the failure; empty if there was an answer
 * @param response the beginning of the answer's body as text, at most {@value #RESPONSE_LENGTH_MAX} bytes of it; empty without an
 * answer
 */
public record DeliveryAttempt(Instant at, Optional<Integer> status, Optional<String> error, int durationMillis, Optional<String> response) {

    static final int RESPONSE_LENGTH_MAX = 4096;
    private static final int GONE = 410;

    static DeliveryAttempt answered(Instant at, int status, int durationMillis, String response) {
        return new DeliveryAttempt(at, Optional.of(status), Optional.empty(), durationMillis, Optional.of(response));
    }

    static DeliveryAttempt unanswered(Instant at, String error, int durationMillis) {
        return new DeliveryAttempt(at, Optional.empty(), Optional.of(error), durationMillis, Optional.empty());
    }

    public boolean succeeded() {
        return status.filter(answered -> answered >= 200 && answered < 300).isPresent();
    }

    /** Whether the receiver stated that it will never accept events again. */
    boolean isGone() {
        return status.filter(answered -> answered == GONE).isPresent();
    }
}
