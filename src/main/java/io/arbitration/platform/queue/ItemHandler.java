package io.arbitration.platform.queue;

import io.vertx.core.Future;

/** Does the pieces of a queue. */
@FunctionalInterface
public interface ItemHandler<C extends LeasedItem, O extends AttemptOutcome> {

    /** Does a piece once, within the lease. When this fails, nothing is recorded and the piece waits for the end of its lease. */
    Future<O> attempt(C claimed);

    /** Whether there is any use in claiming now; false while the part that does the work is known to be away. */
    default boolean mayBegin() {
        return true;
    }
}
