package io.arbitration.platform.telemetry;

import io.arbitration.platform.PartState;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Measures how much space is free where the node keeps its files. */
public final class DiskProbe {

    private static final int LOOK_MILLIS = 1000;

    private final Vertx vertx;
    private final Path folder;
    private final long freeBytesMin;
    private volatile double freeBytes = Double.NaN;
    private volatile long lookedAtNanos;
    private final AtomicBoolean looking = new AtomicBoolean();

    /** @param freeBytesMin with less free space than this the disk is LOW */
    public DiskProbe(Vertx vertx, Path folder, long freeBytesMin) {
        this.vertx = vertx;
        this.folder = folder.toAbsolutePath();
        this.freeBytesMin = freeBytesMin;
    }

    /** Asks the file system; fails when it has no such folder. */
    public Future<PartState> look() {
        return vertx.executeBlocking(() -> {
            Path there = folder;
            // A node whose database and object store are elsewhere may not have made the folder yet.
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

    /** With less free than this the disk is LOW. */
    public long freeBytesMin() {
        return freeBytesMin;
    }

    /**
     * Whether there is room for files that users bring. Cheap enough to be asked for every block of a file: it looks at most once in
     * {@value #LOOK_MILLIS} ms and answers by the last look otherwise. A disk that cannot be looked at counts as one with room, since
     * writing to it says best what is wrong.
     */
    public Future<Boolean> hasRoom() {
        boolean fresh = !Double.isNaN(freeBytes) && System.nanoTime() - lookedAtNanos < TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS);
        if (fresh || !looking.compareAndSet(false, true)) {
            return Future.succeededFuture(!(freeBytes < freeBytesMin));
        }
        return look().transform(looked -> {
            looking.set(false);
            return Future.succeededFuture(!(freeBytes < freeBytesMin));
        });
    }

    /** What was free at the last look, in bytes; NaN before the first. */
    public double freeBytes() {
        return freeBytes;
    }
}
