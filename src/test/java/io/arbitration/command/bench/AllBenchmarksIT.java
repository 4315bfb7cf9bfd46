package io.arbitration.command.bench;

import static io.arbitration.command.bench.BenchProcess.assertPrinted;
import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.platform.browser.Chromium;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The benchmarks that {@link BenchIT} leaves out run to their end, too, and print every figure: by {@code ./acp bench-test} and
 * {@code ./acp test --long}, because each takes from 7 to 18 seconds of a processor.
 */
class AllBenchmarksIT {

    @TempDir
    private static Path folder;
    private static BenchProcess benchmarks;

    @BeforeAll
    static void start(@TempDir Path data) throws IOException {
        boolean asked = Boolean.getBoolean("bench.all");
        if (!asked) {
            System.out.println("skipped: the benchmarks that ./acp bench-test runs");
        }
        Assumptions.assumeTrue(asked, "left to ./acp bench-test");
        benchmarks = new BenchProcess(folder, data);
    }

    @AfterAll
    static void stop() throws Exception {
        if (benchmarks != null) {
            benchmarks.close();
        }
    }

    @Test
    void filesOfFilingsAreMeasuredAgainstAServerThatHashesAndWritesTheSame() throws Exception {
        List<String> printed = benchmarks.runOnCommonServer("files", "--quick");
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
        List<String> printed = benchmarks.run("docket", "--quick", "--generator=jvm");
        assertPrinted(printed, "HTTP, warm cache +\\d+ +\\d+\\.\\d\\d \\(.*", "ratio, warm cache +\\d+\\.\\d+ +target ≥ 2\\.3 .*: (reached|MISSED)",
                "ratio, from rows +\\d+\\.\\d+ +target ≥ 0\\.6 .*: (reached|MISSED)");
        assertThat(printed.stream().filter(line -> line.contains("target"))).hasSize(7);
    }

    @Test
    void aDatabaseIsFilledAndNoStatementReadsAllEventsFilingsOrEntries() throws Exception {
        Path filled = folder.resolve("filled");
        assertPrinted(benchmarks.run("fill-up", "--cases", "1000", "--folder", filled.resolve("1000").toString()), "Filled: 1,000 cases, 10,000 docket entries, .*", ".* minutes, .* MB");

        List<String> printed = benchmarks.run("size", "--few", "1000", "--cases", "4000", "--folder", filled.toString(), "--plans-only");
        // Of 4,000 cases a sequential scan is the right plan for a table of one row each; the log and the docket are longer.
        assertPrinted(printed, "large tables that a statement read to the end +\\d\\.000 +target ≤ 0 \\[(?!.*(platform\\.|mainapi\\.)).*\\]: .*", "\\d+ statements of \\d+ operations and of no request; .*");
        assertPrinted(benchmarks.run("size", "--few", "1000", "--cases", "4000", "--folder", filled.toString(), "--only", "cases/view", "--rounds", "1", "--seconds", "1"),
                "p99 ratio, /cases/cases/view +\\d+\\.\\d+ +target ≤ 1\\.3 .*: (reached|MISSED)");
    }

    @Test
    void eventStreamsAreMeasuredByWhatTheyTakeAndHowSoonEventsArrive() throws Exception {
        List<String> printed = benchmarks.runOnCommonServer("live", "--quick", "--streams", "200");
        assertPrinted(printed, "heap of each, its connection included +-?\\d+\\.\\d+ +target ≤ 10 KB: (reached|MISSED)",
                "p99 from commit to arrival +\\d+\\.\\d+ +target ≤ 1000 ms .*: (reached|MISSED)");
    }

    @Test
    void manyConnectionsAreMeasuredBesideFew() throws Exception {
        List<String> printed = benchmarks.runOnCommonServer("connections", "--quick", "--protocol", "HTTP/2");
        assertPrinted(printed, "8 connections +\\d+ +1 .*", "40 connections +\\d+ +\\d+\\.\\d\\d \\(.*",
                "ratio, HTTP/2 +\\d+\\.\\d+ +target ≥ 0\\.8 × of 8 connections: (reached|MISSED)",
                "heap of each after its load, HTTP/2 +-?\\d+\\.\\d+ +target ≤ 40 KB: (reached|MISSED)");
    }

    @Test
    void profilesAreMeasuredAgainstTheSameSql() throws Exception {
        List<String> printed = benchmarks.runOnCommonServer("profiles", "--quick", "--generator=jvm", "--users=3000");
        assertPrinted(printed, "HTTP +\\d+ +\\d+\\.\\d\\d \\(.*", "ratio +\\d+\\.\\d+ +target ≥ 0\\.9 .*: (reached|MISSED)");
    }

