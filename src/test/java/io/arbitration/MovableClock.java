package io.arbitration;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that runs, and that a test can move. */
public final class MovableClock extends Clock {

    private volatile Duration ahead = Duration.ZERO;

    /** Sets how far this clock is ahead of the real one. */
    public void ahead(Duration by) {
        ahead = by;
    }

    public void forward(Duration by) {
        ahead = ahead.plus(by);
    }

    @Override
    public Instant instant() {
        return Instant.now().plus(ahead);
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException("a test needs no other zone");
    }
}
