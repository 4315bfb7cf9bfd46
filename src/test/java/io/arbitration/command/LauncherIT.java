package io.arbitration.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.arbitration.RunningPlatform;
import io.arbitration.platform.FreePort;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code ./acp} does by itself, without the platform's jar. */
class LauncherIT {

    @TempDir
    private Path folder;

    private record Ended(int exitCode, String output, String errors) {}

    private Ended acp(Map<String, String> environment, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("bash", "acp"));
        command.addAll(List.of(arguments));
        Path output = folder.resolve("output");
        Path errors = folder.resolve("errors");
        ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(output.toFile()).redirectError(errors.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("ACP_"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("ends by itself").isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Ended(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8), Files.readString(errors, StandardCharsets.UTF_8));
    }

    private Ended health(int managementPort) throws IOException, InterruptedException {
        return acp(Map.of("ACP_MANAGEMENT_PORT", String.valueOf(managementPort)), "health");
    }

    @Test
    void aNodeThatServesIsHealthyAndSaysOfWhatParts() throws Exception {
        Ended ended = health(RunningPlatform.shared().platform().managementPort());
        assertThat(ended.exitCode()).as("%s%n%s", ended.output(), ended.errors()).isZero();
        assertThat(new JsonObject(ended.output()).encode()).contains("\"database\"", "\"migrations\"");
    }

    @Test
    void aNodeThatIsNotReadyIsNotHealthyAndSaysWhy() throws Exception {
        HttpServer node = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        byte[] body = "{\"database\":\"DOWN\"}".getBytes(StandardCharsets.UTF_8);
        node.createContext("/health/ready", exchange -> {
            exchange.sendResponseHeaders(503, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        node.start();
        try {
            Ended ended = health(node.getAddress().getPort());
            assertThat(ended.exitCode()).isEqualTo(1);
            assertThat(ended.output()).isEqualToIgnoringNewLines("{\"database\":\"DOWN\"}");
        } finally {
            node.stop(0);
        }
    }

    @Test
    void whereNoNodeIsNothingIsHealthy() throws Exception {
        assertThat(health(FreePort.any()).exitCode()).isEqualTo(1);
    }

    @Test
    void anUnknownCommandIsNamedBesideThoseThatThereAre() throws Exception {
        Ended ended = acp(Map.of(), "serve");
        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.output()).isEmpty();
        assertThat(ended.errors()).startsWith("acp: unknown command: serve\n").contains("  run  ", "  health  ", "  keyset FILE  ");
    }

    @Test
    void everyJudgeAndEveryCounterpartIsATest() throws IOException {
        for (String list : List.of("judges", "counterparts")) {
            List<String> lines = Files.readAllLines(Path.of("dev", list)).stream().filter(line -> !line.startsWith("#")).toList();
            assertThat(lines).hasSizeGreaterThan(10).allMatch(line -> line.matches("\\w+ +\\S.*"));
            try (Stream<Path> files = Files.walk(Path.of("src/test/java"))) {
                assertThat(files.map(file -> file.getFileName().toString())).containsAll(lines.stream().map(line -> line.split(" ")[0] + ".java").toList());
            }
        }
    }
}
