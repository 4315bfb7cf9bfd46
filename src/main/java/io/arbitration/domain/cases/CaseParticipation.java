package io.arbitration.domain.cases;

import io.arbitration.domain.PhaseId;
import java.util.Optional;

/**
 * The state of a case, and a user's participation in it.
 *
 * @param part empty for a user who is no participant
 */
public record CaseParticipation(PhaseId phaseId, boolean isOpen, Optional<Participant> part) {}
