package io.arbitration.platform.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.arbitration.KeptPage;
import io.arbitration.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The reference of the settings: keys, defaults and meanings from {@code conf/platform.yaml}, kinds and bounds from the code that reads them. */
class ConfigurationReferenceTest {

    private static final Path HOME = Path.of("").toAbsolutePath();
    private static final Path PAGE = Path.of("docs/reference/configuration.md");
    private static final Pattern LINE = Pattern.compile("( *)([A-Za-z0-9]+):(?: +(\"[^\"]*\"|\\[.*?]|\\{}|[^#\"\\[{][^#]*?))? *(?:# (.*))?");
    private static final Pattern COMMENT = Pattern.compile(" *# (.*)");
    private static final Pattern RANGE = Pattern.compile("\\b([0-9]+) to ([0-9]+)\\b");

    /** A key or a group of keys, with what the file says of it. */
    private record Explained(String key, boolean group, String meaning) {}

    private record Open(int indent, String name) {}

    /** The lines of the file; comments above a key belong to it as well as the one beside it. */
    private static List<Explained> explained() throws IOException {
        List<Explained> all = new ArrayList<>();
        Deque<Open> open = new ArrayDeque<>();
        StringBuilder above = new StringBuilder();
        for (String line : Files.readAllLines(HOME.resolve("conf/platform.yaml"))) {
            Matcher comment = COMMENT.matcher(line);
            Matcher setting = LINE.matcher(line);
            if (line.isBlank()) {
                above.setLength(0);
            } else if (comment.matches()) {
                String said = comment.group(1).strip();
                above.append(above.isEmpty() ? "" : " ").append(said.startsWith("{") ? KeptPage.code(said) : said);
            } else {
                assertThat(setting.matches()).as(line).isTrue();
                int indent = setting.group(1).length();
                while (!open.isEmpty() && open.peek().indent() >= indent) {
                    open.pop();
                }
                open.push(new Open(indent, setting.group(2)));
                List<String> path = open.stream().map(Open::name).toList().reversed();
                String beside = setting.group(4) == null ? "" : setting.group(4).strip();
                all.add(new Explained(String.join(".", path), setting.group(3) == null, (beside + " " + above).strip()));
                above.setLength(0);
            }
        }
        return all;
    }

    private static Configuration read() {
        Configuration configuration = Configuration.load(HOME, Map.of());
        Settings.read(configuration, HOME);
        return configuration;
    }

    private static String shown(JsonNode value) {
        if (value.isTextual()) {
            return value.asText().isEmpty() ? "empty" : KeptPage.code(value.asText());
        }
        return value.isContainerNode() && value.isEmpty() ? "none" : KeptPage.code(value.toString().replace("\",\"", "\", \""));
    }

    private static String takes(Configuration.Rule rule) {
        return rule.kind() + (rule.bounds().isEmpty() ? "" : ": " + rule.bounds()) + (rule.secret() ? "; **secret**" : "");
    }

    private static String page() throws IOException {
        Configuration configuration = read();
        Map<String, Configuration.Rule> rules = configuration.rules();
        Map<String, List<Explained>> sections = new LinkedHashMap<>();
        explained().forEach(one -> sections.computeIfAbsent(one.key().contains(".") || one.group() ? one.key().replaceAll("\\..*", "") : "General",
                section -> new ArrayList<>()).add(one));
        StringBuilder page = new StringBuilder("""
                # Configuration

                This page lists every setting with its key, environment variable, default, accepted values and meaning. `./acp reference` generates
                it from the code and [`conf/platform.yaml`](../../conf/platform.yaml).

                The platform reads a value from the first source that has it: the environment, the file named by `ACP_CONFIGURATION`, the profile
                (`conf/profiles`), the default. In the environment lists are comma separated and maps are JSON. If a key is unknown or a value
                is invalid, the platform does not start and names it. Messages and logs contain no secrets. Keep secrets in the environment
                or in a file that only the platform's user can read.
                """);
        sections.forEach((section, lines) -> {
            page.append("\n## ").append(section).append("\n\n");
            lines.stream().filter(Explained::group).filter(line -> !line.meaning().isEmpty()).forEach(line ->
                    page.append(line.key().equals(section) ? "" : KeptPage.code(line.key()) + ": ").append(KeptPage.cell(line.meaning())).append("\n\n"));
            page.append("| key | default | values | meaning |\n|---|---|---|---|\n");
            lines.stream().filter(line -> !line.group()).forEach(line -> page.append("| %s<br>%s | %s | %s | %s |%n".formatted(
                    KeptPage.code(line.key()), KeptPage.code(Configuration.variable(line.key())), shown(configuration.value(line.key())),
                    KeptPage.cell(takes(rules.get(line.key()))), KeptPage.cell(line.meaning()))));
        });
        return page.toString();
    }

    @Test
    void everyKeyIsInTheFileInTheCodeAndExplained() throws IOException {
        Configuration configuration = read();
        List<Explained> keys = explained().stream().filter(one -> !one.group()).toList();
        assertThat(keys).extracting(Explained::key).doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(configuration.keys())
                .containsExactlyInAnyOrderElementsOf(configuration.rules().keySet());
        assertThat(keys).allSatisfy(one -> assertThat(one.meaning()).as(one.key()).hasSizeGreaterThan(8).matches("(?s).*[.!`]"));
    }

    @Test
    void theBoundsInTheFileAreThoseOfTheCode() throws IOException {
        Map<String, Configuration.Rule> rules = read().rules();
        List<Explained> whole = explained().stream().filter(one -> !one.group() && rules.get(one.key()).kind().equals("whole number")).toList();
        assertThat(whole).hasSizeGreaterThan(50).allSatisfy(one -> {
            Matcher range = RANGE.matcher(one.meaning());
            assertThat(range.find()).as("%s has no bounds in conf/platform.yaml, which are %s", one.key(), rules.get(one.key()).bounds()).isTrue();
            assertThat(range.group()).as(one.key()).isEqualTo(rules.get(one.key()).bounds());
        });
    }

    @Test
    void whatIsCalledASecretIsReadAsOne() {
        assertThat(read().rules()).allSatisfy((key, rule) -> {
            if (key.toLowerCase(Locale.ROOT).matches(".*(secret|secretaccesskey|password|token|apikey)")) {
                assertThat(rule.secret()).as("%s is to be read by Configuration.secret", key).isTrue();
            }
        });
    }

    @Test
    void aSecretIsShownInNoMessage() {
        List<String> secrets = read().rules().entrySet().stream().filter(one -> one.getValue().secret()).map(Map.Entry::getKey).toList();
        assertThat(secrets).contains("database.url", "smtp.url", "ai.apiKey", "kafka.properties", "keys.vault.token", "objects.s3.secretAccessKey")
                .allMatch(Configuration::mayBeSecret);
    }

    @Test
    void thePageIsWhatCodeAndFileSay() throws IOException {
        KeptPage.check(PAGE, page());
    }
}
