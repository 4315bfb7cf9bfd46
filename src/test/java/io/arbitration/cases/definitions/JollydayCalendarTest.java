package io.arbitration.cases.definitions;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.domain.time.Closures;
import io.arbitration.domain.time.WorkingDays;
import java.time.LocalDate;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JollydayCalendarTest {

    @ParameterizedTest
    @CsvSource({
        "us, 2026-11-26, false, Thanksgiving",
        "us, 2026-11-27, true, the day after it is no federal holiday",
        "us, 2026-11-28, false, a Saturday",
        "us, 2026-11-29, false, a Sunday",
        "us, 2026-07-03, false, Independence Day on a Saturday is kept on the Friday",
        "us, 2027-12-31, false, New Year's Day of 2028 is a Saturday and kept in the year before",
        "us, 2026-12-31, true, New Year's Day of 2027 is a Friday",
        "de, 2026-10-03, false, German Unity Day",
        "de, 2026-04-03, false, Good Friday",
        "de, 2026-04-06, false, Easter Monday",
        "de, 2027-05-17, false, Whit Monday",
        "de, 2026-01-06, true, Epiphany is not kept in all of Germany",
        "de-by, 2026-01-06, false, but it is in Bavaria",
        "de-by, 2026-05-01, false, a region keeps the holidays of its country too",
        "gb-eng, 2026-08-31, false, a bank holiday"})
    void weekendsAndHolidaysAreDaysOff(String calendar, LocalDate day, boolean isWorkingDay, String why) {
        assertThat(workingDays(calendar).isWorkingDay(day)).as(why).isEqualTo(isWorkingDay);
    }

    @Test
    void anUnknownCalendarOrRegionIsNotFound() {
        assertThat(JollydayCalendar.find("atlantis")).isEmpty();
        assertThat(JollydayCalendar.find("de-atlantis")).isEmpty();
    }

    private static WorkingDays workingDays(String calendar) {
        return new WorkingDays(JollydayCalendar.find(calendar).orElseThrow(), Closures.NONE, calendar, Optional.empty());
    }

    @Test
    void theDayItselfDoesNotCountAmongTheDaysAfterIt() {
        assertThat(workingDays("de").after(LocalDate.parse("2026-12-23"), 2)).isEqualTo(LocalDate.parse("2026-12-28"));
    }
}
