package io.arbitration.guides;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page that draws the architecture names what is there, and the path of a submission stays short. */
class ArchitecturePageTest {

    private static final Path PAGE = Path.of("docs/architecture.md");
    private static final Path CODE = Path.of("src/main/java/io/arbitration");
    private static final Pattern CLASS = Pattern.compile("`([A-Z][a-z][A-Za-z0-9]*)`");
    private static final Pattern FOLDER = Pattern.compile("`([a-z]+(?:/[a-z]+)+)`");
    private static final Pattern STEP = Pattern.compile("(?m)^\\d+\\. ");
    private static final int STEPS_MAX = 20;

    private static Set<String> named(Pattern what) throws IOException {
        return what.matcher(Files.readString(PAGE)).results().map(found -> found.group(1)).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Names of the files of all classes, those of tests included. */
    private static Set<String> classes() throws IOException {
        try (Stream<Path> all = Files.walk(Path.of("src"))) {
            return all.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".java"))
                    .map(name -> name.substring(0, name.length() - ".java".length())).collect(Collectors.toSet());
        }
    }

    @Test
    void everyClassThatIsNamedExists() throws IOException {
        Set<String> missing = named(CLASS);
        missing.removeAll(classes());
        assertThat(missing).isEmpty();
        assertThat(named(CLASS)).hasSizeGreaterThan(50);
    }

    @Test
    void everyFolderThatIsNamedExists() throws IOException {
        List<String> missing = named(FOLDER).stream().filter(folder -> !Files.isDirectory(CODE.resolve(folder)) && !Files.isDirectory(Path.of(folder))).toList();
        assertThat(missing).isEmpty();
    }

    @Test
    void theDrawingHasEveryFolderOfThePlatform() throws IOException {
        String drawing = Files.readString(PAGE).split("```")[1];
        try (Stream<Path> folders = Files.list(CODE.resolve("platform"))) {
            assertThat(folders.filter(Files::isDirectory).map(folder -> folder.getFileName().toString())).allSatisfy(folder -> assertThat(drawing).containsPattern("\\b" + folder + "\\b"));
        }
    }

    @Test
    void aSubmissionTakesAtMostTwentySteps() throws IOException {
        String write = Files.readString(PAGE).split("(?m)^## ")[2];
        assertThat(write).startsWith("A write: a filing is submitted");
        assertThat(STEP.matcher(write).results().count()).isBetween(10L, (long) STEPS_MAX);
    }

    @Test
    void noTermOfTheGlossaryIsExplainedTwice() throws IOException {
        List<String> terms = Files.readAllLines(Path.of("docs/glossary.md")).stream().filter(line -> line.startsWith("| ") && !line.startsWith("| term ") && !line.startsWith("|---"))
                .map(line -> line.split("\\|")[1].strip()).toList();
        assertThat(terms).hasSizeGreaterThan(60).doesNotHaveDuplicates();
    }
}
