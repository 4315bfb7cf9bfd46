package io.arbitration.platform.queue;

/** A claimed item of a queue, with its content. */
public interface LeasedItem {

    Lease lease();
}
