package io.arbitration.pdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Other programs that read PDFs. */
public final class Programs {

    /** Long enough for a busy machine. */
    private static final Duration TIME_MAX = Duration.ofMinutes(2);

    private Programs() {}

    /** What a program prints; fails when it ends with an error, or not within {@link #TIME_MAX}. */
    public static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        CompletableFuture<String> printed = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> read(process, printed));
        try {
            assertThat(process.waitFor(TIME_MAX.toSeconds(), TimeUnit.SECONDS)).as("%s ends within %s", String.join(" ", command), TIME_MAX).isTrue();
            String all = printed.orTimeout(TIME_MAX.toSeconds(), TimeUnit.SECONDS).join();
            assertThat(process.exitValue()).as("%s: %s", String.join(" ", command), all).isZero();
            return all;
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static void read(Process process, CompletableFuture<String> printed) {
        try {
            printed.complete(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException failed) {
            printed.completeExceptionally(new UncheckedIOException(failed));
        }
    }
}
