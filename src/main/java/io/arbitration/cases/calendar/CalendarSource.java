package io.arbitration.cases.calendar;

import io.arbitration.domain.UserId;
import io.arbitration.domain.time.CalendarText;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;

/** A source of entries in the calendar of a user, such as hearings. */
public interface CalendarSource {

    /**
     * The entries in the cases that the user takes part in now, the earliest first.
     *
     * @param from the earliest start
     * @param until the latest start
     * @param limit the maximum number of entries; if there are more, the earliest
     */
    Future<List<CalendarText.Entry>> earliest(UserId userId, Instant from, Instant until, int limit);

    /** The same, the latest first; if there are more than the limit, the latest. */
    Future<List<CalendarText.Entry>> latest(UserId userId, Instant from, Instant until, int limit);
}
