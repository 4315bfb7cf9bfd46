package io.arbitration.platform.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A process of a browser, as Linux tells of it. Its processes are found by their session, which they keep when the one that
 * started them has died.
 *
 * @param ownBytes memory that it alone has written: without the program and what it has mapped of files
 */
record BrowserProcess(long pid, long ownBytes) {

    private static final Path PROCESSES = Path.of("/proc");
    /** After the name in parentheses: state, parent, group, session. */
    private static final int SESSION_AT = 3;

    /** All that run in a session; none where the system does not tell. */
    static List<BrowserProcess> ofSession(long session) {
        if (!Files.isDirectory(PROCESSES.resolve("self"))) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(PROCESSES)) {
            return all.filter(folder -> folder.getFileName().toString().matches("[0-9]+"))
                    .filter(folder -> isOf(session, folder))
                    .map(folder -> new BrowserProcess(Long.parseLong(folder.getFileName().toString()), ownBytes(folder)))
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Lives, and is no zombie. */
    private static boolean isOf(long session, Path folder) {
        String stat = text(folder.resolve("stat"));
        int name = stat.lastIndexOf(')');
        if (name < 0) {
            return false;
        }
        String[] rest = stat.substring(name + 2).split(" ");
        return rest.length > SESSION_AT && !rest[0].equals("Z") && Long.parseLong(rest[SESSION_AT]) == session;
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
            // Reading of a process that ends meanwhile fails with "no such process".
            return "";
        }
    }

    Optional<ProcessHandle> handle() {
        return ProcessHandle.of(pid);
    }
}
