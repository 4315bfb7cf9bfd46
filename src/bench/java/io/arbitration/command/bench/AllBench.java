package io.arbitration.command.bench;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Every benchmark, one after another, each in a process of its own and with a bound of time, and one report of all. What a benchmark could
 * not do in its time, or failed with, stands in the report, and the others go on.
 */
@Command(name = "all", description = "All benchmarks, at most half an hour; writes target/bench/report.html and report.json.", mixinStandardHelpOptions = true)
final class AllBench implements Callable<Integer> {

    private static final Duration TIME_MOST = Duration.ofMinutes(30);
    private static final Duration STOP_WAIT = Duration.ofSeconds(20);

    /** @param secondsMost after which it is stopped */
    private record Part(String name, int secondsMost, List<String> options) {

        Part(String name, int secondsMost, String... options) {
            this(name, secondsMost, List.of(options));
        }
    }

    /** What users feel first comes first: the time may not be enough for all on a slow machine. */
    private static final List<Part> PARTS = List.of(
            new Part("docket", 240, "--rounds", "3", "--seconds", "5", "--warm-up", "15", "--curve"),
            new Part("docket-reads", 150, "--rounds", "2", "--seconds", "4", "--warm-up", "14"),
            new Part("docket-writes", 240, "--rounds", "2", "--seconds", "4", "--warm-up", "10"),
            new Part("webhooks", 180, "--rounds", "1", "--seconds", "6", "--warm-up", "8", "--history", "20000"),
            new Part("start", 180, "--rounds", "3", "--warm-up", "10"),
            new Part("files", 180, "--rounds", "2", "--seconds", "4", "--warm-up", "8", "--megabytes", "32", "--without-lists"),
            new Part("evidence", 180, "--rounds", "2", "--seconds", "4", "--warm-up", "8", "--megabytes", "32"),
            new Part("search", 240, "--documents", "100000", "--searches", "1000"),
            new Part("deadlines", 180),
            new Part("profiles", 150, "--rounds", "2", "--seconds", "4", "--warm-up", "8"),
            new Part("pdf", 150, "--rounds", "2", "--seconds", "3", "--warm-up", "6"),
            new Part("paper", 240, "--rounds", "2", "--seconds", "4", "--warm-up", "6", "--captures", "50"),
            new Part("export", 150, "--rounds", "3", "--entries", "300", "--exhibits", "60"),
            new Part("push", 150, "--rounds", "1", "--seconds", "5", "--warm-up", "8", "--subscriptions", "10000"),
            new Part("live", 150, "--streams", "5000"),
            new Part("connections", 150, "--rounds", "2", "--seconds", "4", "--warm-up", "8"),
            new Part("console", 240, "--clicks", "30"));

    /** Benchmarks that are played once more, for a short time, with a recording of where the platform's threads are. */
    private static final List<Part> RECORDED = List.of(
            new Part("docket", 120, "--rounds", "1", "--seconds", "5", "--warm-up", "5"),
            new Part("docket-writes", 120, "--rounds", "1", "--seconds", "4", "--warm-up", "5"));

    @Option(names = "--only", split = ",", paramLabel = "NAME", description = "Of these benchmarks alone.")
    private Set<String> only = Set.of();

    @Option(names = "--folder", description = "Where the report is written (${DEFAULT-VALUE}).")
    private Path folder = Path.of(System.getenv().getOrDefault("ACP_HOME", "."), "target", "bench");

    @Option(names = "--quick", description = "Each in its shortest form: shows that the benchmarks run, the figures mean little.")
    private boolean quick;

    private final long beginNanos = System.nanoTime();

    @Override
    public Integer call() throws IOException {
        Files.createDirectories(folder);
        JsonArray benchmarks = new JsonArray();
        List<Part> parts = chosen(PARTS);
        for (Part part : parts) {
            Report.progress("%s, %d of %d, after %d s".formatted(part.name, benchmarks.size() + 1, parts.size(), elapsed().toSeconds()));
            benchmarks.add(measured(part));
        }
        List<FlameGraph> flames = new ArrayList<>();
        for (Part part : chosen(RECORDED)) {
            Report.progress("%s again, recorded, after %d s".formatted(part.name, elapsed().toSeconds()));
            flames.addAll(recorded(part));
        }
        JsonObject report = new JsonObject().put("at", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString()).put("quick", quick)
                .put("machine", machine()).put("seconds", elapsed().toSeconds()).put("benchmarks", benchmarks);
        Files.writeString(folder.resolve("report.json"), report.encodePrettily());
        Files.writeString(folder.resolve("report.html"), ReportPage.of(report, flames));
        summary(report);
        return benchmarks.stream().allMatch(one -> ((JsonObject) one).getString("ended").equals("whole")) ? 0 : 1;
    }

