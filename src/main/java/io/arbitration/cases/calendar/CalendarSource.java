package io.arbitration.cases.calendar;

import io.arbitration.domain.UserId;
import io.arbitration.domain.time.CalendarText;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;

/** Something of which the calendar of a user has entries. */
public interface CalendarSource {

    /**
     * The entries in the cases that the user takes part in now, the earliest first.
     *
     * @param from  when the first of them begins at the earliest
     * @param until when the last of them begins at the latest
     * @param limit how many at most: the earliest
     */
    Future<List<CalendarText.Entry>> earliest(UserId userId, Instant from, Instant until, int limit);

    /** The same, the latest first: where there are more than the limit, the latest stay. */
    Future<List<CalendarText.Entry>> latest(UserId userId, Instant from, Instant until, int limit);
}
