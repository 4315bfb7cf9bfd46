package io.arbitration.platform.objects;

import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.util.List;

/** Writes one object and computes its fingerprint. Its methods are called one at a time. */
abstract sealed class ObjectWriter permits FolderStore.Writer, S3Writer {

    private final WorkerExecutor worker;
    private final Fingerprint.Taker fingerprint = new Fingerprint.Taker();

    ObjectWriter(WorkerExecutor worker) {
        this.worker = worker;
    }

    /** Appends blocks; completes when it can accept more. */
    final Future<Void> write(List<byte[]> blocks) {
        return worker.executeBlocking(() -> {
            for (byte[] block : blocks) {
                fingerprint.add(block);
                keep(block);
            }
            return null;
        }, false).compose(kept -> settle());
    }

    /** Makes the object durable and visible at its path. */
    final Future<Fingerprint> finish() {
        // At most one block is still to be padded, which needs no worker.
        Fingerprint taken = fingerprint.end();
        return complete().map(taken);
    }

    /** Stores bytes, on a worker; may block and throw. */
    abstract void keep(byte[] bytes);

    /** The remaining work after {@link #keep}, on the event loop. */
    abstract Future<Void> settle();

    abstract Future<Void> complete();

    /** Releases the writer's resources; {@link ObjectStore#delete} deletes what was written. */
    abstract Future<Void> close();
}
