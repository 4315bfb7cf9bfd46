package io.arbitration.platform.files;

import io.arbitration.platform.idempotency.Idempotency;
import io.vertx.core.Future;

/** Where the file of a form goes while the request is read. Of its calls one is under way at a time. */
public interface FormFile {

    /** Bytes of a block; only the last of a file is shorter. */
    int BLOCK_BYTES = 262_144;

    /** Takes the next block; done when it needs it no more and can take another. A failure refuses the request. */
    Future<Void> take(byte[] block);

    /** The file is whole. Gives what tells it from any other, its SHA-256 at least, where an {@code Idempotency-Key} is compared. */
    Future<String> end();

    /** Nobody will use the file: the request was refused, broke off, or is answered from an earlier one. */
    Future<Void> abandon();
}
