package io.arbitration.platform.events;

import java.util.List;

/**
 * A position in the event log. A sequence is drawn before its commit, so lower ones than the highest that was read may still
 * appear: they are missing.
 *
 * @param readUpTo the highest sequence that was read
 * @param missing lower ones that were not read; many of them never appear, because their transactions were rolled back
 */
public record LogPosition(long readUpTo, SequenceRanges missing) {

    /**
     * The position of a reader that has reached an event between this position and another one, in the order of the sequences.
     *
     * @param sequence one that was read in between
     */
    public LogPosition on(LogPosition target, long sequence) {
        return sequence <= readUpTo
                ? new LogPosition(readUpTo, missing.between(sequence + 1, readUpTo).and(missing.common(target.missing)))
                : new LogPosition(sequence, target.missing.between(1, sequence));
    }

    /** The position after reading these as well, in ascending order. */
    LogPosition after(List<Long> sequences) {
        long last = sequences.isEmpty() ? readUpTo : Math.max(readUpTo, sequences.getLast());
        SequenceRanges passed = last > readUpTo ? new SequenceRanges(List.of(new SequenceRanges.Range(readUpTo + 1, last))) : SequenceRanges.NONE;
        return new LogPosition(last, missing.and(passed).without(sequences));
    }

    /** The same with at most this many missing ranges: beyond that the lowest are dropped. */
    LogPosition bounded(int missingMax) {
        return withMissing(missing.highest(missingMax));
    }

    LogPosition withMissing(SequenceRanges others) {
        return new LogPosition(readUpTo, others);
    }
}
