package io.arbitration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Where tests keep their files: in memory where a machine has room for them, else below {@code target}. The databases of tests write to
 * their disk at each commit, as they must; in memory that costs nothing, and tests wait less.
 *
 * <p>Each process of tests has a folder of its own. It is removed at its end; of one that was killed, by the next.
 */
public final class TestFolders implements TempDirFactory {

    private static final Path MEMORY = Path.of("/dev/shm");
    /** Five processes of tests hold up to 6 GB together, a large file of an upload included. */
    private static final long FREE_BYTES_MIN = 10L << 30;
    private static final String PREFIX = "acp-tests-";
    private static final Deque<Runnable> AT_THE_END = new ConcurrentLinkedDeque<>();
    private static final Path ROOT = root();

    /** A new folder, which is removed with all others at the end of the process. */
    public static Path create(String prefix) {
        try {
            return Files.createTempDirectory(ROOT, prefix);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** What is done at the end of the process before the folders are removed, the last first: who has files there closes them. */
    public static void atTheEnd(Runnable close) {
        AT_THE_END.push(close);
    }

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) {
        return create("test-");
    }

    private static Path root() {
        try {
            boolean inMemory = memoryHasRoom();
            if (inMemory) {
                removeOfEndedProcesses();
            }
            Path root = Files.createDirectories((inMemory ? MEMORY : Path.of("target")).resolve(PREFIX + ProcessHandle.current().pid()));
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                AT_THE_END.forEach(Runnable::run);
                remove(root);
            }));
            return root;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Also that programs may be started there, which tests do. */
    private static boolean memoryHasRoom() throws IOException {
        return Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() >= FREE_BYTES_MIN && freeMemory() >= FREE_BYTES_MIN
                && Files.readAllLines(Path.of("/proc/mounts")).stream().map(line -> line.split(" "))
                        .filter(mount -> mount[1].equals(MEMORY.toString())).noneMatch(mount -> List.of(mount[3].split(",")).contains("noexec"));
    }

    private static long freeMemory() throws IOException {
        return Files.readAllLines(Path.of("/proc/meminfo")).stream().filter(line -> line.startsWith("MemAvailable:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10).findFirst().orElse(0);
    }

    private static void removeOfEndedProcesses() throws IOException {
        try (Stream<Path> folders = Files.list(MEMORY)) {
            folders.filter(folder -> folder.getFileName().toString().matches(PREFIX + "\\d+"))
                    .filter(folder -> ProcessHandle.of(Long.parseLong(folder.getFileName().toString().substring(PREFIX.length()))).isEmpty())
                    .forEach(TestFolders::remove);
        }
    }

    /** As much as can be removed: what a process that is still ending holds is left to the next one. */
    static void remove(Path folder) {
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.deleteIfExists(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException failed) {
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path directory, IOException failed) throws IOException {
                    Files.deleteIfExists(directory);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException left) {
            System.err.println("left in " + folder + ": " + left.getMessage());
        }
    }
}
