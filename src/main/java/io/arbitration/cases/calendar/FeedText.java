package io.arbitration.cases.calendar;

import io.arbitration.domain.time.CalendarText;
import io.arbitration.platform.answer.Page;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Writes the text of a calendar feed, bounded in entries and in bytes. Future entries are written first, then the most recent
 * past ones, if the bounds allow. The next hearings may take half of the bounds before any deadline is written, so that hundreds
 * of earlier deadlines do not displace a hearing.
 */
final class FeedText {

    static final int ENTRIES_MAX = 1000;
    static final long BYTES_MAX = 1024 * 1024;
    static final String NAME = "Cases";
    /** The bytes of an entry without its texts; and of a time zone with its clock changes in the years of a feed. */
    private static final int ENTRY_FRAME_BYTES = 640;
    private static final int ZONE_BYTES_MAX = 4096;
    /** Line ends, commas and semicolons are escaped; folding adds three bytes to 72. */
    private static final double TEXT_GROWTH_MAX = 2.1;
    private static final Comparator<CalendarText.Entry> IN_TIME =
            Comparator.comparing(CalendarText.Entry::start).thenComparing(CalendarText.Entry::uid);

    private FeedText() {}

    /** The future entries of a feed, or the past ones. */
    record Entries(List<CalendarText.Entry> deadlines, List<CalendarText.Entry> hearings) {

        static final Entries NONE = new Entries(List.of(), List.of());

        int count() {
            return deadlines.size() + hearings.size();
        }
    }

    /**
     * The text, in the order of time.
     *
     * @param name the name that calendar programs show
     * @param coming future entries
     * @param past entries that have begun
     */
    static String of(Optional<String> name, Entries coming, Entries past) {
        List<CalendarText.Entry> hearings = coming.hearings().stream().sorted(IN_TIME).toList();
        int first = fitting(hearings, ENTRIES_MAX / 2, BYTES_MAX / 2).size();
        List<CalendarText.Entry> byWeight = Stream.of(hearings.stream().limit(first),
                        Stream.concat(hearings.stream().skip(first), coming.deadlines().stream()).sorted(IN_TIME),
                        Stream.concat(past.hearings().stream(), past.deadlines().stream()).sorted(IN_TIME.reversed()))
                .flatMap(Function.identity()).toList();
        return CalendarText.of(Optional.of(name.orElse(NAME)), Optional.empty(), fitting(byWeight, ENTRIES_MAX, BYTES_MAX).stream().sorted(IN_TIME).toList());
    }

    private static List<CalendarText.Entry> fitting(List<CalendarText.Entry> entries, int count, long bytes) {
        Set<String> zones = new HashSet<>();
        return Page.of(entries, count, bytes, entry -> bytesMax(entry) + (zones.add(entry.timeZone().getId()) ? ZONE_BYTES_MAX : 0)).items();
    }

    private static long bytesMax(CalendarText.Entry entry) {
        int texts = Stream.of(Optional.of(entry.summary()), entry.place(), entry.link(), entry.description()).flatMap(Optional::stream)
                .mapToInt(text -> text.getBytes(StandardCharsets.UTF_8).length).sum();
        return ENTRY_FRAME_BYTES + (long) (texts * TEXT_GROWTH_MAX);
    }
}
