package io.arbitration.domain.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocalMomentTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            2027-03-01T09:00:00Z | Europe/Stockholm | Monday, 1 March 2027, 10:00 (Europe/Stockholm)
            2027-07-01T09:00:00Z | Europe/Stockholm | Thursday, 1 July 2027, 11:00 (Europe/Stockholm)
            2027-10-31T00:30:00Z | Europe/Stockholm | Sunday, 31 October 2027, 02:30 (Europe/Stockholm, UTC+02:00)
            2027-10-31T01:30:00Z | Europe/Stockholm | Sunday, 31 October 2027, 02:30 (Europe/Stockholm, UTC+01:00)
            2027-10-31T02:00:00Z | Europe/Stockholm | Sunday, 31 October 2027, 03:00 (Europe/Stockholm)
            2027-03-28T00:59:00Z | Europe/Stockholm | Sunday, 28 March 2027, 01:59 (Europe/Stockholm)
            2027-03-28T01:00:00Z | Europe/Stockholm | Sunday, 28 March 2027, 03:00 (Europe/Stockholm)
            2027-11-07T05:30:00Z | America/New_York | Sunday, 7 November 2027, 01:30 (America/New_York, UTC-04:00)
            2027-06-01T04:00:00Z | UTC              | Tuesday, 1 June 2027, 04:00 (UTC)
            """)
    void isReadByTheClocksOfTheZone(Instant instant, String zone, String text) {
        assertThat(LocalMoment.text(instant, ZoneId.of(zone))).isEqualTo(text);
    }
}
