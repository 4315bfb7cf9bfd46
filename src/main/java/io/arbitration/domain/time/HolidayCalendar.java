package io.arbitration.domain.time;

import java.time.LocalDate;

/** The days off of a country or region, weekends aside. */
@FunctionalInterface
public interface HolidayCalendar {

    /** Whether nobody is expected to work that day, whatever day of the week it is. */
    boolean isHoliday(LocalDate day);
}
