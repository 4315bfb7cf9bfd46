package io.arbitration.platform.queue;

/** How an attempt under a lease went, and what follows for the item. */
public interface AttemptOutcome extends LeasedItem {

    Settlement settlement();
}
