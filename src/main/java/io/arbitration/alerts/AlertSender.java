package io.arbitration.alerts;

import io.arbitration.platform.queue.Backoff;
import io.arbitration.platform.queue.BusHandover;
import io.arbitration.platform.queue.ItemHandler;
import io.arbitration.platform.queue.LeaseQueue;
import io.arbitration.platform.telemetry.Attempts;
import io.arbitration.platform.telemetry.Traces;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.EnumMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands due alerts to their channels. It repeats the request until the channel has accepted the alert. After a crash before the outcome is
 * recorded, the request is repeated with the same idempotency key, so that the channel sends the alert once.
 */
final class AlertSender implements ItemHandler<DueAlert, AlertOutcome> {

    /** The lease is that of a request over the event bus. */
    static final LeaseQueue.Terms TERMS = LeaseQueue.Terms.of("alerts", BusHandover.LEASE);
    /**
     * Each request takes a few statements of other areas. More at once would delay the requests of people while a burst of alerts is sent.
     */
    static final int IN_FLIGHT_MAX = 16;

    /** About three days, because nearly all of the pauses are the longest one. After that the alert is out of date. */
    private static final int ATTEMPTS_MAX = 900;
    private static final Logger LOG = LoggerFactory.getLogger(AlertSender.class);

    private final Vertx vertx;
    private final BusHandover bus;
    private final AlertRequest request;
    private final Map<Channel, Attempts> attempts = new EnumMap<>(Channel.class);
    private final Traces traces;
    private final Backoff backoff;

    AlertSender(Vertx vertx, BusHandover bus, AlertRequest request, MeterRegistry meters, Traces traces, RandomGenerator random) {
        this.vertx = vertx;
        this.bus = bus;
        this.request = request;
        Stream.of(Channel.values()).forEach(channel -> attempts.put(channel, new Attempts(meters, "alerts.requests",
                "What became of alerts that were due", Stream.of("told", "dropped", "refused", "again"), "channel", channel.text())));
        this.traces = traces;
        this.backoff = Backoff.upTo(ATTEMPTS_MAX, random);
    }

    @Override
    public Future<AlertOutcome> attempt(DueAlert alert) {
        return alert.objection()
                .map(objection -> Future.<AlertOutcome>succeededFuture(new AlertOutcome.Dropped(alert, objection)))
                .orElseGet(() -> traces.within(vertx, alert.trace(), new Traces.Work("alerts tell by " + alert.channel().text(), Traces.Kind.WORKS,
                        Map.of("acp.alert.id", String.valueOf(alert.lease().key()))), () -> offer(alert)))
                .onSuccess(this::count);
    }

    private Future<AlertOutcome> offer(DueAlert alert) {
        return bus.offer(alert.channel().address(), request.of(alert)).map(answer -> switch (answer) {
            case BusHandover.Answer.Taken taken -> new AlertOutcome.Accepted(alert);
            case BusHandover.Answer.Refused(String reason) -> {
                LOG.error("alerts: {} refused alert {}: {}", alert.channel().address(), alert.idempotencyKey(), reason);
                yield new AlertOutcome.Refused(alert, reason);
            }
            case BusHandover.Answer.NotYet(String reason, boolean _) -> notYet(alert, reason);
        });
    }

    private AlertOutcome notYet(DueAlert alert, String reason) {
        return backoff.pause(alert.lease().attempts() + 1)
                .<AlertOutcome>map(pause -> {
                    LOG.debug("alerts: {} did not take alert {} yet: {}", alert.channel().address(), alert.idempotencyKey(), reason);
                    return new AlertOutcome.Again(alert, pause, reason);
                })
                .orElseGet(() -> {
                    LOG.error("alerts: {} did not accept alert {}, which is not sent again: {}", alert.channel().address(), alert.idempotencyKey(), reason);
                    return new AlertOutcome.Dropped(alert, reason);
                });
    }

    private void count(AlertOutcome outcome) {
        String result = switch (outcome) {
            case AlertOutcome.Accepted accepted -> "told";
            case AlertOutcome.Dropped dropped -> "dropped";
            case AlertOutcome.Refused refused -> "refused";
            case AlertOutcome.Again again -> "again";
        };
        attempts.get(outcome.alert().channel()).count(result);
    }
}
