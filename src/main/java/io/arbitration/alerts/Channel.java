package io.arbitration.alerts;

import io.arbitration.platform.events.Addresses;
import java.util.Locale;

/** A way to reach somebody. */
enum Channel {
    EMAIL(Addresses.EMAILS_SEND),
    PUSH(Addresses.PUSH_SEND);

    private final String address;

    Channel(String address) {
        this.address = address;
    }

    /** On the event bus. */
    String address() {
        return address;
    }

    /** In the database and in idempotency keys. */
    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Channel of(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }
}
