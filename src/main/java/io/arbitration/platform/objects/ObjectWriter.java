package io.arbitration.platform.objects;

import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.util.List;

/** Writes one object and takes its fingerprint. Of its calls one is under way at a time. */
abstract sealed class ObjectWriter permits FolderStore.Writer, S3Writer {

    private final WorkerExecutor worker;
    private final Fingerprint.Taker fingerprint = new Fingerprint.Taker();

    ObjectWriter(WorkerExecutor worker) {
        this.worker = worker;
    }

    /** Appends blocks; done when it can take more. */
    final Future<Void> write(List<byte[]> blocks) {
        return worker.executeBlocking(() -> {
            for (byte[] block : blocks) {
                fingerprint.add(block);
                keep(block);
            }
            return null;
        }, false).compose(kept -> settle());
    }

    /** Makes the object durable and lets it stand at its path. */
    final Future<Fingerprint> finish() {
        // At most one block is still to be ended, by padding it: nothing that a worker is needed for.
        Fingerprint taken = fingerprint.end();
        return complete().map(taken);
    }

    /** Takes bytes, on a worker; may block and throw. */
    abstract void keep(byte[] bytes);

    /** What is left to do after {@link #keep}, on the event loop. */
    abstract Future<Void> settle();

    abstract Future<Void> complete();

    /** Lets go of what the writer holds; what was written is deleted by {@link ObjectStore#delete}. */
    abstract Future<Void> close();
}
