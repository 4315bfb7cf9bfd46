package io.arbitration.cases.calendar;

import io.arbitration.domain.time.CalendarText;
import io.arbitration.platform.answer.Page;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The text of a calendar feed: the next entries, bounded in number and in bytes. */
final class FeedText {

    static final int ENTRIES_MAX = 1000;
    static final long BYTES_MAX = 1024 * 1024;
    static final String NAME = "Cases";
    /** What an entry takes beside its texts, and a time zone with the changes of its clocks in the years of a feed. */
    private static final int ENTRY_FRAME_BYTES = 640;
    private static final int ZONE_BYTES_MAX = 4096;
    /** Line ends, commas and semicolons are escaped; folding adds three bytes to 72. */
    private static final double TEXT_GROWTH_MAX = 2.1;

    private FeedText() {}

    /** @param name what programs call the calendar */
    static String of(Optional<String> name, List<CalendarText.Entry> deadlines, List<CalendarText.Entry> hearings) {
        List<CalendarText.Entry> ordered = Stream.concat(deadlines.stream(), hearings.stream())
                .sorted(Comparator.comparing(CalendarText.Entry::start).thenComparing(CalendarText.Entry::uid)).toList();
        Set<String> zones = new HashSet<>();
        List<CalendarText.Entry> next = Page.of(ordered, ENTRIES_MAX, BYTES_MAX,
                entry -> bytesMax(entry) + (zones.add(entry.timeZone().getId()) ? ZONE_BYTES_MAX : 0)).items();
        return CalendarText.of(Optional.of(name.orElse(NAME)), Optional.empty(), next);
    }

    private static long bytesMax(CalendarText.Entry entry) {
        int texts = Stream.of(Optional.of(entry.summary()), entry.place(), entry.link(), entry.description()).flatMap(Optional::stream)
                .mapToInt(text -> text.getBytes(StandardCharsets.UTF_8).length).sum();
        return ENTRY_FRAME_BYTES + (long) (texts * TEXT_GROWTH_MAX);
    }
}
