package io.arbitration.domain.time;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.domain.time.CalendarText.Entry;
import io.arbitration.domain.time.CalendarText.Method;
import java.io.StringReader;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Optional;
import net.fortuna.ical4j.data.CalendarBuilder;
import net.fortuna.ical4j.model.Calendar;
import net.fortuna.ical4j.model.component.VEvent;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A library that is not ours reads what we write, and understands the times as they are meant. */
class CalendarReadersTest {

    /**
     * Winter, summer, the hours around both changes, southern summer, half hours, a zone that changed its rules, and none; and past ones by the rules of their
     * time: Moscow an hour further ahead, and Samoa on both sides of the day that it left out.
     */
    @ParameterizedTest
    @CsvSource({"2026-12-01T09:00:00Z,Europe/Stockholm", "2026-07-01T09:00:00Z,Europe/Stockholm", "2026-03-29T00:59:00Z,Europe/Stockholm",
        "2026-03-29T01:00:00Z,Europe/Stockholm", "2026-10-24T23:30:00Z,Europe/Stockholm", "2026-10-25T00:30:00Z,Europe/Stockholm",
        "2026-10-25T01:30:00Z,Europe/Stockholm", "2026-11-01T05:30:00Z,America/New_York", "2026-11-01T06:30:00Z,America/New_York",
        "2027-01-05T00:00:00Z,Australia/Lord_Howe", "2026-06-01T04:00:00Z,Asia/Kolkata", "2026-06-01T04:00:00Z,Asia/Kathmandu",
        "2026-06-01T04:00:00Z,UTC", "2012-06-01T04:00:00Z,Europe/Moscow", "2016-06-01T04:00:00Z,Europe/Moscow", "2011-12-30T09:00:00Z,Pacific/Apia",
        "2011-12-30T11:00:00Z,Pacific/Apia", "1975-06-01T04:00:00Z,Europe/Lisbon", "2026-06-01T04:00:00Z,Africa/Casablanca", "2030-06-01T04:00:00Z,Europe/Dublin"})
    void beginsWhenItBegins(Instant start, String zone) throws Exception {
        Instant end = start.plus(Duration.ofMinutes(95));
        String text = CalendarText.of(Optional.empty(), Optional.of(Method.REQUEST), List.of(new Entry("hearing-1@example.org", 2, start, start, start, end,
                ZoneId.of(zone), "Anhörung, \uD83C\uDFDB; \"two\" \\ lines\nof it", Optional.of("Room 4"), Optional.of("https://meet.example.org/4"),
                Optional.of("One\nTwo"), Optional.of(CalendarText.Status.CONFIRMED), Optional.of("no-reply@example.org"), Optional.of("rolf@example.org"))));
        Calendar calendar = new CalendarBuilder().build(new StringReader(text));
        assertThat(calendar.validate().hasErrors()).as("%s of %s", calendar.validate(), text).isFalse();
        VEvent event = calendar.<VEvent>getComponents("VEVENT").getFirst();
        assertThat(instant(event.getDateTimeStart().getDate())).as(text).isEqualTo(start);
        assertThat(instant(event.getDateTimeEnd().getDate())).as(text).isEqualTo(end);
        assertThat(event.getSummary().getValue()).isEqualTo("Anhörung, \uD83C\uDFDB; \"two\" \\ lines\nof it");
        assertThat(event.getSequence().getSequenceNo()).isEqualTo(2);
    }

    private static Instant instant(java.time.temporal.Temporal date) {
        return date instanceof Instant instant ? instant : ZonedDateTime.from(date).toInstant();
    }
}
