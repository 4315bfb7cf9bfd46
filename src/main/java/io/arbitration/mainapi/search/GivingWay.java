package io.arbitration.mainapi.search;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/** Delays background work while users wait, but for a limited time. Then it continues until no user waits any more. */
final class GivingWay {

    /** The longest delay, so that a search finds a change within seconds, even if files are uploaded continuously. */
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
