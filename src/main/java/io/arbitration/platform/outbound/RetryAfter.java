package io.arbitration.platform.outbound;

import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;

/** The header {@code Retry-After} of an answer (RFC 9110, section 10.2.3), from zero to {@link #MAX}. */
public final class RetryAfter {

    public static final Duration MAX = Duration.ofHours(24);

    private RetryAfter() {}

    /** How long the answer asks to wait: the header gives seconds or a date. Zero when there is no header or it is neither. */
    public static Duration of(String header, Instant now) {
        if (header == null) {
            return Duration.ZERO;
        }
        String text = header.strip();
        if (text.matches("[0-9]{1,9}")) {
            return bounded(Duration.ofSeconds(Long.parseLong(text)));
        }
        try {
            return bounded(Duration.between(now, ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant()));
        } catch (DateTimeParseException neither) {
            return Duration.ZERO;
        }
    }

    private static Duration bounded(Duration asked) {
        return asked.isNegative() ? Duration.ZERO : asked.compareTo(MAX) > 0 ? MAX : asked;
    }
}
