package io.arbitration.cases.definitions;

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

    /** Fails with NoSuchElementException for an unknown name: the loader of the definitions has checked the names in rule sets. */
    @Override
    public HolidayCalendar named(String name) {
        return computed(JollydayCalendar.find(name).orElseThrow(() -> new NoSuchElementException("holiday calendar " + name)));
    }

    /** That of the part of the country, or of a country whose parts all keep the same holidays. */
    @Override
    public Optional<HolidayCalendar> at(Seat seat) {
        return find(seat, partsByCountry.computeIfAbsent(seat.country(), JollydayCalendar::ofCountry)).map(this::computed);
    }

    /** Whether there is a calendar of that place. Reads it: for the start. */
    static boolean has(Seat seat) {
        return find(seat, JollydayCalendar.ofCountry(seat.country())).isPresent();
    }

    private static Optional<JollydayCalendar> find(Seat seat, Map<String, JollydayCalendar> parts) {
        String part = seat.part().toLowerCase(Locale.ROOT);
        boolean isUniform = parts.size() == 1;
        return Optional.ofNullable(parts.get(isUniform ? "" : part));
    }

    private JollydayCalendar computed(JollydayCalendar calendar) {
        IntStream.rangeClosed(year, year + YEARS_AHEAD).forEach(calendar::daysOff);
        return calendar;
    }
}
