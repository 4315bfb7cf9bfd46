package io.arbitration.command.bench;

import static io.arbitration.command.bench.BenchProcess.assertPrinted;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A short proof that benchmarks run to their end and print every figure: of files, of lists beside writers, and of webhooks.
 * {@link AllBenchmarksIT} runs the others. What the figures are is no matter here: the machine is shared.
 */
class BenchIT {

    @TempDir
    private static Path folder;
    private static BenchProcess benchmarks;

    @BeforeAll
    static void start(@TempDir Path data) throws IOException {
        benchmarks = new BenchProcess(folder, data);
    }

    @AfterAll
    static void stop() throws Exception {
        benchmarks.close();
    }

    @Test
    void uploadsAndDownloadsAreMeasuredAgainstABareServer() throws Exception {
        List<String> printed = benchmarks.runOnCommonServer("evidence", "--quick");
        Map.of("upload", "0\\.8", "download", "0\\.9").forEach((what, target) -> assertPrinted(printed, what + ", bare server +\\d+ +1\\.00 .*",
                what + ", platform +\\d+ +\\d+\\.\\d\\d \\(.*", what + ", ratio +\\d+\\.\\d+ +target ≥ " + target + " .*: (reached|MISSED)"));
        assertPrinted(printed, "heap in use, garbage included, at most +\\d+ MB of .*");
    }

    @Test
    void webhooksAreMeasuredFromTheCommitToThePostAndTheStatementsBehindThemShown() throws Exception {
        List<String> printed = benchmarks.run("webhooks", "--quick");
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
    void docketReadsAreMeasuredAloneAndBesideWriters() throws Exception {
        List<String> printed = benchmarks.runOnCommonServer("docket-reads", "--quick", "--reads=50", "--writes=50");
        for (String beside : List.of("alone", "beside paced approvals", "beside free writers")) {
            assertPrinted(printed, beside + "( +\\d+(\\.\\d+)?%?){11}");
        }
        assertThat(printed.stream().filter(line -> line.contains("target"))).hasSize(3);
    }
}
