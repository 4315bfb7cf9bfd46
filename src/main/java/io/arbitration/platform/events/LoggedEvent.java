package io.arbitration.platform.events;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * An event in the log.
 *
 * @param sequence unique; increases within a case
 * @param occurredAt the time of the platform, whatever clock the case has
 * @param envelope JSON text, the same bytes on every channel
 * @param trace trace context of its work ({@code traceparent}); empty if it is not traced
 * @param inSandbox whether the case has a clock of its own
 */
public record LoggedEvent(
        long sequence, UUID id, String kind, UUID caseId, Optional<UUID> actorId, Instant occurredAt, String envelope, Optional<String> trace,
        boolean inSandbox) {}
