package io.arbitration;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** Stand-ins for Amazon's services that are not ours, from PyPI, installed once for all runs on this machine. */
public final class Moto {

    private static final String PACKAGE = "moto[server,s3,kms]==5.2.5";
    private static final Path FOLDER = Path.of(System.getProperty("java.io.tmpdir"), "acp-moto-5.2.5-s3-kms");

    private Moto() {}

    /** The folder of its programs, {@code python} and {@code moto_server}; empty, with the reason printed, where Python or the registry is missing. */
    public static Optional<Path> programs() throws IOException, InterruptedException {
        Path programs = FOLDER.resolve("bin");
        // Tests run in two processes: the second waits for what the first installs.
        try (FileChannel file = FileChannel.open(Path.of(FOLDER + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE); FileLock held = file.lock()) {
            String python = programs.resolve("python").toString();
            boolean there = held.isValid() && (OtherRuntimes.runs(python, "-c", "import moto.server, boto3")
                    || OtherRuntimes.runs("python3", "-m", "venv", FOLDER.toString()) && OtherRuntimes.runs(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", PACKAGE));
            if (!there) {
                System.out.println("skipped: no stand-in for Amazon's services here; it needs python3 with venv, and " + PACKAGE + " from PyPI");
            }
            return there ? Optional.of(programs) : Optional.empty();
        }
    }
}
