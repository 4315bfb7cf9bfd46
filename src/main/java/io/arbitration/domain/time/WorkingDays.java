package io.arbitration.domain.time;

import java.time.DayOfWeek;
import java.time.LocalDate;

/** The working days of a holiday calendar: all but its holidays, Saturdays and Sundays. */
public record WorkingDays(HolidayCalendar holidays) {

    /** Whether work is done that day. */
    public boolean isWorkingDay(LocalDate day) {
        return day.getDayOfWeek() != DayOfWeek.SATURDAY && day.getDayOfWeek() != DayOfWeek.SUNDAY && !holidays.isHoliday(day);
    }

    /** That day if it is a working day, else the next working day. */
    public LocalDate orNext(LocalDate day) {
        LocalDate next = day;
        while (!isWorkingDay(next)) {
            next = next.plusDays(1);
        }
        return next;
    }

    /** The last of that many working days after that day; the day itself does not count. */
    public LocalDate after(LocalDate day, int workingDays) {
        LocalDate last = day;
        for (int counted = 0; counted < workingDays; counted++) {
            last = orNext(last.plusDays(1));
        }
        return last;
    }
}
