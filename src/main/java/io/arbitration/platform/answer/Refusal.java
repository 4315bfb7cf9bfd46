package io.arbitration.platform.answer;

import java.util.OptionalInt;

/** The refusal of a request: a value that is passed as a failed future, without a stack trace. */
public final class Refusal extends RuntimeException {

    private final int status;
    private final String code;
    private final OptionalInt retryAfterSeconds;
    private final boolean replayed;

    public Refusal(int status, String code, String text) {
        this(status, code, text, OptionalInt.empty(), false);
    }

    private Refusal(int status, String code, String text, OptionalInt retryAfterSeconds, boolean replayed) {
        super(text, null, false, false);
        this.status = status;
        this.code = code;
        this.retryAfterSeconds = retryAfterSeconds;
        this.replayed = replayed;
    }

    public static Refusal badRequest(String text) {
        return new Refusal(400, "request.invalid", text);
    }

    /** The same refusal with a {@code Retry-After} header. */
    public Refusal retryAfter(int seconds) {
        return new Refusal(status, code, getMessage(), OptionalInt.of(seconds), replayed);
    }

    /** The same refusal, for a request that repeats an earlier one. */
    public Refusal again() {
        return new Refusal(status, code, getMessage(), retryAfterSeconds, true);
    }

    public int status() {
        return status;
    }

    public String code() {
        return code;
    }

    public OptionalInt retryAfterSeconds() {
        return retryAfterSeconds;
    }

    public boolean isReplayed() {
        return replayed;
    }
}
