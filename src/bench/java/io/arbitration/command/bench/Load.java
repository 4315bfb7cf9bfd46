package io.arbitration.command.bench;

import java.util.Arrays;

/**
 * What came of a load.
 *
 * @param answers answers of status 200
 * @param failures answers of another status, and requests without an answer
 * @param bytes bytes received, heads of answers included
 * @param p50Millis time from request to whole answer that half of them stayed below
 */
record Load(long answers, long failures, long bytes, double seconds, double p50Millis, double p99Millis) {

    static Load of(long[] nanos, long failures, long bytes, double seconds) {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        return new Load(nanos.length, failures, bytes, seconds, percentile(sorted, 0.50), percentile(sorted, 0.99));
    }

    private static double percentile(long[] sorted, double share) {
        return sorted.length == 0 ? 0 : sorted[Math.min(sorted.length - 1, (int) (share * sorted.length))] / 1e6;
    }

    double perSecond() {
        return answers / seconds;
    }

    /** The same load, when every request was answered with 200. */
    Load faultless(String what) {
        if (failures > 0 || answers == 0) {
            throw new BenchFailed("%s: %d requests were answered with 200, %d were not".formatted(what, answers, failures));
        }
        return this;
    }
}
