package io.arbitration.webhooks.sending;

import io.arbitration.platform.outbound.RetryAfter;
import io.arbitration.platform.queue.Backoff;
import io.arbitration.platform.queue.Dispatcher;
import io.arbitration.platform.queue.OutcomeBatch;
import io.arbitration.platform.queue.PeriodicPoll;
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
import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queue of deliveries that a {@link Dispatcher} works on. Each claim continues after the URL at which the claim before
 * stopped, so that URLs with many deliveries do not delay the others. A URL that answers 410, or has only failed for 5 days, is
 * disabled. Receivers that answer slowly do not hold up the deliveries to others ({@link SlowAttempts}). Used on the context of
 * its dispatcher.
 */
public final class DeliveryQueue implements WorkQueue<ClaimedDelivery, DeliveryOutcome> {

    /** The pause after each failed attempt; longer if the receiver asks for it by {@code Retry-After}. */
    static final List<Duration> PAUSES = List.of(
            Duration.ofSeconds(5), Duration.ofMinutes(5), Duration.ofMinutes(30), Duration.ofHours(2), Duration.ofHours(5),
            Duration.ofHours(10), Duration.ofHours(14), Duration.ofHours(20), Duration.ofHours(24));
    private static final Map<String, String> IN_SANDBOX = Map.of("webhook-sandbox", "true");
    private static final int CLAIMED_MAX = 128;
    private static final int READY_COUNTED_MAX = 10_000;
    private static final Duration FAILING_MAX = Duration.ofDays(5);
    private static final Logger LOG = LoggerFactory.getLogger(DeliveryQueue.class);

    /**
     * The bounds of attempts.
     *
     * @param inFlight the most deliveries that this node attempts at once
     * @param inFlightPerUrl the most deliveries to one URL that all nodes together attempt at once; {@value QueueRepository#FAILING_IN_FLIGHT_MAX}
     *     while half of inFlight is taken
     * @param exchange the longest duration of an attempt
     */
    public record Bounds(int inFlight, int inFlightPerUrl, Duration exchange) {}

    private final Vertx vertx;
    private final QueueRepository queue;
    private final WebhookMessage message;
    private final SecretCipher secrets;
    private final Backoff backoff;
    private final Bounds bounds;
    private final Traces traces;
    private final Clock clock;
    private final Attempts attempts;
    private final SlowAttempts underWay;
    private long afterUrlId;
    private long ready;

    public DeliveryQueue(Vertx vertx, QueueRepository queue, WebhookMessage message, SecretCipher secrets, Bounds bounds,
            MeterRegistry meters, Traces traces, Clock clock, RandomGenerator random) {
        this.vertx = vertx;
        this.queue = queue;
        this.message = message;
        this.secrets = secrets;
        this.backoff = Backoff.of(random, PAUSES);
        this.bounds = bounds;
        this.traces = traces;
        this.clock = clock;
        this.underWay = new SlowAttempts(vertx, bounds.inFlight);
        this.attempts = new Attempts(meters, "webhooks.attempts", "Attempts to deliver an event", Stream.of("delivered", "failed"));
        Gauge.builder("webhooks.ready", () -> ready).description("Deliveries that are due and claimed by no node, counted up to 10000").register(meters);
    }

    /** The bounds of this queue's dispatcher. */
    public Dispatcher.Bounds dispatching() {
        return new Dispatcher.Bounds(bounds.inFlight, CLAIMED_MAX, Math.min(CLAIMED_MAX, bounds.inFlight / 4));
    }

    /** Counts again for the gauge {@code webhooks.ready}. */
    public void countReady() {
        queue.readyCount(READY_COUNTED_MAX).onComplete(count -> ready = count,
                failure -> LOG.debug("webhooks: what is ready is not counted: {}", failure.getMessage()));
    }

