package io.arbitration.platform.paper;

import io.arbitration.platform.limits.Bulkhead;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The few threads that make PDFs, with a bounded queue: making a PDF is CPU-bound. */
public final class PaperWorkers {

    private static final int THREADS = Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, 4);
    private static final int IDLE_SECONDS = 30;
    private static final int RETRY_AFTER_SECONDS = 2;

    private final Vertx vertx;
    private final ThreadPoolExecutor threads;
    private final Bulkhead share;

    /** For work that is already shared among callers elsewhere. */
    public PaperWorkers(Vertx vertx, int queueMax) {
        this(vertx, queueMax, queueMax);
    }

    /**
     * @param queueMax pieces of work that wait for a thread
     * @param mostPerCaller pieces of one caller, waiting and running
     */
    public PaperWorkers(Vertx vertx, int queueMax, int mostPerCaller) {
        this.vertx = vertx;
        this.share = Bulkhead.ofCallers(mostPerCaller, () -> PaperError.OF_CALLER.refusal(mostPerCaller).retryAfter(RETRY_AFTER_SECONDS));
        this.threads = new ThreadPoolExecutor(THREADS, THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new ArrayBlockingQueue<>(queueMax),
                Thread.ofPlatform().name("paper-", 0).daemon().factory());
        threads.allowCoreThreadTimeOut(true);
    }

    /** Makes a PDF; refuses with 503 when the queue is full, and when this machine has no working text layout. */
    public <T> Future<T> make(Callable<T> work) {
        // Completed on the caller's context: handlers stay on their event loop.
        Promise<T> made = ((ContextInternal) vertx.getOrCreateContext()).promise();
        try {
            threads.execute(() -> run(work, made));
        } catch (RejectedExecutionException full) {
            made.fail(PaperError.BUSY.refusal().retryAfter(RETRY_AFTER_SECONDS));
        }
        return made.future();
    }

    /** The same for a caller; refuses with 429 when the caller's share is used up. */
    public <T> Future<T> make(UUID caller, Callable<T> work) {
        return share.run(caller, () -> make(work));
    }

    private static <T> void run(Callable<T> work, Promise<T> made) {
        try {
            made.complete(work.call());
        } catch (LinkageError | InternalError | java.awt.AWTError noLayout) {
            org.slf4j.LoggerFactory.getLogger(PaperWorkers.class).error("the JDK's text layout does not work here", noLayout);
            made.fail(PaperError.NO_LAYOUT.refusal());
        } catch (Throwable failed) {
            made.fail(failed);
        }
    }
}
