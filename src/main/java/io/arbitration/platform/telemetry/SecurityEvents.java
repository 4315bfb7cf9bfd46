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
 * Records security events in the log and the metrics: refusals, sign-ins, and acts of administrators. Each is counted ({@code
 * acp_security_events_total}). Of refusals and sign-ins at most {@value #LINES_PER_SECOND} lines a second are written for each
 * kind, and the next line gives the number of omitted ones, so that an attack does not fill the disk. The values come from a
 * known set, error codes and words of this code, and never from a caller; they contain no secrets.
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

    /** @param nanos a monotonic clock */
    SecurityEvents(MeterRegistry meters, LongSupplier nanos) {
        this.meters = meters;
        this.nanos = nanos;
    }

    /**
     * A request was refused.
     *
     * @param code of the error
     * @param reason the reason, if the caller does not get it; else empty
     * @param operation area and operation; empty if no operation was reached
     */
    public void refused(String code, String reason, String operation, String address) {
        count("refused", code, reason);
        line("refused " + code).ifPresent(leftOut -> LOG.info("security event=refused code={} reason={} operation={} address={} leftOut={}",
                code, shown(reason), shown(operation), address, leftOut));
    }

    /** A credential of a sign-in was not accepted: a token or an answer of an identity provider. */
    public void credentialRefused(String what, String provider, String reason) {
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
     * A user exercised a right over others; each such act is written.
     *
     * @param by the acting user
     * @param act a word of this code, such as {@code user.disabled}
     * @param on the ID of the affected user or object
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

    /** Empty: this line is omitted; else the number of omitted lines since the last one. */
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
