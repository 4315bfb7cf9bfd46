package io.arbitration.mainapi.notice;

import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.events.Addresses;
import io.arbitration.platform.queue.Backoff;
import io.arbitration.platform.queue.BusHandover;
import io.arbitration.platform.queue.ItemHandler;
import io.arbitration.platform.queue.LeaseQueue;
import io.arbitration.platform.telemetry.Attempts;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands the emails of notices to the emails area until it has them, with the same idempotency key each time. None is ever given up
 * for being late: who was to be served must be served.
 */
final class Outbox implements ItemHandler<DueEmail, HandoverOutcome> {

    /** The lease is that of a request over the event bus. */
    static final LeaseQueue.Terms TERMS = LeaseQueue.Terms.of("notices", BusHandover.LEASE);
    static final int IN_FLIGHT_MAX = 8;

    private static final int REASON_LENGTH_MAX = 500;
    private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);

    private final BusHandover bus;
    private final Attempts attempts;
    private final Clock clock;
    private final Backoff backoff;

    Outbox(BusHandover bus, MeterRegistry meters, Clock clock, RandomGenerator random) {
        this.bus = bus;
        this.attempts = new Attempts(meters, "notices.emails", "What the mail service said to emails of notices", Stream.of("taken", "refused", "again"));
        this.clock = clock;
        this.backoff = Backoff.endless(random);
    }

    @Override
    public Future<HandoverOutcome> attempt(DueEmail due) {
        return bus.offer(Addresses.EMAILS_SEND, due.request()).map(answer -> switch (answer) {
            case BusHandover.Answer.Taken taken -> counted("taken", new HandoverOutcome.Taken(due));
            case BusHandover.Answer.Refused(String reason) -> {
                LOG.error("notices: the emails area refused {}: {}", due.idempotencyKey(), reason);
                yield counted("refused", new HandoverOutcome.Refused(due, Timestamps.milliseconds(clock.instant()),
                        reason.length() <= REASON_LENGTH_MAX ? reason : reason.substring(0, REASON_LENGTH_MAX)));
            }
            case BusHandover.Answer.NotYet(String reason, boolean _) -> {
                LOG.warn("notices: the emails area did not accept {}, attempt {}: {}", due.idempotencyKey(), due.lease().attempts() + 1, reason);
                yield counted("again", new HandoverOutcome.Again(due, backoff.pause(due.lease().attempts() + 1).orElseThrow()));
            }
        });
    }

    private HandoverOutcome counted(String result, HandoverOutcome handover) {
        attempts.count(result);
        return handover;
    }
}
