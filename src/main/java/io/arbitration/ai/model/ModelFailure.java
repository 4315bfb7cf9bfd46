package io.arbitration.ai.model;

import java.time.Duration;

/** The model gave no usable answer. Its message contains no secret and nothing of a case; it has no stack trace. */
public final class ModelFailure extends RuntimeException {

    public enum Kind {
        /** The endpoint, or the bulkhead before it, accepts no more requests now. */
        BUSY,
        /** The endpoint cannot be reached, closes the connection, or answers that it failed. */
        AWAY,
        /** The endpoint did not answer in time. */
        TIMED_OUT,
        /** The endpoint does not accept the key of the platform, which an operator can change. */
        UNAUTHORIZED,
        /** The endpoint refuses the request, and would refuse it again. */
        REFUSED,
        /** The endpoint refuses the request because of the images in it, and is given none from now on. */
        NO_IMAGES,
        /** The answer cannot be used. */
        UNUSABLE;

        /** Whether the circuit breaker counts it. */
        boolean isOutage() {
            return this == AWAY || this == TIMED_OUT;
        }
    }

    private final Kind kind;
    private final Duration retryAfter;

    public ModelFailure(Kind kind, String message) {
        this(kind, message, Duration.ZERO);
    }

    ModelFailure(Kind kind, String message, Duration retryAfter) {
        super(message, null, false, false);
        this.kind = kind;
        this.retryAfter = retryAfter;
    }

    public Kind kind() {
        return kind;
    }

    /** How long to wait before asking again; zero when that is not known. */
    public Duration retryAfter() {
        return retryAfter;
    }
}
