package io.arbitration.command.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.contentOf;

import io.arbitration.PlatformProgram;
import io.arbitration.PreparedDatabase;
import io.arbitration.platform.db.DatabaseUrl;
import io.arbitration.platform.db.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Runs benchmarks for tests: one after the other in one process beside this one, each with platforms of its own. Most measure on a database
 * of a server that they have in common, as {@code --database} lets them; the others on one that they make and start themselves.
 */
final class BenchProcess implements AutoCloseable {

    private final AtomicInteger runs = new AtomicInteger();
    /** Where they and the platforms that they start keep their data. */
    private final Path folder;
    private final EmbeddedPostgres server;
    private Process process;

    /** With the server of the databases; both folders are empty. */
    BenchProcess(Path folder, Path data) throws IOException {
        this.folder = folder;
        PreparedDatabase.into(data);
        server = EmbeddedPostgres.start(data, 0);
    }

    @Override
    public void close() throws IOException, InterruptedException {
        if (process != null) {
            process.getOutputStream().close();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("the process of the benchmarks ends with its input").isTrue();
        }
        server.close();
    }

    /** On a database of its own, whose tables are there already. */
    List<String> runOnCommonServer(String... arguments) throws Exception {
        DatabaseUrl prepared = server.url();
        String name = "bench_" + runs.incrementAndGet();
        DatabaseUrl other = new DatabaseUrl(prepared.host(), prepared.port(), "template1", prepared.user(), prepared.password(), "disable", "");
        try (Connection sql = DriverManager.getConnection(other.jdbcUrl(), other.user(), other.password()); Statement statement = sql.createStatement()) {
            statement.execute("create database %s template %s".formatted(name, prepared.database()));
        }
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--database=postgresql://%s:%s@%s:%d/%s?sslmode=disable".formatted(prepared.user(), prepared.password(), prepared.host(), prepared.port(), name));
        return run(all.toArray(String[]::new));
    }

    List<String> run(String... arguments) throws Exception {
        if (process == null || !process.isAlive()) {
            process = start();
        }
        Path output = folder.resolve("output-" + runs.incrementAndGet());
        process.outputWriter().write(String.join("\t", Stream.concat(Stream.of(output.toString(), "bench"), Stream.of(arguments)).toList()) + "\n");
        process.outputWriter().flush();
        CompletableFuture<String> ended = CompletableFuture.supplyAsync(this::answer, Thread::startVirtualThread);
        try {
            String exit = ended.get(180, TimeUnit.SECONDS);
            assertThat(exit).as(() -> contentOf(output.toFile())).isEqualTo("0");
        } finally {
            if (!ended.isDone()) {
                // Asked to, it takes the platforms along that it has started.
                process.destroy();
                process.waitFor(60, TimeUnit.SECONDS);
            }
        }
        return Files.readAllLines(output);
    }

    private Process start() throws IOException {
        List<String> command = PlatformProgram.bench(PlatformProgram.USUAL_HEAP_MEGABYTES);
        command.add(1, "-Djava.io.tmpdir=" + folder);
        command.add("turns");
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(folder.resolve("complaints").toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("ACP_") || name.equals("JAVA_TOOL_OPTIONS"));
        return builder.start();
    }

    /** The next line that the process of the benchmarks prints; null when it has ended. */
    private String answer() {
        try {
            return process.inputReader().readLine();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** For each of these patterns there is a line. */
    static void assertPrinted(List<String> printed, String... patterns) {
        assertThat(patterns).allSatisfy(pattern -> assertThat(printed).anyMatch(line -> line.matches(pattern)));
    }
}
