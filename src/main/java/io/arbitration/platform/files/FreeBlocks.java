package io.arbitration.platform.files;

import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;

/**
 * Blocks of files that were stored and can be filled again, for all uploads of a pipeline, on any thread. Blocks that each upload made anew would
 * live through several collections, which copy them, and then fill the old generation.
 */
public final class FreeBlocks {

    /** 8 MiB: what eight uploads at once have in use. Those beyond are garbage. */
    static final int BLOCKS_MAX = 32;

    private final Queue<byte[]> free = new ArrayBlockingQueue<>(BLOCKS_MAX);

    /** A block of {@link FormFile#BLOCK_BYTES} with any content. */
    byte[] take() {
        byte[] block = free.poll();
        return block == null ? new byte[FormFile.BLOCK_BYTES] : block;
    }

    /** Takes a block back that nobody uses any more; drops one of another length. */
    void give(byte[] block) {
        if (block.length == FormFile.BLOCK_BYTES) {
            free.offer(block);
        }
    }
}
