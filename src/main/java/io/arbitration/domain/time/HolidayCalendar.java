package io.arbitration.domain.time;

import java.time.LocalDate;

/** The holidays of a country or region, without weekends. */
@FunctionalInterface
public interface HolidayCalendar {

    /** Whether the day is a holiday, whatever day of the week it is. */
    boolean isHoliday(LocalDate day);
}