    @Override
    public Future<Claims<ClaimedDelivery>> claim(UUID claim, int most) {
        long after = afterUrlId;
        int perUrl = underWay.isHalfFull() ? Math.min(QueueRepository.FAILING_IN_FLIGHT_MAX, bounds.inFlightPerUrl) : bounds.inFlightPerUrl;
        return queue.claim(claim, after, perUrl, most, lease()).map(claims -> {
            boolean full = claims.claimed().size() == most;
            afterUrlId = full ? claims.claimed().stream().mapToLong(ClaimedDelivery::urlId).max().orElse(0) : 0;
            // A claim that began after some URL did not include the URLs before it, so there may be more to claim at once.
            return new Claims<>(claims.claimed(), full || claims.remain() && after > 0, claims.remain());
        });
    }

    /** Twice the time of an exchange, so that a lease ends only when its node is dead, not when a receiver is slow. */
    private Duration lease() {
        return bounds.exchange.multipliedBy(2).plusSeconds(1);
    }

    @Override
    public String key(ClaimedDelivery claimed) {
        return String.valueOf(claimed.deliveryId());
    }

    @Override
    public Future<DeliveryOutcome> attempt(ClaimedDelivery claimed) {
        return claimed.isCancelled() ? Future.succeededFuture(new DeliveryOutcome.Cancelled(claimed)) : send(claimed).map(sent -> outcome(claimed, sent));
    }

    private Future<WebhookMessage.Sent> send(ClaimedDelivery claimed) {
        try {
            List<SigningSecret> open = claimed.secrets().stream()
                    .map(sealed -> secrets.open(sealed, claimed.organizationId(), claimed.url()))
                    .toList();
            return traces.within(vertx, claimed.trace(), work(claimed), () -> underWay.during(claimed.organizationId(),
                    end -> message.send(claimed.url(), claimed.eventId().toString(), claimed.envelope(), open, claimed.inSandbox() ? IN_SANDBOX : Map.of(), end)));
        } catch (IllegalStateException undecryptable) {
            LOG.error("webhooks: delivery {} cannot be signed: {}", claimed.deliveryId(), undecryptable.getMessage());
            return Future.succeededFuture(new WebhookMessage.Sent(DeliveryAttempt.unanswered(clock.instant(), "the platform could not sign it", 0), Optional.empty()));
        }
    }

    private static Traces.Work work(ClaimedDelivery claimed) {
        return new Traces.Work("webhooks deliver", Traces.Kind.SENDS, Map.of("acp.event.id", claimed.eventId().toString(),
                "acp.delivery.id", String.valueOf(claimed.deliveryId()), "acp.attempt", String.valueOf(claimed.attempts() + 1)));
    }

    private DeliveryOutcome outcome(ClaimedDelivery claimed, WebhookMessage.Sent sent) {
        DeliveryAttempt attempt = sent.attempt();
        if (attempt.succeeded()) {
            attempts.count("delivered");
            return new DeliveryOutcome.Delivered(claimed, attempt);
        }
        attempts.count("failed");
        if (attempt.isGone()) {
            return new DeliveryOutcome.Failed(claimed, attempt);
        }
        return backoff.pause(claimed.attempts() + 1, RetryAfter.of(sent.retryAfter().orElse(null), clock.instant()))
                .<DeliveryOutcome>map(pause -> new DeliveryOutcome.Again(claimed, attempt, pause))
                .orElseGet(() -> new DeliveryOutcome.Failed(claimed, attempt));
    }

    @Override
    public Future<Void> record(List<DeliveryOutcome> outcomes) {
        return OutcomeBatch.record(outcomes, batch -> queue.record(batch, FAILING_MAX), outcome -> "webhook delivery " + key(outcome.claimed())).map(recorded -> {
            recorded.forEach(broken -> broken.forEach(this::disable));
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
    public Watch watch(Runnable due) {
        return PeriodicPoll.started(vertx, "webhooks", () -> queue.due().compose(found -> activate(found)
                .compose(activated -> {
                    // Before the slots are emptied, so that a failure of that delays no delivery.
                    if (found.isReady() || activated > 0) {
                        due.run();
                    }
                    return found.isInSlots() ? queue.emptySlots() : Future.succeededFuture();
                })
                .map(emptied -> found.next())));
    }

    private Future<Integer> activate(QueueRepository.Due found) {
        return found.isDue() ? queue.activateDue() : Future.succeededFuture(0);
    }

    @Override
    public Future<Void> release(List<ClaimedDelivery> claimed) {
        return queue.release(claimed);
    }
}
