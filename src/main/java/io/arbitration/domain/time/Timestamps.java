package io.arbitration.domain.time;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;

/** Timestamps as every interface writes them: ISO 8601, UTC, milliseconds. */
public final class Timestamps {

    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private Timestamps() {}

    public static String text(Instant instant) {
        return FORMAT.format(instant);
    }

    /** The instant as it can be written: what is stored and hashed must be what is shown. */
    public static Instant milliseconds(Instant instant) {
        return instant.truncatedTo(ChronoUnit.MILLIS);
    }
}
