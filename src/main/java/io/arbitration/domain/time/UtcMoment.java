package io.arbitration.domain.time;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** An instant in UTC, as emails and push messages show it to people, in English. */
public final class UtcMoment {

    private static final DateTimeFormatter MINUTE = DateTimeFormatter.ofPattern("d MMMM uuuu, HH:mm 'UTC'", Locale.ENGLISH).withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("d MMMM uuuu", Locale.ENGLISH).withZone(ZoneOffset.UTC);

    private UtcMoment() {}

    /** The minute, for instance {@code 3 March 2026, 09:05 UTC}. */
    public static String minute(Instant at) {
        return MINUTE.format(at);
    }

    /** The day, for instance {@code 3 March 2026}. */
    public static String day(Instant at) {
        return DAY.format(at);
    }
}
