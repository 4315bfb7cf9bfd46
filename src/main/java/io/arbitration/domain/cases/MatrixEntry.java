package io.arbitration.domain.cases;

import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.time.DeadlineRule;
import java.util.List;
import java.util.Optional;

/**
 * A rule for one document type in one phase.
 *
 * @param filedBy the parties that may file it, at least one
 * @param approvedBy the party that approves it, never one of filedBy; empty: it is docketed at submission
 * @param maxAllowed how often each party may file it in the phase, at least 1
 * @param required whether each party of filedBy is expected to file it in the phase
 * @param deadline empty: it may be filed until the phase ends
 */
public record MatrixEntry(
        PhaseId phaseId,
        DocumentTypeId documentId,
        List<PartyId> filedBy,
        Optional<PartyId> approvedBy,
        int maxAllowed,
        boolean required,
        Optional<DeadlineRule> deadline) {
    public MatrixEntry {
        filedBy = List.copyOf(filedBy);
    }
}
