package io.arbitration.cases.calendar;

import io.arbitration.domain.UserId;
import io.arbitration.domain.time.CalendarText;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;

/** Something of which the calendar of a user has entries. */
@FunctionalInterface
public interface CalendarSource {

    /**
     * The entries in the cases that the user takes part in now, the earliest first.
     *
     * @param from  when the first of them begins at the earliest
     * @param until when the last of them begins at the latest
     * @param limit how many at most
     */
    Future<List<CalendarText.Entry>> ofUser(UserId userId, Instant from, Instant until, int limit);
}
