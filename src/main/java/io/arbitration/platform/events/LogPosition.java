package io.arbitration.platform.events;

import java.util.List;

/**
 * How far somebody has read the event log. A sequence is drawn before its commit, so that lower ones than the highest that was read may
 * still appear: they are missing.
 *
 * @param readUpTo the highest sequence that was read
 * @param missing lower ones that were not seen; many of them never appear, because their transactions were rolled back
 */
public record LogPosition(long readUpTo, SequenceRanges missing) {

    /**
     * Where a reader is who has come to an event on the way from here to another position, in the order of the sequences.
     *
     * @param sequence one that was read on this way
     */
    public LogPosition on(LogPosition target, long sequence) {
        return sequence <= readUpTo
                ? new LogPosition(readUpTo, missing.between(sequence + 1, readUpTo).and(missing.common(target.missing)))
                : new LogPosition(sequence, target.missing.between(1, sequence));
    }

    /** Where a reader is who has read these as well, in ascending order. */
    LogPosition after(List<Long> sequences) {
        long last = sequences.isEmpty() ? readUpTo : Math.max(readUpTo, sequences.getLast());
        SequenceRanges passed = last > readUpTo ? new SequenceRanges(List.of(new SequenceRanges.Range(readUpTo + 1, last))) : SequenceRanges.NONE;
        return new LogPosition(last, missing.and(passed).without(sequences));
    }

    /** Names at most so many ranges of what is missing: of more the lowest are given up. */
    LogPosition bounded(int missingMax) {
        return withMissing(missing.highest(missingMax));
    }

    LogPosition withMissing(SequenceRanges others) {
        return new LogPosition(readUpTo, others);
    }
}
