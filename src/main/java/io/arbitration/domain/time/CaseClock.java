package io.arbitration.domain.time;

import java.time.Instant;
import java.util.Optional;

/**
 * The clock of a case. All decisions about a case use its time.
 *
 * @param sandbox the time of a sandbox, which stands still until somebody sets it forward; empty: the case uses the time of the
 * platform
 */
public record CaseClock(Optional<Instant> sandbox) {

    /** The clock of all cases that are no sandbox. */
    public static final CaseClock PLATFORM = new CaseClock(Optional.empty());

    /** The clock of a sandbox at that time. */
    public static CaseClock standingAt(Instant time) {
        return new CaseClock(Optional.of(time));
    }

    public boolean isSandbox() {
        return sandbox.isPresent();
    }

    /** The title of a case in emails, push messages and calendars, where dates of a sandbox appear beside real ones. */
    public static String marked(String title, boolean isSandbox) {
        return isSandbox ? "Sandbox: " + title : title;
    }

    /**
     * The start time of a phase that begins now. In a sandbox it is a millisecond later, and its clock moves there: so earlier
     * actions are before the start and later ones after it, as in a case with a running clock.
     */
    public Instant next(Instant platformNow) {
        return Timestamps.milliseconds(sandbox.map(time -> time.plusMillis(1)).orElse(platformNow));
    }

    /** The time of the case, to the millisecond. */
    public Instant now(Instant platformNow) {
        return Timestamps.milliseconds(sandbox.orElse(platformNow));
    }
}
