package io.arbitration.cases.calendar;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.domain.time.CalendarText;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.TimeZone;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.fortuna.ical4j.data.CalendarBuilder;
import net.fortuna.ical4j.model.Calendar;
import net.fortuna.ical4j.model.component.VEvent;
import org.junit.jupiter.api.Test;

class FeedTextTest {

    private static final Instant NOON = Instant.parse("2026-11-22T12:00:00Z");
    /** Those of the JDK. {@link ZoneId#getAvailableZoneIds} also names what ical4j registers while another class of this process reads a calendar. */
    private static final List<ZoneId> ZONES = Stream.of(TimeZone.getAvailableIDs()).filter(id -> id.contains("/")).sorted().map(ZoneId::of).toList();

    private static CalendarText.Entry entry(int number, String agenda) {
        Instant start = NOON.plus(Duration.ofHours(number));
        return new CalendarText.Entry("hearing-%d@example.org".formatted(number), 0, NOON, NOON, start, start.plusSeconds(3600), ZONES.get(number % ZONES.size()), "Hearing " + number,
                Optional.empty(), Optional.empty(), Optional.of(agenda), Optional.of(CalendarText.Status.CONFIRMED), Optional.empty(), Optional.empty());
    }

    private static List<VEvent> events(String text) throws Exception {
        Calendar calendar = new CalendarBuilder().build(new StringReader(text));
        assertThat(calendar.validate().hasErrors()).as("%s", calendar.validate()).isFalse();
        return calendar.getComponents("VEVENT");
    }

    private static List<CalendarText.Entry> entries(int from, int to, String agenda) {
        return IntStream.range(from, to).mapToObj(number -> entry(number, agenda)).toList();
    }

    private static List<String> summaries(FeedText.Entries coming, FeedText.Entries past) throws Exception {
        return events(FeedText.of(Optional.empty(), coming, past)).stream().map(event -> event.getSummary().getValue()).toList();
    }

    private static List<String> named(int from, int to) {
        return IntStream.range(from, to).mapToObj("Hearing %d"::formatted).toList();
    }

    @Test
    void whatIsToComeFillsTheFeedAndTheMostRecentOfWhatIsOverTheRest() throws Exception {
        FeedText.Entries past = new FeedText.Entries(sameZone(0, 900), List.of());
        assertThat(summaries(new FeedText.Entries(sameZone(900, 1300), sameZone(1300, 1700)), past)).isEqualTo(named(700, 1700));
        assertThat(summaries(new FeedText.Entries(sameZone(900, 2000), List.of()), past)).isEqualTo(named(900, 1900));
    }

    @Test
    void hearingsHaveUpToHalfOfAFeedBeforeAnyDeadlineAndLeaveTheOtherHalf() throws Exception {
        List<String> after = summaries(new FeedText.Entries(sameZone(0, 1000), sameZone(1000, 1003)), FeedText.Entries.NONE);
        assertThat(after).hasSize(1000).endsWith("Hearing 1000", "Hearing 1001", "Hearing 1002").startsWith("Hearing 0").doesNotContain("Hearing 997");
        assertThat(summaries(new FeedText.Entries(sameZone(1000, 2000), sameZone(0, 500)), FeedText.Entries.NONE)).isEqualTo(
                Stream.concat(named(0, 500).stream(), named(1000, 1500).stream()).toList());
        List<CalendarText.Entry> lengthy = entries(0, 1000, ",".repeat(4000));
        assertThat(summaries(new FeedText.Entries(sameZone(-300, 0), lengthy), FeedText.Entries.NONE)).as("in bytes").containsAll(named(-300, 0)).contains("Hearing 0");
    }

    /** Short ones in one time zone, so that a thousand fit. */
    private static List<CalendarText.Entry> sameZone(int from, int to) {
        return IntStream.range(from, to).mapToObj(number -> {
            Instant start = NOON.plus(Duration.ofHours(number));
            return new CalendarText.Entry("hearing-%d@example.org".formatted(number), 0, NOON, NOON, start, start, ZoneId.of("Europe/Stockholm"), "Hearing " + number,
                    Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(CalendarText.Status.CONFIRMED), Optional.empty(), Optional.empty());
        }).toList();
    }

    @Test
    void theEarliestStayWhereThereAreMoreThanFit() throws Exception {
        List<CalendarText.Entry> many = IntStream.range(0, 3000).mapToObj(number -> entry(3000 - number, "Short.")).toList();
        assertThat(events(FeedText.of(Optional.empty(), new FeedText.Entries(many, List.of()), FeedText.Entries.NONE))).extracting(event -> event.getSummary().getValue())
                .hasSizeBetween(100, FeedText.ENTRIES_MAX).startsWith("Hearing 1", "Hearing 2", "Hearing 3");
    }

    @Test
    void neitherLongTextsNorManyTimeZonesMakeItLargerThanItMayBe() {
        for (String agenda : List.of("x", ",".repeat(4000), "\n".repeat(4000), "\uD83C\uDFDB".repeat(2000), "å".repeat(4000))) {
            String text = FeedText.of(Optional.of("N".repeat(100)), FeedText.Entries.NONE, new FeedText.Entries(List.of(), entries(0, 1000, agenda)));
            assertThat(text.getBytes(StandardCharsets.UTF_8).length).as(agenda.substring(0, 1)).isBetween(100_000, (int) FeedText.BYTES_MAX);
        }
    }
}
