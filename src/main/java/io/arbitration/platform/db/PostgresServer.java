package io.arbitration.platform.db;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One PostgreSQL server, from its start to its end, as a child of this process. It outlives this process if that is killed. Blocks. */
final class PostgresServer {

    private static final Logger LOG = LoggerFactory.getLogger(PostgresServer.class);
    private static final Duration START_WAIT = Duration.ofSeconds(60);
    private static final Duration STOP_WAIT = Duration.ofSeconds(30);
    private static final Duration INIT_WAIT = Duration.ofMinutes(2);
    private static final long START_POLL_MILLIS = 2;
    /** The line of {@code postmaster.pid} with the state of the server, counted from 0 (LOCK_FILE_LINE_PM_STATUS in miscadmin.h). */
    private static final int STATE_LINE = 7;
    private static final String READY = "ready";

    private final PostgresPrograms programs;
    private final Path data;
    private final Process process;
    private final int port;
    private final ProcessBuilder.Redirect log;

    private PostgresServer(PostgresPrograms programs, Path data, Process process, int port, ProcessBuilder.Redirect log) {
        this.programs = programs;
        this.data = data;
        this.process = process;
        this.port = port;
        this.log = log;
    }

    /**
     * Makes the data of a server. Clients sign in with a password from the beginning, because other users of this machine can reach the port.
     *
     * @param passwordFile the password of the superuser
     * @param log a file for the output of the program
     */
    static void initialize(PostgresPrograms programs, Path data, String superuser, Path passwordFile, Path log) throws IOException {
        List<String> arguments = List.of("-D", data.toString(), "-U", superuser, "--encoding=UTF8", "--locale=C.UTF-8",
                "--auth-host=scram-sha-256", "--auth-local=scram-sha-256", "--pwfile=" + passwordFile);
        run(programs.command("initdb", arguments), INIT_WAIT, ProcessBuilder.Redirect.appendTo(log.toFile()));
    }

    /**
     * Starts a server on its data and waits until it accepts connections, which includes its recovery.
     *
     * @param data  without the {@code postmaster.pid} of a former server
     * @param log   a file for the output of the server
     * @throws IOException when the server ends, or does not accept connections within a minute
     */
    static PostgresServer start(PostgresPrograms programs, Path data, int port, Map<String, String> settings, Path log) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("-D", data.toString(), "-p", String.valueOf(port)));
        settings.forEach((name, value) -> arguments.add("--%s=%s".formatted(name, value)));
        ProcessBuilder.Redirect output = ProcessBuilder.Redirect.appendTo(log.toFile());
        // In a session of its own, because Ctrl-C in a terminal would otherwise stop the server while the platform still needs it.
        List<String> command = new ArrayList<>(List.of("setsid"));
        command.addAll(programs.command("postgres", arguments));
        Process process = started(command, output);
        PostgresServer server = new PostgresServer(programs, data, process, port, output);
        try {
            server.awaitReady();
        } catch (IOException failed) {
            // Not by force: a recovery that takes long would lose its progress.
            process.destroy();
            throw failed;
        }
        return server;
    }

    private static Process started(List<String> command, ProcessBuilder.Redirect output) throws IOException {
        return new ProcessBuilder(command).redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .redirectOutput(output).redirectErrorStream(true).start();
    }

    private static void run(List<String> command, Duration wait, ProcessBuilder.Redirect output) throws IOException {
        Process process = started(command, output);
        if (!hasEnded(process, wait)) {
            process.destroyForcibly();
            throw new IOException("%s did not end within %d s".formatted(command, wait.toSeconds()));
        }
        if (process.exitValue() != 0) {
            throw new IOException("%s ended with exit code %d".formatted(command, process.exitValue()));
        }
    }

    private static boolean hasEnded(Process process, Duration wait) throws IOException {
        try {
            return process.waitFor(wait.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException(interrupted);
        }
    }

    /** Reads the state that the server writes into its file, as {@code pg_ctl} does. A connection would cost a sign-in. */
    private void awaitReady() throws IOException {
        long end = System.nanoTime() + START_WAIT.toNanos();
        while (!isReady()) {
            if (hasEnded(process, Duration.ofMillis(START_POLL_MILLIS))) {
                throw new IOException("the server ended with exit code " + process.exitValue());
            }
            if (System.nanoTime() > end) {
                throw new IOException("the server accepted no connections within %d s".formatted(START_WAIT.toSeconds()));
            }
        }
    }

    private boolean isReady() throws IOException {
        try {
            List<String> lines = Files.readAllLines(data.resolve("postmaster.pid"), StandardCharsets.UTF_8);
            return lines.size() > STATE_LINE && lines.get(STATE_LINE).strip().equals(READY);
        } catch (NoSuchFileException notYetWritten) {
            return false;
        }
    }

    int port() {
        return port;
    }

    /** Its first process, which ends last. */
    ProcessHandle process() {
        return process.toHandle();
    }

    /** Ends the sessions of all clients, writes everything to disk and stops. Does nothing if the server has already ended. */
    void stop() throws IOException {
        if (!process.isAlive()) {
            return;
        }
        // The JDK sends only signals for which the server waits until all clients have left, or leaves its data to recovery.
        run(programs.command("pg_ctl", List.of("kill", "INT", String.valueOf(process.pid()))), STOP_WAIT, log);
        if (!hasEnded(process, STOP_WAIT)) {
            LOG.error("the database server did not stop in {} s; killing it, it recovers at its next start", STOP_WAIT.toSeconds());
            process.destroyForcibly();
        }
    }
}
