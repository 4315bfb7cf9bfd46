package io.arbitration.platform.objects;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A written object that no row references yet. A transaction takes it over with {@link PendingObjectRepository#commit} when it
 * inserts the row; an object that is not taken over is abandoned or, later, swept.
 */
public final class StagedObject {

    static final Duration TOUCH_PERIOD = Duration.ofMinutes(5);
    private static final Logger LOG = LoggerFactory.getLogger(StagedObject.class);

    private final Vertx vertx;
    private final ObjectAddress address;
    private final ObjectWriter writer;
    private final ObjectStore store;
    private final PendingObjectRepository pending;
    private final long timer;

    StagedObject(Vertx vertx, ObjectAddress address, ObjectWriter writer, ObjectStore store, PendingObjectRepository pending, Clock clock) {
        this.vertx = vertx;
        this.address = address;
        this.writer = writer;
        this.store = store;
        this.pending = pending;
        this.timer = vertx.setPeriodic(TOUCH_PERIOD.toMillis(), due -> pending.touch(address, clock.instant())
                .onFailure(failed -> LOG.warn("renewing the time of the unfinished upload {} failed: {}", address, failed.getMessage())));
    }

    public ObjectAddress address() {
        return address;
    }

    /** Appends blocks; call it again only when the previous call has completed. */
    public Future<Void> write(List<byte[]> blocks) {
        return writer.write(blocks);
    }

    /** Completes the object: durable, at its address, and verified by the fingerprint. */
    public Future<Fingerprint> finish() {
        return writer.finish();
    }

    /** Ends the writing: a row references the object now, or the sweeper will delete it. */
    public Future<Void> release() {
        vertx.cancelTimer(timer);
        return writer.close();
    }

    /** Deletes the object. If this fails, the sweeper deletes it. */
    public Future<Void> abandon() {
        return release()
                .compose(closed -> store.delete(address.path()))
                .compose(deleted -> pending.remove(address))
                .otherwise(failed -> {
                    LOG.warn("discarding the upload {} failed; it is removed later: {}", address, failed.getMessage());
                    return null;
                });
    }
}
