package io.arbitration.domain.time;

import java.util.Optional;

/** The holiday calendars that there are. */
@FunctionalInterface
public interface HolidayCalendars {

    /** The calendar of that name. Fails with NoSuchElementException for one that no rule set can have. */
    HolidayCalendar named(String name);

    /** The calendar that counts at a place: its own, or that of what it is a part of. Empty where none of these is known. */
    default Optional<HolidayCalendar> at(Seat seat) {
        return Optional.empty();
    }

    /** Whether there is such a place, at which a calendar counts. */
    default boolean knows(Seat seat) {
        return at(seat).isPresent();
    }
}
