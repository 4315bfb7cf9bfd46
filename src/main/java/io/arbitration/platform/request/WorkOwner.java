package io.arbitration.platform.request;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxBootstrap;
import io.vertx.core.spi.VertxServiceProvider;
import io.vertx.core.spi.context.storage.ContextLocal;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The owner of the work on a Vert.x context: a caller, and its tenant, which is the organization in the caller's token, else the
 * caller itself. A node divides its capacity among tenants, because an organization can have many callers: machine clients cost
 * it nothing. Stored in a local of the request's context, so that all code that the request uses finds it. Thread-safe.
 */
public final class WorkOwner {

    /**
     * Longer than any statement: work that still runs on the context of an answered request after this time was only started by
     * it, and belongs to the node.
     */
    private static final long OVER_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** Registers the context local. Vert.x loads this class before it makes its first context, because locals cannot be registered later. */
    public static final class Place implements VertxServiceProvider {

        static final ContextLocal<WorkOwner> LOCAL = ContextLocal.registerLocal(WorkOwner.class);

        @Override
        public void init(VertxBootstrap bootstrap) {}
    }

    private final Object caller;
    private final Object tenant;
    private final AtomicInteger shared = new AtomicInteger();
    private final AtomicInteger transactions = new AtomicInteger();
    private volatile long answeredNanos;
    private volatile boolean answered;

    private WorkOwner(Object caller, Object tenant) {
        this.caller = caller;
        this.tenant = tenant;
    }

    /** From now on the work on the current context belongs to this caller. */
    public static WorkOwner begin(Vertx vertx, Object caller, Object tenant) {
        WorkOwner owner = new WorkOwner(caller, tenant);
        ((ContextInternal) vertx.getOrCreateContext()).putLocal(Place.LOCAL, owner);
        return owner;
    }

    /** The owner of the work on the current context; empty: the node itself. */
    public static Optional<WorkOwner> now() {
        return any().filter(owner -> owner.shared.get() == 0 && !(owner.answered && System.nanoTime() - owner.answeredNanos > OVER_NANOS));
    }

    private static Optional<WorkOwner> any() {
        Context context = Vertx.currentContext();
        return context == null ? Optional.empty() : Optional.ofNullable(((ContextInternal) context).getLocal(Place.LOCAL));
    }

    /**
     * Does work for several callers on the current context, for instance a batch. It counts for the node, so that no caller is
     * charged for the others.
     */
    public static <T> Future<T> ofSeveral(Supplier<Future<T>> work) {
        Optional<WorkOwner> owner = any();
        if (owner.isEmpty()) {
            return work.get();
        }
        owner.get().shared.incrementAndGet();
        // Called within a future, so that an exception counts as a failure.
        return Future.succeededFuture().compose(begun -> work.get()).onComplete(ended -> owner.get().shared.decrementAndGet());
    }

    /** Whether the request holds a database connection for a transaction. */
    public boolean isInTransaction() {
        return transactions.get() > 0;
    }

    /** @param more 1 when a transaction begins, -1 when it has ended */
    public void countTransaction(int more) {
        transactions.addAndGet(more);
    }

    /** The request has been answered, or its client has disconnected. */
    public void answered() {
        answeredNanos = System.nanoTime();
        answered = true;
    }

    /** The ID of the caller. */
    public Object caller() {
        return caller;
    }

    /** The ID of the organization, else of the caller. */
    public Object tenant() {
        return tenant;
    }
}
