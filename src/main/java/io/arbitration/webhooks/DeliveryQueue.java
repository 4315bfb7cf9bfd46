package io.arbitration.webhooks;

import io.arbitration.platform.queue.Dispatcher;
import io.arbitration.platform.queue.WorkQueue;
import io.arbitration.platform.telemetry.Attempts;
import io.arbitration.platform.telemetry.Traces;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The deliveries that a {@link Dispatcher} makes. It goes round the URLs, from each claim to the next, so that those with much to
 * send do not keep the others waiting, and disables a URL whose failures have to stop. Belongs to the context of its dispatcher.
 */
final class DeliveryQueue implements WorkQueue<Claimed, Outcome> {

    private static final int CLAIMED_MAX = 128;
    private static final int READY_COUNTED_MAX = 10_000;
    private static final Duration FAILING_MAX = Duration.ofDays(5);
    private static final Logger LOG = LoggerFactory.getLogger(DeliveryQueue.class);

    private final Vertx vertx;
    private final QueueRepository queue;
    private final WebhookMessage message;
    private final SecretBox secrets;
    private final RetrySchedule schedule;
    private final WebhooksSettings settings;
    private final Traces traces;
    private final Clock clock;
    private final Attempts attempts;
    private long afterUrlId;
    private long ready;

    DeliveryQueue(Vertx vertx, QueueRepository queue, WebhookMessage message, SecretBox secrets, WebhooksSettings settings,
            MeterRegistry meters, Traces traces, Clock clock, RandomGenerator random) {
        this.vertx = vertx;
        this.queue = queue;
        this.message = message;
        this.secrets = secrets;
        this.schedule = new RetrySchedule(random);
        this.settings = settings;
        this.traces = traces;
        this.clock = clock;
        this.attempts = new Attempts(meters, "webhooks.attempts", "Attempts to deliver an event", Stream.of("delivered", "failed"));
        Gauge.builder("webhooks.ready", () -> ready).description("Deliveries that are due and on their way from no node, counted up to 10000").register(meters);
    }

    static Dispatcher.Bounds bounds(WebhooksSettings settings) {
        return new Dispatcher.Bounds(settings.inFlight(), CLAIMED_MAX, Math.min(CLAIMED_MAX, settings.inFlight() / 4));
    }

    /** For the gauge of what is ready. */
    void countReady() {
        queue.readyCount(READY_COUNTED_MAX).onComplete(count -> ready = count,
                failure -> LOG.debug("webhooks: what is ready is not counted: {}", failure.getMessage()));
    }

    @Override
    public Future<Claims<Claimed>> claim(UUID claim, int most) {
        long after = afterUrlId;
        return queue.claim(claim, after, settings.inFlightPerUrl(), most, lease()).map(claims -> {
            boolean full = claims.claimed().size() == most;
            afterUrlId = full ? claims.claimed().stream().mapToLong(Claimed::urlId).max().orElse(0) : 0;
            // From the middle of the round trip over the URLs it begins again before it rests.
            return new Claims<>(claims.claimed(), full || claims.remain() && after > 0, claims.remain());
        });
    }

    /** Twice the exchange: its end must mean that the node is gone, not that the receiver is slow. */
    private Duration lease() {
        return settings.exchange().multipliedBy(2).plusSeconds(1);
    }

    @Override
    public Future<Outcome> attempt(Claimed claimed) {
        return send(claimed).map(sent -> outcome(claimed, sent));
    }

    private Future<WebhookMessage.Sent> send(Claimed claimed) {
        try {
            List<SigningSecret> open = claimed.secrets().stream()
                    .map(sealed -> secrets.open(sealed, claimed.organizationId(), claimed.url()))
                    .toList();
            return traces.within(vertx, claimed.trace(), work(claimed),
                    () -> message.send(claimed.url(), claimed.eventId().toString(), claimed.envelope(), open, Map.of()));
        } catch (IllegalStateException sealed) {
            LOG.error("webhooks: delivery {} cannot be signed: {}", claimed.deliveryId(), sealed.getMessage());
            return Future.succeededFuture(new WebhookMessage.Sent(new Attempt(clock.instant(), null, "the platform could not sign it", 0, null), null));
        }
    }

    private static Traces.Work work(Claimed claimed) {
        return new Traces.Work("webhooks deliver", Traces.Kind.SENDS, Map.of("acp.event.id", claimed.eventId().toString(),
                "acp.delivery.id", String.valueOf(claimed.deliveryId()), "acp.attempt", String.valueOf(claimed.attempts() + 1)));
    }

    private Outcome outcome(Claimed claimed, WebhookMessage.Sent sent) {
        Attempt attempt = sent.attempt();
        if (attempt.succeeded()) {
            attempts.count("delivered");
            return new Outcome.Delivered(claimed, attempt);
        }
        attempts.count("failed");
        if (attempt.isGone()) {
            return new Outcome.Failed(claimed, attempt);
        }
        return schedule.pause(claimed.attempts() + 1, sent.retryAfter(), clock.instant())
                .<Outcome>map(pause -> new Outcome.Again(claimed, attempt, pause))
                .orElseGet(() -> new Outcome.Failed(claimed, attempt));
    }

    @Override
    public Future<Void> record(List<Outcome> outcomes) {
        return queue.record(outcomes, FAILING_MAX).map(broken -> {
            broken.forEach(this::disable);
            return null;
        });
    }

    private void disable(QueueRepository.Broken broken) {
        String reason = broken.isGone() ? "It answered 410 Gone." : "Every attempt failed for 5 days.";
        queue.disable(broken.urlId(), reason).onComplete(
                disabled -> {
                    if (disabled) {
                        LOG.warn("webhooks: URL {} is disabled: {} A notice to its organization is pending.", broken.urlId(), reason);
                    }
                },
                failure -> LOG.warn("webhooks: disabling URL {} failed, its next failure tries again: {}", broken.urlId(), failure.getMessage()));
    }

    @Override
    public Future<Integer> promote() {
        return queue.promote();
    }

    @Override
    public Future<Void> release(List<Claimed> claimed) {
        return queue.release(claimed);
    }
}
