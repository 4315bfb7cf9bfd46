package io.arbitration.domain.cases;

import io.arbitration.domain.PhaseId;
import io.arbitration.domain.UserId;

/** A change of a case that the rules allow. */
public sealed interface CaseChange {

    record ParticipantAdded(Participant participant) implements CaseChange {}

    record ParticipantRemoved(Participant participant) implements CaseChange {}

    record ParticipantRestricted(UserId userId, boolean mayFile) implements CaseChange {}

    record PhaseBegun(PhaseId before, PhaseId begun) implements CaseChange {}

    record Closed(String reason) implements CaseChange {}
}
