package io.arbitration.cases;

import io.arbitration.platform.events.AuditTrail;
import io.arbitration.platform.events.Event;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** A write to a case that has been decided, with all that is recorded of it in the same transaction. */
record CaseChange(Write write, Instant at, Optional<Event> event, AuditTrail.Line line) {

    /** What is written beside the revision. */
    sealed interface Write {
        record ParticipantAdded(Participant participant) implements Write {
        }

        record ParticipantRemoved(UUID userId) implements Write {
        }

        record PhaseBegun(String phaseID) implements Write {
        }

        record Closed(String reason) implements Write {
        }
    }
}
