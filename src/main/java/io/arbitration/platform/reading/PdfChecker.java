package io.arbitration.platform.reading;

import io.arbitration.platform.objects.Fingerprint;
import io.arbitration.platform.objects.ObjectAddress;
import io.arbitration.platform.objects.ObjectStores;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Checks stored PDFs for everything that {@link PdfFault} names. Few are checked at once; the others wait. */
public final class PdfChecker {

    /** A reader of files for people who wait: kept apart from the reading for models and indexes. */
    private static final int WORKERS = 2;
    private static final int GRACE_SECONDS = 30;

    private final ObjectStores objects;
    private final ReadingProcesses processes;
    private final int pagesMax;
    private final Duration time;
    private final WorkerExecutor worker;

    /** @param time for one PDF */
    public PdfChecker(Vertx vertx, ObjectStores objects, ReadingProcesses processes, int pagesMax, Duration time) {
        this.objects = objects;
        this.processes = processes;
        this.pagesMax = pagesMax;
        this.time = time;
        this.worker = vertx.createSharedWorkerExecutor("checking", WORKERS, time.toSeconds() + GRACE_SECONDS, TimeUnit.SECONDS);
    }

    /** The bound of pages, for the sentence that names it. */
    public int pagesMax() {
        return pagesMax;
    }

    /** What is done with a file on the disk of this machine; blocks. */
    @FunctionalInterface
    private interface Look<T> {
        T at(Path file) throws IOException;
    }

    /** Checks a PDF where it is stored, or a temporary copy of it where it is stored on another machine. */
    public Future<PdfCheck> check(ObjectAddress address, Fingerprint fingerprint) {
        return onDisk(new Stored(address, fingerprint), file -> run(file, one -> processes.check(one, pagesMax, time)));
    }

    /** A stored PDF. */
    public record Stored(ObjectAddress address, Fingerprint fingerprint) {}

    /**
     * Looks for text that a redacted PDF still holds, which has been checked.
     *
     * @param filed the PDF before its redaction; empty where it was no PDF
     */
    public Future<PdfCoverCheck> covered(Stored redacted, Optional<Stored> filed) {
        return onDisk(redacted, file -> filed
                .map(before -> onDisk(before, original -> run(file, one -> processes.covered(one, Optional.of(original), pagesMax, time))))
                .orElseGet(() -> run(file, one -> processes.covered(one, Optional.empty(), pagesMax, time))));
    }

    private <T> Future<T> run(Path file, Look<T> look) {
        return worker.executeBlocking(() -> look.at(file), false);
    }

    private <T> Future<T> onDisk(Stored stored, Function<Path, Future<T>> use) {
        return objects.localFile(stored.address).map(use)
                .orElseGet(() -> ObjectCopy.of(worker, Optional.of(stored.fingerprint), () -> objects.read(stored.address, stored.fingerprint, 0, stored.fingerprint.bytes()))
                        .compose(copy -> use.apply(copy.file()).eventually(() -> worker.executeBlocking(copy::remove, false))));
    }
}
