package io.arbitration.alerts;

import io.arbitration.domain.Identifiers;
import io.arbitration.platform.events.Wake;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands alerts to their channels over the event bus, again and again until the channel says that it has them. A crash
 * before that is recorded repeats the request with the same idempotency key, which the channel knows. Runs on the context
 * it was started on.
 */
final class AlertDispatcher {

    private static final int IN_FLIGHT_MAX = 64;
    private static final long POLL_MILLIS = 1000;
    private static final Duration REPLY_WAIT = Duration.ofSeconds(20);
    private static final Duration LEASE = Duration.ofSeconds(45);
    private static final Duration FAILURE_PAUSE = Duration.ofSeconds(1);
    private static final Duration STOP_WAIT = Duration.ofSeconds(3);
    private static final Duration PAUSE_MAX = Duration.ofMinutes(5);
    /** Some three days of the longest pause: after that it is news no more. */
    private static final int ATTEMPTS_MAX = 900;
    private static final Logger LOG = LoggerFactory.getLogger(AlertDispatcher.class);

    private final Vertx vertx;
    private final AlertRepository alerts;
    private final AlertRequest request;
    private final Wake wake;
    private final RandomGenerator random;
    private final MeterRegistry meters;
    private final Set<DueAlert> inFlight = Collections.newSetFromMap(new IdentityHashMap<>());
    private final List<AlertOutcome> outcomes = new ArrayList<>();
    private Wake.Registration registration;
    private long poll;
    private boolean claiming;
    private boolean wanted;
    private boolean recording;
    private Promise<Void> stopping;

    AlertDispatcher(Vertx vertx, AlertRepository alerts, AlertRequest request, Wake wake, MeterRegistry meters, RandomGenerator random) {
        this.vertx = vertx;
        this.alerts = alerts;
        this.request = request;
        this.wake = wake;
        this.meters = meters;
        this.random = random;
    }

    void start() {
        registration = wake.on(FanOutRepository.DUE, this::claim);
        poll = vertx.setPeriodic(POLL_MILLIS, timer -> claim());
        claim();
    }

    /** Claims nothing more, waits a moment for what is on its way, and gives back the rest. */
    Future<Void> stop() {
        if (registration == null) {
            return Future.succeededFuture();
        }
        vertx.cancelTimer(poll);
        stopping = Promise.promise();
        vertx.setTimer(STOP_WAIT.toMillis(), timer -> stopping.tryComplete());
        endIfIdle();
        return registration.end()
                .compose(ended -> stopping.future())
                .compose(idle -> outcomes.isEmpty() ? Future.succeededFuture() : alerts.record(List.copyOf(outcomes)))
                .compose(recorded -> inFlight.isEmpty() ? Future.succeededFuture() : alerts.release(List.copyOf(inFlight)))
                .onFailure(failure -> LOG.warn("stopping the alerts: {}; what was claimed is asked for again", failure.getMessage()))
                .otherwiseEmpty();
    }

    private void endIfIdle() {
        if (stopping != null && inFlight.isEmpty() && !claiming && !recording) {
            stopping.tryComplete();
        }
    }

    private void claim() {
        if (stopping != null) {
            return;
        }
        int free = IN_FLIGHT_MAX - inFlight.size() - outcomes.size();
        if (claiming || free <= 0) {
            wanted = true;
            return;
        }
        claiming = true;
        wanted = false;
        alerts.claim(Identifiers.random(random), free, LEASE).onComplete(claimed -> {
            claiming = false;
            claimed.forEach(this::tell);
            if (wanted) {
                claim();
            }
            endIfIdle();
        }, failure -> {
            LOG.warn("alerts: claiming failed: {}", failure.getMessage());
            vertx.setTimer(FAILURE_PAUSE.toMillis(), timer -> {
                claiming = false;
                claim();
                endIfIdle();
            });
        });
    }

    private void tell(DueAlert alert) {
        inFlight.add(alert);
        alert.objection().ifPresentOrElse(
                objection -> ended(new AlertOutcome.Dropped(alert, objection)),
                () -> vertx.eventBus().request(alert.channel().address(), request.of(alert), new DeliveryOptions().setSendTimeout(REPLY_WAIT.toMillis()))
                        .onComplete(taken -> ended(new AlertOutcome.Told(alert)), failure -> ended(outcome(alert, failure))));
    }

    private AlertOutcome outcome(DueAlert alert, Throwable failure) {
        String reason = String.valueOf(failure.getMessage());
        boolean refused = failure instanceof ReplyException reply && reply.failureType() == ReplyFailure.RECIPIENT_FAILURE
                && reply.failureCode() >= 400 && reply.failureCode() < 500;
        if (refused) {
            LOG.error("alerts: {} refused alert {}: {}", alert.channel().address(), alert.idempotencyKey(), reason);
            return new AlertOutcome.Refused(alert, reason);
        }
        if (alert.attempts() >= ATTEMPTS_MAX) {
            LOG.error("alerts: {} never took alert {}: {}", alert.channel().address(), alert.idempotencyKey(), reason);
            return new AlertOutcome.Dropped(alert, reason);
        }
        LOG.debug("alerts: {} did not take alert {} yet: {}", alert.channel().address(), alert.idempotencyKey(), reason);
        return new AlertOutcome.Again(alert, pause(alert.attempts()), reason);
    }

    /** Doubles from a second to {@link #PAUSE_MAX}, ±20 %. */
    private Duration pause(int attempts) {
        long planned = Math.min(PAUSE_MAX.toMillis(), 1000L << Math.min(attempts, 20));
        return Duration.ofMillis(Math.round(planned * (0.8 + 0.4 * random.nextDouble())));
    }

    private void ended(AlertOutcome outcome) {
        inFlight.remove(outcome.alert());
        outcomes.add(outcome);
        String result = switch (outcome) {
            case AlertOutcome.Told told -> "told";
            case AlertOutcome.Dropped dropped -> "dropped";
            case AlertOutcome.Refused refused -> "refused";
            case AlertOutcome.Again again -> "again";
        };
        Counter.builder("alerts.requests").description("What became of alerts that were due")
                .tag("channel", outcome.alert().channel().text()).tag("result", result).register(meters).increment();
        record();
    }

    /** One statement at a time: what ends meanwhile makes the next one larger. */
    private void record() {
        if (recording || outcomes.isEmpty()) {
            return;
        }
        recording = true;
        List<AlertOutcome> batch = List.copyOf(outcomes);
        alerts.record(batch).onComplete(recorded -> {
            recording = false;
            outcomes.subList(0, batch.size()).clear();
            record();
            claim();
            endIfIdle();
        }, failure -> {
            LOG.warn("alerts: recording {} outcomes failed and is tried again: {}", batch.size(), failure.getMessage());
            vertx.setTimer(FAILURE_PAUSE.toMillis(), timer -> {
                recording = false;
                record();
                endIfIdle();
            });
        });
    }
}
