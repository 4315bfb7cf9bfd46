package io.arbitration.domain.time;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.MonthDay;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Days, in addition to the holidays, on which an institution does not work.
 *
 * @param once days of one year
 * @param everyYear days of every year; 29 February applies in leap years
 */
public record Closures(Set<LocalDate> once, Set<MonthDay> everyYear) {

    public static final Closures NONE = new Closures(Set.of(), Set.of());

    public Closures {
        once = Set.copyOf(once);
        everyYear = Set.copyOf(everyYear);
    }

    /** The closures in these texts, each a day such as {@code 2026-12-24}, or of every year such as {@code 12-31}. */
    public static Closures of(List<String> texts) {
        Set<LocalDate> once = new HashSet<>();
        Set<MonthDay> everyYear = new HashSet<>();
        texts.forEach(text -> {
            if (text.length() == "12-31".length()) {
                everyYear.add(MonthDay.parse("--" + text));
            } else {
                once.add(LocalDate.parse(text));
            }
        });
        return new Closures(once, everyYear);
    }

    /** The problem with the text of a closure; empty if it is valid. */
    public static Optional<String> problem(String text) {
        try {
            of(List.of(text));
            return Optional.empty();
        } catch (DateTimeException none) {
            return Optional.of(text + " is no day");
        }
    }

    public boolean include(LocalDate day) {
        return once.contains(day) || everyYear.contains(MonthDay.from(day));
    }

    public boolean isEmpty() {
        return once.isEmpty() && everyYear.isEmpty();
    }
}
