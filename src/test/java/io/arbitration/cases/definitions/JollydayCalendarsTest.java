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
        "GB-SCT, 2026-11-30, true, St Andrew's Day",
        "GB-ENG, 2027-03-29, true, Easter Monday in England",
        "GB-LND, 2027-03-29, true, and so in the City of London which has no calendar of its own",
        "GB-EDH, 2027-03-29, false, but not in Edinburgh",
        "FR-IDF, 2027-07-14, true, a region without a calendar keeps the holidays of its country",
        "FR-75C, 2027-07-14, true, and so does Paris",
        "FR-67, 2027-12-26, true, a department has its own",
        "IT-MI, 2027-04-25, true, Milan those of Italy",
        "MX-CMX, 2027-09-16, true, Mexico City those of Mexico",
        "BR-DF, 2027-09-07, true, Brasilia those of Brazil",
        "US-PR, 2027-07-05, true, and Puerto Rico those of the United States"})
    void eachSeatKeepsItsOwn(String seat, LocalDate day, boolean isHoliday, String why) {
        assertThat(CALENDARS.at(Seat.of(seat).orElseThrow()).orElseThrow().isHoliday(day)).as(why).isEqualTo(isHoliday);
    }

    @ParameterizedTest
    @ValueSource(strings = {"QQ", "DE-QQ", "SE-QQ", "FR-75", "UK", "QQ-BY", "AQ", "IL-TA"})
    void aPlaceThatIsNotThereOrWhoseHolidaysAreNotKnownIsNoSeat(String seat) {
        assertThat(CALENDARS.knows(Seat.of(seat).orElseThrow())).isFalse();
        assertThat(JollydayCalendars.has(Seat.of(seat).orElseThrow())).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "de-by", "DE-", "DEU", "DE BY", "DE-BAVA", "D", "ÅL", "DE-BY-A"})
    void whatIsNoCodeIsNoSeat(String text) {
        assertThat(Seat.of(text)).isEmpty();
    }

    @Test
    void aCaseWhosePlaceIsGoneFromTheStandardCountsTheDaysOfItsCountry() {
        assertThat(CALENDARS.at(Seat.of("SE-QQ").orElseThrow()).orElseThrow().isHoliday(LocalDate.parse("2026-06-06"))).isTrue();
        assertThat(CALENDARS.at(Seat.of("QQ-BY").orElseThrow())).isEmpty();
    }

    @Test
    void namesOfRuleSetsAreNoSeats() {
        assertThat(CALENDARS.named("nyse").isHoliday(LocalDate.parse("2026-11-26"))).isTrue();
    }
}
