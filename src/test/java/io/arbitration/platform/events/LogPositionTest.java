package io.arbitration.platform.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.platform.events.SequenceRanges.Range;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** Positions against sets of sequences, which say the same at length. */
class LogPositionTest {

    private static final int LAST = 40;

    @Provide
    Arbitrary<Set<Long>> sequences() {
        return Arbitraries.longs().between(1, LAST).set().ofMaxSize(LAST);
    }

    private static SequenceRanges ranges(Set<Long> sequences) {
        return SequenceRanges.of(sequences.stream().map(one -> new Range(one, one)));
    }

    private static Set<Long> set(SequenceRanges ranges) {
        return ranges.ranges().stream().flatMap(range -> LongStream.rangeClosed(range.from(), range.to()).boxed()).collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<Long> only(Set<Long> all, LongPredicate which) {
        return all.stream().filter(which::test).collect(Collectors.toCollection(TreeSet::new));
    }

    /** What a reader has not read who is at a position. */
    private static Set<Long> unread(LogPosition position) {
        Set<Long> unread = set(position.missing());
        LongStream.rangeClosed(position.readUpTo() + 1, LAST).forEach(unread::add);
        return unread;
    }

    /** A reader who has read these of the log, in which all others are missing. */
    private static LogPosition position(Set<Long> read) {
        long last = read.stream().mapToLong(Long::longValue).max().orElse(0);
        return new LogPosition(last, ranges(only(LongStream.rangeClosed(1, LAST).boxed().collect(Collectors.toSet()), one -> one < last && !read.contains(one))));
    }

    @Property(tries = 200)
    void rangesAreTheSetsThatTheySay(@ForAll("sequences") Set<Long> one, @ForAll("sequences") Set<Long> other) {
        assertThat(set(ranges(one))).isEqualTo(new TreeSet<>(one));
        assertThat(set(ranges(one).and(ranges(other)))).isEqualTo(Stream.concat(one.stream(), other.stream()).collect(Collectors.toCollection(TreeSet::new)));
        assertThat(set(ranges(one).common(ranges(other)))).isEqualTo(only(one, other::contains));
        assertThat(set(ranges(one).without(ranges(other)))).isEqualTo(only(one, n -> !other.contains(n)));
        assertThat(set(ranges(one).between(10, 20))).isEqualTo(only(one, n -> n >= 10 && n <= 20));
        assertThat(set(ranges(one).coveredBy(3))).containsAll(one);
        assertThat(ranges(one).coveredBy(3).ranges()).hasSizeLessThanOrEqualTo(3);
        ranges(one).ranges().stream().reduce((before, after) -> {
            assertThat(after.from()).isGreaterThan(before.to() + 1);
            return after;
        });
    }

    /** Who undoes many writes while a transaction stays open makes the list of what is missing no longer than that. */
    @Test
    void ofMoreMissingRangesThanAreKeptTheLowestAreGivenUp() {
        LogPosition position = new LogPosition(0, SequenceRanges.NONE).after(List.of(2L, 4L, 6L)).bounded(3).after(List.of(8L, 10L)).bounded(3);
        assertThat(position).isEqualTo(new LogPosition(10, ranges(Set.of(5L, 7L, 9L))));
        assertThat(position.after(List.of(7L, 12L)).bounded(3).missing()).isEqualTo(ranges(Set.of(5L, 9L, 11L)));
    }

    @Test
    void aMultirangeOfPostgresIsRead() {
        assertThat(SequenceRanges.parse("{}")).isEqualTo(SequenceRanges.NONE);
        assertThat(SequenceRanges.parse("{[1,2),[5,9)}")).isEqualTo(new SequenceRanges(List.of(new Range(1, 1), new Range(5, 8))));
    }

    /** The reader knows what it lacks: what was unread before and not read by now. */
    @Property(tries = 200)
    void whoReadsOnLacksWhatItHasNotRead(@ForAll("sequences") Set<Long> before, @ForAll("sequences") Set<Long> then) {
        List<Long> read = then.stream().filter(one -> !before.contains(one)).sorted().toList();
        Set<Long> all = Stream.concat(before.stream(), read.stream()).collect(Collectors.toSet());
        assertThat(unread(position(before).after(read))).isEqualTo(unread(position(all)));
    }

    /** Whoever leaves on the way from one position to another and comes back gets exactly what comes behind, and what is missing still. */
    @Property(tries = 500)
    void whoLeavesOnTheWayLacksWhatComesBehind(@ForAll("sequences") Set<Long> before, @ForAll("sequences") Set<Long> then) {
        List<Long> read = then.stream().filter(one -> !before.contains(one)).sorted().toList();
        LogPosition from = position(before);
        LogPosition to = from.after(read);
        for (long at : read) {
            Set<Long> lacks = unread(from.on(to, at));
            assertThat(lacks).containsAll(unread(to));
            assertThat(only(lacks, one -> !unread(to).contains(one))).isEqualTo(only(new TreeSet<>(read), one -> one > at));
        }
    }
}
