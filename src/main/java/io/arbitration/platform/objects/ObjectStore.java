package io.arbitration.platform.objects;

import io.vertx.core.Future;

/**
 * Stores objects of any size under paths of one bucket. Bytes are transferred in blocks, so that the heap holds a few blocks of
 * each transfer and never a complete object. Failures are {@link ObjectFailure}.
 */
sealed interface ObjectStore permits FolderStore, S3Store {

    /** Starts to write an object; it is not visible at the path before the writer has finished. */
    Future<ObjectWriter> write(String path);

    /**
     * Opens a part of an object.
     *
     * @param from first byte, at most the length of the object
     * @param length number of bytes, all of which the object must have
     * @param check checks each block before the reader gets it
     * @return blocks of {@link Fingerprint#BLOCK_BYTES}, only the last one shorter
     */
    Future<Blocks> read(String path, long from, long length, Check check);

    /**
     * The same for an object of expected length; fails if it has more or fewer bytes.
     *
     * @param bytes of the whole object
     */
    default Future<Blocks> read(String path, long bytes, long from, long length, Check check) {
        return length(path).compose(found -> found == bytes ? read(path, from, length, check) : Future.failedFuture(otherLength(path, found, bytes)));
    }

    /** The failure for an object whose length has changed since it was written. */
    static ObjectFailure otherLength(String path, long found, long bytes) {
        return new ObjectFailure(ObjectFailure.Kind.ALTERED, "%s has %d bytes, it had %d".formatted(path, found, bytes));
    }

    /** The length of an object in bytes. */
    Future<Long> length(String path);

    /** Fails if objects can be neither read nor written. */
    Future<Void> reachable();

    /** Deletes an object and the remains of an attempt to write it. Deleting a missing object is no failure. */
    Future<Void> delete(String path);

    /** A check for every block. Called on a worker, in order; throws to refuse a block. */
    @FunctionalInterface
    interface Check {
        void check(byte[] block);
    }
}
