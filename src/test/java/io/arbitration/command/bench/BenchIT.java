package io.arbitration.command.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.contentOf;

import io.arbitration.PlatformProgram;
import io.arbitration.PreparedDatabase;
import io.arbitration.platform.browser.Chromium;
import io.arbitration.platform.db.DatabaseUrl;
import io.arbitration.platform.db.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The benchmarks run to their end and print every figure. What the figures are is no matter here: the machine is shared. They run one after
 * the other in one process beside this one, each with platforms of its own. Most measure on a database of a server that they have in common,
 * as {@code --database} lets them; two on one that they make and start themselves.
 */
class BenchIT {

    private static final AtomicInteger RUNS = new AtomicInteger();
    private static EmbeddedPostgres server;

    /** Where they and the platforms that they start keep their data. */
    @TempDir
    private static Path folder;
    private static Process benchmarks;

    @BeforeAll
    static void startServer(@TempDir Path data) throws IOException {
        PreparedDatabase.into(data);
        server = EmbeddedPostgres.start(data, 0);
    }

    @AfterAll
    static void stopServer() throws Exception {
        if (benchmarks != null) {
            benchmarks.getOutputStream().close();
            assertThat(benchmarks.waitFor(60, TimeUnit.SECONDS)).as("the process of the benchmarks ends with its input").isTrue();
        }
        server.close();
    }

    /** On a database of its own, whose tables are there already. */
    private static List<String> runOnCommonServer(String... arguments) throws Exception {
        DatabaseUrl prepared = server.url();
        String name = "bench_" + RUNS.incrementAndGet();
        DatabaseUrl other = new DatabaseUrl(prepared.host(), prepared.port(), "template1", prepared.user(), prepared.password(), "disable", "");
        try (Connection sql = DriverManager.getConnection(other.jdbcUrl(), other.user(), other.password()); Statement statement = sql.createStatement()) {
            statement.execute("create database %s template %s".formatted(name, prepared.database()));
        }
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--database=postgresql://%s:%s@%s:%d/%s?sslmode=disable".formatted(prepared.user(), prepared.password(), prepared.host(), prepared.port(), name));
        return run(all.toArray(String[]::new));
    }

    private static List<String> run(String... arguments) throws Exception {
        if (benchmarks == null || !benchmarks.isAlive()) {
            benchmarks = start();
        }
        Path output = folder.resolve("output-" + RUNS.incrementAndGet());
        benchmarks.outputWriter().write(String.join("\t", Stream.concat(Stream.of(output.toString(), "bench"), Stream.of(arguments)).toList()) + "\n");
        benchmarks.outputWriter().flush();
        CompletableFuture<String> ended = CompletableFuture.supplyAsync(BenchIT::answer, Thread::startVirtualThread);
        try {
            String exit = ended.get(180, TimeUnit.SECONDS);
            assertThat(exit).as(() -> contentOf(output.toFile())).isEqualTo("0");
        } finally {
            if (!ended.isDone()) {
                // Asked to, it takes the platforms along that it has started.
                benchmarks.destroy();
                benchmarks.waitFor(60, TimeUnit.SECONDS);
            }
        }
        return Files.readAllLines(output);
    }

    private static Process start() throws IOException {
        List<String> command = PlatformProgram.bench(640);
        command.add(1, "-Djava.io.tmpdir=" + folder);
        command.add("turns");
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(folder.resolve("complaints").toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("ACP_") || name.equals("JAVA_TOOL_OPTIONS"));
        return builder.start();
    }

