package io.arbitration.emails.smtp;

import java.time.Instant;

/**
 * The result of one attempt to send.
 *
 * @param code of the mail server's answer; null without an answer
 * @param error the text of the answer, or the reason why there was none; null if the server accepted the mail
 */
record SendAttempt(Instant at, Integer code, String error, int durationMillis) {

    static final int ERROR_LENGTH_MAX = 500;
}
