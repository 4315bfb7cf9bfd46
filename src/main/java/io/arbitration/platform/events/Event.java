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
 * @param occurredAt by the time of the case
 * @param data the payload of the envelope
 * @param trace trace context of the work that made it ({@code traceparent}); empty where nothing is traced
 * @param inSandbox whether the case runs by a clock of its own; channels mark such an event outside of the envelope
 */
public record Event(UUID id, String kind, UUID caseId, Optional<UUID> actorId, Instant occurredAt, JsonObject data, Optional<String> trace,
        boolean inSandbox) {

    /** An event of a case that runs by the time of the platform, made by work that is not traced. */
    public Event(UUID id, String kind, UUID caseId, Optional<UUID> actorId, Instant occurredAt, JsonObject data) {
        this(id, kind, caseId, actorId, occurredAt, data, Optional.empty(), false);
    }

    /** This event with a trace context. */
    public Event in(Optional<String> ofTrace) {
        return new Event(id, kind, caseId, actorId, occurredAt, data, ofTrace, inSandbox);
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
