package io.arbitration.emails.smtp;

import java.time.Instant;

/**
 * How one attempt to send went.
 *
 * @param code of the mail server's answer; null when there was none
 * @param error what it said, or what happened instead of an answer; null when it took the mail
 */
record SendAttempt(Instant at, Integer code, String error, int durationMillis) {

    static final int ERROR_LENGTH_MAX = 500;
}
