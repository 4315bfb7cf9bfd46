package io.arbitration.platform.archive;

import java.io.IOException;

/** An archive that is not as {@link ZipWriter} writes one; the message says where and in what. */
public final class BrokenArchive extends IOException {

    BrokenArchive(String message) {
        super(message);
    }
}
