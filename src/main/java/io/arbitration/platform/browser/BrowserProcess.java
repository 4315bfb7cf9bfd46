package io.arbitration.platform.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A process of a browser, according to Linux. The processes are found by their session, which they keep when their parent has
 * died.
 *
 * @param ownBytes memory that only it has written: without the program and mapped files
 * @param cpu time that all of its threads have used of a processor
 */
record BrowserProcess(long pid, long ownBytes, Duration cpu) {

    private static final Path PROCESSES = Path.of("/proc");
    /** After the name in parentheses: state, parent, group, session. */
    private static final int SESSION_AT = 3;
    private static final int USER_TIME_AT = 11;
    private static final int SYSTEM_TIME_AT = 12;
    private static final int PRIORITY_AT = 16;
    /** Of Linux for every processor that Java runs on. */
    private static final int TICK_MILLIS = 10;
    static final int LOWEST_PRIORITY = 19;
    private static final int RENICE_SECONDS_MAX = 5;
    private static final int THREADS_MAX = 4096;

    /** All processes of a session; none if the system does not report them. */
    static List<BrowserProcess> ofSession(long session) {
        if (!Files.isDirectory(PROCESSES.resolve("self"))) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(PROCESSES)) {
            return all.filter(folder -> folder.getFileName().toString().matches("[0-9]+"))
                    .filter(folder -> isOf(session, folder))
                    .map(folder -> new BrowserProcess(Long.parseLong(folder.getFileName().toString()), ownBytes(folder), cpu(stat(folder))))
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static boolean isOf(long session, Path folder) {
        String[] stat = stat(folder);
        return isRunning(stat) && Long.parseLong(stat[SESSION_AT]) == session;
    }

    /** The fields after the name; empty for a process that has ended. */
    private static String[] stat(Path folder) {
        String stat = text(folder.resolve("stat"));
        return stat.substring(Math.min(stat.length(), stat.lastIndexOf(')') + 2)).split(" ");
    }

    /** A zombie process does not run. */
    private static boolean isRunning(String[] stat) {
        return stat.length > SESSION_AT && !stat[0].equals("Z") && !stat[0].equals("X");
    }

    static boolean isAlive(long pid) {
        return isRunning(stat(PROCESSES.resolve(String.valueOf(pid))));
    }

    /** Whether it renders pages. */
    static boolean isRenderer(long pid) {
        return text(PROCESSES.resolve(pid + "/cmdline")).contains("--type=renderer");
    }

    private static Duration cpu(String[] stat) {
        return stat.length > SYSTEM_TIME_AT
                ? Duration.ofMillis(TICK_MILLIS * (Long.parseLong(stat[USER_TIME_AT]) + Long.parseLong(stat[SYSTEM_TIME_AT]))) : Duration.ZERO;
    }

    /** The priorities ("nice") of its threads; empty for a process that has ended. */
    List<Integer> priorities() {
        return threads().stream().map(BrowserProcess::stat).filter(stat -> stat.length > PRIORITY_AT).map(stat -> Integer.valueOf(stat[PRIORITY_AT])).toList();
    }

    private List<Path> threads() {
        try (Stream<Path> all = Files.list(PROCESSES.resolve(pid + "/task"))) {
            return all.limit(THREADS_MAX).toList();
        } catch (IOException | UncheckedIOException ended) {
            return List.of();
        }
    }

    /**
     * Gives its threads the lowest priority, which those that they start inherit. Blocks for at most {@value #RENICE_SECONDS_MAX} s.
     *
     * @throws IOException if the program that does it is missing or hangs, or if no thread of the process has the lowest priority afterwards
     */
    void lowerPriority() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("renice", "-n", String.valueOf(LOWEST_PRIORITY), "-p"));
        threads().forEach(thread -> command.add(thread.getFileName().toString()));
        Process renice = new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        if (!renice.waitFor(RENICE_SECONDS_MAX, TimeUnit.SECONDS)) {
            renice.destroyForcibly();
            throw new IOException("renice does not end");
        }
        // It also fails if one of the threads has just ended, so its exit code says nothing about the others.
        List<Integer> priorities = priorities();
        if (!priorities.isEmpty() && !priorities.contains(LOWEST_PRIORITY)) {
            throw new IOException("renice changed nothing and ended with " + renice.exitValue());
        }
    }

    private static long ownBytes(Path folder) {
        return text(folder.resolve("status")).lines()
                .filter(line -> line.startsWith("RssAnon:") || line.startsWith("RssShmem:"))
                .mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("[^0-9]", "")))
                .sum();
    }

    /** Empty for a process that has just ended. */
    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException ended) {
            // Reading the file of a process that ends meanwhile fails with "no such process".
            return "";
        }
    }

    Optional<ProcessHandle> handle() {
        return ProcessHandle.of(pid);
    }
}
