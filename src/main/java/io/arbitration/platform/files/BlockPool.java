package io.arbitration.platform.files;

import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;

/**
 * Blocks of stored files that can be reused, for all uploads of a pipeline, on any thread. Blocks that each upload allocated for
 * itself would survive several garbage collections, which copy them, and then fill the old generation.
 */
public final class BlockPool {

    /** 8 MiB: the blocks of eight simultaneous uploads. Blocks beyond that are left to the garbage collector. */
    static final int BLOCKS_MAX = 32;

    private final Queue<byte[]> free = new ArrayBlockingQueue<>(BLOCKS_MAX);

    /** A block of {@link FormFile#BLOCK_BYTES} with any content. */
    byte[] acquire() {
        byte[] block = free.poll();
        return block == null ? new byte[FormFile.BLOCK_BYTES] : block;
    }

    /** Returns a block that is no longer used; drops one of another length. */
    void release(byte[] block) {
        if (block.length == FormFile.BLOCK_BYTES) {
            free.offer(block);
        }
    }
}
