package io.arbitration.platform.queue;

/** What a node works on under a lease: an item of a queue with what it is about. */
public interface LeasedItem {

    Lease lease();
}
