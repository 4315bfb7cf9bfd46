package io.arbitration.platform.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.RunningPlatform;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HTTP/2 as h2spec tests it, which the Go proxy has. Skipped, with the reason, without Go or without a way to that proxy. */
class H2specIT {

    private static final String MODULE = "github.com/summerwind/h2spec/cmd/h2spec@latest";
    /** Answered more mildly by Netty than RFC 9113 has it: decision 038. */
    private static final List<String> MILD = List.of("half closed (remote): Sends a HEADERS frame", "closed: Sends a HEADERS frame",
            "Sends stream identifier that is numerically smaller than previous");

    @TempDir
    private static Path folder;

    private static Optional<Path> go() {
        return Stream.concat(Stream.of(System.getenv("PATH").split(":")).map(Path::of), Stream.of(Path.of("/usr/local/go/bin")))
                .map(path -> path.resolve("go")).filter(Files::isExecutable).findFirst();
    }

    private static String run(int seconds, Map<String, String> environment, String... command) throws IOException, InterruptedException {
        Path output = folder.resolve("output");
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
        return Files.readString(output, StandardCharsets.UTF_8);
    }

    private static void skipUnless(boolean possible, String reason) {
        if (!possible) {
            System.out.println("skipped: " + reason);
        }
        Assumptions.assumeTrue(possible, reason);
    }

    @Test
    void framesAreAnsweredAsTheStandardHasItButForThoseThatNettyAnswersMildly() throws Exception {
        Optional<Path> go = go();
        skipUnless(go.isPresent(), "h2spec needs Go, which is not on this machine");
        Path binaries = Path.of("target", "h2spec").toAbsolutePath();
        Path h2spec = binaries.resolve("h2spec");
        if (!Files.isExecutable(h2spec)) {
            String installed = run(180, Map.of("GOBIN", binaries.toString()), go.get().toString(), "install", MODULE);
            skipUnless(Files.isExecutable(h2spec), "h2spec could not be installed: " + installed.strip());
        }
        try (RunningPlatform platform = RunningPlatform.start(folder.resolve("data"), ServerCertificate.in(folder).settings())) {
            String report = run(240, Map.of(), h2spec.toString(), "-t", "-k", "-h", "localhost", "-p", String.valueOf(platform.platform().port()), "-P", "/docs", "-o", "3");
            System.out.println(report.lines().reduce((first, last) -> last).orElse(""));
            assertThat(report).contains("145 tests");
            List<String> failed = report.lines().filter(line -> line.contains("×")).map(line -> line.replaceAll(".*× \\d+: ", "").strip()).distinct().toList();
            assertThat(MILD).as(report).containsAll(failed);
        }
    }
}
