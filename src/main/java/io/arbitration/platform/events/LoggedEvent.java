package io.arbitration.platform.events;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * An event as the log keeps it.
 *
 * @param sequence unique; rises within a case
 * @param occurredAt by the time of the platform, whatever clock the case runs by
 * @param envelope JSON text, the same bytes on every channel
 * @param trace trace context of the work that made it ({@code traceparent}); empty where nothing is traced
 * @param inSandbox whether the case runs by a clock of its own
 */
public record LoggedEvent(
        long sequence, UUID id, String kind, UUID caseId, Optional<UUID> actorId, Instant occurredAt, String envelope, Optional<String> trace,
        boolean inSandbox) {}
