package io.arbitration.domain.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WorkingDaysTest {

    private static final LocalDate WEDNESDAY = LocalDate.parse("2026-12-23");
    private static final LocalDate MONDAY = LocalDate.parse("2026-12-28");
    /** Thursday and Friday are holidays, and a weekend follows. */
    private static final WorkingDays DAYS =
            new WorkingDays(Set.of(LocalDate.parse("2026-12-24"), LocalDate.parse("2026-12-25"))::contains);

    @Test
    void weekendsAndHolidaysAreDaysOff() {
        assertThat(DAYS.isWorkingDay(WEDNESDAY)).isTrue();
        for (LocalDate day = WEDNESDAY.plusDays(1); day.isBefore(MONDAY); day = day.plusDays(1)) {
            assertThat(DAYS.isWorkingDay(day)).as(day.toString()).isFalse();
        }
        assertThat(DAYS.isWorkingDay(MONDAY)).isTrue();
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
}
