package io.arbitration.alerts;

import io.arbitration.platform.config.AreaSettings;
import io.arbitration.platform.events.Addresses;
import io.arbitration.platform.queue.WorkQueue;
import io.arbitration.platform.telemetry.Attempts;
import io.arbitration.platform.telemetry.Traces;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Alerts on their way to their channels: asked for over the event bus, again and again until the channel says that it has
 * them. A crash before that is recorded repeats the request with the same idempotency key, which the channel knows.
 */
final class AlertQueue implements WorkQueue<DueAlert, AlertOutcome> {

    /** Each is a few statements of other areas: what people wait for at their screens must not wait behind a burst of alerts. */
    static final int IN_FLIGHT_MAX = 16;
    private static final Duration REPLY_WAIT = Duration.ofSeconds(20);
    /** Twice the wait: its end must mean that the node is gone. */
    private static final Duration LEASE = REPLY_WAIT.multipliedBy(2).plusSeconds(1);
    private static final Duration PAUSE_MAX = Duration.ofMinutes(5);
    /** Some three days of the longest pause: after that it is news no more. */
    private static final int ATTEMPTS_MAX = 900;
    private static final Logger LOG = LoggerFactory.getLogger(AlertQueue.class);

    private final Vertx vertx;
    private final AreaSettings areas;
    private final AlertRepository alerts;
    private final AlertRequest request;
    private final Map<Channel, Attempts> attempts = new EnumMap<>(Channel.class);
    private final Traces traces;
    private final RandomGenerator random;

    AlertQueue(Vertx vertx, AreaSettings areas, AlertRepository alerts, AlertRequest request, MeterRegistry meters, Traces traces,
            RandomGenerator random) {
        this.vertx = vertx;
        this.areas = areas;
        this.alerts = alerts;
        this.request = request;
        Stream.of(Channel.values()).forEach(channel -> attempts.put(channel, new Attempts(meters, "alerts.requests",
                "What became of alerts that were due", Stream.of("told", "dropped", "refused", "again"), "channel", channel.text())));
        this.traces = traces;
        this.random = random;
    }

    @Override
    public Future<Claims<DueAlert>> claim(UUID claim, int most) {
        return alerts.claim(claim, most, LEASE).map(due -> Claims.of(due, most));
    }

    @Override
    public Future<AlertOutcome> attempt(DueAlert alert) {
        return alert.objection()
                .map(objection -> Future.<AlertOutcome>succeededFuture(new AlertOutcome.Dropped(alert, objection)))
                .orElseGet(() -> traces.within(vertx, alert.trace(), new Traces.Work("alerts tell by " + alert.channel().text(), Traces.Kind.WORKS,
                        Map.of("acp.alert.id", String.valueOf(alert.alertId()))), () -> ask(alert)))
                .onSuccess(this::count);
    }

    private Future<AlertOutcome> ask(DueAlert alert) {
        return vertx.eventBus()
                .request(alert.channel().address(), request.of(alert), Addresses.asking(areas, alert.channel().address(), REPLY_WAIT))
                .<AlertOutcome>map(taken -> new AlertOutcome.Told(alert))
                .otherwise(failure -> outcome(alert, failure));
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

    private void count(AlertOutcome outcome) {
        String result = switch (outcome) {
            case AlertOutcome.Told told -> "told";
            case AlertOutcome.Dropped dropped -> "dropped";
            case AlertOutcome.Refused refused -> "refused";
            case AlertOutcome.Again again -> "again";
        };
        attempts.get(outcome.alert().channel()).count(result);
    }

    @Override
    public Future<Void> record(List<AlertOutcome> outcomes) {
        return alerts.record(outcomes);
    }

    /** Nothing to do: a claim takes whatever is due. */
    @Override
    public Future<Integer> promote() {
        return Future.succeededFuture(0);
    }

    @Override
    public Future<Void> release(List<DueAlert> claimed) {
        return alerts.release(claimed);
    }
}
