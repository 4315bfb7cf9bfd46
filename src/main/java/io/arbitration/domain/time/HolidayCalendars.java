package io.arbitration.domain.time;

import java.util.Optional;

/** The holiday calendars that there are. */
@FunctionalInterface
public interface HolidayCalendars {

    /** The calendar of that name. Fails with NoSuchElementException for one that no rule set can have. */
    HolidayCalendar named(String name);

    /** The calendar of a place; empty where its holidays are not known. */
    default Optional<HolidayCalendar> at(Seat seat) {
        return Optional.empty();
    }
}
