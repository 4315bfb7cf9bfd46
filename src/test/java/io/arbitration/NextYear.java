package io.arbitration;

import java.time.Instant;
import java.time.LocalDate;
import java.time.Year;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Days of the year after this one: what a test needs to be in the future is so whenever it runs. */
public final class NextYear {

    private static final int YEAR = Year.now(ZoneOffset.UTC).getValue() + 1;
    private static final DateTimeFormatter WORDS = DateTimeFormatter.ofPattern("EEEE, d MMMM uuuu", Locale.ENGLISH);

    private NextYear() {}

    /** A time such as {@code 07-01T09:00:00Z} of that year. */
    public static String at(String time) {
        return YEAR + "-" + time;
    }

    /** The same as an instant. */
    public static Instant instant(String time) {
        return Instant.parse(at(time));
    }

    /** A day such as {@code 04-04} of that year, as people read it: {@code Sunday, 4 April 2027}. */
    public static String words(String day) {
        return WORDS.format(LocalDate.parse(at(day)));
    }

    /** The keys that somebody types into a field for a date: {@code 0404} and that year. */
    public static String keys(String dayAndMonth) {
        return dayAndMonth + YEAR;
    }
}
