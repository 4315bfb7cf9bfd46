package io.arbitration.domain.time;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Timestamps in the form of all interfaces: ISO 8601, UTC, milliseconds. */
public final class Timestamps {

    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999Z");

    private Timestamps() {}

    public static String text(Instant instant) {
        return FORMAT.format(instant);
    }

    /**
     * The instant of a timestamp with an offset (RFC 3339, section 5.6), to the millisecond; empty for any other text, and for
     * years outside of 1970 to 9999.
     */
    public static Optional<Instant> parse(String text) {
        try {
            Instant instant = milliseconds(OffsetDateTime.parse(text).toInstant());
            return instant.isBefore(Instant.EPOCH) || instant.isAfter(LAST) ? Optional.empty() : Optional.of(instant);
        } catch (DateTimeException noTimestamp) {
            return Optional.empty();
        }
    }

    /** The instant in milliseconds: the stored and the hashed time must equal the shown one. */
    public static Instant milliseconds(Instant instant) {
        return instant.truncatedTo(ChronoUnit.MILLIS);
    }
}
