package io.arbitration.platform.browser;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;

/**
 * A bounded queue of pages of one kind: so many are shown at once, so many wait, none waits longer than the deadline. To be
 * called on one context.
 */
final class PageQueue {

    private static final int RETRY_AFTER_SECONDS = 5;

    private record Waiting(Supplier<Future<Buffer>> page, Promise<Buffer> shown, long deadlineTimer) {}

    private final Vertx vertx;
    private final BrowserSettings settings;
    private final Deque<Waiting> queue = new ArrayDeque<>();
    private int active;
    private boolean closed;

    PageQueue(Vertx vertx, BrowserSettings settings) {
        this.vertx = vertx;
        this.settings = settings;
    }

    /** Shows a page when those before it are done; refuses with 503 when too many wait, or when it has waited for too long. */
    void add(Supplier<Future<Buffer>> page, Promise<Buffer> shown) {
        if (closed || queue.size() >= settings.queueMax()) {
            refuse(shown);
            return;
        }
        Waiting[] waiting = new Waiting[1];
        long timer = vertx.setTimer(settings.deadline().toMillis(), late -> {
            if (queue.remove(waiting[0])) {
                refuse(shown);
            }
        });
        waiting[0] = new Waiting(page, shown, timer);
        queue.add(waiting[0]);
        next();
    }

    private static void refuse(Promise<Buffer> shown) {
        shown.fail(PagesError.BUSY.refusal().retryAfter(RETRY_AFTER_SECONDS));
    }

    private void next() {
        while (active < settings.atOnce() && !queue.isEmpty()) {
            Waiting waiting = queue.remove();
            vertx.cancelTimer(waiting.deadlineTimer);
            active++;
            waiting.page.get().onComplete(done -> {
                active--;
                waiting.shown.handle(done);
                next();
            });
        }
    }

    /** Refuses what waits and whatever comes later. */
    void close() {
        closed = true;
        queue.forEach(waiting -> {
            vertx.cancelTimer(waiting.deadlineTimer);
            refuse(waiting.shown);
        });
        queue.clear();
    }
}
