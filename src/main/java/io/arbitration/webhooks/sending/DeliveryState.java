package io.arbitration.webhooks.sending;

import java.util.Locale;

/** The state of a delivery; clients see the names in lower case. */
public enum DeliveryState {
    /** Waits for its first or next attempt, or is being attempted. */
    PENDING,
    /** The receiver answered 2xx. */
    DELIVERED,
    /** The last attempt failed, or the receiver answered 410. */
    FAILED,
    /** The URL was deleted or disabled before the delivery succeeded. */
    CANCELLED;

    /** The name for clients and in the database. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
