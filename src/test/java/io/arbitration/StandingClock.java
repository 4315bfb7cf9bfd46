package io.arbitration;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that stands until a test sets it. */
public final class StandingClock extends Clock {

    private volatile Instant now;

    public StandingClock(Instant now) {
        this.now = now;
    }

    public void set(Instant time) {
        now = time;
    }

    @Override
    public Instant instant() {
        return now;
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
