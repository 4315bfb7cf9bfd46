package io.arbitration.platform.telemetry;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the log and the metrics what concerns security: who was refused, who signed in, and what those did who administer.
 * Each is counted ({@code acp_security_events_total}); of refusals and sign-ins at most {@value #LINES_PER_SECOND} lines a second and
 * kind are written, and the next line says how many were left out, so that an attack fills no disk. What is told is known in number:
 * codes of errors and words of this code, never what a caller wrote, and no secrets.
 */
public final class SecurityEvents {

    static final int LINES_PER_SECOND = 10;
    private static final Logger LOG = LoggerFactory.getLogger(SecurityEvents.class);

    private final MeterRegistry meters;
    private final LongSupplier nanos;
    private final Map<Counted, Counter> counters = new ConcurrentHashMap<>();
    private final Map<String, Lines> lines = new ConcurrentHashMap<>();

    private record Counted(String event, String what, String reason) {}

    public SecurityEvents(MeterRegistry meters) {
        this(meters, System::nanoTime);
    }

    /** @param nanos a clock that nobody sets */
    SecurityEvents(MeterRegistry meters, LongSupplier nanos) {
        this.meters = meters;
        this.nanos = nanos;
    }

    /**
     * A request was refused.
     *
     * @param code of the error
     * @param reason why, where the caller is not told; else empty
     * @param operation area and operation; empty for what is nowhere
     */
    public void refused(String code, String reason, String operation, String address) {
        count("refused", code, reason);
        line("refused " + code).ifPresent(leftOut -> LOG.info("security event=refused code={} reason={} operation={} address={} leftOut={}",
                code, shown(reason), shown(operation), address, leftOut));
    }

    /** Something that signs in was not taken: a token of an identity provider, or what it answered. */
    public void notTaken(String what, String provider, String reason) {
        count("not-taken", what, reason);
        line("not-taken " + what).ifPresent(leftOut -> LOG.info("security event=not-taken what={} provider={} reason={} leftOut={}",
                what, provider, shown(reason), leftOut));
    }

    /** A session began. */
    public void signedIn(UUID user, UUID session, String provider, String address) {
        count("signed-in", provider, "");
        line("signed-in").ifPresent(leftOut -> LOG.info("security event=signed-in user={} session={} provider={} address={} leftOut={}",
                user, session, provider, address, leftOut));
    }

    /**
     * Somebody used a right over others; each time is written.
     *
     * @param by who
     * @param act in words of this code, such as {@code user.disabled}
     * @param on the id of whom or what
     */
    public void acted(UUID by, String act, String on) {
        count("acted", act, "");
        LOG.warn("security event=acted act={} by={} on={}", act, by, on);
    }

    private void count(String event, String what, String reason) {
        counters.computeIfAbsent(new Counted(event, what, reason), kind -> Counter.builder("acp.security.events")
                .description("Refusals, sign-ins and acts of administrators")
                .tag("event", kind.event).tag("what", kind.what).tag("reason", kind.reason)
                .register(meters)).increment();
    }

    private static String shown(String text) {
        return text.isEmpty() ? "-" : text.replace(' ', '-');
    }

    /** Empty: this one is left out; else how many were since the last line. */
    private OptionalLong line(String kind) {
        return lines.computeIfAbsent(kind, first -> new Lines()).next(TimeUnit.NANOSECONDS.toSeconds(nanos.getAsLong()));
    }

    private static final class Lines {
        private long second = Long.MIN_VALUE;
        private int written;
        private long leftOut;

        synchronized OptionalLong next(long now) {
            if (now != second) {
                second = now;
                written = 0;
            }
            if (written >= LINES_PER_SECOND) {
                leftOut++;
                return OptionalLong.empty();
            }
            written++;
            long before = leftOut;
            leftOut = 0;
            return OptionalLong.of(before);
        }
    }
}
