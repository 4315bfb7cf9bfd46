package io.arbitration.domain.cases;

import io.arbitration.domain.PhaseId;
import java.time.Instant;
import java.util.Optional;

/**
 * When a phase of a case begins and ends.
 *
 * @param start its actual start, else the planned end of the phase before; empty for a skipped phase
 * @param end last millisecond of its last day; empty without a start
 * @param filingDeadline the latest deadline of the documents that the phase requires; without any, the end
 */
public record ScheduledDates(PhaseId phaseId, Optional<Instant> start, Optional<Instant> end, Optional<Instant> filingDeadline) {
}
