package io.arbitration.platform.objects;

import io.arbitration.domain.hash.Sha256;
import io.vertx.core.buffer.Buffer;
import java.security.MessageDigest;
import java.util.HexFormat;

/**
 * The values that verify an object: its length, its SHA-256, and the SHA-256 of each of its blocks of {@value #BLOCK_BYTES}
 * bytes. With the block hashes, any part of an object can be verified before it is sent, without reading the rest.
 *
 * @param sha256 in hexadecimal
 * @param blockHashes the hashes one after the other, {@value #HASH_BYTES} bytes each
 */
public record Fingerprint(long bytes, String sha256, Buffer blockHashes) {

    public static final int BLOCK_BYTES = 262_144;
    static final int HASH_BYTES = 32;

    public Fingerprint {
        if (blockHashes.length() != Math.ceilDiv(bytes, BLOCK_BYTES) * HASH_BYTES) {
            throw new IllegalArgumentException("%d bytes of block hashes for %d bytes".formatted(blockHashes.length(), bytes));
        }
    }

    /** Whether these are the bytes of that block. */
    boolean proves(int block, byte[] bytes) {
        byte[] hash = Sha256.of(bytes);
        return MessageDigest.isEqual(hash, blockHashes.getBytes(block * HASH_BYTES, (block + 1) * HASH_BYTES));
    }

    /**
     * Computes the fingerprint of bytes as they arrive. For one thread at a time. The first block is the beginning of the object,
     * so its hash is the hash of the whole so far: an object of one block is hashed once, not twice.
     */
    static final class Taker {

        private final MessageDigest whole = Sha256.digest();
        private final MessageDigest block = Sha256.digest();
        private final Buffer blockHashes = Buffer.buffer();
        private long bytes;
        private int inBlock;

        void add(byte[] chunk) {
            int from = 0;
            while (from < chunk.length) {
                int count = Math.min(chunk.length - from, BLOCK_BYTES - inBlock);
                whole.update(chunk, from, count);
                if (bytes >= BLOCK_BYTES) {
                    block.update(chunk, from, count);
                }
                from += count;
                inBlock += count;
                bytes += count;
                if (inBlock == BLOCK_BYTES) {
                    endBlock();
                }
            }
        }

        private void endBlock() {
            blockHashes.appendBytes(bytes <= BLOCK_BYTES ? Sha256.soFar(whole) : block.digest());
            inBlock = 0;
        }

        /** The fingerprint; nothing may be added afterwards. */
        Fingerprint end() {
            if (inBlock > 0) {
                endBlock();
            }
            return new Fingerprint(bytes, HexFormat.of().formatHex(whole.digest()), blockHashes);
        }
    }
}
