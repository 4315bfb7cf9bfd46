package io.arbitration.platform.objects;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An object that is written but belongs to nothing yet. A row takes it over with {@link PendingObjectRepository#commit}, in
 * the transaction that makes the row; one that nothing takes over is abandoned or, later, swept away.
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

    /** Appends blocks; called again only when the call before is done. */
    public Future<Void> write(List<byte[]> blocks) {
        return writer.write(blocks);
    }

    /** Ends the object: durable, at its address, and proved by the fingerprint. */
    public Future<Fingerprint> finish() {
        return writer.finish();
    }

    /** Ends the writing: a row names the object now, or the sweeper will find it. */
    public Future<Void> leave() {
        vertx.cancelTimer(timer);
        return writer.close();
    }

    /** Removes the object. What fails here is left to the sweeper. */
    public Future<Void> abandon() {
        return leave()
                .compose(closed -> store.delete(address.path()))
                .compose(deleted -> pending.remove(address))
                .otherwise(failed -> {
                    LOG.warn("discarding the upload {} failed; it is removed later: {}", address, failed.getMessage());
                    return null;
                });
    }
}
