package io.arbitration.command.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** What one of the things compared did, round by round. */
final class Rounds {

    private final List<Double> rates = new ArrayList<>();
    private final List<Load> loads = new ArrayList<>();
    private double cpuSeconds;
    private double residentMegabytesMax;

    void add(double perSecond) {
        rates.add(perSecond);
    }

    /** What a server did whose cost is not asked for. */
    void add(Load load) {
        loads.add(load);
        rates.add(load.perSecond());
    }

    /** Runs a load and takes what it cost the server. */
    void add(ServerProcess server, Supplier<Load> run) {
        double before = server.cpuSeconds();
        Load load = run.get();
        cpuSeconds += server.cpuSeconds() - before;
        residentMegabytesMax = Math.max(residentMegabytesMax, server.residentMegabytes());
        add(load);
    }

    /** The same for the server that the platform is compared with. */
    void add(BareProcess server, Supplier<Load> run) {
        double before = server.cpuSeconds();
        Load load = run.get();
        cpuSeconds += server.cpuSeconds() - before;
        loads.add(load);
        rates.add(load.perSecond());
    }

    double perSecond() {
        return median(rates);
    }

    /** The ratio to another, taken within each round, because the machine is not the same in all of them: the median. */
    double ratio(Rounds other) {
        return median(ratios(other));
    }

    double ratioLeast(Rounds other) {
        return ratios(other).stream().mapToDouble(ratio -> ratio).min().orElseThrow();
    }

    double ratioMost(Rounds other) {
        return ratios(other).stream().mapToDouble(ratio -> ratio).max().orElseThrow();
    }

    private List<Double> ratios(Rounds other) {
        return IntStream.range(0, rates.size()).mapToObj(i -> rates.get(i) / other.rates.get(i)).toList();
    }

    double p50Millis() {
        return median(loads.stream().map(Load::p50Millis).toList());
    }

    double p99Millis() {
        return median(loads.stream().map(Load::p99Millis).toList());
    }

    /** Whether it is known what these cost a server. */
    boolean hasCost() {
        return cpuSeconds > 0;
    }

    double cpuSecondsPerThousand() {
        return 1000 * cpuSeconds / loads.stream().mapToLong(Load::answers).sum();
    }

    double residentMegabytesMax() {
        return residentMegabytesMax;
    }

    double bytesPerAnswer() {
        return (double) loads.stream().mapToLong(Load::bytes).sum() / loads.stream().mapToLong(Load::answers).sum();
    }

    static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
