package io.arbitration.platform.db;

import java.time.Instant;
import java.util.UUID;

/**
 * A place in a list that is ordered by time, then by id.
 *
 * @param at in microseconds, as the database keeps it; from 1970 to 9999
 */
public record TimeKey(Instant at, UUID id) {

    /** Before everything: where a list with the oldest first starts. */
    public static final TimeKey FIRST = new TimeKey(Instant.EPOCH, new UUID(0, 0));
    /** After everything: where a list with the newest first starts. */
    public static final TimeKey LAST = new TimeKey(Instant.ofEpochMilli(253_402_300_799_999L), new UUID(-1, -1));
}
