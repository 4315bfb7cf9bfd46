package io.arbitration.platform.events;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * An event as the log keeps it.
 *
 * @param sequence unique, but not the order of reading: see {@link EventConsumer}
 * @param envelope JSON text, the same bytes for everyone who is told
 * @param trace context of the trace that it goes on; empty where nothing is traced
 */
public record LoggedEvent(
        long sequence, UUID id, String kind, UUID caseId, Optional<UUID> actorId, Instant occurredAt, String envelope, Optional<String> trace) {}
