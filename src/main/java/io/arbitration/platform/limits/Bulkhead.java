package io.arbitration.platform.limits;

import io.arbitration.platform.answer.HttpError;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.request.WorkOwner;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Bounds the concurrent work of one kind: for the node, and for each caller, so that the work of one caller does not affect
 * others. Work may have a weight, and may wait. Among waiting work, the tenant with the least running work is next, and within it
 * the caller with the least. Thread-safe.
 *
 * <p>A tenant ({@link WorkOwner}) may hold at most as many places as are free: one tenant alone gets at most half of them, two
 * get a third each. However many callers a tenant creates, places are left for others. Each tenant always keeps one caller's
 * share.
 */
public final class Bulkhead {

    /**
     * @param most concurrent work on this node
     * @param mostPerCaller of one caller, running and waiting
     * @param waitingMax pieces of work that wait when the node is full; 0: they are refused at once
     * @param runningPerTenant of one tenant; more of it waits even if places are free, because work that has begun cannot be interrupted
     */
    public record Bounds(long most, long mostPerCaller, int waitingMax, long runningPerTenant) {

        public Bounds(long most, long mostPerCaller, int waitingMax) {
            this(most, mostPerCaller, waitingMax, Long.MAX_VALUE);
        }

        public Bounds {
            if (most < 1 || mostPerCaller < 1 || waitingMax < 0 || runningPerTenant < 1) {
                throw new IllegalArgumentException("a bulkhead that admits nobody: %d, %d per caller, %d waiting".formatted(most, mostPerCaller, waitingMax));
            }
        }
    }

    /**
     * For pages of lists with long rows. Few are read at once, so that database connections are left for other work. A caller may
     * have as many running and waiting as a busy client needs, so that its pages do not take the places of others.
     */
    public static final Bounds PAGES = new Bounds(2, 16, 1000);

    /** Permission to work; closing it ends the work. Closing it again has no effect. */
    @FunctionalInterface
    public interface Permit extends AutoCloseable {
        @Override
        void close();
    }

    private record Waiting(Object caller, Object tenant, long weight, Promise<Permit> promise, Context context) {
        /** Runs on the context of the waiting caller; otherwise the log and the trace would show another request. */
        void admit(Permit permit) {
            if (context == null) {
                promise.complete(permit);
            } else {
                context.runOnContext(go -> promise.complete(permit));
            }
        }
    }

    private static final Object NOBODY = "";
    private static final int RETRY_SECONDS = 1;

    private final Bounds bounds;
    private final Supplier<? extends RuntimeException> full;
    private final Supplier<? extends RuntimeException> fullOfCaller;
    private final Map<Object, Long> weightByCaller = new HashMap<>();
    private final Map<Object, Long> runningByCaller = new HashMap<>();
    private final Map<Object, Long> weightByTenant = new HashMap<>();
    private final Map<Object, Long> runningByTenant = new HashMap<>();
    private final List<Waiting> waiting = new ArrayList<>();
    private long running;
    private long weightWaiting;

    /**
     * @param full thrown when the node is full and no more work may wait, a {@link Refusal} of 503
     * @param fullOfCaller thrown when the caller's share is used up, a {@link Refusal} of 429 that states the share
     */
    public Bulkhead(Bounds bounds, Supplier<? extends RuntimeException> full, Supplier<? extends RuntimeException> fullOfCaller) {
        this.bounds = bounds;
        this.full = full;
        this.fullOfCaller = fullOfCaller;
    }

    /** For work that belongs to no caller. */
    public static Bulkhead ofNode(int most, int waitingMax, Supplier<? extends RuntimeException> full) {
        return new Bulkhead(new Bounds(most, Long.MAX_VALUE, waitingMax), full, full);
    }

    /** For work that is bounded elsewhere for the node: only the caller's share is checked here. */
    public static Bulkhead ofCallers(int mostPerCaller, Supplier<? extends RuntimeException> fullOfCaller) {
        return new Bulkhead(new Bounds(Long.MAX_VALUE, mostPerCaller, 0), fullOfCaller, fullOfCaller);
    }

    /** Admits one piece of work at once, or refuses it; does not wait. */
    public Permit acquire(Object caller) {
        return acquire(caller, 1);
    }

    /** The same for work with a weight; work that is heavier than the whole capacity is admitted alone. */
    public synchronized Permit acquire(Object caller, long weight) {
        Object tenant = tenant(caller);
        refuseBeyondShare(caller, tenant, weight);
        if (!fits(weight) || !mayRun(tenant, weight) || isAnyNext()) {
            throw full.get();
        }
        return admit(caller, tenant, weight, true);
    }

    /** Runs the work of a caller as soon as a place is free. */
    public <T> Future<T> run(Object caller, Supplier<Future<T>> work) {
        return acquireOrWait(caller, 1).compose(permit -> done(permit, work));
    }

    /** Runs work that belongs to no caller as soon as a place is free. */
    public <T> Future<T> run(Supplier<Future<T>> work) {
        return run(NOBODY, work);
    }

