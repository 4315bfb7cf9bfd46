package io.arbitration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The page that checks the platform against OWASP ASVS is whole, counts right and names tests that exist. */
class AsvsPageTest {

    private static final Path PAGE = Path.of("docs/security-asvs.md");
    private static final Path REQUIREMENTS = Path.of("src/test/resources/asvs-5.0.0-l2.txt");
    private static final Path TESTS = Path.of("src/test/java");
    private static final Set<String> STATES = Set.of("met", "not applicable", "open");
    private static final int WORDS_MAX = 8;
    private static final Pattern ID = Pattern.compile("V\\d+\\.\\d+\\.\\d+");
    private static final Pattern NAMED_TEST = Pattern.compile("`([A-Z]\\w*(?:Test|IT))(?:\\.(\\w+))?`");

    private record Row(String id, String inShort, String state, String where) {}

    private static List<List<String>> cells;
    private static List<Row> rows;

    /** Levels by the ids of the requirements. */
    private static Map<String, Integer> levels;

    /** Sources by the simple names of test classes; classes of one name in several packages stand together. */
    private static Map<String, String> sources;

    @BeforeAll
    static void read() throws IOException {
        cells = Files.readAllLines(PAGE).stream().filter(line -> line.startsWith("| "))
                .map(line -> Arrays.stream(line.substring(1).split("\\|")).map(String::strip).toList()).toList();
        rows = cells.stream().filter(line -> ID.matcher(line.getFirst()).matches()).map(line -> {
            assertThat(line).hasSize(4);
            return new Row(line.get(0), line.get(1), line.get(2), line.get(3));
        }).toList();
        levels = Files.readAllLines(REQUIREMENTS).stream().map(line -> line.split(" "))
                .collect(Collectors.toMap(line -> line[0], line -> Integer.valueOf(line[1])));
        sources = new TreeMap<>();
        try (Stream<Path> all = Files.walk(TESTS)) {
            for (Path file : all.filter(one -> one.toString().endsWith(".java")).toList()) {
                sources.merge(file.getFileName().toString().replace(".java", ""), Files.readString(file), String::concat);
            }
        }
    }

    @Test
    void everyRequirementOfBothLevelsIsThereOnce() {
        assertThat(levels).hasSize(253);
        assertThat(rows).extracting(Row::id).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(levels.keySet());
        assertThat(rows).allSatisfy(row -> {
            assertThat(STATES).as(row.id).contains(row.state);
            assertThat(row.inShort.split(" ")).as(row.id).hasSizeBetween(2, WORDS_MAX);
            assertThat(row.where).as(row.id).isNotEmpty();
        });
    }

    private static String count(String state, int level) {
        return String.valueOf(rows.stream().filter(row -> state.equals("all") || row.state.equals(state))
                .filter(row -> levels.get(row.id) == level).count());
    }

    @Test
    void theFiguresAtTheTopAreThoseOfTheRows() {
        for (String state : List.of("met", "not applicable", "open", "all")) {
            String one = count(state, 1);
            String two = count(state, 2);
            assertThat(cells).contains(List.of(state, one, two, String.valueOf(Integer.parseInt(one) + Integer.parseInt(two))));
        }
    }

    private static List<MatchResult> named(Row row) {
        return NAMED_TEST.matcher(row.where).results().toList();
    }

    @Test
    void whatIsMetNamesATest() {
        assertThat(rows.stream().filter(row -> row.state.equals("met")).filter(row -> named(row).isEmpty())).isEmpty();
    }

    @Test
    void everyTestThatIsNamedExists() {
        Set<String> missing = new TreeSet<>();
        for (Row row : rows) {
            for (MatchResult test : named(row)) {
                String source = sources.getOrDefault(test.group(1), "");
                if (source.isEmpty() || test.group(2) != null && !source.contains(" " + test.group(2) + "(")) {
                    missing.add(row.id + " " + test.group());
                }
            }
        }
        assertThat(missing).isEmpty();
    }
}
