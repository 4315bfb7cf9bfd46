package io.arbitration.command.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Other programs that the benchmarks run: where they are and what they print. */
final class Programs {

    /** Debian keeps pgbench out of the PATH. */
    private static final Path POSTGRES_VERSIONS = Path.of("/usr/lib/postgresql");

    private Programs() {}

    static Optional<Path> find(String name) {
        Stream<Path> onPath = Stream.of(Optional.ofNullable(System.getenv("PATH")).orElse("").split(":")).map(Path::of);
        return Stream.concat(onPath, postgresFolders().stream())
                .map(folder -> folder.resolve(name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static List<Path> postgresFolders() {
        if (!Files.isDirectory(POSTGRES_VERSIONS)) {
            return List.of();
        }
        try (Stream<Path> versions = Files.list(POSTGRES_VERSIONS)) {
            return versions.map(version -> version.resolve("bin")).sorted().toList().reversed();
        } catch (IOException unreadable) {
            throw new BenchFailed("cannot read " + POSTGRES_VERSIONS, unreadable);
        }
    }

    /** Runs a program to its end and returns what it printed; fails when it fails or takes longer than allowed. */
    static String run(List<String> command, Map<String, String> environment, Duration limit) {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process;
        try {
            process = builder.start();
        } catch (IOException failed) {
            throw new BenchFailed("%s did not start: %s".formatted(command.getFirst(), failed.getMessage()), failed);
        }
        try {
            process.onExit().orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS).exceptionally(late -> process.destroyForcibly());
            String printed = new String(process.getInputStream().readAllBytes());
            int exit = process.waitFor();
            if (exit != 0) {
                throw new BenchFailed("%s ended with %d:%n%s".formatted(command.getFirst(), exit, printed));
            }
            return printed;
        } catch (IOException failed) {
            throw new BenchFailed("reading from %s failed".formatted(command.getFirst()), failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new BenchFailed("interrupted");
        } finally {
            process.destroy();
        }
    }
}
