package io.arbitration.command.bench;

import io.arbitration.command.bench.BenchPeople.OpenCase;
import io.arbitration.command.bench.BenchPeople.Person;
import io.arbitration.command.bench.LoadGenerator.Request;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The start of a node, beside that of Java and of an empty Vert.x server from a start-up cache of its own; what a node then holds in memory,
 * idle and under load; and classes of what no setting of it uses.
 */
@Command(name = "start", description = "First answer, memory and loaded classes of a node.", mixinStandardHelpOptions = true)
final class StartBench implements Callable<Integer> {

    private static final long START_SECONDS_MAX = 60;
    private static final long POLL_MILLIS = 2;
    private static final int CONNECTIONS = 32;
    private static final int CASES = 100;
    private static final JsonObject FIELDS = new JsonObject().put("documentServed", "Statement of claim")
            .put("servedOn", "Respondent Cranes Ltd").put("serviceDate", "2026-05-04").put("signedBy", "Clara Claimant");
    private static final int ENTRIES = 20;
    private static final double FIRST_ANSWER_SECONDS_MAX = 1;
    private static final double FIRST_ANSWER_EMBEDDED_SECONDS_MAX = 2;
    private static final double RATIO_MAX = 3;
    private static final double IDLE_MEGABYTES_MAX = 160;
    private static final double LOADED_MEGABYTES_MAX = 180;

    @Mixin
    private BenchOptions options;

    @Option(names = "--idle", defaultValue = "20", paramLabel = "SECONDS", description = "Until the memory of an idle node is measured (${DEFAULT-VALUE}).")
    private int idleSeconds;

    private record Start(double seconds, double cpuSeconds) {}

    @Override
    public Integer call() throws IOException {
        Path folder = Files.createTempDirectory("bench");
        try (BenchSite site = BenchSite.open(options.databaseText())) {
            measure(site, folder.resolve("empty.aot"));
        } finally {
            BenchSite.delete(folder);
        }
        return 0;
    }

    private void measure(BenchSite site, Path emptyCache) {
        run(emptyServer(List.of("-XX:AOTCacheOutput=" + emptyCache), ServerProcess.freePort(), "train"));
        List<Start> java = new ArrayList<>();
        List<Start> empty = new ArrayList<>();
        List<Start> running = new ArrayList<>();
        List<Start> embedded = new ArrayList<>();
        // The first start makes the data of the embedded database.
        try (ServerProcess first = site.start(Map.of())) {
            Report.progress("first start: %.2f s".formatted(first.firstAnswerSeconds()));
        }
        for (int round = 1; round <= options.rounds(); round++) {
            Report.progress("round %d of %d".formatted(round, options.rounds()));
            java.add(run(List.of(ServerProcess.java().getFirst(), "-version")));
            empty.add(emptyStart(emptyCache));
            try (ServerProcess kept = site.start(Map.of())) {
                embedded.add(new Start(kept.firstAnswerSeconds(), kept.cpuSeconds()));
                try (ServerProcess beside = site.startBeside(Map.of())) {
                    running.add(new Start(beside.firstAnswerSeconds(), beside.cpuSeconds()));
                }
            }
        }
        Report.title("From the start of the process to its first answer, %d rounds", options.rounds());
        Report.line("%-40s %12s %12s %12s %12s", "", "median s", "least", "most", "CPU s");
        row("java -version", java);
        row("empty Vert.x server, own cache", empty);
        row("node, its database running", running);
        row("node, embedded database kept", embedded);
        double ratio = median(running, Start::seconds) / median(empty, Start::seconds);
        Report.target("first answer, database running", median(running, Start::seconds), "≤", FIRST_ANSWER_SECONDS_MAX, "s");
        Report.target("first answer, embedded database kept", median(embedded, Start::seconds), "≤", FIRST_ANSWER_EMBEDDED_SECONDS_MAX, "s");
        Report.target("ratio to the empty server", ratio, "≤", RATIO_MAX, "×");
        memory(site);
    }