    /** The next line that the process of the benchmarks prints; null when it has ended. */
    private static String answer() {
        try {
            return benchmarks.inputReader().readLine();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** For each of these patterns there is a line. */
    private static void assertPrinted(List<String> printed, String... patterns) {
        assertThat(patterns).allSatisfy(pattern -> assertThat(printed).anyMatch(line -> line.matches(pattern)));
    }

    @Test
    void uploadsAndDownloadsAreMeasuredAgainstABareServer() throws Exception {
        List<String> printed = runOnCommonServer("evidence", "--quick");
        for (String what : List.of("upload", "download")) {
            assertPrinted(printed, what + ", bare server +\\d+ +1\\.00 .*", what + ", platform +\\d+ +\\d+\\.\\d\\d \\(.*",
                    what + ", ratio +\\d+\\.\\d+ +target ≥ 0\\.7 .*: (reached|MISSED)");
        }
        assertPrinted(printed, "heap in use, garbage included, at most +\\d+ MB of .*");
    }

    @Test
    void filesOfFilingsAreMeasuredAgainstAServerThatHashesAndWritesTheSame() throws Exception {
        List<String> printed = runOnCommonServer("files", "--quick");
        for (String what : List.of("upload, bare server, hashed and forced", "download, bare server, hashed")) {
            assertPrinted(printed, what + " +\\d+ +1\\.00 .*");
        }
        for (String what : List.of("upload", "download")) {
            assertPrinted(printed, what + ", platform +\\d+ +\\d+\\.\\d\\d \\(.*",
                    what + ", ratio +\\d+\\.\\d+ +target ≥ 0\\.8 .*: (reached|MISSED)");
        }
        for (String from : List.of("warm cache", "from rows")) {
            assertPrinted(printed, "lists with seals, " + from + " +\\d+\\.\\d+ +target ≥ 0\\.95 .*: (reached|MISSED)");
        }
    }

    @Test
    void docketListsAreMeasuredAgainstThePlainQuery() throws Exception {
        List<String> printed = run("docket", "--quick", "--generator=jvm");
        assertPrinted(printed, "HTTP, warm cache +\\d+ +\\d+\\.\\d\\d \\(.*", "ratio, warm cache +\\d+\\.\\d+ +target ≥ 2\\.3 .*: (reached|MISSED)",
                "ratio, from rows +\\d+\\.\\d+ +target ≥ 0\\.57 .*: (reached|MISSED)");
        assertThat(printed.stream().filter(line -> line.contains("target"))).hasSize(7);
    }

    @Test
    void eventStreamsAreMeasuredByWhatTheyTakeAndHowSoonEventsArrive() throws Exception {
        List<String> printed = runOnCommonServer("live", "--quick", "--streams", "200");
        assertPrinted(printed, "heap of each, its connection included +-?\\d+\\.\\d+ +target ≤ 10 KB: (reached|MISSED)",
                "p99 from commit to arrival +\\d+\\.\\d+ +target ≤ 1000 ms .*: (reached|MISSED)");
    }

    @Test
    void manyConnectionsAreMeasuredBesideFew() throws Exception {
        List<String> printed = runOnCommonServer("connections", "--quick", "--protocol", "HTTP/2");
        assertPrinted(printed, "8 connections +\\d+ +1 .*", "40 connections +\\d+ +\\d+\\.\\d\\d \\(.*",
                "ratio, HTTP/2 +\\d+\\.\\d+ +target ≥ 0\\.8 × of 8 connections: (reached|MISSED)",
                "heap of each after its load, HTTP/2 +-?\\d+\\.\\d+ +target ≤ 40 KB: (reached|MISSED)");
    }

    @Test
    void profilesAreMeasuredAgainstTheSameSql() throws Exception {
        List<String> printed = runOnCommonServer("profiles", "--quick", "--generator=jvm", "--users=3000");
        assertPrinted(printed, "HTTP +\\d+ +\\d+\\.\\d\\d \\(.*", "ratio +\\d+\\.\\d+ +target ≥ 0\\.6 .*: (reached|MISSED)");
    }

    @Test
    void deliveriesAreMeasuredBesideLongTransactionsUntilNothingIsLeft() throws Exception {
        List<String> printed = runOnCommonServer("horizon", "--quick");
        assertPrinted(printed, "p99 of the worst window +\\d+\\.\\d+ +target ≤ 200 ms: (reached|MISSED)",
                "backlog after that +0\\.000 +target ≤ 0 : reached", "3 open, at 3 s +\\d+ .*");
    }

    @Test
    void aStartIsMeasuredBesideThatOfAnEmptyServerAndOfJava() throws Exception {
        List<String> printed = runOnCommonServer("start", "--quick");
        assertPrinted(printed, "java -version +\\d+\\.\\d+ .*", "empty Vert\\.x server, own cache +\\d+\\.\\d+ .*",
                "ratio to the empty server +\\d+\\.\\d+ +target ≤ 3 ×: (reached|MISSED)", "io\\.arbitration +[1-9]\\d{2,}");
        // Of what no setting of this node uses, it has loaded nothing. The start-up cache brings what its training used, so PDFBox and Tika are not among these.
        for (String unused : List.of("org.apache.kafka", "software.amazon", "org.bouncycastle")) {
            assertPrinted(printed, unused.replace(".", "\\.") + " +0");
        }
    }

    @Test
    void webhooksAreMeasuredFromTheCommitToThePostAndTheStatementsBehindThemShown() throws Exception {
        List<String> printed = run("webhooks", "--quick");
        assertPrinted(printed, "p50 from commit to POST +\\d+\\.\\d+ +target ≤ 10 ms: (reached|MISSED)",
                "p99 from commit to POST +\\d+\\.\\d+ +target ≤ 50 ms: (reached|MISSED)",
                "deliveries a CPU-second of the platform +[1-9]\\d*\\.\\d+ +target ≥ 7000 : (reached|MISSED)",
                "p99 of the others, ratio +\\d+\\.\\d+ +target ≤ 1\\.2 : (reached|MISSED)");
        // 50 events to 40 URLs, before and after the history: each arrived once.
        assertThat(printed.stream().filter(line -> line.matches("deliveries, as the sink counts them +2000 in .*"))).hasSize(2);
        assertThat(printed.stream().filter(line -> line.matches("statements per 64 deliveries +(?!0\\.000)\\d+\\.\\d+ +target ≤ 2 : (reached|MISSED)")))
                .hasSize(2);
        for (String plan : List.of("Plan: read the log", "Plan: fan out", "Plan: claim", "Plan: record")) {
            assertThat(printed.get(printed.indexOf(plan) + 1)).as(plan).isNotBlank();
        }
        assertPrinted(printed, "whole tables that the engine reads +\\d+\\.000 +target ≤ 0 .*");
    }

    @Test
    void docketWritesAreMeasuredAgainstTheSameWritesInSqlAndLeaveValidDockets() throws Exception {
        List<String> printed = runOnCommonServer("docket-writes", "--quick", "--generator=jvm", "--connections=16");
        assertPrinted(printed, "ratio, approvals on many cases +\\d+\\.\\d+ +target ≥ 0\\.9 .*: (reached|MISSED)",
                "ratio, approvals on one hot case +\\d+\\.\\d+ +target ≥ 8 .*: (reached|MISSED)");
        assertThat(printed.stream().filter(line -> line.matches("HTTP +\\d+ +\\d+\\.\\d\\d \\(.*"))).hasSize(4);
        assertPrinted(printed, "beside writes +p50 +\\d+\\.\\d\\d ms, p99 +\\d+\\.\\d\\d ms");
        assertThat(printed.getLast()).matches("dockets verified +3");
    }

    @Test
    void docketReadsAreMeasuredAloneAndBesideWriters() throws Exception {
        List<String> printed = runOnCommonServer("docket-reads", "--quick", "--reads=50", "--writes=50");
        for (String beside : List.of("alone", "beside paced approvals", "beside free writers")) {
            assertPrinted(printed, beside + "( +\\d+(\\.\\d+)?%?){11}");
        }
        assertThat(printed.stream().filter(line -> line.contains("target"))).hasSize(3);
    }

    @Test
    void pushIsMeasuredAndExactlyTheEndedSubscriptionsAreRemoved() throws Exception {
        List<String> printed = runOnCommonServer("push", "--quick", "--generator=jvm");
        assertPrinted(printed, "p99 of a send +\\d+\\.\\d+ +target ≤ 50 ms: (reached|MISSED)",
                "encrypted sends a CPU-second +\\d+\\.\\d+ +target ≥ 5000 : (reached|MISSED)",
                "subscriptions that had ended +200 answered 410, 200 removed, 1800 left");
    }

    @Test
    void filledFormsAndCapturesAreMeasuredInOneRunAgainstTheirPeers() throws Exception {
        boolean hasBrowser = Chromium.find(Optional.ofNullable(System.getenv("ACP_CHROMIUM"))).isPresent();
        List<String> printed = runOnCommonServer(hasBrowser ? "paper" : "pdf", "--quick");
        assertPrinted(printed, "this platform, Latin +\\d+ +\\d+\\.\\d .*", "PDFBox, flattened +\\d+ +1\\.0 .*");
        assertThat(printed).anyMatch(line -> line.startsWith("pdf-lib"));
        // Launching the full browser is measured where there is one beside the shell.
        assertThat(printed.stream().filter(line -> line.contains("target"))).hasSizeBetween(hasBrowser ? 9 : 5, hasBrowser ? 10 : 5);
        if (hasBrowser) {
            assertPrinted(printed, "captures a second +\\d+\\.\\d+ +target ≥ 6 .*: (reached|MISSED)", "left: \\d+ processes, 0 files");
        } else {
            System.out.println("skipped: no Chromium on this machine, captures were not measured");
        }
    }

    @Test
    void theConsoleIsMeasuredByWhatItLoadsHowSoonADocketIsThereAndHowLongItsTasksAre() throws Exception {
        boolean hasBrowser = Chromium.find(Optional.ofNullable(System.getenv("ACP_CHROMIUM"))).isPresent();
        if (!hasBrowser) {
            System.out.println("skipped: no Chromium on this machine, the console was not measured");
        }
        Assumptions.assumeTrue(hasBrowser, "no browser");
        List<String> printed = runOnCommonServer("console", "--quick");
        for (String what : List.of("sign-in and my day +\\d+\\.\\d+ +target ≤ 100 KB", "case, docket, more +\\d+\\.\\d+ +target ≤ 30 KB", "p95 +\\d+\\.\\d+ +target ≤ 150 ms .*",
                "my day +\\d+\\.\\d+ +target ≤ 100 ms", "longest task while scrolling +\\d+\\.\\d+ +target ≤ 50 ms .*")) {
            assertPrinted(printed, what + ": (reached|MISSED)");
        }
    }

    @Test
    void exportsAreMeasuredFromTheirFirstByteToTheirLast() throws Exception {
        List<String> printed = runOnCommonServer("export", "--quick", "--exhibit-kilobytes=64");
        assertPrinted(printed, "first byte, median +\\d+\\.\\d+ +target ≤ 1 .*: (reached|MISSED)", "whole, median +\\d+\\.\\d+ .*",
                "heap +\\d+ +MB in use at most, \\d+ committed; RSS \\d+");
    }
}
