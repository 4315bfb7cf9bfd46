package io.arbitration.domain.time;

import java.time.Instant;
import java.util.Optional;

/**
 * By which time a case runs. Whatever is decided of a case is decided at the time that this gives.
 *
 * @param sandbox the time of a sandbox, which stands still until somebody sets it on; empty: the case runs by the time of the platform
 */
public record CaseClock(Optional<Instant> sandbox) {

    /** The clock of every case that is no sandbox. */
    public static final CaseClock PLATFORM = new CaseClock(Optional.empty());

    /** The clock of a sandbox that stands at that time. */
    public static CaseClock standingAt(Instant time) {
        return new CaseClock(Optional.of(time));
    }

    public boolean isSandbox() {
        return sandbox.isPresent();
    }

    /** What a case is called in emails, push messages and calendars: dates of a sandbox stand beside real ones there. */
    public static String marked(String title, boolean isSandbox) {
        return isSandbox ? "Sandbox: " + title : title;
    }

    /**
     * When a phase begins that begins now. In a sandbox that is a millisecond later, at which its clock then stands: what was done before
     * is earlier than what is done from then on, as it would be in a case whose clock runs.
     */
    public Instant next(Instant platformNow) {
        return Timestamps.milliseconds(sandbox.map(time -> time.plusMillis(1)).orElse(platformNow));
    }

    /** The time of the case, to the millisecond. */
    public Instant now(Instant platformNow) {
        return Timestamps.milliseconds(sandbox.orElse(platformNow));
    }
}
