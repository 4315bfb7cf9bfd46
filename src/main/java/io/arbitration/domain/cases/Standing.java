package io.arbitration.domain.cases;

import io.arbitration.domain.PhaseId;
import java.util.Optional;

/**
 * A case as somebody stands in it.
 *
 * @param part empty for somebody without a part in the case
 */
public record Standing(PhaseId phaseId, boolean isOpen, Optional<Participant> part) {}
