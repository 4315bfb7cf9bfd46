package io.arbitration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients of the contracts as they were go on: whatever would break one is listed in {@code docs/reference/versioning.md}. */
class ContractChangesTest {

    private static final String TOOL = "github.com/oasdiff/oasdiff@v1.35.0";
    /** The first state in which the contracts were complete. The commit of a release takes its place. */
    private static final String BEFORE = "f21c4f6";
    private static final Path VERSIONS = Path.of("docs/reference/versioning.md");
    private static final Pattern LISTED = Pattern.compile("(?m)^\\| (`/[^|]*`) \\| `([a-z-]+)` \\|");
    private static final Pattern OPERATION = Pattern.compile("`(/[^`]*)`");
    /** A sunset less than half a year from today: it would make this test fail later. The platform requires twelve months after the deprecation. */
    private static final String SUNSET_IS_NEAR = "api-sunset-date-too-small";
    private static final int SECONDS_MAX = 60;

    @TempDir
    private Path folder;

    private int run(Path output, String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectError(folder.resolve("complaints").toFile()).redirectOutput(output.toFile()).start();
        assertThat(process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    @Test
    void everyBreakIsListedAndNoneIsListedThatIsNot() throws Exception {
        boolean history = run(folder.resolve("commit"), "git", "cat-file", "-e", BEFORE + "^{commit}") == 0;
        if (!history) {
            System.out.printf("skipped: no commit %s here to compare the contracts with%n", BEFORE);
        }
        Assumptions.assumeTrue(history, "no history of the contracts");
        Optional<Path> oasdiff = OtherRuntimes.go(TOOL);
        Assumptions.assumeTrue(oasdiff.isPresent(), "no Go with oasdiff");
        Set<String> breaks = new TreeSet<>();
        for (String name : Areas.CONTRACTS) {
            String file = "src/main/resources/openapi/%s.yaml".formatted(name);
            Path before = folder.resolve(name + ".yaml");
            assertThat(run(before, "git", "show", BEFORE + ":" + file)).as(file).isZero();
            Path found = folder.resolve(name + ".json");
            assertThat(run(found, oasdiff.get().toString(), "breaking", "--format", "json", before.toString(), file)).as(Files.readString(folder.resolve("complaints"))).isZero();
            String prefix = new YAMLMapper().readTree(Path.of(file).toFile()).at("/servers/0/url").asText();
            for (JsonNode change : new JsonMapper().readTree(found.toFile())) {
                if (!change.path("id").asText().equals(SUNSET_IS_NEAR)) {
                    breaks.add(prefix + change.path("path").asText() + " " + change.path("id").asText());
                }
            }
        }
        Set<String> listed = LISTED.matcher(Files.readString(VERSIONS)).results()
                .flatMap(row -> OPERATION.matcher(row.group(1)).results().map(operation -> operation.group(1) + " " + row.group(2))).collect(Collectors.toCollection(TreeSet::new));
        assertThat(breaks).isEqualTo(listed);
    }
}
