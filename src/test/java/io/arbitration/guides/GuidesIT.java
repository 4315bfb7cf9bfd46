package io.arbitration.guides;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * README, tutorial, guides and reference, followed block by block as they stand there.
 * {@link Page} says what marks a page has for that. For one page alone: {@code -Dguides.page=kafka}.
 */
class GuidesIT {

    private static final Pattern COMMAND = Pattern.compile("\\./acp ([a-z-]+)");
    private static final Set<String> TOLD = new ConcurrentSkipListSet<>();

    @TempDir
    private Path folder;

    static List<Path> pages() throws IOException {
        return Page.thatTell().stream().filter(file -> file.toString().contains(System.getProperty("guides.page", ""))).toList();
    }

    @AfterAll
    static void tell() {
        TOLD.forEach(System.out::println);
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyBlockOfThePageHolds(Path file) throws Exception {
        new Guide(Page.read(file), folder, TOLD::add).follow();
    }

    @Test
    void everyCommandOfThePagesIsOneThatTheScriptKnows() throws Exception {
        Process process = new ProcessBuilder("./acp", "help").redirectErrorStream(true).start();
        String help = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        Set<String> commands = new TreeSet<>();
        for (Path file : Page.thatTell()) {
            COMMAND.matcher(Page.read(file).text()).results().forEach(command -> commands.add(command.group(1)));
        }
        assertThat(commands).contains("demo", "test", "run").allSatisfy(command -> assertThat(help).containsPattern("(?m)^  (\\./acp )?" + command + "\\b"));
    }
}
