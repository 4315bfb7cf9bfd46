package io.arbitration.domain.time;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The working days of an institution: all days except holidays, its closures and the weekends of the country.
 *
 * @param calendar the name of the holiday calendar, such as {@code us}
 * @param seat the place whose holidays count; empty: those of the calendar in the rule set
 */
public record WorkingDays(HolidayCalendar holidays, Closures closures, String calendar, Optional<Seat> seat, Set<DayOfWeek> weekend) {

    /** With the weekend of the seat, or else of the country of the calendar. */
    public WorkingDays(HolidayCalendar holidays, Closures closures, String calendar, Optional<Seat> seat) {
        this(holidays, closures, calendar, seat, Weekend.of(seat.map(Seat::code).orElse(calendar)));
    }

    /** Whether that day is a working day. */
    public boolean isWorkingDay(LocalDate day) {
        return !weekend.contains(day.getDayOfWeek()) && !holidays.isHoliday(day) && !closures.include(day);
    }

    /** That day if it is a working day, else the next working day. */
    public LocalDate orNext(LocalDate day) {
        LocalDate next = day;
        while (!isWorkingDay(next)) {
            next = next.plusDays(1);
        }
        return next;
    }

    /** The last day of this number of working days after that day; the day itself does not count. */
    public LocalDate after(LocalDate day, int workingDays) {
        LocalDate last = day;
        for (int counted = 0; counted < workingDays; counted++) {
            last = orNext(last.plusDays(1));
        }
        return last;
    }

    /** The place whose working days they are, in words; empty if only the calendar of the rule set counts. */
    Optional<String> words() {
        return seat.isEmpty() && closures.isEmpty() ? Optional.empty() : Optional.of("working days of " + seat.map(Seat::code).orElse(calendar.toUpperCase(Locale.ROOT)) + (closures.isEmpty() ? "" : " and of the institution"));
    }
}
