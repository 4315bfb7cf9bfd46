package io.arbitration.platform.events;

import io.arbitration.domain.time.Timestamps;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * An event of a case, of which others are notified.
 *
 * @param id ID of the event, the same on every channel
 * @param kind {@code docket_filing}, {@code case_created}, …
 * @param actorId the user who caused it
 * @param occurredAt by the time of the case
 * @param data the payload of the envelope
 * @param trace trace context of its work ({@code traceparent}); empty if it is not traced
 * @param inSandbox whether the case has a clock of its own; channels mark such an event outside of the envelope
 */
public record Event(UUID id, String kind, UUID caseId, Optional<UUID> actorId, Instant occurredAt, JsonObject data, Optional<String> trace,
        boolean inSandbox) {

    /** An event of a case with the time of the platform, from work that is not traced. */
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