    private static <T> Future<T> done(Permit permit, Supplier<Future<T>> work) {
        // Called within a future, so that an exception counts as a failure.
        return Future.succeededFuture().compose(begun -> work.get()).onComplete(ended -> permit.close());
    }

    private synchronized Future<Permit> acquireOrWait(Object caller, long weight) {
        Object tenant = tenant(caller);
        try {
            refuseBeyondShare(caller, tenant, weight);
            if (fits(weight) && mayRun(tenant, weight) && !isAnyNext()) {
                return Future.succeededFuture(admit(caller, tenant, weight, true));
            }
            if (waiting.size() >= bounds.waitingMax()) {
                throw full.get();
            }
        } catch (RuntimeException refused) {
            return Future.failedFuture(refused);
        }
        Promise<Permit> promise = Promise.promise();
        weightByCaller.merge(caller, weight, Long::sum);
        weightByTenant.merge(tenant, weight, Long::sum);
        weightWaiting += weight;
        waiting.add(new Waiting(caller, tenant, weight, promise, Vertx.currentContext()));
        return promise.future();
    }

    /** The organization of the caller if the request belongs to this caller; any other key is its own tenant. */
    private static Object tenant(Object caller) {
        return WorkOwner.now().filter(owner -> owner.caller().equals(caller)).map(WorkOwner::tenant).orElse(caller);
    }

    private void refuseBeyondShare(Object caller, Object tenant, long weight) {
        long has = weightByCaller.getOrDefault(caller, 0L);
        if (has > 0 && has > bounds.mostPerCaller() - weight) {
            throw fullOfCaller.get();
        }
        long hasOfTenant = weightByTenant.getOrDefault(tenant, 0L);
        if (hasOfTenant > 0 && hasOfTenant > Math.max(bounds.mostPerCaller(), free()) - weight) {
            throw HttpError.RATE.refusal().retryAfter(RETRY_SECONDS);
        }
    }

    /** Free places to work and to wait. */
    private long free() {
        long all = bounds.most() + bounds.waitingMax();
        return all < 0 ? Long.MAX_VALUE : all - running - weightWaiting;
    }

    private boolean fits(long weight) {
        return running == 0 || running <= bounds.most() - weight;
    }

    private boolean mayRun(Object tenant, long weight) {
        long has = runningByTenant.getOrDefault(tenant, 0L);
        return has == 0 || has <= bounds.runningPerTenant() - weight;
    }

    /** Whether waiting work is before what comes now: it waits for a place, and not for its own tenant. */
    private boolean isAnyNext() {
        return !waiting.isEmpty() && next() != null;
    }

    private Permit admit(Object caller, Object tenant, long weight, boolean fresh) {
        running += weight;
        runningByCaller.merge(caller, weight, Long::sum);
        runningByTenant.merge(tenant, weight, Long::sum);
        if (fresh) {
            weightByCaller.merge(caller, weight, Long::sum);
            weightByTenant.merge(tenant, weight, Long::sum);
        }
        AtomicBoolean ended = new AtomicBoolean();
        return () -> {
            if (ended.compareAndSet(false, true)) {
                release(caller, tenant, weight);
            }
        };
    }

    private void release(Object caller, Object tenant, long weight) {
        List<Runnable> admitted = new ArrayList<>();
        synchronized (this) {
            running -= weight;
            take(runningByCaller, caller, weight);
            take(weightByCaller, caller, weight);
            take(runningByTenant, tenant, weight);
            take(weightByTenant, tenant, weight);
            for (Waiting next = next(); next != null && fits(next.weight); next = next()) {
                Waiting one = next;
                waiting.remove(one);
                weightWaiting -= one.weight;
                Permit permit = admit(one.caller, one.tenant, one.weight, false);
                admitted.add(() -> one.admit(permit));
            }
        }
        admitted.forEach(Runnable::run);
    }

    /** The next one to run; null if none waits, or none whose tenant may have more running. */
    private Waiting next() {
        Waiting least = null;
        long leastOfTenant = Long.MAX_VALUE;
        long leastOfCaller = Long.MAX_VALUE;
        for (Waiting one : waiting) {
            long ofTenant = runningByTenant.getOrDefault(one.tenant, 0L);
            long ofCaller = runningByCaller.getOrDefault(one.caller, 0L);
            if (!mayRun(one.tenant, one.weight)) {
                continue;
            }
            if (ofTenant < leastOfTenant || ofTenant == leastOfTenant && ofCaller < leastOfCaller) {
                least = one;
                leastOfTenant = ofTenant;
                leastOfCaller = ofCaller;
            }
        }
        return least;
    }

    private static void take(Map<Object, Long> weights, Object caller, long weight) {
        weights.compute(caller, (id, before) -> before == weight ? null : before - weight);
    }

    /** Weight of the running work. */
    public synchronized long running() {
        return running;
    }

    /** Pieces of work that wait. */
    public synchronized int waiting() {
        return waiting.size();
    }
}
