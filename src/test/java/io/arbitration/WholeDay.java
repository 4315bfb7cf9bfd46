package io.arbitration;

import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;

/** For tests of what is counted by the day, which last some seconds: they must not begin on one day and end on the next. */
public final class WholeDay {

    private static final LocalTime LAST_MINUTE = LocalTime.of(23, 59);

    private WholeDay() {}

    /** Waits in the last minute of a day for the next one. */
    public static void in(ZoneId zone) {
        Await.until("the next day has begun in " + zone, Duration.ofSeconds(90), () -> ZonedDateTime.now(zone).toLocalTime().isBefore(LAST_MINUTE));
    }
}
