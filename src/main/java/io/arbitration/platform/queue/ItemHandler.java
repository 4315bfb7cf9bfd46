package io.arbitration.platform.queue;

import io.vertx.core.Future;

/** Executes the items of a queue. */
@FunctionalInterface
public interface ItemHandler<C extends LeasedItem, O extends AttemptOutcome> {

    /**
     * Executes an item once, within its lease. If the future fails, nothing is recorded, and the item is claimed again when its lease has
     * ended.
     */
    Future<O> attempt(C claimed);

    /** Whether items may be claimed now; false while the service that they need is known to be unavailable. */
    default boolean mayBegin() {
        return true;
    }
}
