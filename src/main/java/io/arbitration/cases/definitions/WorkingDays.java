package io.arbitration.cases.definitions;

import de.focus_shift.jollyday.core.CalendarHierarchy;
import de.focus_shift.jollyday.core.Holiday;
import de.focus_shift.jollyday.core.HolidayManager;
import de.focus_shift.jollyday.core.HolidayType;
import de.focus_shift.jollyday.core.ManagerParameters;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.Year;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The working days of a holiday calendar: all but Saturdays, Sundays and its public and bank holidays.
 *
 * <p>Source: Jollyday, whose calendars are named by country and then region, such as {@code us} or {@code de-by}.
 * Making one reads the calendar from the class path: for the start, not for an event loop. Asking computes a year at
 * its first use and keeps it.
 */
public final class WorkingDays {
    /** Days off that only some people keep are working days. */
    private static final Set<HolidayType> DAYS_OFF = Set.of(HolidayType.PUBLIC_HOLIDAY, HolidayType.BANK_HOLIDAY);
    /** Years that the calendars are good for; outside, only weekends are days off. Bounds what is kept. */
    private static final int YEAR_MIN = 1900;
    private static final int YEAR_MAX = 2200;

    private final HolidayManager holidays;
    private final String[] region;
    private final Map<Integer, Set<LocalDate>> daysOffByYear = new ConcurrentHashMap<>();

    private WorkingDays(HolidayManager holidays, String[] region) {
        this.holidays = holidays;
        this.region = region;
    }

    /** The working days of that calendar; empty when there is no such calendar. */
    static Optional<WorkingDays> find(String calendar) {
        String[] names = calendar.split("-");
        if (!HolidayManager.getSupportedCalendarCodes().contains(names[0].toUpperCase(Locale.ROOT))) {
            return Optional.empty();
        }
        HolidayManager holidays = HolidayManager.getInstance(ManagerParameters.create(names[0]));
        String[] region = Arrays.copyOfRange(names, 1, names.length);
        CalendarHierarchy at = holidays.getCalendarHierarchy();
        for (String part : region) {
            at = at.getChildren().get(part);
            if (at == null) {
                return Optional.empty();
            }
        }
        return Optional.of(new WorkingDays(holidays, region));
    }

    /** The same; fails with NoSuchElementException, since the loader has checked the calendars of rule sets. */
    public static WorkingDays of(String calendar) {
        return find(calendar).orElseThrow(() -> new NoSuchElementException("holiday calendar " + calendar));
    }

    /** Whether work is done that day. */
    public boolean isWorkingDay(LocalDate day) {
        return day.getDayOfWeek() != DayOfWeek.SATURDAY && day.getDayOfWeek() != DayOfWeek.SUNDAY
                && !daysOff(day.getYear()).contains(day);
    }

    /** That day, or else the next working day. */
    public LocalDate orNext(LocalDate day) {
        LocalDate next = day;
        while (!isWorkingDay(next)) {
            next = next.plusDays(1);
        }
        return next;
    }

    /** The so-manyth working day after that day, which itself does not count. */
    public LocalDate after(LocalDate day, int workingDays) {
        LocalDate last = day;
        for (int counted = 0; counted < workingDays; counted++) {
            last = orNext(last.plusDays(1));
        }
        return last;
    }

    private Set<LocalDate> daysOff(int year) {
        return year < YEAR_MIN || year > YEAR_MAX ? Set.of() : daysOffByYear.computeIfAbsent(year, this::computeDaysOff);
    }

    /** The years beside it are asked too: New Year's Day on a Saturday is kept on the last day of the year before. */
    private Set<LocalDate> computeDaysOff(int year) {
        return IntStream.rangeClosed(year - 1, year + 1)
                .mapToObj(near -> holidays.getHolidays(Year.of(near), region))
                .flatMap(Set::stream)
                .filter(holiday -> DAYS_OFF.contains(holiday.getType()))
                .map(Holiday::getDate)
                .filter(day -> day.getYear() == year)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Computes those years now, so that no request waits for it. */
    public WorkingDays prepared(List<Integer> years) {
        years.forEach(this::daysOff);
        return this;
    }
}
