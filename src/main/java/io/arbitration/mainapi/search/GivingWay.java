package io.arbitration.mainapi.search;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/** Lets work in the background wait while people wait, but not for long: then it goes on beside them until nobody waits any more. */
final class GivingWay {

    /** A search finds a change within seconds, also while files come without end. */
    static final Duration MOST = Duration.ofSeconds(5);

    private final BooleanSupplier peopleWait;
    private final Clock clock;
    private Instant since;

    GivingWay(BooleanSupplier peopleWait, Clock clock) {
        this.peopleWait = peopleWait;
        this.clock = clock;
    }

    boolean mayBegin() {
        if (!peopleWait.getAsBoolean()) {
            since = null;
            return true;
        }
        since = since == null ? clock.instant() : since;
        return !clock.instant().isBefore(since.plus(MOST));
    }
}
