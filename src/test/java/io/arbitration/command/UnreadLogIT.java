package io.arbitration.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.PlatformProcess;
import io.arbitration.PlatformProgram;
import io.arbitration.RunningPlatform;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node whose log nobody reads: its standard error is a pipe that is full, as when a collector of logs stands still. */
class UnreadLogIT {

    /** Lines of the finest level that these requests cause: several times what a pipe (64 KB) and the buffer (1 MB) hold. */
    private static final int REQUESTS = 400;

    @TempDir
    private Path folder;

    @Test
    void itServesAndSaysLaterHowManyLinesItDropped() throws Exception {
        Path pipe = folder.resolve("log.pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).inheritIO().start().waitFor()).isZero();
        Path data = Files.createDirectory(folder.resolve("data"));
        // Open for both directions, so that neither side waits for the other to open it.
        List<String> intoThePipe = List.of("bash", "-c", "exec \"$@\" 2<>'" + pipe + "'", "bash");
        try (PlatformProcess node = PlatformProcess.start(data, Map.of("ACP_TELEMETRY_LOGS_LEVEL", "trace", "ACP_RATE_LIMIT_ENABLED", "false"),
                PlatformProgram.USUAL_HEAP_MEGABYTES, intoThePipe)) {
            RunningPlatform platform = node.platform();
            RunningPlatform.Person person = platform.signIn("unread@example.org", "Una", "Unread");
            for (int i = 0; i < REQUESTS; i++) {
                assertThat(platform.post("/auth/users/me", "", person.token()).status()).isEqualTo(200);
            }
            try (InputStream bytes = Files.newInputStream(pipe);
                    BufferedReader log = new BufferedReader(new InputStreamReader(bytes, StandardCharsets.UTF_8))) {
                String line = log.readLine();
                while (!line.contains("lines of the log were dropped")) {
                    line = log.readLine();
                }
                assertThat(line).matches(".* LogAppender [1-9][0-9]* lines of the log were dropped: standard error accepted none");
            }
        }
    }
}
