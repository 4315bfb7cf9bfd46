package io.arbitration.platform.telemetry;

import io.arbitration.platform.PartState;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** How much room is left where the node keeps its files. */
public final class DiskProbe {

    private final Vertx vertx;
    private final Path folder;
    private final long freeBytesMin;
    private volatile double freeBytes = Double.NaN;

    /** @param freeBytesMin with less, the disk is LOW */
    public DiskProbe(Vertx vertx, Path folder, long freeBytesMin) {
        this.vertx = vertx;
        this.folder = folder.toAbsolutePath();
        this.freeBytesMin = freeBytesMin;
    }

    /** Asks the file system; fails when it has no such folder. */
    public Future<PartState> look() {
        return vertx.executeBlocking(() -> {
            Path there = folder;
            // A node with a database and a store elsewhere may not have written anything yet.
            while (!Files.exists(there) && there.getParent() != null) {
                there = there.getParent();
            }
            return Files.getFileStore(there).getUsableSpace();
        }, false).map(free -> {
            freeBytes = free;
            return free >= freeBytesMin ? PartState.of("UP") : new PartState("LOW", Optional.of(
                    "%s has %d MiB left, less than management.diskFreeBytesMin".formatted(folder, free >> 20)));
        }).onFailure(failed -> freeBytes = Double.NaN);
    }

    /** What was free at the last look, in bytes; NaN before the first. */
    public double freeBytes() {
        return freeBytes;
    }
}
