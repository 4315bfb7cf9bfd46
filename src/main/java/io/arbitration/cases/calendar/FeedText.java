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
 * The text of a calendar feed, bounded in number of entries and in bytes. What is to come fills it, and the most recent of what is over the rest.
 * The next hearings have up to half of it before any deadline, so that hundreds of deadlines before a hearing do not leave it out.
 */
final class FeedText {

    static final int ENTRIES_MAX = 1000;
    static final long BYTES_MAX = 1024 * 1024;
    static final String NAME = "Cases";
    /** What an entry takes beside its texts, and a time zone with the changes of its clocks in the years of a feed. */
    private static final int ENTRY_FRAME_BYTES = 640;
    private static final int ZONE_BYTES_MAX = 4096;
    /** Line ends, commas and semicolons are escaped; folding adds three bytes to 72. */
    private static final double TEXT_GROWTH_MAX = 2.1;
    private static final Comparator<CalendarText.Entry> IN_TIME =
            Comparator.comparing(CalendarText.Entry::start).thenComparing(CalendarText.Entry::uid);

    private FeedText() {}

    /** What a feed may have of one kind of time. */
    record Entries(List<CalendarText.Entry> deadlines, List<CalendarText.Entry> hearings) {

        static final Entries NONE = new Entries(List.of(), List.of());

        int count() {
            return deadlines.size() + hearings.size();
        }
    }

    /**
     * The text, in the order of time.
     *
     * @param name   what programs call the calendar
     * @param coming what begins from now on
     * @param past   what has begun
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
