package io.arbitration.platform.queue;

/** How an attempt at an item ended, and what follows for the item. */
public interface AttemptOutcome extends LeasedItem {

    Settlement settlement();
}
