package io.arbitration.platform.objects;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;

/** Bytes that are asked for block by block: whoever reads slowly slows the source down. */
public interface Blocks {

    /** The next block; empty at the end. Asked for again only when the one before has come. */
    Future<Buffer> next();

    /** Ends the reading, at the end or before; again it does nothing. */
    void close();
}
