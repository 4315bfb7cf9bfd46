package io.arbitration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The reference of the commands: the help of {@code ./acp}. */
class CommandsReferenceTest {

    private static final Path PAGE = Path.of("docs/reference/commands.md");

    private static String help() throws IOException, InterruptedException {
        Process process = new ProcessBuilder("./acp", "help").start();
        String help = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return help;
    }

    @Test
    void thePageListsEveryCommand() throws IOException, InterruptedException {
        KeptPage.check(PAGE, """
                # Commands

                `acp` in the folder of the repository has every command. It builds the platform first, if the sources are newer than the build. Its
                exit code is that of the command; 2 means that the command is unknown or that something must be installed.

                `./acp reference` generates this page from the help of the command.

                ```text
                %s```
                """.formatted(help()));
    }
}
