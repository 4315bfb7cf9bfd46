package io.arbitration.platform.archive;

import java.io.IOException;

/** An archive that is not as {@link ZipWriter} writes one; the message names the place and the fault. */
public final class InvalidArchive extends IOException {

    InvalidArchive(String message) {
        super(message);
    }
}
