package io.arbitration.command.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * CPU time of the threads of a JVM by what they do, in seconds since each began, as Linux tells it under
 * {@code /proc/PID/task}. Together they are what the process has used, but for threads that have ended.
 */
final class ThreadTimes {

    enum Kind { EVENT_LOOPS, COMPILERS, COLLECTOR, OTHERS }

    /** Ticks of {@code utime} and {@code stime} per second: USER_HZ, 100 on every architecture that a JDK 25 runs on. */
    private static final double TICKS_PER_SECOND = 100;
    private static final int FIELDS_BEFORE_USER_TIME = 11;

    private final Map<Kind, Double> seconds;

    private ThreadTimes(Map<Kind, Double> seconds) {
        this.seconds = seconds;
    }

    /** Nothing where there is no {@code /proc}. */
    static ThreadTimes of(long pid) {
        Map<Kind, Double> seconds = new EnumMap<>(Kind.class);
        Path tasks = Path.of("/proc", String.valueOf(pid), "task");
        if (Files.isDirectory(tasks)) {
            for (Path task : listed(tasks)) {
                add(seconds, task.resolve("stat"));
            }
        }
        return new ThreadTimes(seconds);
    }

    /** CPU that everything on this machine has used since its start: what no process is charged for shows here. Empty without {@code /proc}. */
    static Optional<Double> machineSeconds() {
        try {
            // cpu, then ticks: user, nice, system, idle, waiting for disks, interrupts, soft interrupts, stolen
            String[] fields = Files.readAllLines(Path.of("/proc/stat")).getFirst().split(" +");
            return Optional.of(IntStream.of(1, 2, 3, 6, 7).mapToLong(field -> Long.parseLong(fields[field])).sum() / TICKS_PER_SECOND);
        } catch (NoSuchFileException noProc) {
            return Optional.empty();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static List<Path> listed(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return new ArrayList<>(files.toList());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static void add(Map<Kind, Double> seconds, Path stat) {
        try {
            String text = Files.readString(stat);
            // The name stands in brackets and may hold anything.
            int nameEnd = text.lastIndexOf(')');
            String[] fields = text.substring(nameEnd + 2).split(" ");
            long ticks = Long.parseLong(fields[FIELDS_BEFORE_USER_TIME]) + Long.parseLong(fields[FIELDS_BEFORE_USER_TIME + 1]);
            seconds.merge(kind(text.substring(text.indexOf('(') + 1, nameEnd)), ticks / TICKS_PER_SECOND, Double::sum);
        } catch (NoSuchFileException ended) {
            // The thread ended between the listing and the reading; its time is in the total of the process.
            return;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** @param name as Linux keeps it, cut to 15 characters */
    private static Kind kind(String name) {
        if (name.startsWith("vert.x-eventloo")) {
            return Kind.EVENT_LOOPS;
        }
        if (name.startsWith("C1 Comp") || name.startsWith("C2 Comp")) {
            return Kind.COMPILERS;
        }
        // The serial collector works on the VM's own thread.
        return name.startsWith("VM Thread") || name.startsWith("GC ") || name.startsWith("G1 ") ? Kind.COLLECTOR : Kind.OTHERS;
    }

    /** What threads of these kinds have used since, in seconds. */
    double secondsSince(ThreadTimes before, Kind... kinds) {
        return Stream.of(kinds).mapToDouble(kind -> seconds.getOrDefault(kind, 0.0) - before.seconds.getOrDefault(kind, 0.0)).sum();
    }

    /** What was used since, e.g. {@code event loops 3.10 s, compilers 0.20 s}. */
    String since(ThreadTimes before) {
        return seconds.keySet().stream()
                .map(kind -> "%s %.2f s".formatted(kind.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                        seconds.get(kind) - before.seconds.getOrDefault(kind, 0.0)))
                .collect(Collectors.joining(", "));
    }
}
