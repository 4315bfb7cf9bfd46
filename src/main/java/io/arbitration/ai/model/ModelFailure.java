package io.arbitration.ai.model;

import java.time.Duration;

/** The model gave no answer. Travels as a failed future, without a stack trace; its message holds no secret and no part of a case. */
public final class ModelFailure extends RuntimeException {

    public enum Kind {
        /** It, or the queue before it, takes no more now. */
        BUSY,
        /** It can't be reached, breaks off, or says that it is broken. */
        AWAY,
        /** It didn't answer in time. */
        TIMED_OUT,
        /** It doesn't take the request: the same again will not be taken either. */
        REFUSED,
        /** It answered something that is no answer. */
        UNUSABLE;

        /** Whether the endpoint is to be left alone for a while when this happens again and again. */
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
