package io.arbitration.platform.files;

import io.arbitration.platform.idempotency.Idempotency;
import io.vertx.core.Future;
import java.util.List;

/** Stores the file of a form while the request is read. Its methods are called one at a time. */
public interface FormFile {

    /** The length of a block. Only the last block of a file is shorter. */
    int BLOCK_BYTES = 262_144;

    /**
     * Stores the next blocks, in order; at least one. Completes when the arrays may be used again and more blocks may come. When it fails, the
     * request fails.
     */
    Future<Void> write(List<byte[]> blocks);

    /** Called after the last block. Gives the hash of the file, by which a repeated request is compared with the first one of its {@code Idempotency-Key}. */
    Future<String> end();

    /** Called if the file is not used: the request was refused or aborted, or is a repetition. */
    Future<Void> abandon();
}
