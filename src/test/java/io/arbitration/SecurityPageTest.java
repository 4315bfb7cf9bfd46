package io.arbitration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What {@code docs/security.md} says holds only while the tests that it names are there. */
class SecurityPageTest {

    private static final Pattern TEST = Pattern.compile("`([A-Z][A-Za-z]+(?:IT|Test))`");

    @Test
    void everyTestThatItNamesIsThere() throws IOException {
        Set<String> there;
        try (Stream<Path> files = Files.walk(Path.of("src/test/java"))) {
            there = files.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".java"))
                    .map(name -> name.substring(0, name.length() - ".java".length())).collect(Collectors.toSet());
        }
        Set<String> named = TEST.matcher(Files.readString(Path.of("docs/security.md"))).results().map(found -> found.group(1)).collect(Collectors.toSet());
        assertThat(named).hasSizeGreaterThan(30);
        assertThat(there).containsAll(named);
    }
}
