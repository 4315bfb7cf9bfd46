package io.arbitration.platform.browser;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A bounded queue of pages of one kind: bounded numbers are shown and wait, none waiting longer than the deadline. The next page
 * is the first one of the caller with the fewest pages shown now, and no caller has more than a share of the places, so that slow
 * pages of one caller cannot occupy all of them. Nor may a caller have more waiting pages than there are free waiting places. To
 * be called on one context.
 */
final class PageQueue {

    private static final int RETRY_AFTER_SECONDS = 5;
    private static final int WAITING_PER_CALLER = 4;

    private record Waiting(Object caller, Supplier<Future<Buffer>> page, Promise<Buffer> shown, long deadlineTimer) {}

    private final Vertx vertx;
    private final BrowserSettings settings;
    private final Deque<Waiting> queue = new ArrayDeque<>();
    private final int activePerCaller;
    private final Map<Object, Integer> activeByCaller = new HashMap<>();
    private int active;
    private boolean closed;

    /** @param activePerCaller pages of one caller that are shown at once */
    PageQueue(Vertx vertx, BrowserSettings settings, int activePerCaller) {
        this.vertx = vertx;
        this.settings = settings;
        this.activePerCaller = activePerCaller;
    }

    /** Shows a page when those before it are done; refuses with 503 when too many wait, or when it has waited too long. */
    void add(Object caller, Supplier<Future<Buffer>> page, Promise<Buffer> shown) {
        long has = queue.stream().filter(waiting -> waiting.caller.equals(caller)).count();
        if (closed || queue.size() >= settings.queueMax() || has > 0 && has >= Math.max(WAITING_PER_CALLER, settings.queueMax() - queue.size())) {
            refuse(shown);
            return;
        }
        Waiting[] waiting = new Waiting[1];
        long timer = vertx.setTimer(settings.deadline().toMillis(), late -> {
            if (queue.remove(waiting[0])) {
                refuse(shown);
            }
        });
        waiting[0] = new Waiting(caller, page, shown, timer);
        queue.add(waiting[0]);
        next();
    }

    private static void refuse(Promise<Buffer> shown) {
        shown.fail(PagesError.BUSY.refusal().retryAfter(RETRY_AFTER_SECONDS));
    }

    private void next() {
        for (Waiting waiting = admitted(); waiting != null; waiting = admitted()) {
            Waiting one = waiting;
            queue.remove(one);
            vertx.cancelTimer(one.deadlineTimer);
            active++;
            activeByCaller.merge(one.caller, 1, Integer::sum);
            one.page.get().onComplete(done -> {
                active--;
                activeByCaller.computeIfPresent(one.caller, (caller, count) -> count == 1 ? null : count - 1);
                one.shown.handle(done);
                next();
            });
        }
    }

    /** The next page to show; null if there is no free place, or none for the waiting callers. */
    private Waiting admitted() {
        Waiting first = null;
        int least = active < settings.atOnce() ? activePerCaller : 0;
        for (Waiting waiting : queue) {
            int has = activeByCaller.getOrDefault(waiting.caller, 0);
            if (has < least) {
                first = waiting;
                least = has;
            }
        }
        return first;
    }

    /** Refuses the waiting and all later pages. */
    void close() {
        closed = true;
        queue.forEach(waiting -> {
            vertx.cancelTimer(waiting.deadlineTimer);
            refuse(waiting.shown);
        });
        queue.clear();
    }
}
