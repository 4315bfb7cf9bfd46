package io.arbitration.cases.definitions;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.domain.time.Seat;
import java.time.Clock;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The holidays of the seats of cases. */
class JollydayCalendarsTest {

    private static final JollydayCalendars CALENDARS = JollydayCalendars.computedFrom(Clock.systemUTC());

    @ParameterizedTest
    @CsvSource({
        "DE-BY, 2027-01-06, true, Epiphany is kept in Bavaria",
        "DE-HE, 2027-01-06, false, and not in Hesse",
        "DE, 2027-01-06, false, nor in all of Germany",
        "DE-BY, 2026-10-03, true, a part keeps the holidays of its country too",
        "SE, 2026-06-06, true, the National Day of Sweden",
        "SE-AB, 2026-06-06, true, a country whose parts all keep the same",
        "FR-2A, 2026-07-14, true, parts may have letters",
        "GB-SCT, 2026-11-30, true, St Andrew's Day"})
    void eachSeatKeepsItsOwn(String seat, LocalDate day, boolean isHoliday, String why) {
        assertThat(CALENDARS.at(Seat.of(seat).orElseThrow()).orElseThrow().isHoliday(day)).as(why).isEqualTo(isHoliday);
    }

    @ParameterizedTest
    @ValueSource(strings = {"QQ", "DE-QQ", "UK", "QQ-BY"})
    void aPlaceWhoseHolidaysAreNotKnownHasNoCalendar(String seat) {
        assertThat(CALENDARS.at(Seat.of(seat).orElseThrow())).isEmpty();
        assertThat(JollydayCalendars.has(Seat.of(seat).orElseThrow())).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "de-by", "DE-", "DEU", "DE BY", "DE-BAVA", "D", "ÅL", "DE-BY-A"})
    void whatIsNoCodeIsNoSeat(String text) {
        assertThat(Seat.of(text)).isEmpty();
    }

    @Test
    void namesOfRuleSetsAreNoSeats() {
        assertThat(CALENDARS.named("nyse").isHoliday(LocalDate.parse("2026-11-26"))).isTrue();
    }
}
