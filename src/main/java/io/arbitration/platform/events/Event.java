package io.arbitration.platform.events;

import io.arbitration.domain.time.Timestamps;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * Something that happened in a case and that others are told of.
 *
 * @param id identifier of the event, the same wherever it is told
 * @param kind {@code docket_filing}, {@code case_created}, …
 * @param actorId user who made it happen
 * @param data the payload of the envelope
 * @param trace context of the trace that it goes on; empty where nothing is traced
 */
public record Event(UUID id, String kind, UUID caseId, Optional<UUID> actorId, Instant occurredAt, JsonObject data, Optional<String> trace) {

    /** One that is part of no trace. */
    public Event(UUID id, String kind, UUID caseId, Optional<UUID> actorId, Instant occurredAt, JsonObject data) {
        this(id, kind, caseId, actorId, occurredAt, data, Optional.empty());
    }

    /** The same as a part of a trace. */
    public Event in(Optional<String> ofTrace) {
        return new Event(id, kind, caseId, actorId, occurredAt, data, ofTrace);
    }

    /** The envelope {@code {id, timestamp, event, data}}, as every channel tells it. */
    JsonObject envelope() {
        return new JsonObject()
                .put("id", id.toString())
                .put("timestamp", Timestamps.text(occurredAt))
                .put("event", kind)
                .put("data", data);
    }
}
