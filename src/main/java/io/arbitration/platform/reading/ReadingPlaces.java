package io.arbitration.platform.reading;

import io.arbitration.platform.answer.HttpError;
import io.arbitration.platform.limits.Bulkhead;
import io.arbitration.platform.request.WorkOwner;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/**
 * The threads on which files of one purpose are read, each with a process. A file can be made to take all of its time, so one tenant has less
 * than all of them, and the next file is that of the tenant with the fewest. Nobody is refused: whoever reads bounds what may wait.
 */
final class ReadingPlaces {

    private static final int GRACE_SECONDS = 30;
    /** What is read for no request, such as for an analysis. */
    private static final Object NODE = "";

    private final WorkerExecutor worker;
    private final Bulkhead bulkhead;

    /**
     * @param most files that are read at once
     * @param mostPerTenant of these, files of one tenant, or of the node itself
     * @param time for one file
     */
    ReadingPlaces(Vertx vertx, String name, int most, int mostPerTenant, Duration time) {
        this.worker = vertx.createSharedWorkerExecutor(name, most, time.toSeconds() + GRACE_SECONDS, TimeUnit.SECONDS);
        this.bulkhead = new Bulkhead(new Bulkhead.Bounds(most, Long.MAX_VALUE, Integer.MAX_VALUE, mostPerTenant), HttpError.OVERLOADED::refusal,
                HttpError.OVERLOADED::refusal);
    }

    <T> Future<T> read(Callable<T> reading) {
        return bulkhead.run(WorkOwner.now().map(WorkOwner::caller).orElse(NODE), () -> worker.executeBlocking(reading, false));
    }

    /** For short work with a file, before and after it is read. */
    WorkerExecutor worker() {
        return worker;
    }
}
