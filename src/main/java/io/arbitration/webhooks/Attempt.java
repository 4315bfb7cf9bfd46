package io.arbitration.webhooks;

import java.time.Instant;

/**
 * How one attempt went.
 *
 * @param status of the answer; null when there was none
 * @param error what happened instead of an answer; null when there was one
 * @param response the beginning of the answer's body as text; null when there was none
 */
record Attempt(Instant at, Integer status, String error, int durationMillis, String response) {

    static final int RESPONSE_LENGTH_MAX = 4096;
    private static final int GONE = 410;

    boolean succeeded() {
        return status != null && status >= 200 && status < 300;
    }

    /** The receiver said that it will never take an event again. */
    boolean isGone() {
        return status != null && status == GONE;
    }
}
