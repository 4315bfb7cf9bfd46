package io.arbitration.domain.cases;

import io.arbitration.domain.PhaseId;
import java.time.Instant;
import java.util.Optional;

/**
 * When a phase of a case begins and ends.
 *
 * @param start          when it began, else when the phase before is to end; empty for a phase that is skipped
 * @param end            last millisecond of its last day; empty without a start
 * @param filingDeadline the latest deadline of the documents that the phase requires; without any, the end
 */
public record ScheduledDates(PhaseId phaseId, Optional<Instant> start, Optional<Instant> end, Optional<Instant> filingDeadline) {
}
