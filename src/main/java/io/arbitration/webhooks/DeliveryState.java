package io.arbitration.webhooks;

/** Where a delivery stands; the names are those of the interface, in lower case. */
enum DeliveryState {
    /** Waits for its first or next attempt, or is on its way. */
    PENDING,
    /** A 2xx came back. */
    DELIVERED,
    /** The last attempt has failed, or the receiver said that it is gone. */
    FAILED,
    /** The URL was deleted or disabled before it was delivered. */
    CANCELLED;

    String text() {
        return name().toLowerCase();
    }
}
