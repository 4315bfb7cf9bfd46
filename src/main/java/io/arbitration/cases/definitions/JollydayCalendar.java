package io.arbitration.cases.definitions;

import de.focus_shift.jollyday.core.CalendarHierarchy;
import de.focus_shift.jollyday.core.Holiday;
import de.focus_shift.jollyday.core.HolidayManager;
import de.focus_shift.jollyday.core.HolidayType;
import de.focus_shift.jollyday.core.ManagerParameters;
import io.arbitration.domain.time.HolidayCalendar;
import java.time.LocalDate;
import java.time.Year;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The public and bank holidays of a Jollyday calendar, named by country and then region: {@code us}, {@code de-by}.
 *
 * <p>Creating one reads the calendar from the class path, which is slow: do it at the start, not on an event loop. The holidays
 * of a year are computed at its first use and cached.
 */
public final class JollydayCalendar implements HolidayCalendar {

    /** A holiday of only some people, such as a religious one, is a working day. */
    private static final Set<HolidayType> DAYS_OFF = Set.of(HolidayType.PUBLIC_HOLIDAY, HolidayType.BANK_HOLIDAY);
    /** Outside of these years only weekends are days off. This bounds the number of cached years. */
    private static final int YEAR_MIN = 1900;
    private static final int YEAR_MAX = 2200;
    /** Jollyday also has calendars of stock exchanges. */
    private static final Set<String> COUNTRIES = Set.of(Locale.getISOCountries());

    private final HolidayManager holidays;
    private final String[] region;
    private final Map<Integer, Set<LocalDate>> daysOffByYear = new ConcurrentHashMap<>();

    private JollydayCalendar(HolidayManager holidays, String[] region) {
        this.holidays = holidays;
        this.region = region;
    }

    /** The calendar with that name; empty if there is none. */
    static Optional<JollydayCalendar> find(String name) {
        String[] names = name.split("-");
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
        return Optional.of(new JollydayCalendar(holidays, region));
    }

    /**
     * The calendars of a country by the names of its regions, in lower case; that of the whole country has an empty name. Empty
     * for an unknown country.
     */
    static Map<String, JollydayCalendar> ofCountry(String code) {
        if (!COUNTRIES.contains(code) || !HolidayManager.getSupportedCalendarCodes().contains(code)) {
            return Map.of();
        }
        HolidayManager holidays = HolidayManager.getInstance(ManagerParameters.create(code.toLowerCase(Locale.ROOT)));
        Map<String, JollydayCalendar> parts = new HashMap<>();
        parts.put("", new JollydayCalendar(holidays, new String[0]));
        holidays.getCalendarHierarchy().getChildren().keySet()
                .forEach(part -> parts.put(part.toLowerCase(Locale.ROOT), new JollydayCalendar(holidays, new String[] {part})));
        return Map.copyOf(parts);
    }

    @Override
    public boolean isHoliday(LocalDate day) {
        return daysOff(day.getYear()).contains(day);
    }

    /** The holidays of a year, computed at the first call. */
    Set<LocalDate> daysOff(int year) {
        return year < YEAR_MIN || year > YEAR_MAX ? Set.of() : daysOffByYear.computeIfAbsent(year, this::computeDaysOff);
    }

    /** Includes the years before and after: a New Year's Day on a Saturday is observed on the last day of the year before. */
    private Set<LocalDate> computeDaysOff(int year) {
        return IntStream.rangeClosed(year - 1, year + 1)
                .mapToObj(near -> holidays.getHolidays(Year.of(near), region))
                .flatMap(Set::stream)
                .filter(holiday -> DAYS_OFF.contains(holiday.getType()))
                .map(Holiday::getDate)
                .filter(day -> day.getYear() == year)
                .collect(Collectors.toUnmodifiableSet());
    }
}
