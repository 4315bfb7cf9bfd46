package io.arbitration.domain.cases;

import io.arbitration.domain.PhaseId;
import io.arbitration.domain.time.NumberOfDays;
import java.util.List;

/**
 * A phase as a rule set runs it.
 *
 * @param duration  how long the timetable gives it, in calendar days
 * @param documents what may be filed in it: the rules of this phase first, then those of every phase
 */
public record ScheduledPhase(PhaseId phaseId, NumberOfDays duration, List<MatrixEntry> documents) {
    public ScheduledPhase {
        documents = List.copyOf(documents);
    }
}
