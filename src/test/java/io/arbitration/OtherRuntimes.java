package io.arbitration;

import io.arbitration.domain.hash.Sha256;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Programs of other languages for tests, with packages of their registries. What is installed is kept for all clones of this user: most of
 * them take longer to install than to run. Where one is missing, a test skips.
 */
public final class OtherRuntimes {

    private static final int INSTALL_SECONDS_MAX = 240;
    /** For what is hundreds of packages, on a busy machine. */
    private static final int LARGE_SECONDS_MAX = 3600;
    private static final String COMPLETE = "install.complete";
    private static final Path BUILD = Path.of("target/programs-of-tests").toAbsolutePath();
    private static final Path KEPT = kept();

    private OtherRuntimes() {}

    /** What is run, and whether it ended well. */
    private interface Step {
        boolean ends() throws InterruptedException;
    }

    /** A folder in which Node.js finds the packages, {@code name@version} each; empty, with the reason printed, where they are not to be had. */
    public static Optional<Path> node(String... versioned) throws InterruptedException {
        Path folder = folder("node", versioned);
        boolean here = runs("node", "--version") && installed(folder, () -> runs(Stream.concat(
                Stream.of("npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", folder.toString()), Stream.of(versioned)).toArray(String[]::new)));
        return told(here, folder, "node with " + String.join(" and ", versioned));
    }

    /** A program in Go, {@code module@version}; empty, with the reason printed, where it is not to be had. */
    public static Optional<Path> go(String versioned) throws InterruptedException {
        Path folder = folder("go", versioned);
        boolean here = installed(folder, () -> runs("env", "GOBIN=" + folder, "go", "install", versioned));
        return told(here, folder.resolve(versioned.replaceAll("@.*", "").replaceAll(".*/", "")), "Go with " + versioned);
    }

    /**
     * A program in Go of hundreds of packages, {@code module@version}, which takes many minutes to build: unless it is there already, only
     * where counterparts are asked for. Empty, with the reason printed, where it is not to be had.
     */
    public static Optional<Path> largeGo(String versioned) throws InterruptedException {
        Path folder = folder("go", versioned);
        if (!isThereOrAskedFor(folder, versioned)) {
            return Optional.empty();
        }
        boolean here = installed(folder, () -> runs(LARGE_SECONDS_MAX, new ProcessBuilder("env", "GOBIN=" + folder, "go", "install", versioned)));
        return told(here, folder.resolve(versioned.replaceAll("@.*", "").replaceAll(".*/", "")), "Go with " + versioned);
    }

    /** The same for a program whose source is in a folder of this repository; built anew when that was changed. */
    public static Optional<Path> largeGoSource(Path source) throws IOException, InterruptedException {
        StringBuilder all = new StringBuilder();
        for (String file : List.of("go.mod", "go.sum", "main.go")) {
            all.append(Files.readString(source.resolve(file)));
        }
        String name = source.getFileName().toString();
        Path folder = folder("go-source", name, Sha256.hex(all.toString().getBytes(StandardCharsets.UTF_8)).substring(0, 16));
        if (!isThereOrAskedFor(folder, name)) {
            return Optional.empty();
        }
        Path program = folder.resolve(name);
        boolean here = installed(folder, () -> runs(LARGE_SECONDS_MAX, new ProcessBuilder("go", "build", "-o", program.toString(), ".").directory(source.toFile())));
        return told(here, program, "Go for " + source);
    }

    private static boolean isThereOrAskedFor(Path folder, String what) {
        return Files.exists(folder.resolve(COMPLETE)) || counterparts(what);
    }

    /** A Python that has the packages, {@code name==version} each; empty, with the reason printed, where they are not to be had. */
    public static Optional<Path> python(String... versioned) throws InterruptedException {
        return python(KEPT, versioned);
    }

    /** The same below the build, where other users of this machine can read it. */
    public static Optional<Path> pythonForOtherUsers(String... versioned) throws InterruptedException {
        return python(BUILD, versioned);
    }

    private static Optional<Path> python(Path place, String... versioned) throws InterruptedException {
        Path folder = place.resolve(name("python", versioned));
        Path python = folder.resolve("bin/python");
        // It stops working when the Python that it was made with goes.
        boolean here = installed(folder, () -> runs(python.toString(), "-c", ""), () -> hasPackages(folder, versioned));
        return told(here, python, "python3 with " + String.join(" and ", versioned));
    }

