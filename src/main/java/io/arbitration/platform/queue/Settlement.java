package io.arbitration.platform.queue;

import java.time.Duration;

/** What happens with an item of a queue after an attempt. */
public sealed interface Settlement {

    Settlement DONE = new Done(false);
    /**
     * For work that is certainly done. It removes the item even if the lease has ended and another node has claimed it, which avoids a
     * repetition.
     */
    Settlement DONE_WHOEVER_HOLDS_IT = new Done(true);

    /**
     * The item leaves the queue.
     *
     * @param whoeverHoldsIt whether this is also valid if the claim is not the current one any more
     */
    record Done(boolean whoeverHoldsIt) implements Settlement {}

    /** The item is due again after a pause. */
    record Again(Duration pause) implements Settlement {}
}
