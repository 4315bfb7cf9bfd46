package io.arbitration.platform.http;

import java.util.OptionalInt;

/** The answer to a request that is refused: a value that travels as a failed future, without a stack trace. */
public final class Refusal extends RuntimeException {

    private final int status;
    private final String code;
    private final OptionalInt retryAfterSeconds;

    public Refusal(int status, String code, String text) {
        this(status, code, text, OptionalInt.empty());
    }

    private Refusal(int status, String code, String text, OptionalInt retryAfterSeconds) {
        super(text, null, false, false);
        this.status = status;
        this.code = code;
        this.retryAfterSeconds = retryAfterSeconds;
    }

    public static Refusal badRequest(String text) {
        return new Refusal(400, "request.invalid", text);
    }

    /** The same refusal with a {@code Retry-After} header. */
    public Refusal retryAfter(int seconds) {
        return new Refusal(status, code, getMessage(), OptionalInt.of(seconds));
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
}
