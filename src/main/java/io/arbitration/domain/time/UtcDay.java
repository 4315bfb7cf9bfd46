package io.arbitration.domain.time;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;

/** The day (UTC) to which daily bounds apply, wherever a user is. */
public final class UtcDay {

    private UtcDay() {}

    public static LocalDate of(Instant now) {
        return LocalDate.ofInstant(now, ZoneOffset.UTC);
    }

    /** The seconds until the next day, rounded up; at least 1. */
    public static int secondsToNext(Instant now) {
        Instant next = of(now).plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant();
        return (int) Math.max(1, Duration.between(now, next).plusMillis(999).toSeconds());
    }
}
