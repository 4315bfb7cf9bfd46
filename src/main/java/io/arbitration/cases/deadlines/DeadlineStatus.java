package io.arbitration.cases.deadlines;

import java.time.Instant;
import java.util.Locale;

/** The state of a deadline. */
enum DeadlineStatus {
    /** It has not passed. */
    OPEN,
    /** The document was submitted in time, and is neither withdrawn nor rejected. */
    MET,
    /** It has passed and was not met. */
    MISSED;

    static DeadlineStatus of(boolean met, Instant date, Instant now) {
        return met ? MET : now.isAfter(date) ? MISSED : OPEN;
    }

    String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
