package io.arbitration.domain.time;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** A point in time as text for people in a time zone. */
public final class LocalMoment {

    private static final DateTimeFormatter WHEN = DateTimeFormatter.ofPattern("EEEE, d MMMM uuuu, HH:mm", Locale.ENGLISH);
    private static final DateTimeFormatter WHICH = DateTimeFormatter.ofPattern("xxx", Locale.ENGLISH);

    private LocalMoment() {}

    /** To the minute; if the local time occurs twice, with a mark which of the two it is. */
    public static String text(Instant instant, ZoneId zone) {
        ZonedDateTime local = instant.atZone(zone);
        boolean isTwice = zone.getRules().getValidOffsets(local.toLocalDateTime()).size() > 1;
        return "%s (%s%s)".formatted(WHEN.format(local), zone.getId(), isTwice ? ", UTC" + WHICH.format(local) : "");
    }
}
