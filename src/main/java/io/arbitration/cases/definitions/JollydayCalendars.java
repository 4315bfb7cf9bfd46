package io.arbitration.cases.definitions;

import de.focus_shift.jollyday.core.HolidayManager;
import io.arbitration.domain.time.HolidayCalendar;
import io.arbitration.domain.time.HolidayCalendars;
import io.arbitration.domain.time.Seat;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/**
 * The holiday calendars of Jollyday: those of rule sets, and those of countries and their regions. A country is read from the
 * class path at its first use, some 20 ms: the countries of all cases at the start, and that of a new case on a worker thread.
 */
public final class JollydayCalendars implements HolidayCalendars {

    /** Years whose holidays are computed at the start, because the deadlines of present cases are in them. */
    private static final int YEARS_AHEAD = 2;

    private final Map<String, Map<String, JollydayCalendar>> partsByCountry = new ConcurrentHashMap<>();
    private final int year;

    private JollydayCalendars(int year) {
        this.year = year;
    }

    /** With this year and the next ones computed for each used calendar, so that no request waits for it. */
    public static JollydayCalendars computedFrom(Clock clock) {
        return new JollydayCalendars(LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC).getYear());
    }

    /** The release of the library with the calendars. */
    static String release() {
        return String.valueOf(HolidayManager.class.getPackage().getImplementationVersion());
    }

    /** Fails with NoSuchElementException for an unknown name: the loader of the definitions has checked the names in rule sets. */
    @Override
    public HolidayCalendar named(String name) {
        return computed(JollydayCalendar.find(name).orElseThrow(() -> new NoSuchElementException("holiday calendar " + name)));
    }

    /**
     * The calendar of the place, or else of its region, or else of its country. If a case has a seat that ISO 3166-2 no longer
     * contains, the holidays of its country count.
     */
    @Override
    public Optional<HolidayCalendar> at(Seat seat) {
        return find(seat, partsByCountry.computeIfAbsent(seat.country(), JollydayCalendar::ofCountry)).map(this::computed);
    }

    /** Whether the place exists, and its holidays, or those of its region or country, are known. */
    @Override
    public boolean knows(Seat seat) {
        return isPlace(seat) && at(seat).isPresent();
    }

    /** The same without caching the calendar: for the start. */
    static boolean has(Seat seat) {
        return isPlace(seat) && find(seat, JollydayCalendar.ofCountry(seat.country())).isPresent();
    }

    private static boolean isPlace(Seat seat) {
        return seat.part().isEmpty() || Subdivisions.whole(seat).isPresent();
    }

    private static Optional<JollydayCalendar> find(Seat seat, Map<String, JollydayCalendar> parts) {
        JollydayCalendar own = parts.get(seat.part().toLowerCase(Locale.ROOT));
        return own != null ? Optional.of(own) : Subdivisions.whole(seat).filter(whole -> !whole.part().isEmpty()).flatMap(whole -> find(whole, parts))
                .or(() -> Optional.ofNullable(parts.get("")));
    }

    private JollydayCalendar computed(JollydayCalendar calendar) {
        IntStream.rangeClosed(year, year + YEARS_AHEAD).forEach(calendar::daysOff);
        return calendar;
    }
}
