package io.arbitration.platform.events;

import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;

/**
 * Publishes events on the event bus, each at the address of its kind, to the present listeners. The bus cannot refuse a node that
 * has lost the cursor meanwhile, so {@link #open} does nothing, and a listener may receive an event twice.
 */
final class EventBusSink implements EventSink {

    private static final Map<String, String> ADDRESSES = Map.ofEntries(
            Map.entry("docket_filing", Addresses.DOCKET_ENTRY_ADDED),
            Map.entry("case_created", Addresses.CASE_CREATED),
            Map.entry("phase_changed", Addresses.PHASE_CHANGED),
            Map.entry("case_closed", Addresses.CASE_CLOSED),
            Map.entry("participant_added", Addresses.PARTICIPANT_ADDED),
            Map.entry("participant_removed", Addresses.PARTICIPANT_REMOVED),
            Map.entry("hearing_scheduled", Addresses.HEARING_SCHEDULED),
            Map.entry("hearing_changed", Addresses.HEARING_CHANGED),
            Map.entry("hearing_cancelled", Addresses.HEARING_CANCELLED));

    private final EventBus bus;

    EventBusSink(EventBus bus) {
        this.bus = bus;
    }

    @Override
    public Future<Void> open() {
        return Future.succeededFuture();
    }

    @Override
    public Future<Void> publish(List<LoggedEvent> events) {
        events.stream().filter(event -> ADDRESSES.containsKey(event.kind()))
                .forEach(event -> bus.publish(ADDRESSES.get(event.kind()), new JsonObject(event.envelope()), headers(event)));
        return Future.succeededFuture();
    }

    private static DeliveryOptions headers(LoggedEvent event) {
        DeliveryOptions options = new DeliveryOptions();
        return event.inSandbox() ? options.addHeader("sandbox", "true") : options;
    }

    @Override
    public Future<Void> close() {
        return Future.succeededFuture();
    }
}
