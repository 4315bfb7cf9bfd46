package io.arbitration.domain.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkingDaysTest {

    private static final LocalDate WEDNESDAY = LocalDate.parse("2026-12-23");
    private static final LocalDate MONDAY = LocalDate.parse("2026-12-28");
    /** Thursday and Friday are holidays, and a weekend follows. */
    private static final WorkingDays DAYS =
            new WorkingDays(Set.of(LocalDate.parse("2026-12-24"), LocalDate.parse("2026-12-25"))::contains, Closures.NONE, "us", Optional.empty());

    @Test
    void weekendsAndHolidaysAreDaysOff() {
        assertThat(DAYS.isWorkingDay(WEDNESDAY)).isTrue();
        for (LocalDate day = WEDNESDAY.plusDays(1); day.isBefore(MONDAY); day = day.plusDays(1)) {
            assertThat(DAYS.isWorkingDay(day)).as(day.toString()).isFalse();
        }
        assertThat(DAYS.isWorkingDay(MONDAY)).isTrue();
    }

    /** In the week of Thursday 2026-07-02 to Monday 2026-07-06. */
    @ParameterizedTest
    @CsvSource({"EG, 2026-07-03 2026-07-04", "SA, 2026-07-03 2026-07-04", "AF, 2026-07-02 2026-07-03", "IR, 2026-07-03", "IN, 2026-07-05", "AE, 2026-07-04 2026-07-05",
            "DE-BY, 2026-07-04 2026-07-05", "eg, 2026-07-03 2026-07-04", "nyse, 2026-07-04 2026-07-05"})
    void eachCountryHasItsWeekend(String code, String daysOff) {
        WorkingDays days = new WorkingDays(day -> false, Closures.NONE, code, Seat.of(code));
        assertThat(LocalDate.parse("2026-07-02").datesUntil(LocalDate.parse("2026-07-07")).filter(day -> !days.isWorkingDay(day)).map(LocalDate::toString))
                .containsExactly(daysOff.split(" "));
        assertThat(new WorkingDays(day -> false, Closures.NONE, "us", Seat.of("EG")).orNext(LocalDate.parse("2026-07-03"))).as("a Friday")
                .isEqualTo(LocalDate.parse("2026-07-05"));
    }

    @Test
    void aDayOffIsReplacedByTheNextWorkingDay() {
        assertThat(DAYS.orNext(WEDNESDAY)).isEqualTo(WEDNESDAY);
        assertThat(DAYS.orNext(WEDNESDAY.plusDays(1))).isEqualTo(MONDAY);
    }

    @Test
    void onlyWorkingDaysCountAndTheDayItselfDoesNot() {
        assertThat(DAYS.after(WEDNESDAY, 1)).isEqualTo(MONDAY);
        assertThat(DAYS.after(WEDNESDAY, 2)).isEqualTo(MONDAY.plusDays(1));
        assertThat(DAYS.after(WEDNESDAY.plusDays(1), 1)).as("counted from a day off").isEqualTo(MONDAY);
    }

    @Test
    void anInstitutionHasClosuresOfItsOwn() {
        WorkingDays days = new WorkingDays(day -> false, Closures.of(List.of("2026-12-22", "12-31", "02-29")), "us", Optional.empty());
        assertThat(List.of("2026-12-22", "2026-12-31", "2027-12-31", "2028-02-29").stream().map(LocalDate::parse)).noneMatch(days::isWorkingDay);
        assertThat(List.of("2027-12-22", "2026-12-30", "2028-02-28", "2027-03-01").stream().map(LocalDate::parse)).allMatch(days::isWorkingDay);
        assertThat(days.orNext(LocalDate.parse("2026-12-31"))).isEqualTo(LocalDate.parse("2027-01-01"));
        assertThat(days.words()).contains("working days of US and of the institution");
        assertThat(DAYS.words()).as("those that the rule set names").isEmpty();
    }

    @Test
    void aDayThatDoesNotExistIsNoClosure() {
        assertThat(List.of("2026-02-30", "2026-02-29", "02-30", "13-01", "2026-1-01", "x")).allSatisfy(text ->
                assertThat(Closures.problem(text)).contains(text + " is no day"));
        assertThat(List.of("2028-02-29", "02-29", "12-31")).allSatisfy(text -> assertThat(Closures.problem(text)).isEmpty());
    }
}
