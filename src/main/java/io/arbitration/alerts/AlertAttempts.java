package io.arbitration.alerts;

import io.arbitration.platform.queue.Backoff;
import io.arbitration.platform.queue.BusHandover;
import io.arbitration.platform.queue.Handover;
import io.arbitration.platform.queue.ItemHandler;
import io.arbitration.platform.telemetry.Attempts;
import io.arbitration.platform.telemetry.Traces;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.EnumMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** Hands due alerts to their channels, each in the trace of its event, and counts the results. */
final class AlertAttempts implements ItemHandler<DueAlert, Handover.Outcome<DueAlert>> {

    /** About three days, because nearly all of the pauses are the longest one. After that the alert is out of date. */
    private static final int ATTEMPTS_MAX = 900;

    private final Vertx vertx;
    private final Handover<DueAlert> handover;
    private final Map<Channel, Attempts> attempts = new EnumMap<>(Channel.class);
    private final Traces traces;

    AlertAttempts(Vertx vertx, BusHandover bus, MeterRegistry meters, Traces traces, RandomGenerator random) {
        this.vertx = vertx;
        this.handover = new Handover<>(bus, AlertRepository.QUEUE, Backoff.upTo(ATTEMPTS_MAX, random));
        Stream.of(Channel.values()).forEach(channel -> attempts.put(channel, new Attempts(meters, "alerts.requests",
                "Results of attempts to hand over a due alert", Stream.of("accepted", "dropped", "refused", "again"), "channel", channel.text())));
        this.traces = traces;
    }

    @Override
    public Future<Handover.Outcome<DueAlert>> attempt(DueAlert alert) {
        // No span for an alert that is not sent any more.
        Future<Handover.Outcome<DueAlert>> attempted = alert.objection().isPresent() ? handover.attempt(alert)
                : traces.within(vertx, alert.trace(), new Traces.Work("alerts send by " + alert.channel().text(), Traces.Kind.WORKS,
                        Map.of("acp.alert.id", String.valueOf(alert.lease().key()))), () -> handover.attempt(alert));
        return attempted.onSuccess(outcome -> attempts.get(alert.channel()).count(outcome.isOpen() ? "again" : switch (outcome.handed()) {
            case YES -> "accepted";
            case REFUSED -> "refused";
            case NO, PERHAPS -> "dropped";
        }));
    }
}