    private void memory(BenchSite site) {
        try (ServerProcess server = site.start(Map.of()); BenchPeople people = new BenchPeople(server.address(), site)) {
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(options.quick ? 1 : idleSeconds));
            double idle = server.residentMegabytes();
            Map<String, Long> classes = server.loadedClasses(List.of("", "org.apache.kafka", "com.hazelcast", "org.apache.pdfbox", "io.opentelemetry", "org.apache.tika",
                    "org.flywaydb", "software.amazon", "org.bouncycastle", "io.vertx", "io.netty", "io.arbitration"));
            List<Person> claimants = people.all(10, people::claimant);
            Person manager = people.signIn("manager@bench.example", "Maya", "Manager");
            List<OpenCase> cases = people.openCases(options.quick ? 2 : CASES, claimants, List.of(manager));
            people.all(cases.size(), i -> {
                IntStream.range(0, ENTRIES).forEach(number -> people.post(BenchPeople.submit(cases.get(i),
                        people.draft(cases.get(i), "certificateOfService", "Entry " + number, FIELDS))));
                return i;
            });
            List<Request> lists = cases.stream().map(BenchPeople::list).toList();
            new JvmLoad().repeat(server.address(), lists, CONNECTIONS, options.warmUp()).faultless("lists");
            Report.title("Memory of the JVM that is in RAM");
            Report.target("idle, %d s after its start".formatted(idleSeconds), idle, "≤", IDLE_MEGABYTES_MAX, "MB");
            Report.target("under load, lists from %d connections".formatted(CONNECTIONS), server.residentMegabytes(), "≤", LOADED_MEGABYTES_MAX, "MB");
            Report.title("Classes that the idle node had loaded");
            classes.forEach((prefix, count) -> Report.line("%-40s %12d", prefix.isEmpty() ? "all" : prefix, count));
        }
    }

    private static void row(String name, List<Start> starts) {
        DoubleSummaryStatistics seconds = starts.stream().mapToDouble(Start::seconds).summaryStatistics();
        Report.line("%-40s %12.3f %12.3f %12.3f %12.2f", name, median(starts, Start::seconds), seconds.getMin(), seconds.getMax(), median(starts, Start::cpuSeconds));
    }

    private static double median(List<Start> starts, Function<Start, Double> of) {
        return Rounds.median(starts.stream().map(of).toList());
    }

    private static List<String> emptyServer(List<String> more, int port, String... arguments) {
        List<String> command = new ArrayList<>(ServerProcess.java());
        command.removeIf(option -> option.startsWith("-XX:AOT"));
        command.addAll(more);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), EmptyServer.class.getName(), String.valueOf(port)));
        command.addAll(Arrays.asList(arguments));
        return command;
    }

    /** Runs a program to its end. */
    private static Start run(List<String> command) {
        long begin = System.nanoTime();
        try {
            Process process = quiet(command).start();
            if (!process.waitFor(START_SECONDS_MAX, TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new BenchFailed("%s did not end well".formatted(command));
            }
            return new Start((System.nanoTime() - begin) / 1e9, 0);
        } catch (IOException failed) {
            throw new BenchFailed("cannot run " + command, failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new BenchFailed("interrupted");
        }
    }

    private static ProcessBuilder quiet(List<String> command) {
        return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
    }

    private static Start emptyStart(Path cache) {
        int port = ServerProcess.freePort();
        long begin = System.nanoTime();
        try {
            Process process = quiet(emptyServer(List.of("-XX:AOTCache=" + cache, "-Xlog:aot=off", "-Xlog:cds=off"), port)).start();
            try {
                awaitAnswer(port, begin + TimeUnit.SECONDS.toNanos(START_SECONDS_MAX));
                double seconds = (System.nanoTime() - begin) / 1e9;
                return new Start(seconds, process.info().totalCpuDuration().map(cpu -> cpu.toNanos() / 1e9).orElse(0.0));
            } finally {
                process.destroy();
                process.onExit().orTimeout(START_SECONDS_MAX, TimeUnit.SECONDS).join();
            }
        } catch (IOException failed) {
            throw new BenchFailed("the empty server did not start", failed);
        }
    }

    private static void awaitAnswer(int port, long end) {
        while (System.nanoTime() < end) {
            try (Socket socket = new Socket("127.0.0.1", port); InputStream answer = socket.getInputStream()) {
                socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                if (answer.read() >= 0) {
                    return;
                }
            } catch (IOException notYetListening) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS));
            }
        }
        throw new BenchFailed("the empty server did not answer");
    }
}
