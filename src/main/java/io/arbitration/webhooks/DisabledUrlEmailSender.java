package io.arbitration.webhooks;

import io.arbitration.platform.events.Addresses;
import io.arbitration.platform.queue.Backoff;
import io.arbitration.platform.queue.BusHandover;
import io.arbitration.platform.queue.ItemHandler;
import io.arbitration.platform.queue.LeaseQueue;
import io.vertx.core.Future;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands these emails to the emails area. It repeats the request, with the same idempotency key, until that area has accepted it. */
final class DisabledUrlEmailSender implements ItemHandler<DisabledUrlEmail, DisabledUrlEmailOutcome> {

    static final LeaseQueue.Terms TERMS = LeaseQueue.Terms.of("webhook_notices", BusHandover.LEASE);
    static final int IN_FLIGHT_MAX = 16;

    /** About seven days, because nearly all of the pauses are the longest one, five minutes. */
    private static final int ATTEMPTS_MAX = 2000;
    private static final Logger LOG = LoggerFactory.getLogger(DisabledUrlEmailSender.class);

    private final BusHandover bus;
    private final Backoff backoff;

    DisabledUrlEmailSender(BusHandover bus, RandomGenerator random) {
        this.bus = bus;
        this.backoff = Backoff.upTo(ATTEMPTS_MAX, random);
    }

    @Override
    public Future<DisabledUrlEmailOutcome> attempt(DisabledUrlEmail email) {
        if (email.administrators().isEmpty()) {
            return Future.succeededFuture(notYet(email, "nobody administers the organization"));
        }
        return bus.offer(Addresses.EMAILS_SEND, email.request()).map(answer -> switch (answer) {
            case BusHandover.Answer.Taken taken -> new DisabledUrlEmailOutcome.Accepted(email);
            case BusHandover.Answer.Refused(String reason) -> givenUp(email, reason);
            case BusHandover.Answer.NotYet(String reason, boolean _) -> notYet(email, reason);
        });
    }

    private DisabledUrlEmailOutcome notYet(DisabledUrlEmail email, String trouble) {
        return backoff.pause(email.lease().attempts() + 1)
                .<DisabledUrlEmailOutcome>map(pause -> new DisabledUrlEmailOutcome.Again(email, pause, trouble))
                .orElseGet(() -> givenUp(email, trouble));
    }

    private static DisabledUrlEmailOutcome givenUp(DisabledUrlEmail email, String trouble) {
        LOG.error("webhooks: notice {} that {} was disabled cannot be sent: {}", email.lease().key(), email.url(), trouble);
        return new DisabledUrlEmailOutcome.GivenUp(email, trouble);
    }
}