    private List<Part> chosen(List<Part> parts) {
        return parts.stream().filter(part -> only.isEmpty() || only.contains(part.name)).toList();
    }

    private Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - beginNanos);
    }

    private static JsonObject machine() {
        return new JsonObject().put("processors", Runtime.getRuntime().availableProcessors()).put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"))
                .put("architecture", System.getProperty("os.arch")).put("java", Runtime.version().toString());
    }

    private JsonObject measured(Part part) throws IOException {
        Path figures = Files.createTempFile("bench", ".figures");
        Path printed = Files.createTempFile("bench", ".txt");
        try {
            long begin = System.nanoTime();
            String ended = played(part, Map.of(Figures.FILE_VARIABLE, figures.toString()), printed);
            return new JsonObject().put("name", part.name).put("options", String.join(" ", part.options)).put("ended", ended)
                    .put("seconds", (System.nanoTime() - begin) / 1_000_000_000L).put("printed", Files.readString(printed, StandardCharsets.UTF_8))
                    .put("figures", new JsonArray(Figures.read(figures)));
        } finally {
            Files.deleteIfExists(figures);
            Files.deleteIfExists(printed);
        }
    }

    private List<FlameGraph> recorded(Part part) throws IOException {
        Path recordings = Files.createTempDirectory("bench");
        Path printed = Files.createTempFile("bench", ".txt");
        try {
            String ended = played(part, Map.of(ServerProcess.RECORDINGS_VARIABLE, recordings.toString()), printed);
            if (!ended.equals("whole")) {
                Report.progress("%s: no flame graph, the benchmark ended so: %s".formatted(part.name, ended));
                return List.of();
            }
            return FlameGraph.ofFolder(part.name, recordings);
        } finally {
            Files.deleteIfExists(printed);
            try (Stream<Path> files = Files.walk(recordings)) {
                files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
            }
        }
    }

    /** How it ended: {@code whole}, or why not. */
    private String played(Part part, Map<String, String> variables, Path printed) {
        Duration left = TIME_MOST.minus(elapsed());
        Duration most = left.compareTo(Duration.ofSeconds(part.secondsMost)) < 0 ? left : Duration.ofSeconds(part.secondsMost);
        if (most.isNegative() || most.isZero()) {
            return "not begun: %d minutes were over".formatted(TIME_MOST.toMinutes());
        }
        List<String> command = new ArrayList<>(ServerProcess.java());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Workbench.class.getName(), "bench", part.name));
        command.addAll(part.options);
        if (quick) {
            command.add("--quick");
        }
        ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(printed.toFile()).redirectError(ProcessBuilder.Redirect.INHERIT)
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
        builder.environment().putAll(variables);
        try {
            Process process = builder.start();
            if (!process.waitFor(most.toMillis(), TimeUnit.MILLISECONDS)) {
                stop(process);
                return "stopped after %d s".formatted(most.toSeconds());
            }
            return process.exitValue() == 0 ? "whole" : "exit code " + process.exitValue();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new BenchFailed("interrupted");
        }
    }

    private static void stop(Process process) throws InterruptedException {
        List<ProcessHandle> family = Stream.concat(Stream.of(process.toHandle()), process.descendants()).toList();
        process.destroy();
        if (!process.waitFor(STOP_WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
            family.forEach(ProcessHandle::destroyForcibly);
        }
    }

    private void summary(JsonObject report) {
        Report.title("%d s, %s", report.getLong("seconds"), folder.resolve("report.html"));
        for (Object each : report.getJsonArray("benchmarks")) {
            JsonObject benchmark = (JsonObject) each;
            List<String> verdicts = benchmark.getJsonArray("figures").stream().map(figure -> ((JsonObject) figure).getString("verdict", "")).toList();
            Report.line("%-16s %-24s %4d s   %2d targets reached, %2d missed, %2d not judged", benchmark.getString("name"), benchmark.getString("ended"),
                    benchmark.getLong("seconds"), count(verdicts, "reached"), count(verdicts, "MISSED"), count(verdicts, "not judged"));
        }
    }

    private static long count(List<String> verdicts, String verdict) {
        return verdicts.stream().filter(verdict::equals).count();
    }
}
