package io.arbitration.platform.telemetry;

import io.arbitration.platform.PartState;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Measures the free space on the disk where the node keeps its files. */
public final class DiskProbe {

    private static final int LOOK_MILLIS = 1000;

    private final Vertx vertx;
    private final Path folder;
    private final long freeBytesMin;
    private volatile double freeBytes = Double.NaN;
    private volatile long lookedAtNanos;
    private final AtomicBoolean looking = new AtomicBoolean();

    /** @param freeBytesMin with less free space the disk is LOW */
    public DiskProbe(Vertx vertx, Path folder, long freeBytesMin) {
        this.vertx = vertx;
        this.folder = folder.toAbsolutePath();
        this.freeBytesMin = freeBytesMin;
    }

    /** Queries the file system; fails if the folder does not exist. */
    public Future<PartState> check() {
        return vertx.executeBlocking(() -> {
            Path there = folder;
            // A node whose database and object store are elsewhere may not have created the folder yet.
            while (!Files.exists(there) && there.getParent() != null) {
                there = there.getParent();
            }
            return Files.getFileStore(there).getUsableSpace();
        }, false).map(free -> {
            freeBytes = free;
            lookedAtNanos = System.nanoTime();
            return free >= freeBytesMin ? PartState.of("UP") : new PartState("LOW", Optional.of(
                    "%s has %d MiB left, less than management.diskFreeBytesMin".formatted(folder, free >> 20)));
        }).onFailure(failed -> freeBytes = Double.NaN);
    }

    /** With less free space than this the disk is LOW. */
    public long freeBytesMin() {
        return freeBytesMin;
    }

    /**
     * Whether there is space for files of users. Cheap enough for every block of a file: it checks at most once in {@value
     * #LOOK_MILLIS} ms and otherwise answers by the last check. If the check fails, there counts as space, because writing then
     * reports the fault best.
     */
    public Future<Boolean> hasSpace() {
        boolean fresh = !Double.isNaN(freeBytes) && System.nanoTime() - lookedAtNanos < TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS);
        if (fresh || !looking.compareAndSet(false, true)) {
            return Future.succeededFuture(!(freeBytes < freeBytesMin));
        }
        return check().transform(looked -> {
            looking.set(false);
            return Future.succeededFuture(!(freeBytes < freeBytesMin));
        });
    }

    /** The free bytes at the last check; NaN before the first. */
    public double freeBytes() {
        return freeBytes;
    }
}
