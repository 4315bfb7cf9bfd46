package io.arbitration;

import java.nio.file.Path;
import java.util.Optional;

/** Stand-ins for Amazon's services that are not ours, from PyPI. */
public final class Moto {

    private static final String PACKAGE = "moto[server,s3,kms]==5.2.5";

    private Moto() {}

    /** The folder of its programs, {@code python} and {@code moto_server}; empty, with the reason printed, where Python or the registry is missing. */
    public static Optional<Path> programs() throws InterruptedException {
        return OtherRuntimes.python(PACKAGE).map(Path::getParent);
    }
}
