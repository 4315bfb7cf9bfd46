package io.arbitration.command.bench;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** What got slower between two reports of {@code bench all}, beyond what the rounds of each differ by. */
@Command(name = "compare", description = "Two reports of bench all: what got slower beyond its noise; exit code 1: something did.", mixinStandardHelpOptions = true)
final class CompareBench implements Callable<Integer> {

    /** For figures that were measured once and not in rounds. */
    static final double NOISE_OF_ONE = 0.25;

    @Parameters(index = "0", paramLabel = "BEFORE", description = "A report.json, or its folder.")
    private Path before;

    @Parameters(index = "1", paramLabel = "AFTER", description = "The other.")
    private Path after;

    /**
     * A figure with the bounds within which another of the same is no different.
     *
     * @param moreIsBetter whether a larger one is faster
     */
    record Figure(double value, double least, double most, boolean moreIsBetter) {

        /** Whether this one is worse than another by more than both differ in themselves. */
        boolean isSlowerThan(Figure other) {
            return moreIsBetter ? most < other.least : least > other.most;
        }
    }

    @Override
    public Integer call() {
        Map<String, Figure> olds = figures(read(before));
        Map<String, Figure> news = figures(read(after));
        List<String> slower = new ArrayList<>();
        Report.line("%-100s %12s %12s %8s", "", "before", "after", "ratio");
        olds.forEach((name, old) -> {
            Figure now = news.get(name);
            if (now == null) {
                Report.line("%-100s %12.3f %12s", name, old.value, "missing");
                return;
            }
            String verdict = now.isSlowerThan(old) ? "slower" : old.isSlowerThan(now) ? "faster" : "";
            Report.line("%-100s %12.3f %12.3f %8.2f %s", name, old.value, now.value, now.value / old.value, verdict);
            if (verdict.equals("slower")) {
                slower.add(name);
            }
        });
        Report.line("%s", slower.isEmpty() ? "Nothing got slower beyond its noise." : "Slower: " + String.join("; ", slower));
        return slower.isEmpty() ? 0 : 1;
    }

    private static JsonObject read(Path path) {
        Path file = Files.isDirectory(path) ? path.resolve("report.json") : path;
        try {
            return new JsonObject(Files.readString(file));
        } catch (IOException | DecodeException failed) {
            throw new BenchFailed("%s is no report of bench all: %s".formatted(file, failed.getMessage()), failed);
        }
    }

    /** Ratios within one run where there are some: rates of two runs differ with the machine. What was not judged is not compared. */
    static Map<String, Figure> figures(JsonObject report) {
        Map<String, Figure> figures = new LinkedHashMap<>();
        for (Object each : report.getJsonArray("benchmarks")) {
            JsonObject benchmark = (JsonObject) each;
            for (Object one : benchmark.getJsonArray("figures")) {
                JsonObject figure = (JsonObject) one;
                String name = "%s · %s · %s".formatted(benchmark.getString("name"), figure.getString("title"), figure.getString("name"));
                if (figure.getString("kind").equals("rate") && figure.containsKey("ratio")) {
                    figures.put(name, new Figure(figure.getDouble("ratio"), figure.getDouble("ratioLeast"), figure.getDouble("ratioMost"), true));
                } else if (figure.getString("kind").equals("target") && !figure.getString("verdict").equals("not judged")) {
                    double measured = figure.getDouble("measured");
                    figures.put(name, new Figure(measured, measured * (1 - NOISE_OF_ONE), measured * (1 + NOISE_OF_ONE), figure.getString("comparison").equals("≥")));
                }
            }
        }
        return figures;
    }
}
