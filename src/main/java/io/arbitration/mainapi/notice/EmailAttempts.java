package io.arbitration.mainapi.notice;

import io.arbitration.platform.queue.Handover;
import io.arbitration.platform.queue.ItemHandler;
import io.arbitration.platform.telemetry.Attempts;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands the emails of notices to the emails area, and counts and logs the results. */
final class EmailAttempts implements ItemHandler<DueEmail, Handover.Outcome<DueEmail>> {

    static final int IN_FLIGHT_MAX = 8;

    private static final Logger LOG = LoggerFactory.getLogger(EmailAttempts.class);

    private final Handover<DueEmail> handover;
    private final Attempts attempts;

    /** @param handover tries without end: everybody who is to be served must be served, however late */
    EmailAttempts(Handover<DueEmail> handover, MeterRegistry meters) {
        this.handover = handover;
        this.attempts = new Attempts(meters, "notices.emails", "Results of attempts to hand over an email of a notice", Stream.of("accepted", "refused", "again"));
    }

    @Override
    public Future<Handover.Outcome<DueEmail>> attempt(DueEmail due) {
        return handover.attempt(due).onSuccess(outcome -> {
            if (outcome.isOpen()) {
                LOG.warn("notices: the emails area did not accept {}, attempt {}: {}", due.idempotencyKey(), due.lease().attempts() + 1, outcome.trouble().orElse(""));
            }
            attempts.count(outcome.isOpen() ? "again" : outcome.handed() == Handover.Handed.YES ? "accepted" : "refused");
        });
    }
}
