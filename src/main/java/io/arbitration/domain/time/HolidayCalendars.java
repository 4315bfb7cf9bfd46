package io.arbitration.domain.time;

import java.util.Optional;

/** The available holiday calendars. */
@FunctionalInterface
public interface HolidayCalendars {

    /** The calendar with that name. Fails with NoSuchElementException for a name that no rule set can have. */
    HolidayCalendar named(String name);

    /** The calendar of a place: its own, or that of the region or country to which it belongs. Empty if none of these is known. */
    default Optional<HolidayCalendar> at(Seat seat) {
        return Optional.empty();
    }

    /** Whether the place exists and has a calendar. */
    default boolean knows(Seat seat) {
        return at(seat).isPresent();
    }
}
