package io.arbitration.platform.events;

import io.arbitration.domain.time.Timestamps;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * Something that happened in a case and that others are notified of.
 *
 * @param id identifier of the event, the same on every channel
 * @param kind {@code docket_filing}, {@code case_created}, …
 * @param actorId user who made it happen
 * @param data the payload of the envelope
 * @param trace trace context of the work that made it ({@code traceparent}); empty where nothing is traced
 */
public record Event(UUID id, String kind, UUID caseId, Optional<UUID> actorId, Instant occurredAt, JsonObject data, Optional<String> trace) {

    /** An event of work that is not traced. */
    public Event(UUID id, String kind, UUID caseId, Optional<UUID> actorId, Instant occurredAt, JsonObject data) {
        this(id, kind, caseId, actorId, occurredAt, data, Optional.empty());
    }

    /** This event with a trace context. */
    public Event in(Optional<String> ofTrace) {
        return new Event(id, kind, caseId, actorId, occurredAt, data, ofTrace);
    }

    /** The envelope {@code {id, timestamp, event, data}}, the same on every channel. */
    JsonObject envelope() {
        return new JsonObject()
                .put("id", id.toString())
                .put("timestamp", Timestamps.text(occurredAt))
                .put("event", kind)
                .put("data", data);
    }
}
