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
import java.util.stream.IntStream;
import net.fortuna.ical4j.data.CalendarBuilder;
import net.fortuna.ical4j.model.Calendar;
import net.fortuna.ical4j.model.component.VEvent;
import org.junit.jupiter.api.Test;

class FeedTextTest {

    private static final Instant NOON = Instant.parse("2026-11-22T12:00:00Z");
    private static final List<ZoneId> ZONES = ZoneId.getAvailableZoneIds().stream().sorted().map(ZoneId::of).toList();

    private static CalendarText.Entry entry(int number, String agenda) {
        Instant start = NOON.plus(Duration.ofHours(number));
        return new CalendarText.Entry("hearing-%d@example.org".formatted(number), 0, NOON, start, start.plusSeconds(3600), ZONES.get(number % ZONES.size()), "Hearing " + number,
                Optional.empty(), Optional.empty(), Optional.of(agenda), false, Optional.empty(), Optional.empty());
    }

    private static List<VEvent> events(String text) throws Exception {
        Calendar calendar = new CalendarBuilder().build(new StringReader(text));
        assertThat(calendar.validate().hasErrors()).as("%s", calendar.validate()).isFalse();
        return calendar.getComponents("VEVENT");
    }

    @Test
    void theEarliestStayWhereThereAreMoreThanFit() throws Exception {
        List<CalendarText.Entry> many = IntStream.range(0, 3000).mapToObj(number -> entry(3000 - number, "Short.")).toList();
        assertThat(events(FeedText.of(Optional.empty(), many, List.of()))).extracting(event -> event.getSummary().getValue())
                .hasSizeBetween(100, FeedText.ENTRIES_MAX).startsWith("Hearing 1", "Hearing 2", "Hearing 3");
    }

    @Test
    void neitherLongTextsNorManyTimeZonesMakeItLargerThanItMayBe() {
        for (String agenda : List.of("x", ",".repeat(4000), "\n".repeat(4000), "\uD83C\uDFDB".repeat(2000), "å".repeat(4000))) {
            String text = FeedText.of(Optional.of("N".repeat(100)), List.of(), IntStream.range(0, 1000).mapToObj(number -> entry(number, agenda)).toList());
            assertThat(text.getBytes(StandardCharsets.UTF_8).length).as(agenda.substring(0, 1)).isBetween(100_000, (int) FeedText.BYTES_MAX);
        }
    }
}
