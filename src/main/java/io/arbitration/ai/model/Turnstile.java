package io.arbitration.ai.model;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Supplier;

/** Lets so many pieces of work pass at once; so many more wait in the order of their coming, the rest is turned away. */
public final class Turnstile {

    private final int atOnceMax;
    private final int waitingMax;
    private final Queue<Promise<Void>> waiting = new ArrayDeque<>();
    private int within;

    public Turnstile(int atOnceMax, int waitingMax) {
        this.atOnceMax = atOnceMax;
        this.waitingMax = waitingMax;
    }

    /** Runs the work when there is room; fails with what is given when there is none to wait either. */
    public <T> Future<T> pass(Supplier<Future<T>> work, Supplier<RuntimeException> full) {
        return enter(full).compose(entered -> {
            Future<T> done;
            try {
                done = work.get();
            } catch (RuntimeException failed) {
                done = Future.failedFuture(failed);
            }
            return done.onComplete(ended -> leave());
        });
    }

    private synchronized Future<Void> enter(Supplier<RuntimeException> full) {
        if (within < atOnceMax) {
            within++;
            return Future.succeededFuture();
        }
        if (waiting.size() >= waitingMax) {
            return Future.failedFuture(full.get());
        }
        Promise<Void> turn = Promise.promise();
        waiting.add(turn);
        return turn.future();
    }

    private void leave() {
        Promise<Void> next;
        synchronized (this) {
            next = waiting.poll();
            if (next == null) {
                within--;
            }
        }
        if (next != null) {
            next.complete();
        }
    }

    public synchronized int within() {
        return within;
    }

    public synchronized int waiting() {
        return waiting.size();
    }
}
