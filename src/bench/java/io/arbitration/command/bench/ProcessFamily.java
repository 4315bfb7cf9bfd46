package io.arbitration.command.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** This process and all that come from it, as Linux counts them; those that have ended count with who started them. */
final class ProcessFamily {

    private static final double TICKS_PER_SECOND = 100;
    /** In /proc/…/stat behind the name: times of the process in user and system mode, and of its children that have ended. */
    private static final int TIMES_FROM = 11;
    private static final int TIMES = 4;

    private ProcessFamily() {}

    private static Stream<ProcessHandle> all() {
        return Stream.concat(Stream.of(ProcessHandle.current()), ProcessHandle.current().descendants());
    }

    static double cpuSeconds() {
        return all().mapToDouble(process -> cpuSeconds(process.pid())).sum();
    }

    private static double cpuSeconds(long pid) {
        String stat = text(pid, "stat");
        String[] rest = stat.substring(Math.min(stat.length(), stat.lastIndexOf(')') + 2)).split(" ");
        return rest.length < TIMES_FROM + TIMES ? 0
                : IntStream.range(TIMES_FROM, TIMES_FROM + TIMES).mapToLong(i -> Long.parseLong(rest[i])).sum() / TICKS_PER_SECOND;
    }

    /** Of those that this process has started: how many run. */
    static int children() {
        return (int) ProcessHandle.current().descendants().filter(process -> !text(process.pid(), "stat").matches("(?s).*\\) Z .*")).count();
    }

    /** Memory that those have written for themselves. */
    static double childrenMegabytes() {
        List<Long> pids = ProcessHandle.current().descendants().map(ProcessHandle::pid).toList();
        return pids.stream().flatMap(pid -> text(pid, "status").lines())
                .filter(line -> line.startsWith("RssAnon:") || line.startsWith("RssShmem:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", ""))).sum() / 1024.0;
    }

    /** Nothing for a process that has just ended. */
    private static String text(long pid, String file) {
        try {
            return Files.readString(Path.of("/proc", String.valueOf(pid), file), StandardCharsets.ISO_8859_1);
        } catch (IOException ended) {
            return "";
        }
    }
}
