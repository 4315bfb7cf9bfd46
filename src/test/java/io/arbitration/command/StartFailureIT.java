package io.arbitration.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.FaultyLine;
import io.arbitration.PlatformProgram;
import io.arbitration.platform.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What keeps a node from starting is told in a line, without a stack trace; each start is a process of its own. */
class StartFailureIT {

    @TempDir
    private Path folder;

    private record Ended(int exitCode, List<String> lines) {}

    private Ended run(Map<String, String> environment, String... arguments) throws IOException, InterruptedException {
        return run(PlatformProgram.USUAL_HEAP_MEGABYTES, environment, arguments);
    }

    private Ended run(int heapMegabytes, Map<String, String> environment, String... arguments) throws IOException, InterruptedException {
        Path errors = folder.resolve("errors");
        ProcessBuilder builder = new ProcessBuilder(PlatformProgram.command(heapMegabytes));
        builder.command().addAll(List.of(arguments));
        builder.environment().keySet().removeIf(name -> name.startsWith("ACP_") || name.equals("JAVA_TOOL_OPTIONS"));
        builder.environment().putAll(Map.of("ACP_PROFILE", "demo", "ACP_HTTP_PORT", "0", "ACP_MANAGEMENT_PORT", "0",
                "ACP_DATA_FOLDER", folder.resolve("data").toString()));
        builder.environment().putAll(environment);
        Process process = builder.redirectError(errors.toFile()).redirectOutput(folder.resolve("output").toFile()).start();
        try {
            assertThat(process.waitFor(90, TimeUnit.SECONDS)).as("ends by itself").isTrue();
        } finally {
            process.destroyForcibly();
        }
        List<String> lines = Files.readAllLines(errors, StandardCharsets.UTF_8).stream()
                .filter(line -> line.startsWith("acp: ") || line.startsWith("\tat ") || line.contains("Exception")).toList();
        return new Ended(process.exitValue(), lines);
    }

    @Test
    void aSettingOutOfItsBoundsNamesKeyValueAndBound() throws Exception {
        Ended ended = run(Map.of("ACP_HTTP_PORT", "99999"));
        assertThat(ended.lines()).containsExactly("acp: http.port: 99999 is out of bounds: from 0 to 65535");
        assertThat(ended.exitCode()).isEqualTo(78);
    }

    @Test
    void aBrokenDefinitionNamesFileAndPlaceAndTheDatabaseIsStoppedAgain() throws Exception {
        Path definitions = Files.createDirectories(folder.resolve("definitions"));
        Files.writeString(definitions.resolve("parties.yaml"), "parties: 7\n");
        Ended ended = run(Map.of("ACP_DEFINITIONS_FOLDER", definitions.toString()), "run");
        assertThat(ended.exitCode()).isEqualTo(78);
        assertThat(ended.lines()).hasSize(1).first().asString().contains("parties.yaml: ");
        assertThat(folder.resolve("data/postgres/postmaster.pid")).doesNotExist();
    }

    @Test
    void boundsThatDoNotFitTheHeapAreNamedWithTheirFigures() throws Exception {
        Ended ended = run(128, Map.of("ACP_EVIDENCE_TRANSFERS_MAX", "3000"), "run");
        assertThat(ended.exitCode()).isEqualTo(78);
        assertThat(ended.lines()).hasSize(1).first().asString().startsWith("acp: the heap is 12")
                .contains(" and the bounds of the settings need 3", ": evidence.transfersMax 3000 takes 3000 MB, ", "http.bodiesBytesMax 33554432 takes 128 MB",
                        "ACP_JAVA_OPTIONS=-Xmx3");
        assertThat(folder.resolve("data/postgres")).as("nothing was started").doesNotExist();
    }

    @Test
    void aPortInUseNamesTheSettingThatChoosesAnother() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("0.0.0.0"))) {
            Ended ended = run(Map.of("ACP_HTTP_PORT", String.valueOf(taken.getLocalPort())), "demo", "--once");
            assertThat(ended.exitCode()).isEqualTo(1);
            assertThat(ended.lines()).containsExactly(("acp: http.port: cannot listen on 0.0.0.0:%d: "
                    + "the port is in use by another process; ACP_HTTP_PORT chooses another").formatted(taken.getLocalPort()));
        }
        assertThat(folder.resolve("data/postgres/postmaster.pid")).doesNotExist();
    }

    @Test
    void aDatabaseThatCannotBeReachedIsNamedWithoutThePassword() throws Exception {
        int free = FreePort.any();
        Ended ended = run(Map.of("ACP_DATABASE_CONNECT_SECONDS", "1",
                "ACP_DATABASE_URL", "postgresql://somebody:verysecret@127.0.0.1:%d/cases".formatted(free)), "run");
        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.lines()).hasSize(1).first().asString()
                .startsWith("acp: database.url: postgresql://somebody@127.0.0.1:%d/cases?sslmode=prefer cannot be reached: ".formatted(free))
                .doesNotContain("verysecret");
    }

    @Test
    void anAddressThatIsNoDatabaseIsNamedWithoutThePassword() throws Exception {
        try (FaultyLine line = new FaultyLine(FreePort.any(), FaultyLine.State.NONSENSE)) {
            Ended ended = run(Map.of("ACP_DATABASE_CONNECT_SECONDS", "1",
                    "ACP_DATABASE_URL", "postgresql://somebody:verysecret@127.0.0.1:%d/cases".formatted(line.port())), "run");
            assertThat(ended.exitCode()).isEqualTo(1);
            assertThat(ended.lines()).hasSize(1).first().asString()
                    .startsWith("acp: database.url: postgresql://somebody@127.0.0.1:%d/cases?sslmode=prefer cannot be reached: ".formatted(line.port()))
                    .doesNotContain("verysecret");
        }
    }
}
