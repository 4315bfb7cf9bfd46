package io.arbitration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the code has to do without, so that nothing a caller writes can become a command or a format. {@link ArchitectureTest} has what no class may use. */
class HarmlessCodeTest {

    private static final Path SOURCES = Path.of("src/main/java/io/arbitration");
    /** Formats that are no text in place: each is handed on from an enum constant, or from a text in place. */
    private static final Set<String> HANDED_ON = Set.of("platform/answer/ApiError.java: text()", "command/Problems.java: text");
    /** Programs that are started, each with its arguments in a list; a shell only runs a script that stands in the code. */
    private static final Set<String> STARTERS = Set.of("platform/reading/ReadingProcesses.java", "platform/browser/NetworkNamespace.java", "platform/browser/Chromium.java",
            "platform/browser/BrowserProcess.java", "platform/db/PostgresServer.java", "command/TrainCommand.java");
    private static final Pattern FORMAT = Pattern.compile("\\b([a-z]\\w*(?:\\(\\))?)\\.formatted\\(|String\\.format\\((?!Locale\\.ROOT, \"|\")([^,)]*)");
    private static final Pattern STARTER = Pattern.compile("new ProcessBuilder\\(|\\.exec\\(");
    private static final Pattern SHELL = Pattern.compile("\"-c\", (\\S+?)[,)]");

    private static Map<String, String> sources() throws IOException {
        try (Stream<Path> all = Files.walk(SOURCES)) {
            return all.filter(file -> file.toString().endsWith(".java")).collect(Collectors.toMap(file -> SOURCES.relativize(file).toString(), HarmlessCodeTest::read,
                    (one, other) -> one, TreeMap::new));
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Test
    void formatsStandInTheCode() throws IOException {
        Set<String> handedOn = new TreeSet<>();
        sources().forEach((file, source) -> FORMAT.matcher(source).results()
                .forEach(found -> handedOn.add(file + ": " + (found.group(1) != null ? found.group(1) : found.group(2)))));
        assertThat(handedOn).isEqualTo(new TreeSet<>(HANDED_ON));
    }

    @Test
    void fewClassesStartProgramsAndAShellRunsWhatStandsInTheCode() throws IOException {
        Set<String> starters = new TreeSet<>();
        Set<String> scripts = new TreeSet<>();
        sources().forEach((file, source) -> {
            if (STARTER.matcher(source).find()) {
                starters.add(file);
            }
            SHELL.matcher(source).results().map(MatchResult::group).forEach(script -> scripts.add(script));
        });
        assertThat(starters).isEqualTo(new TreeSet<>(STARTERS));
        assertThat(scripts).containsExactly("\"-c\", SHELL,");
    }

    /** An object that is changed two steps down by keys that somebody gave could be the one that all objects inherit from. */
    @Test
    void noScriptOfAPageWritesWhereAKeyThatItWasGivenLeads() throws IOException {
        Pattern nested = Pattern.compile("\\[[a-zA-Z_.]+\\]\\s*(?:\\.[a-zA-Z_]+|\\[[^\\]]+\\])+\\s*=[^=>]|__proto__|setPrototypeOf|\\.prototype\\b|\\bfor \\((?:const|let|var) \\w+ in ");
        assertThat("all[given].name = text").containsPattern(nested);
        assertThat("all[given][other] = text").containsPattern(nested);
        int read = 0;
        for (String folder : new String[] {"src/main/console", "src/main/resources/push", "src/main/resources/reference"}) {
            try (Stream<Path> all = Files.walk(Path.of(folder))) {
                for (Path script : all.filter(file -> file.toString().matches(".*\\.(ts|js)")).toList()) {
                    assertThat(Files.readString(script)).as(script.toString()).doesNotContainPattern(nested);
                    read++;
                }
            }
        }
        assertThat(read).isGreaterThan(40);
    }
}
