package io.arbitration.webhooks;

import io.arbitration.domain.Identifiers;
import io.arbitration.platform.config.Settings;
import io.arbitration.platform.events.Wake;
import io.arbitration.platform.telemetry.Attempts;
import io.arbitration.platform.telemetry.Traces;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers what the queue holds: claims in batches, sends, records in batches. A crash between sending and recording
 * repeats the sending once the lease has ended; nothing is lost. Runs on the context it was started on.
 */
final class Dispatcher {

    private static final int CLAIMED_MAX = 128;
    private static final int RECORDED_AT = 64;
    private static final int RECORDED_MAX = 256;
    private static final long RECORD_WAIT_MILLIS = 3;
    private static final long POLL_MILLIS = 1000;
    private static final long READY_MILLIS = 5000;
    private static final int READY_COUNTED_MAX = 10_000;
    private static final Duration FAILURE_PAUSE = Duration.ofSeconds(1);
    private static final Duration FAILING_MAX = Duration.ofDays(5);
    private static final Duration STOP_WAIT = Duration.ofSeconds(3);
    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

    private final Vertx vertx;
    private final QueueRepository queue;
    private final WebhookMessage message;
    private final SecretBox secrets;
    private final RetrySchedule schedule;
    private final Wake wake;
    private final Settings.Webhooks settings;
    private final Traces traces;
    private final Clock clock;
    private final RandomGenerator random;
    private final Attempts attempts;
    private final Set<Claimed> inFlight = Collections.newSetFromMap(new IdentityHashMap<>());
    private final List<Outcome> outcomes = new ArrayList<>();
    private Wake.Registration registration;
    private long poll;
    private long afterUrlId;
    private long ready;
    private long readyTimer;
    private boolean claiming;
    private boolean wanted;
    private boolean remain;
    private boolean recording;
    private boolean recordTimer;
    private boolean promoting;
    private Promise<Void> stopping;

    Dispatcher(Vertx vertx, QueueRepository queue, WebhookMessage message, SecretBox secrets, Wake wake,
            Settings.Webhooks settings, MeterRegistry meters, Traces traces, Clock clock, RandomGenerator random) {
        this.vertx = vertx;
        this.queue = queue;
        this.message = message;
        this.secrets = secrets;
        this.schedule = new RetrySchedule(random);
        this.wake = wake;
        this.settings = settings;
        this.traces = traces;
        this.clock = clock;
        this.random = random;
        this.attempts = new Attempts(meters, "webhooks.attempts", "Attempts to deliver an event", Stream.of("delivered", "failed"));
        Gauge.builder("webhooks.ready", () -> ready).description("Deliveries that are due and on their way from no node, counted up to 10000").register(meters);
        meters.gauge("webhooks.in.flight", inFlight, Set::size);
    }

    void start() {
        registration = wake.on(FanOutRepository.DUE, this::claim);
        poll = vertx.setPeriodic(POLL_MILLIS, timer -> promote());
        readyTimer = vertx.setPeriodic(READY_MILLIS, timer -> countReady());
        promote();
    }

    private void countReady() {
        queue.readyCount(READY_COUNTED_MAX).onComplete(count -> ready = count,
                failure -> LOG.debug("webhooks: what is ready is not counted: {}", failure.getMessage()));
    }

    /** Claims nothing more, waits a moment for what is on its way, and gives back the rest. */
    Future<Void> stop() {
        if (registration == null) {
            return Future.succeededFuture();
        }
        vertx.cancelTimer(poll);
        vertx.cancelTimer(readyTimer);
        stopping = Promise.promise();
        vertx.setTimer(STOP_WAIT.toMillis(), timer -> stopping.tryComplete());
        endIfIdle();
        return registration.end()
                .compose(ended -> stopping.future())
                .compose(idle -> recordRest())
                .compose(recorded -> inFlight.isEmpty() ? Future.succeededFuture() : queue.release(List.copyOf(inFlight)))
                .onFailure(failure -> LOG.warn("stopping the dispatcher: {}; what it had claimed is sent again", failure.getMessage()))
                .otherwiseEmpty();
    }

    private Future<Void> recordRest() {
        List<Outcome> rest = List.copyOf(outcomes);
        outcomes.clear();
        return rest.isEmpty() ? Future.succeededFuture() : queue.record(rest, FAILING_MAX).mapEmpty();
    }

