package io.arbitration.command.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How much of this machine others had while something was measured: before it and after it, a thread for each processor counts for half
 * a second, and the share of the processors is taken that this process and those it started were given in that time, their compilers and
 * collectors included; between the two, the time that the hypervisor took is read from {@code /proc/stat}. A target that was missed beside others says nothing, and one that was reached says little.
 */
final class Noise {

    /** With less than this share of the processors free before or after, nothing is judged. */
    static final double FREE_LEAST = 0.85;
    /** Nor is it with more than this share of them taken by the hypervisor. */
    static final double STOLEN_MOST = 0.05;

    private static final Duration COUNTING = Duration.ofMillis(500);
    private static final double TICKS_PER_SECOND = 100;
    private static final int STOLEN_FIELD = 8;

    private static Optional<Noise> running = Optional.empty();

    private final double freeBefore;
    private final double stolenBefore;
    private final long beginNanos = System.nanoTime();
    private double freeAfter = Double.NaN;

    private Noise(double freeBefore) {
        this.freeBefore = freeBefore;
        this.stolenBefore = stolenSeconds();
    }

    /** Begins to watch this process's machine. Without it everything is judged. */
    static void begin() {
        running = Optional.of(new Noise(freeShare()));
    }

    /** Of what runs now; empty when nobody watches. */
    static Optional<Shares> sinceBegin() {
        return running.map(Noise::shares);
    }

    private Shares shares() {
        if (Double.isNaN(freeAfter)) {
            freeAfter = freeShare();
        }
        double seconds = (System.nanoTime() - beginNanos) / 1e9 * processors();
        return new Shares(freeBefore, freeAfter, (stolenSeconds() - stolenBefore) / seconds);
    }

    /** Shares of the processors, from 0 to 1. */
    record Shares(double freeBefore, double freeAfter, double stolen) {

        boolean tooNoisy() {
            return freeBefore < FREE_LEAST || freeAfter < FREE_LEAST || stolen > STOLEN_MOST;
        }

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "processors free before %.0f %%, after %.0f %%, taken by the hypervisor %.1f %%",
                    100 * freeBefore, 100 * freeAfter, 100 * stolen);
        }
    }

    private static int processors() {
        return Runtime.getRuntime().availableProcessors();
    }

    private static double freeShare() {
        double cpu = ProcessFamily.cpuSeconds();
        long begin = System.nanoTime();
        double counted = countingShare();
        // Without /proc the threads that count are all that is known.
        return Math.clamp((ProcessFamily.cpuSeconds() - cpu) / ((System.nanoTime() - begin) / 1e9 * processors()), counted, 1.0);
    }

    /** The share of the time for which threads that count, one for each processor, were given a processor. */
    private static double countingShare() {
        try (ExecutorService threads = Executors.newFixedThreadPool(processors())) {
            List<Future<Double>> shares = threads.invokeAll(IntStream.range(0, processors()).<Callable<Double>>mapToObj(i -> Noise::counting).toList());
            double sum = 0;
            for (Future<Double> share : shares) {
                sum += share.get();
            }
            return sum / shares.size();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new BenchFailed("interrupted");
        } catch (ExecutionException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** The share of the time for which this thread had a processor. */
    private static double counting() {
        long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        long begin = System.nanoTime();
        long now = begin;
        while (now - begin < COUNTING.toNanos()) {
            now = System.nanoTime();
        }
        return Math.min(1, (double) (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpu) / (now - begin));
    }

    /** Nothing where there is no {@code /proc}. */
    private static double stolenSeconds() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/stat"))) {
            return Long.parseLong(lines.findFirst().orElseThrow().split(" +")[STOLEN_FIELD]) / TICKS_PER_SECOND;
        } catch (NoSuchFileException noProc) {
            return 0;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
