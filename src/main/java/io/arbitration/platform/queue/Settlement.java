package io.arbitration.platform.queue;

import java.time.Duration;

/** What becomes of an item of a queue after an attempt. */
public sealed interface Settlement {

    Settlement DONE = new Done(false);
    /** It was done for certain, so that this counts also when another node holds the item by now, and spares a repetition. */
    Settlement DONE_WHOEVER_HOLDS_IT = new Done(true);

    /**
     * The item leaves the queue.
     *
     * @param whoeverHoldsIt whether that counts under a claim that is not the current one any more, too
     */
    record Done(boolean whoeverHoldsIt) implements Settlement {}

    /** The item is due again after a pause. */
    record Again(Duration pause) implements Settlement {}
}
