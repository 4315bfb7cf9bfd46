package io.arbitration.mainapi.notice;

import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.config.AreaSettings;
import io.arbitration.platform.events.Addresses;
import io.arbitration.platform.queue.WorkQueue;
import io.arbitration.platform.telemetry.Attempts;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The emails of notices on their way to the mail service: asked for over the event bus until it says that it has them, with
 * the same idempotency key each time. None is ever given up for being late: who was to be served must be served.
 */
final class Outbox implements WorkQueue<DueEmail, Handover> {

    static final int IN_FLIGHT_MAX = 8;
    private static final Duration REPLY_WAIT = Duration.ofSeconds(20);
    /** Twice the wait: its end must mean that the node is gone. */
    private static final Duration LEASE = REPLY_WAIT.multipliedBy(2).plusSeconds(1);
    private static final Duration PAUSE_MAX = Duration.ofMinutes(5);
    private static final int REASON_LENGTH_MAX = 500;
    private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);

    private final Vertx vertx;
    private final DeliveryOptions asking;
    private final OutboxRepository repository;
    private final Attempts attempts;
    private final Clock clock;
    private final RandomGenerator random;

    Outbox(Vertx vertx, AreaSettings areas, OutboxRepository repository, MeterRegistry meters, Clock clock, RandomGenerator random) {
        this.vertx = vertx;
        this.asking = Addresses.asking(areas, Addresses.EMAILS_SEND, REPLY_WAIT);
        this.repository = repository;
        this.attempts = new Attempts(meters, "notices.emails", "What the mail service said to emails of notices", Stream.of("taken", "refused", "again"));
        this.clock = clock;
        this.random = random;
    }

    @Override
    public Future<Claims<DueEmail>> claim(UUID claim, int most) {
        return repository.claim(claim, most, LEASE).map(due -> Claims.of(due, most));
    }

    @Override
    public Future<Handover> attempt(DueEmail due) {
        return vertx.eventBus()
                .request(Addresses.EMAILS_SEND, due.request(), asking)
                .<Handover>map(taken -> new Handover.Taken(due))
                .otherwise(failure -> handover(due, failure))
                .onSuccess(this::count);
    }

    private Handover handover(DueEmail due, Throwable failure) {
        String reason = String.valueOf(failure.getMessage());
        boolean refused = failure instanceof ReplyException reply && reply.failureType() == ReplyFailure.RECIPIENT_FAILURE
                && reply.failureCode() >= 400 && reply.failureCode() < 500;
        if (refused) {
            LOG.error("notices: the mail service refused {}: {}", due.idempotencyKey(), reason);
            return new Handover.Refused(due, Timestamps.milliseconds(clock.instant()),
                    reason.length() <= REASON_LENGTH_MAX ? reason : reason.substring(0, REASON_LENGTH_MAX));
        }
        LOG.warn("notices: the mail service did not take {} yet, attempt {}: {}", due.idempotencyKey(), due.attempts() + 1, reason);
        return new Handover.Again(due, pause(due.attempts()));
    }

    /** Doubles from a second to {@link #PAUSE_MAX}, ±20 %. */
    private Duration pause(int attempts) {
        long planned = Math.min(PAUSE_MAX.toMillis(), 1000L << Math.min(attempts, 20));
        return Duration.ofMillis(Math.round(planned * (0.8 + 0.4 * random.nextDouble())));
    }

    private void count(Handover handover) {
        String result = switch (handover) {
            case Handover.Taken taken -> "taken";
            case Handover.Refused refused -> "refused";
            case Handover.Again again -> "again";
        };
        attempts.count(result);
    }

    @Override
    public Future<Void> record(List<Handover> handovers) {
        return repository.record(handovers);
    }

    /** Nothing to do: a claim takes whatever is due. */
    @Override
    public Future<Integer> promote() {
        return Future.succeededFuture(0);
    }

    @Override
    public Future<Void> release(List<DueEmail> claimed) {
        return repository.release(claimed);
    }
}
