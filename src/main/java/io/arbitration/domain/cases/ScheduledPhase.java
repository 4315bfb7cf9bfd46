package io.arbitration.domain.cases;

import io.arbitration.domain.PhaseId;
import io.arbitration.domain.time.NumberOfDays;
import java.util.List;

/**
 * A phase in a rule set.
 *
 * @param duration its planned length, in calendar days
 * @param documents the documents that may be filed in it: the rules of this phase first, then those of every phase
 */
public record ScheduledPhase(PhaseId phaseId, NumberOfDays duration, List<MatrixEntry> documents) {
    public ScheduledPhase {
        documents = List.copyOf(documents);
    }
}