    @Test
    void deliveriesAreMeasuredBesideLongTransactionsUntilNothingIsLeft() throws Exception {
        List<String> printed = benchmarks.runOnCommonServer("horizon", "--quick");
        assertPrinted(printed, "p99 of the worst window +\\d+\\.\\d+ +target ≤ 200 ms: (reached|MISSED)",
                "backlog after that +0\\.000 +target ≤ 0 : reached", "3 open, at 3 s +\\d+ .*");
    }

    @Test
    void aStartIsMeasuredBesideThatOfAnEmptyServerAndOfJava() throws Exception {
        List<String> printed = benchmarks.runOnCommonServer("start", "--quick");
        assertPrinted(printed, "java -version +\\d+\\.\\d+ .*", "empty Vert\\.x server, own cache +\\d+\\.\\d+ .*",
                "ratio to the empty server +\\d+\\.\\d+ +target ≤ 3 ×: (reached|MISSED)", "io\\.arbitration +[1-9]\\d{2,}");
        // Of what no setting of this node uses, it has loaded nothing. The start-up cache brings what its training used, so PDFBox and Tika are not among these.
        for (String unused : List.of("org.apache.kafka", "software.amazon", "org.bouncycastle")) {
            assertPrinted(printed, unused.replace(".", "\\.") + " +0");
        }
    }

    @Test
    void docketWritesAreMeasuredAgainstTheSameWritesInSqlAndLeaveValidDockets() throws Exception {
        List<String> printed = benchmarks.runOnCommonServer("docket-writes", "--quick", "--generator=jvm", "--connections=16");
        assertPrinted(printed, "ratio, approvals on many cases +\\d+\\.\\d+ +target ≥ 1\\.5 .*: (reached|MISSED)",
                "ratio, approvals on one hot case +\\d+\\.\\d+ +target ≥ 8 .*: (reached|MISSED)");
        assertThat(printed.stream().filter(line -> line.matches("HTTP +\\d+ +\\d+\\.\\d\\d \\(.*"))).hasSize(4);
        assertPrinted(printed, "beside writes +p50 +\\d+\\.\\d\\d ms, p99 +\\d+\\.\\d\\d ms");
        assertThat(printed.getLast()).matches("dockets verified +3");
    }

    @Test
    void pushIsMeasuredAndExactlyTheEndedSubscriptionsAreRemoved() throws Exception {
        List<String> printed = benchmarks.runOnCommonServer("push", "--quick", "--generator=jvm");
        assertPrinted(printed, "p99 of a send +\\d+\\.\\d+ +target ≤ 50 ms: (reached|MISSED)",
                "encrypted sends a CPU-second +\\d+\\.\\d+ +target ≥ 5000 : (reached|MISSED)",
                "subscriptions that had ended +200 answered 410, 200 removed, 1800 left");
    }

    @Test
    void filledFormsAndCapturesAreMeasuredInOneRunAgainstTheirPeers() throws Exception {
        boolean hasBrowser = Chromium.find(Optional.ofNullable(System.getenv("ACP_CHROMIUM"))).isPresent();
        List<String> printed = benchmarks.runOnCommonServer(hasBrowser ? "paper" : "pdf", "--quick");
        assertPrinted(printed, "this platform, Latin +\\d+ +\\d+\\.\\d .*", "PDFBox, flattened +\\d+ +1\\.0 .*");
        assertThat(printed).anyMatch(line -> line.startsWith("pdf-lib"));
        // Launching the full browser is measured where there is one beside the shell, puppeteer-core where Node.js is.
        assertThat(printed.stream().filter(line -> line.contains("target"))).hasSizeBetween(hasBrowser ? 9 : 5, hasBrowser ? 12 : 5);
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
        List<String> printed = benchmarks.runOnCommonServer("console", "--quick");
        for (String what : List.of("sign-in and my day +\\d+\\.\\d+ +target ≤ 100 KB", "case, docket, more +\\d+\\.\\d+ +target ≤ 30 KB", "p95 +\\d+\\.\\d+ +target ≤ 150 ms .*",
                "my day +\\d+\\.\\d+ +target ≤ 100 ms", "longest task while scrolling +\\d+\\.\\d+ +target ≤ 50 ms .*")) {
            assertPrinted(printed, what + ": (reached|MISSED)");
        }
    }

    @Test
    void exportsAreMeasuredFromTheirFirstByteToTheirLast() throws Exception {
        List<String> printed = benchmarks.runOnCommonServer("export", "--quick", "--exhibit-kilobytes=64");
        assertPrinted(printed, "first byte, median +\\d+\\.\\d+ +target ≤ 1 .*: (reached|MISSED)", "whole, median +\\d+\\.\\d+ .*",
                "heap +\\d+ +MB in use at most, \\d+ committed; RSS \\d+");
    }
}