    private void endIfIdle() {
        if (stopping != null && inFlight.isEmpty() && !claiming && !recording) {
            stopping.tryComplete();
        }
    }

    private void promote() {
        if (promoting || stopping != null) {
            return;
        }
        promoting = true;
        queue.promote().onComplete(promoted -> {
            promoting = false;
            claim();
        }, failure -> {
            promoting = false;
            LOG.warn("webhooks: looking for what is due failed: {}", failure.getMessage());
        });
    }

    private void claim() {
        if (stopping != null) {
            return;
        }
        int free = settings.inFlight() - inFlight.size() - outcomes.size();
        if (claiming || free < Math.min(CLAIMED_MAX, settings.inFlight() / 4)) {
            wanted = true;
            return;
        }
        claiming = true;
        wanted = false;
        long after = afterUrlId;
        int most = Math.min(CLAIMED_MAX, free);
        queue.claim(Identifiers.random(random), after, settings.inFlightPerUrl(), most, lease())
                .onComplete(claims -> {
                    claiming = false;
                    remain = claims.remain();
                    claims.claimed().forEach(this::send);
                    boolean full = claims.claimed().size() == most;
                    afterUrlId = full ? claims.claimed().stream().mapToLong(Claimed::urlId).max().orElse(0) : 0;
                    // From the middle of the round trip over the URLs it begins again before it rests.
                    if (full || remain && after > 0 || wanted) {
                        claim();
                    }
                    endIfIdle();
                }, failure -> {
                    LOG.warn("webhooks: claiming deliveries failed: {}", failure.getMessage());
                    vertx.setTimer(FAILURE_PAUSE.toMillis(), timer -> {
                        claiming = false;
                        claim();
                        endIfIdle();
                    });
                });
    }

    /** Twice the exchange: its end must mean that the node is gone, not that the receiver is slow. */
    private Duration lease() {
        return settings.exchange().multipliedBy(2).plusSeconds(1);
    }

    private void send(Claimed claimed) {
        inFlight.add(claimed);
        try {
            List<SigningSecret> open = claimed.secrets().stream()
                    .map(sealed -> secrets.open(sealed, claimed.organizationId(), claimed.url()))
                    .toList();
            traces.within(vertx, claimed.trace(), work(claimed),
                            () -> message.send(claimed.url(), claimed.eventId().toString(), claimed.envelope(), open, Map.of()))
                    .onSuccess(sent -> sent(claimed, sent));
        } catch (IllegalStateException sealed) {
            LOG.error("webhooks: delivery {} cannot be signed: {}", claimed.deliveryId(), sealed.getMessage());
            sent(claimed, new WebhookMessage.Sent(new Attempt(clock.instant(), null, "the platform could not sign it", 0, null), null));
        }
    }

    private static Traces.Work work(Claimed claimed) {
        return new Traces.Work("webhooks deliver", Traces.Kind.SENDS, Map.of("acp.event.id", claimed.eventId().toString(),
                "acp.delivery.id", String.valueOf(claimed.deliveryId()), "acp.attempt", String.valueOf(claimed.attempts() + 1)));
    }

    private void sent(Claimed claimed, WebhookMessage.Sent sent) {
        inFlight.remove(claimed);
        outcomes.add(outcome(claimed, sent));
        if (outcomes.size() >= RECORDED_AT) {
            record();
        } else if (!recordTimer) {
            recordTimer = true;
            vertx.setTimer(RECORD_WAIT_MILLIS, timer -> {
                recordTimer = false;
                record();
            });
        }
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

    /** One statement at a time: what ends meanwhile makes the next one larger. */
    private void record() {
        if (recording || outcomes.isEmpty()) {
            return;
        }
        recording = true;
        List<Outcome> batch = List.copyOf(outcomes.subList(0, Math.min(outcomes.size(), RECORDED_MAX)));
        outcomes.subList(0, batch.size()).clear();
        queue.record(batch, FAILING_MAX).onComplete(broken -> {
            recording = false;
            broken.forEach(this::disable);
            record();
            if (remain || wanted) {
                claim();
            }
            endIfIdle();
        }, failure -> {
            LOG.warn("webhooks: recording {} attempts failed and is tried again: {}", batch.size(), failure.getMessage());
            vertx.setTimer(FAILURE_PAUSE.toMillis(), timer -> {
                recording = false;
                outcomes.addAll(0, batch);
                record();
                endIfIdle();
            });
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
}
