package io.arbitration.platform.db;

import io.arbitration.platform.request.WorkOwner;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.ConnectionPoolTooBusyException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Shares out the connections of a pool among tenants ({@link WorkOwner}). A tenant has half of them at most, so that its slow statements
 * are never all that runs. When none is free, the next goes to the waiting tenant that has the least, in turns, and within it to its
 * callers in turns. The node's own work and batches of several callers are one tenant without these bounds. May be used from any thread.
 */
final class ConnectionShares {

    private static final Object NODE = new Object();

    private final Vertx vertx;
    private final int most;
    private final int mostPerTenant;
    private final int waitingMax;
    private final long waitMillis;
    private final Map<Object, Tenant> tenants = new HashMap<>();
    /** Tenants that wait and may have one more, by how many they have. */
    private final List<LinkedHashSet<Tenant>> waitingWith = new ArrayList<>();
    private int running;
    private int waiting;

    private static final class Tenant {
        private final Object id;
        private final int most;
        private final LinkedHashMap<Object, ArrayDeque<Waiting>> callers = new LinkedHashMap<>();
        private int running;
        private int waiting;

        Tenant(Object id, int most) {
            this.id = id;
            this.most = most;
        }
    }

    private record Waiting(Promise<Void> admitted, Context context, long timer) {
        void admit() {
            answer(admitted::complete);
        }

        void fail(Throwable late) {
            answer(() -> admitted.fail(late));
        }

        private void answer(Runnable how) {
            if (context == null) {
                how.run();
            } else {
                context.runOnContext(on -> how.run());
            }
        }
    }

    /**
     * @param most connections
     * @param waitingMax statements and transactions that wait for one
     * @param wait the longest that one waits
     */
    ConnectionShares(Vertx vertx, int most, int waitingMax, Duration wait) {
        this.vertx = vertx;
        this.most = most;
        this.mostPerTenant = Math.ceilDiv(most, 2);
        this.waitingMax = waitingMax;
        this.waitMillis = wait.toMillis();
        for (int i = 0; i <= most; i++) {
            waitingWith.add(new LinkedHashSet<>());
        }
    }

    /**
     * Runs work when there is a connection for it. Fails with {@link TenantShareUsedUp} when its tenant has as many waiting as are free for others, as the
     * pool itself when too many wait, and with a {@link TimeoutException} when it has waited for too long.
     */
    <T> Future<T> run(Supplier<Future<T>> work) {
        Optional<WorkOwner> owner = WorkOwner.now();
        if (owner.filter(WorkOwner::isInTransaction).isPresent()) {
            // It waits for this while it holds a connection: among others that do the same it could wait for ever.
            return work.get();
        }
        Object id = owner.map(WorkOwner::tenant).orElse(NODE);
        Object caller = owner.map(WorkOwner::caller).orElse(NODE);
        Tenant tenant;
        Promise<Void> admitted;
        synchronized (this) {
            tenant = tenants.computeIfAbsent(id, first -> new Tenant(id, id == NODE ? most : mostPerTenant));
            if (running < most && tenant.running < tenant.most && tenant.waiting == 0) {
                begin(tenant);
                admitted = null;
            } else if (waiting >= waitingMax) {
                list(tenant);
                return Future.failedFuture(new ConnectionPoolTooBusyException("%d statements wait for a connection".formatted(waiting)));
            } else if (id != NODE && tenant.waiting > 0 && tenant.waiting >= waitingMax - waiting) {
                list(tenant);
                return Future.failedFuture(new TenantShareUsedUp(tenant.waiting));
            } else {
                admitted = Promise.promise();
                add(tenant, caller, admitted);
            }
        }
        return admitted == null ? done(tenant, work) : admitted.future().compose(go -> done(tenant, work));
    }

    private <T> Future<T> done(Tenant tenant, Supplier<Future<T>> work) {
        // Called within a future, so that an exception counts as a failure.
        return Future.succeededFuture().compose(begun -> work.get()).onComplete(ended -> end(tenant));
    }

    private void begin(Tenant tenant) {
        unlist(tenant);
        running++;
        tenant.running++;
        list(tenant);
    }

    private void add(Tenant tenant, Object caller, Promise<Void> admitted) {
        Waiting[] one = new Waiting[1];
        long timer = vertx.setTimer(waitMillis, late -> endWait(tenant, caller, one));
        one[0] = new Waiting(admitted, Vertx.currentContext(), timer);
        unlist(tenant);
        tenant.callers.computeIfAbsent(caller, first -> new ArrayDeque<>()).add(one[0]);
        tenant.waiting++;
        waiting++;
        list(tenant);
    }

    private void endWait(Tenant tenant, Object caller, Waiting[] one) {
        Waiting late;
        synchronized (this) {
            late = one[0];
            ArrayDeque<Waiting> ofCaller = tenant.callers.get(caller);
            if (ofCaller == null || !ofCaller.remove(late)) {
                return;
            }
            unlist(tenant);
            if (ofCaller.isEmpty()) {
                tenant.callers.remove(caller);
            }
            tenant.waiting--;
            waiting--;
            list(tenant);
        }
        late.fail(new TimeoutException("no connection to the database was free in time"));
    }

    private void end(Tenant tenant) {
        Waiting next;
        synchronized (this) {
            unlist(tenant);
            running--;
            tenant.running--;
            list(tenant);
            next = next();
        }
        if (next != null) {
            vertx.cancelTimer(next.timer);
            next.admit();
        }
    }

    private Waiting next() {
        for (LinkedHashSet<Tenant> those : waitingWith) {
            if (!those.isEmpty()) {
                Tenant tenant = those.getFirst();
                Map.Entry<Object, ArrayDeque<Waiting>> caller = tenant.callers.pollFirstEntry();
                Waiting next = caller.getValue().poll();
                if (!caller.getValue().isEmpty()) {
                    tenant.callers.put(caller.getKey(), caller.getValue());
                }
                unlist(tenant);
                tenant.waiting--;
                waiting--;
                running++;
                tenant.running++;
                list(tenant);
                return next;
            }
        }
        return null;
    }

    private void unlist(Tenant tenant) {
        waitingWith.get(tenant.running).remove(tenant);
    }

    /** At the end of those that have as much: they come in turns. */
    private void list(Tenant tenant) {
        if (tenant.waiting > 0 && tenant.running < tenant.most) {
            waitingWith.get(tenant.running).add(tenant);
        } else if (tenant.waiting == 0 && tenant.running == 0) {
            tenants.remove(tenant.id, tenant);
        }
    }

    /** Statements and transactions that wait. */
    synchronized int waiting() {
        return waiting;
    }
}