    /** A pip of its own in each environment takes longer to install than most packages: all are installed by one. */
    private static boolean hasPackages(Path folder, String... versioned) throws InterruptedException {
        Path installer = KEPT.resolve("python-pip");
        Path pip = installer.resolve("bin/python");
        String python = folder.resolve("bin/python").toString();
        boolean alone = installed(installer, () -> runs("python3", "-m", "venv", installer.toString()))
                && runs("python3", "-m", "venv", "--without-pip", folder.toString())
                // Those before 22.3 install for themselves only.
                && runs(pip.toString(), "-m", "pip", "--python", python, "--version");
        List<String> install = new ArrayList<>(alone ? List.of(pip.toString(), "-m", "pip", "--python", python) : List.of(python, "-m", "pip"));
        // Of a large package a test runs a small part, which Python compiles when it is read.
        install.addAll(List.of("install", "-q", "--disable-pip-version-check", "--no-compile"));
        install.addAll(List.of(versioned));
        return (alone || runs("python3", "-m", "venv", folder.toString())) && runs(install.toArray(String[]::new));
    }

    /** The folder that the ZIP of a Maven artifact, {@code group:name:version:zip}, holds; empty, with the reason printed, where it is not to be had. */
    public static Optional<Path> unpacked(String artifact) throws InterruptedException {
        Path folder = folder("unpacked", artifact);
        boolean here = installed(folder, () -> runs("mvn", "-q", "-B", "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:unpack", "-Dartifact=" + artifact,
                "-DoutputDirectory=" + folder, "-Dmdep.overWriteReleases=true"));
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
        Path folder = folder("jar", artifact);
        boolean here = installed(folder, () -> runs("mvn", "-q", "-B", "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy", "-Dartifact=" + artifact,
                "-DoutputDirectory=" + folder));
        return told(here, folder.resolve(parts[1] + "-" + parts[2] + ".jar"), artifact);
    }

    /** Where this user keeps what can be had again; below the build where there is no such place. */
    private static Path kept() {
        Path cache = Optional.ofNullable(System.getenv("XDG_CACHE_HOME")).filter(named -> !named.isBlank()).map(Path::of)
                .orElse(Path.of(System.getProperty("user.home", ""), ".cache"));
        Path kept = cache.resolve("arbitration-platform/programs-of-tests").toAbsolutePath();
        try {
            return Files.isWritable(Files.createDirectories(kept)) ? kept : BUILD;
        } catch (IOException readOnly) {
            return BUILD;
        }
    }

    private static Path folder(String kind, String... versioned) {
        return KEPT.resolve(name(kind, versioned));
    }

    private static String name(String kind, String... versioned) {
        return kind + "-" + String.join("-", versioned).replaceAll("[^A-Za-z0-9.-]", "_");
    }

    /** Lets a program in Python keep what it compiles, also where the environment says otherwise, and not beside sources of this repository. */
    public static ProcessBuilder compilingOnce(ProcessBuilder python) {
        python.environment().remove("PYTHONDONTWRITEBYTECODE");
        python.environment().put("PYTHONPYCACHEPREFIX", KEPT.resolve("python-compiled").toString());
        return python;
    }

    private static boolean installed(Path folder, Step installation) throws InterruptedException {
        return installed(folder, () -> true, installation);
    }

    /** Installs into a folder, once: processes of tests that want the same wait for the first. What was cut off or works no more is begun anew. */
    private static synchronized boolean installed(Path folder, Step works, Step installation) throws InterruptedException {
        try {
            Files.createDirectories(folder.getParent());
            try (FileChannel file = FileChannel.open(Path.of(folder + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE); FileLock held = file.lock()) {
                if (!held.isValid()) {
                    throw new IOException("no lock on " + folder);
                }
                if (Files.exists(folder.resolve(COMPLETE)) && works.ends()) {
                    return true;
                }
                TestFolders.remove(folder);
                boolean installed = installation.ends();
                if (installed) {
                    Files.createFile(folder.resolve(COMPLETE));
                }
                return installed;
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
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
        return runs(INSTALL_SECONDS_MAX, new ProcessBuilder(command));
    }

    private static boolean runs(int secondsMax, ProcessBuilder command) throws InterruptedException {
        try {
            Process process = command.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
            if (!process.waitFor(secondsMax, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return false;
            }
            return process.exitValue() == 0;
        } catch (IOException notInstalled) {
            return false;
        }
    }
}
