package io.arbitration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contracts keep to the recommended rules of Spectral and to Zalando's guidelines, but for what {@code dev/contracts/spectral.yaml} says. */
class ContractRulesTest {

    private static final Path RULES = Path.of("dev/contracts/spectral.yaml");
    private static final String LINTER = "@stoplight/spectral-cli@6.16.3";
    private static final String GUIDELINES = "@baloise/spectral-rules@1.5.0";
    /** The shortest contract: a copy of it breaks the rules. */
    private static final Path RULE_BREAKER = Path.of("src/main/resources/openapi/profiles.yaml");
    /** Against a hang alone. */
    private static final int LINT_SECONDS_MAX = 600;

    @TempDir
    private Path folder;

    /** What the linter finds, as {@code rule file: message}. */
    private List<String> found(Path node, List<String> contracts) throws Exception {
        Path rules = Files.copy(RULES, node.resolve("spectral.yaml"), StandardCopyOption.REPLACE_EXISTING);
        List<String> command = new ArrayList<>(List.of("node", node.resolve("node_modules/@stoplight/spectral-cli/dist/index.js").toString(),
                "lint", "--quiet", "--format", "json", "--fail-severity", "hint", "--ruleset", rules.toString()));
        command.addAll(contracts);
        Path said = folder.resolve("found.json");
        Process linter = new ProcessBuilder(command).redirectError(folder.resolve("complaints").toFile()).redirectOutput(said.toFile()).start();
        assertThat(linter.waitFor(LINT_SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
        assertThat(linter.exitValue()).as(Files.readString(folder.resolve("complaints"))).isLessThan(2);
        List<String> found = new ArrayList<>();
        for (JsonNode problem : new JsonMapper().readTree(said.toFile())) {
            found.add("%s %s %s: %s".formatted(problem.path("code").asText(), Path.of(problem.path("source").asText()).getFileName(), problem.path("path"), problem.path("message").asText()));
        }
        return found;
    }

    @Test
    void theContractsKeepToTheRules() throws Exception {
        Optional<Path> node = OtherRuntimes.node(LINTER, GUIDELINES);
        Assumptions.assumeTrue(node.isPresent(), "no node with the linter and the guidelines");
        List<String> contracts = Areas.CONTRACTS.stream().map(name -> Path.of("src/main/resources/openapi", name + ".yaml").toAbsolutePath().toString()).toList();
        // The rules of both sets are at work: a contract that breaks some of each is told. One run, because the linter is slow to begin.
        Path broken = Files.writeString(folder.resolve("broken.yaml"), Files.readString(RULE_BREAKER)
                .replaceFirst("  x-audience: .*\n", "").replaceFirst("(?s)\ntags:\n.*?\n\n", "\n")
                .replaceFirst("\n *default: .*\n", "\n").replace("application/problem+json", "application/xml"));
        Map<Boolean, List<String>> found = found(node.get(), Stream.concat(contracts.stream(), Stream.of(broken.toString())).toList()).stream()
                .collect(Collectors.partitioningBy(one -> one.contains(" broken.yaml ")));
        assertThat(found.get(false)).isEmpty();
        assertThat(found.get(true)).anyMatch(one -> one.startsWith("must-provide-api-audience"))
                .anyMatch(one -> one.startsWith("must-specify-default-response")).anyMatch(one -> one.startsWith("must-use-problem-json-for-errors"))
                .anyMatch(one -> one.startsWith("operation-tag-defined"));
    }
}
