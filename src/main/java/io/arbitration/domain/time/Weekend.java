package io.arbitration.domain.time;

import java.time.DayOfWeek;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The weekend of each country: the days of weekData in CLDR 48, of which the Java platform has only the first day of the week. */
final class Weekend {

    private static final Set<DayOfWeek> USUAL = Set.of(DayOfWeek.SATURDAY, DayOfWeek.SUNDAY);
    private static final Map<String, Set<DayOfWeek>> BY_COUNTRY = Stream.of(
            countries(Set.of(DayOfWeek.FRIDAY, DayOfWeek.SATURDAY), "BH", "DZ", "EG", "IL", "IQ", "JO", "KW", "LY", "OM", "QA", "SA", "SD", "SY", "YE"),
            countries(Set.of(DayOfWeek.THURSDAY, DayOfWeek.FRIDAY), "AF"),
            countries(Set.of(DayOfWeek.FRIDAY), "IR"),
            countries(Set.of(DayOfWeek.SUNDAY), "IN", "UG"))
            .flatMap(each -> each.entrySet().stream()).collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));

    private Weekend() {}

    private static Map<String, Set<DayOfWeek>> countries(Set<DayOfWeek> days, String... codes) {
        return Stream.of(codes).collect(Collectors.toMap(code -> code, code -> days));
    }

    /**
     * The weekend of the country of a place or of a holiday calendar.
     *
     * @param code such as {@code EG}, {@code DE-BY} or {@code us}; Saturday and Sunday for a code without a country
     */
    static Set<DayOfWeek> of(String code) {
        return BY_COUNTRY.getOrDefault(code.split("-", 2)[0].toUpperCase(Locale.ROOT), USUAL);
    }
}
