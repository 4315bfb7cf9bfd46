package io.arbitration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The README's commands, run as they stand; only the address of the platform is another one. */
class ReadmeIT {

    private static final Pattern SHELL = Pattern.compile("```sh\n(.*?)```", Pattern.DOTALL);
    private static final Pattern COMMAND = Pattern.compile("\\./acp ([a-z-]+)");

    private static String readme() throws IOException {
        return Files.readString(Path.of("README.md"));
    }

    private static List<String> blocks() throws IOException {
        return SHELL.matcher(readme()).results().map(block -> block.group(1)).toList();
    }

    @Test
    void theFirstCallEndsWithAnEntryOnAValidDocket() throws Exception {
        String script = blocks().stream().filter(block -> block.contains("url=http://localhost:8080")).findFirst().orElseThrow()
                .replace("http://localhost:8080", RunningPlatform.shared().url());
        Process process = new ProcessBuilder("bash", "-eu", "-c", script).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        assertThat(output)
                .contains("\"Document successfully submitted.\"")
                .contains("\"documentID\":\"noticeOfRepresentation\"")
                .contains("\"valid\":true,\"entries\":1")
                .contains("\"actions\":[");
    }

    @Test
    void everyCommandOfTheReadmeIsOneThatTheScriptKnows() throws Exception {
        Process process = new ProcessBuilder("./acp", "help").redirectErrorStream(true).start();
        String help = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        List<String> commands = COMMAND.matcher(readme()).results().map((MatchResult match) -> match.group(1)).distinct().toList();
        assertThat(commands).contains("demo", "test", "run").allSatisfy(command ->
                assertThat(help).containsPattern("(?m)^  (\\./acp )?" + command + "\\b"));
    }

    @Test
    void theProductionExampleIsAConfigurationThatTheStartAccepts() throws Exception {
        String yaml = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL).matcher(readme()).results().findFirst().orElseThrow().group(1);
        Path file = Files.createTempFile("production", ".yaml");
        Files.writeString(file, yaml);
        Path home = Path.of("").toAbsolutePath();
        var settings = io.arbitration.platform.config.Settings.parse(
                io.arbitration.platform.config.Configuration.load(home, java.util.Map.of("ACP_CONFIGURATION", file.toString())), home);
        assertThat(settings.identity().providers()).containsKey("google");
        assertThat(settings.database().url()).isPresent();
        assertThat(io.arbitration.platform.db.DatabaseUrl.parse(settings.database().url().get()).toString()).doesNotContain("secret");
    }
}
