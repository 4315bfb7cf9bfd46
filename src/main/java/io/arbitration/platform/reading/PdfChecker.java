package io.arbitration.platform.reading;

import io.arbitration.platform.objects.Fingerprint;
import io.arbitration.platform.objects.ObjectAddress;
import io.arbitration.platform.objects.ObjectStores;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/** Checks stored PDFs for everything that {@link PdfFault} names. Few are checked at once, of one tenant fewer; the others wait. */
public final class PdfChecker {

    /** A reader of files for people who wait: kept apart from the reading for models and indexes. */
    private static final int AT_ONCE = 3;
    private static final int AT_ONCE_OF_TENANT = 2;

    private final ObjectStores objects;
    private final ReadingProcesses processes;
    private final int pagesMax;
    private final Duration time;
    private final ReadingPlaces places;

    /** @param time for one PDF */
    public PdfChecker(Vertx vertx, ObjectStores objects, ReadingProcesses processes, int pagesMax, Duration time) {
        this.objects = objects;
        this.processes = processes;
        this.pagesMax = pagesMax;
        this.time = time;
        this.places = new ReadingPlaces(vertx, "checking", AT_ONCE, AT_ONCE_OF_TENANT, time);
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
        return places.read(() -> look.at(file));
    }

    private <T> Future<T> onDisk(Stored stored, Function<Path, Future<T>> use) {
        return objects.localFile(stored.address).map(use)
                .orElseGet(() -> ObjectCopy.of(places.worker(), Optional.of(stored.fingerprint), () -> objects.read(stored.address, stored.fingerprint, 0, stored.fingerprint.bytes()))
                        .compose(copy -> use.apply(copy.file()).eventually(() -> places.worker().executeBlocking(copy::remove, false))));
    }
}
