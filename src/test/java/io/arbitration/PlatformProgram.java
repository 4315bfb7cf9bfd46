package io.arbitration;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The command of a platform as a process of its own. Tests start many, so where {@code ./acp build} has made the jar and its
 * start-up cache of these very sources, they are taken: that halves the work of a start. Else the classes of this process.
 */
public final class PlatformProgram {

    private static final Path JAR = Path.of("target/platform.jar");
    private static final Path BENCH_JAR = Path.of("target/platform-bench.jar");
    private static final Path CACHE = Path.of("target/platform.aot");
    /** Has the process that makes the cache, as long as it does: {@code ./acp test} begins with the tests meanwhile. */
    private static final Path MAKING = Path.of("target/platform.aot.making");
    private static final Duration MAKING_MAX = Duration.ofMinutes(4);
    private static final boolean BUILT = isBuilt();

    /** What {@code ./acp} gives a node. */
    public static final int USUAL_HEAP_MEGABYTES = 960;

    private PlatformProgram() {}

    /** Java with so many megabytes of heap, its options, and the program, to which arguments may be added; it can be run in any folder. */
    public static List<String> command(int heapMegabytes) {
        List<String> command = cached(heapMegabytes);
        command.addAll(BUILT ? List.of("-jar", absolute(JAR)) : List.of("-cp", classPath(), "io.arbitration.Main"));
        return command;
    }

    /** The same for what is not shipped: {@code bench} and {@code templates}. */
    public static List<String> bench(int heapMegabytes) {
        List<String> command = cached(heapMegabytes);
        command.addAll(List.of("-cp", BUILT ? absolute(JAR) + File.pathSeparator + absolute(BENCH_JAR) : classPath(), "io.arbitration.command.bench.Workbench"));
        return command;
    }

    /** That of this process, so that another can have it wherever it works. */
    public static String classPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator)).map(entry -> absolute(Path.of(entry))).collect(Collectors.joining(File.pathSeparator));
    }

    private static String absolute(Path path) {
        return path.toAbsolutePath().toString();
    }

    private static List<String> cached(int heapMegabytes) {
        List<String> command = java(heapMegabytes);
        if (BUILT) {
            command.addAll(List.of("-XX:AOTCache=" + absolute(CACHE), "-Xlog:aot=off", "-Xlog:cds=off"));
        }
        return command;
    }

    /**
     * Java with a heap that grows from little, as {@code ./acp} starts it, and without the second compiler, which would take as much of
     * the processors in a short run as what it compiles.
     */
    static List<String> java(int heapMegabytes) {
        return new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xms64m", "-Xmn40m",
                "-Xmx%dm".formatted(heapMegabytes), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
    }

    private static boolean isBuilt() {
        Await.until(() -> "no start-up cache is being made", MAKING_MAX, () -> !isBeingMade());
        if (!Files.exists(JAR) || !Files.exists(CACHE)) {
            return false;
        }
        try (Stream<Path> sources = Stream.of(Stream.of(Path.of("pom.xml")), Files.walk(Path.of("src/main")), Files.walk(Path.of("src/bench"))).flatMap(one -> one)) {
            FileTime built = Files.getLastModifiedTime(JAR);
            return Files.getLastModifiedTime(CACHE).compareTo(built) >= 0 && sources.allMatch(source -> changed(source).compareTo(built) <= 0);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Not by one that was killed. */
    private static boolean isBeingMade() {
        try {
            return ProcessHandle.of(Long.parseLong(Files.readString(MAKING))).isPresent();
        } catch (NoSuchFileException | NumberFormatException made) {
            return false;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static FileTime changed(Path source) {
        try {
            return Files.getLastModifiedTime(source);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
