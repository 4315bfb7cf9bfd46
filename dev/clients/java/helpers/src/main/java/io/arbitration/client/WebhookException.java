package io.arbitration.client;

/** A webhook that is not to be believed: answer 401, and process nothing. */
public final class WebhookException extends Exception {

    private static final long serialVersionUID = 1L;

    /** What is wrong with it. */
    public enum Problem {
        /** A header is missing or malformed. */
        HEADERS,
        /** It was signed too long ago, or in the future. */
        TIME,
        /** No signature holds with any of the secrets. */
        SIGNATURE,
        /** It is signed, and is no event. */
        BODY
    }

    private final Problem problem;

    WebhookException(Problem problem, String message, Throwable cause) {
        super(message, cause);
        this.problem = problem;
    }

    /** What is wrong with it. */
    public Problem getProblem() {
        return problem;
    }
}
