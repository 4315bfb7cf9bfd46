package io.arbitration.platform.objects;

import io.vertx.core.Future;

/**
 * Keeps objects of any size under paths of one bucket. Bytes move in blocks, so that the heap holds a few blocks of each
 * transfer and never a whole object. Failures are {@link ObjectFailure}.
 */
sealed interface ObjectStore permits FolderStore, S3Store {

    /** Starts to write an object; nothing stands at the path before the writer has finished. */
    Future<ObjectWriter> write(String path);

    /**
     * Opens a part of an object.
     *
     * @param from first byte, at most the length of the object
     * @param length bytes from there on, all of which the object must have
     * @param check sees each block before the reader does
     * @return blocks of {@link Fingerprint#BLOCK_BYTES}, only the last one shorter
     */
    Future<Blocks> read(String path, long from, long length, Check check);

    /**
     * The same of an object that is to have so many bytes; fails when it has more or fewer.
     *
     * @param bytes of the whole object
     */
    default Future<Blocks> read(String path, long bytes, long from, long length, Check check) {
        return length(path).compose(found -> found == bytes ? read(path, from, length, check) : Future.failedFuture(otherLength(path, found, bytes)));
    }

    /** The failure for an object of another length than it had when it was written. */
    static ObjectFailure otherLength(String path, long found, long bytes) {
        return new ObjectFailure(ObjectFailure.Kind.ALTERED, "%s has %d bytes, it had %d".formatted(path, found, bytes));
    }

    /** Bytes of an object. */
    Future<Long> length(String path);

    /** Fails when objects can be neither read nor written. */
    Future<Void> reachable();

    /** Removes an object and whatever is left of an attempt to write it. That nothing is there is no failure. */
    Future<Void> delete(String path);

    /** What every block has to pass. Called on a worker, in order; refuses by throwing. */
    @FunctionalInterface
    interface Check {
        void check(byte[] block);
    }
}
