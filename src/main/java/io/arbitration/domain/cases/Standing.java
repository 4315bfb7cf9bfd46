package io.arbitration.domain.cases;

import io.arbitration.domain.PhaseId;
import java.util.Optional;

/**
 * The state of a case, and somebody's part in it.
 *
 * @param part empty for somebody without a part in the case
 */
public record Standing(PhaseId phaseId, boolean isOpen, Optional<Participant> part) {}
