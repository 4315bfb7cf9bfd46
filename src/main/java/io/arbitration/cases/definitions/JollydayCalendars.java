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
 * The holiday calendars of Jollyday: those that rule sets name, and those of countries and their parts. A country is read from the class
 * path when it is asked for first, some 20 ms: the countries of all cases are asked for at the start, and that of a new case on a worker.
 */
public final class JollydayCalendars implements HolidayCalendars {

    /** Years whose holidays are computed at the start: those in which the deadlines of today's cases fall. */
    private static final int YEARS_AHEAD = 2;

    private final Map<String, Map<String, JollydayCalendar>> partsByCountry = new ConcurrentHashMap<>();
    private final int year;

    private JollydayCalendars(int year) {
        this.year = year;
    }

    /** With this year and the next ones computed for each calendar that is asked for, so that no request waits for that. */
    public static JollydayCalendars computedFrom(Clock clock) {
        return new JollydayCalendars(LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC).getYear());
    }

    /** The release of the library that has the calendars. */
    static String release() {
        return String.valueOf(HolidayManager.class.getPackage().getImplementationVersion());
    }

    /** Fails with NoSuchElementException for an unknown name: the loader of the definitions has checked the names in rule sets. */
    @Override
    public HolidayCalendar named(String name) {
        return computed(JollydayCalendar.find(name).orElseThrow(() -> new NoSuchElementException("holiday calendar " + name)));
    }

    /**
     * That of the place, or else of what it is a part of: a region, then the country. A case may have a seat that ISO 3166-2 does not have any
     * more: its country's holidays count.
     */
    @Override
    public Optional<HolidayCalendar> at(Seat seat) {
        return find(seat, partsByCountry.computeIfAbsent(seat.country(), JollydayCalendar::ofCountry)).map(this::computed);
    }

    /** Whether there is such a place, and its holidays or those of what it is a part of are known. */
    @Override
    public boolean knows(Seat seat) {
        return isPlace(seat) && at(seat).isPresent();
    }

    /** The same without keeping what was read: for the start. */
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
