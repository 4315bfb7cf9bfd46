package io.arbitration.domain.cases;

import io.arbitration.domain.PhaseId;

/**
 * A stage of a case.
 *
 * @param position its place in the order of phases, from 0
 */
public record Phase(PhaseId id, String displayName, String description, int position) {
    /** Exists in every set of definitions: in this phase evidence becomes visible to all sides, and uploads end after it. */
    public static final PhaseId EVIDENCE_EXCHANGE = new PhaseId("evidenceExchange");

    /** Whether a case is in this phase only after it was in the other. */
    public boolean isAfter(Phase other) {
        return position > other.position;
    }
}
