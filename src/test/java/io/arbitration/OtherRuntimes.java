package io.arbitration;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Programs of other languages for tests, with packages of their registries installed under {@code target}; where one is missing, a test skips. */
public final class OtherRuntimes {

    private static final int INSTALL_SECONDS_MAX = 240;

    private OtherRuntimes() {}

    /** A folder in which Node.js finds the packages, {@code name@version} each; empty, with the reason printed, where they are not to be had. */
    public static Optional<Path> node(String... versioned) throws InterruptedException {
        Path folder = Path.of("target/node-" + name(versioned[0]).replaceAll("[^a-z_-]", "")).toAbsolutePath();
        boolean installed = Stream.of(versioned).allMatch(one -> Files.isDirectory(folder.resolve("node_modules").resolve(name(one))));
        boolean here = runs("node", "--version") && (installed
                || runs(Stream.concat(Stream.of("npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", folder.toString()), Stream.of(versioned))
                        .toArray(String[]::new)));
        return told(here, folder, "node with " + String.join(" and ", versioned));
    }

    private static String name(String versioned) {
        return versioned.substring(0, versioned.lastIndexOf('@'));
    }

    /** A program in Go, {@code module@version}, built below {@code target}; empty, with the reason printed, where it is not to be had. */
    public static Optional<Path> go(String versioned) throws InterruptedException {
        String name = name(versioned).replaceAll(".*/", "");
        Path folder = Path.of("target/go-" + versioned.replaceAll(".*/", "").replaceAll("[^a-z0-9.]", "-")).toAbsolutePath();
        boolean here = Files.isExecutable(folder.resolve(name)) || runs("env", "GOBIN=" + folder, "go", "install", versioned);
        return told(here, folder.resolve(name), "Go with " + versioned);
    }

    /** A Python that has the packages, {@code name==version} each; empty, with the reason printed, where they are not to be had. */
    public static Optional<Path> python(String... versioned) throws InterruptedException {
        Path folder = Path.of("target/python-" + versioned[0].split("==")[0]).toAbsolutePath();
        Path python = folder.resolve("bin/python");
        boolean here = Files.exists(folder.resolve("complete"))
                || runs("python3", "-m", "venv", folder.toString())
                && runs(Stream.concat(Stream.of(python.toString(), "-m", "pip", "install", "-q", "--disable-pip-version-check"), Stream.of(versioned))
                        .toArray(String[]::new))
                && runs("touch", folder.resolve("complete").toString());
        return told(here, python, "python3 with " + String.join(" and ", versioned));
    }

    /** The folder that the ZIP of a Maven artifact, {@code group:name:version:zip}, holds; empty, with the reason printed, where it is not to be had. */
    public static Optional<Path> unpacked(String artifact) throws InterruptedException {
        String[] parts = artifact.split(":");
        Path folder = Path.of("target", "unpacked-" + parts[1] + "-" + parts[2]).toAbsolutePath();
        boolean here = Files.exists(folder.resolve("complete"))
                || runs("mvn", "-q", "-B", "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:unpack", "-Dartifact=" + artifact,
                        "-DoutputDirectory=" + folder, "-Dmdep.overWriteReleases=true")
                && runs("touch", folder.resolve("complete").toString());
        Optional<Path> told = told(here, folder, artifact);
        try (Stream<Path> inside = here ? Files.list(folder) : Stream.of()) {
            return told.flatMap(whole -> inside.filter(Files::isDirectory).findFirst());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** The file of a Maven artifact, {@code group:name:version}; empty, with the reason printed, where it is not to be had. */
    public static Optional<Path> jar(String artifact) throws InterruptedException {
        String[] parts = artifact.split(":");
        Path folder = Path.of("target", "jars").toAbsolutePath();
        Path jar = folder.resolve(parts[1] + "-" + parts[2] + ".jar");
        boolean here = Files.exists(jar)
                || runs("mvn", "-q", "-B", "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy", "-Dartifact=" + artifact, "-DoutputDirectory=" + folder);
        return told(here, jar, artifact);
    }

    /**
     * A program on the path, in a process that is not started yet. One that was unpacked below a folder and not installed ({@code ./acp test}
     * does so) finds its libraries there. Empty, with the reason printed, where it is not to be had.
     */
    public static Optional<ProcessBuilder> program(String name, String... arguments) {
        Optional<Path> found = Stream.of(System.getenv("PATH").split(File.pathSeparator)).map(place -> Path.of(place, name)).filter(Files::isExecutable).findFirst();
        return told(found.isPresent(), found.orElse(Path.of(name)), name).map(program -> {
            ProcessBuilder process = new ProcessBuilder(Stream.concat(Stream.of(program.toString()), Stream.of(arguments)).toList());
            process.environment().put("LD_LIBRARY_PATH", libraries(program).map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
            return process;
        });
    }

    private static Stream<Path> libraries(Path program) {
        Path root = program.toAbsolutePath().getParent().getParent().getParent();
        return root == null || root.equals(root.getRoot()) ? Stream.of()
                : Stream.of("usr/lib/x86_64-linux-gnu", "usr/lib/aarch64-linux-gnu", "usr/lib/postfix").map(root::resolve).filter(Files::isDirectory);
    }

    /** Whether what takes long to install or to run is asked for, as {@code ./acp counterparts} does; prints what is left out where not. */
    public static boolean counterparts(String what) {
        boolean all = Boolean.getBoolean("counterparts.all");
        if (!all) {
            System.out.printf("skipped: %s, which ./acp counterparts runs%n", what);
        }
        return all;
    }

    private static Optional<Path> told(boolean here, Path where, String what) {
        if (!here) {
            System.out.printf("skipped: no %s on this machine%n", what);
        }
        return here ? Optional.of(where) : Optional.empty();
    }

    /** Whether a program ends well; false also where it is not installed. */
    public static boolean runs(String... command) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
            if (!process.waitFor(INSTALL_SECONDS_MAX, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return false;
            }
            return process.exitValue() == 0;
        } catch (IOException notInstalled) {
            return false;
        }
    }
}
