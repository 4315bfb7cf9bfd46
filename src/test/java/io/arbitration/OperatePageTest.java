package io.arbitration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the guide for operators says of failures holds only while the tests that it names are there. */
class OperatePageTest {

    private static final Path PAGE = Path.of("docs/guides/operate.md");
    private static final Pattern TEST = Pattern.compile("`([A-Z][A-Za-z0-9]+(?:IT|Test))\\.([a-z][A-Za-z0-9]+)`");

    @Test
    void everyTestOfAFailureIsThere() throws IOException {
        List<MatchResult> named = TEST.matcher(Files.readString(PAGE)).results().toList();
        assertThat(named).hasSizeGreaterThan(40);
        for (MatchResult test : named) {
            assertThat(sources(test.group(1))).as(test.group()).anyMatch(source -> Pattern.compile("@(?:Parameterized)?Test\n(?: +@.*\n)* +void " + test.group(2) + "\\(").matcher(source).find());
        }
    }

    /** A row without a test says why there is nothing to test. */
    @Test
    void eachSystemHasEachFailureWithATestOrAReason() throws IOException {
        List<String> kinds = List.of("away at the start", "away later", "slow or silent", "answers nonsense", "certificate not valid", "credentials changed", "disk full",
                "clock off by a minute");
        String table = Files.readString(PAGE).split("## When another system fails", 2)[1].split("These failures have no place in that table", 2)[0];
        List<String[]> rows = table.lines().filter(line -> line.startsWith("| ")).skip(1).map(line -> line.split(" ?\\| ?", -1)).toList();
        assertThat(rows.stream().map(row -> row[1]).filter(system -> !system.isEmpty())).hasSize(13).doesNotHaveDuplicates();
        assertThat(rows).hasSize(13 * kinds.size());
        for (int i = 0; i < rows.size(); i++) {
            String[] row = rows.get(i);
            assertThat(row[2]).as(String.join("|", row)).isEqualTo(kinds.get(i % kinds.size()));
            assertThat(TEST.matcher(row[5]).find() || row[3].startsWith("none: ") || row[3].startsWith("cannot "))
                    .as("a test, or a reason: " + String.join("|", row)).isTrue();
        }
    }

    private static List<String> sources(String className) throws IOException {
        List<String> sources = new ArrayList<>();
        try (Stream<Path> files = Files.walk(Path.of("src/test/java"))) {
            for (Path file : files.filter(one -> one.endsWith(className + ".java")).toList()) {
                sources.add(Files.readString(file));
            }
        }
        return sources;
    }

    /** What is written for whoever watches is told in the guide, each kind and each act: else nobody would look for it. */
    @Test
    void theGuideNamesEverySecurityEvent() throws IOException {
        Set<String> written = new TreeSet<>();
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            for (Path file : files.filter(one -> one.toString().endsWith(".java")).toList()) {
                Pattern.compile("security event=([a-z-]+)|security\\.acted\\([^\"]*\"([a-z.-]+)\"").matcher(Files.readString(file)).results()
                        .forEach(found -> written.add(found.group(1) == null ? found.group(2) : found.group(1)));
            }
        }
        String guide = Files.readString(PAGE);
        assertThat(written).hasSizeGreaterThan(15).allSatisfy(event -> assertThat(guide).contains("`" + event + "`"));
    }
}
