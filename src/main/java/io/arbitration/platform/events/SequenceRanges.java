package io.arbitration.platform.events;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Sequences of the event log, as ranges in ascending order that neither overlap nor touch.
 *
 * @param ranges at most a few: sequences that are missing from the log are adjacent
 */
public record SequenceRanges(List<Range> ranges) {

    public static final SequenceRanges NONE = new SequenceRanges(List.of());

    /** @param from the first sequence; @param to the last, not less */
    public record Range(long from, long to) {

        public Range {
            if (from < 1 || to < from) {
                throw new IllegalArgumentException("no range of sequences: %d to %d".formatted(from, to));
            }
        }
    }

    /** Ranges in any order, which may overlap. */
    public static SequenceRanges of(Stream<Range> any) {
        List<Range> joined = new ArrayList<>();
        any.sorted(Comparator.comparingLong(Range::from)).forEach(range -> {
            if (!joined.isEmpty() && range.from <= joined.getLast().to + 1) {
                Range last = joined.removeLast();
                joined.add(new Range(last.from, Math.max(last.to, range.to)));
            } else {
                joined.add(range);
            }
        });
        return new SequenceRanges(List.copyOf(joined));
    }

    /** Reads PostgreSQL's text of an {@code int8multirange}. */
    static SequenceRanges parse(String multirange) {
        String inner = multirange.substring(1, multirange.length() - 1);
        return inner.isEmpty() ? NONE : of(Stream.of(inner.split("(?<=\\)),")).map(range -> {
            String[] ends = range.substring(1, range.length() - 1).split(",");
            return new Range(Long.parseLong(ends[0]), Long.parseLong(ends[1]) - 1);
        }));
    }

    /** The text of a PostgreSQL {@code int8multirange}. */
    public String text() {
        return ranges.stream().map(range -> "[%d,%d]".formatted(range.from, range.to)).collect(Collectors.joining(",", "{", "}"));
    }

    public boolean isEmpty() {
        return ranges.isEmpty();
    }

    public SequenceRanges and(SequenceRanges others) {
        return of(Stream.concat(ranges.stream(), others.ranges.stream()));
    }

    /** Those from one sequence to another, both inclusive. */
    public SequenceRanges between(long from, long to) {
        return new SequenceRanges(ranges.stream().filter(range -> range.from <= to && range.to >= from)
                .map(range -> new Range(Math.max(range.from, from), Math.min(range.to, to))).toList());
    }

    /** The sequences in both. */
    public SequenceRanges common(SequenceRanges others) {
        return of(others.ranges.stream().flatMap(other -> between(other.from, other.to).ranges.stream()));
    }

    /** Without these. */
    SequenceRanges without(List<Long> sequences) {
        return without(of(sequences.stream().map(sequence -> new Range(sequence, sequence))));
    }

    public SequenceRanges without(SequenceRanges others) {
        List<Range> left = new ArrayList<>(ranges);
        for (Range other : others.ranges) {
            List<Range> kept = new ArrayList<>();
            for (Range range : left) {
                if (other.to < range.from || other.from > range.to) {
                    kept.add(range);
                    continue;
                }
                if (other.from > range.from) {
                    kept.add(new Range(range.from, other.from - 1));
                }
                if (other.to < range.to) {
                    kept.add(new Range(other.to + 1, range.to));
                }
            }
            left = kept;
        }
        return new SequenceRanges(List.copyOf(left));
    }

    /** The highest of these ranges, at most this many. */
    SequenceRanges highest(int most) {
        return ranges.size() <= most ? this : new SequenceRanges(List.copyOf(ranges.subList(ranges.size() - most, ranges.size())));
    }

    /** At most this many ranges that cover all of these: those with the smallest gaps between them are joined. */
    public SequenceRanges coveredBy(int most) {
        List<Range> covering = new ArrayList<>(ranges);
        while (covering.size() > most) {
            int closest = 0;
            for (int i = 1; i + 1 < covering.size(); i++) {
                if (gap(covering, i) < gap(covering, closest)) {
                    closest = i;
                }
            }
            covering.set(closest, new Range(covering.get(closest).from, covering.remove(closest + 1).to));
        }
        return new SequenceRanges(List.copyOf(covering));
    }

    private static long gap(List<Range> ranges, int place) {
        return ranges.get(place + 1).from - ranges.get(place).to;
    }
}
