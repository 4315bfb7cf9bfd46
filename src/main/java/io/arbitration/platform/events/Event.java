package io.arbitration.platform.events;

import io.arbitration.domain.Timestamps;
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
 */
public record Event(UUID id, String kind, UUID caseId, Optional<UUID> actorId, Instant occurredAt, JsonObject data) {

    /** The envelope {@code {id, timestamp, event, data}}, as every channel tells it. */
    JsonObject envelope() {
        return new JsonObject()
                .put("id", id.toString())
                .put("timestamp", Timestamps.text(occurredAt))
                .put("event", kind)
                .put("data", data);
    }
}
