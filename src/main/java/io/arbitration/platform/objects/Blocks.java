package io.arbitration.platform.objects;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;

/** Bytes that are requested block by block, so a slow reader slows the source down. */
public interface Blocks {

    /** The next block; empty at the end. Call it again only when the previous block has arrived. */
    Future<Buffer> next();

    /** Ends the reading, at the end or before; calling it again has no effect. */
    void close();
}
