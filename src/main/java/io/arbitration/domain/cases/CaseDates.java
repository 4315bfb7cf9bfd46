package io.arbitration.domain.cases;

import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.EntryId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.cases.CaseDeadline.TriggeringEntry;
import io.arbitration.domain.time.Deadline;
import io.arbitration.domain.time.Seat;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The dates from which the deadlines of a case are counted.
 *
 * @param responseDeadlineDays the number that the case has chosen
 * @param phaseStartByPhaseId when each phase began; a phase that has not begun is absent
 * @param triggering docket entries that start deadlines: the newest of each document type, and each whose deadline was extended
 * @param extendedTo the extended deadlines, each with its new date
 * @param seat the place whose working days count; empty: those of the rule set
 */
public record CaseDates(
        int responseDeadlineDays,
        Instant created,
        Map<PhaseId, Instant> phaseStartByPhaseId,
        List<TriggeringEntry> triggering,
        Map<Extended, Instant> extendedTo,
        Optional<Seat> seat) {

    /**
     * Identifies an extended deadline. It does not contain the phase: if a rule of the next phase counts from the same entry, or
     * from the creation of the case, for the same document of the same party, that deadline is the same for people, and the
     * extension applies to it, too.
     *
     * @param triggerEntry the docket entry that started it; empty: the start of a phase, or the creation of the case
     * @param trigger when it began to run
     */
    public record Extended(DocumentTypeId documentId, PartyId partyId, Optional<EntryId> triggerEntry, Instant trigger) {}

    public CaseDates {
        phaseStartByPhaseId = Map.copyOf(phaseStartByPhaseId);
        triggering = List.copyOf(triggering);
        extendedTo = Map.copyOf(extendedTo);
    }

    /** The deadline with the party's extension; unchanged if the rule of its phase gives more time than the extension. */
    Deadline extended(Deadline deadline, MatrixEntry entry, PartyId partyId, Optional<EntryId> triggerEntry) {
        Instant until = extendedTo.get(new Extended(entry.documentId(), partyId, triggerEntry, deadline.trigger()));
        return until == null || !until.isAfter(deadline.date()) ? deadline : deadline.extendedTo(until);
    }

    /** The same after a document entered the docket. */
    public CaseDates docketed(TriggeringEntry entry) {
        return new CaseDates(responseDeadlineDays, created, phaseStartByPhaseId, Stream.concat(triggering.stream(), Stream.of(entry)).toList(), extendedTo, seat);
    }

    /** The same, as if that phase had begun at this time. */
    CaseDates withPhaseStart(PhaseId phaseId, Instant start) {
        Map<PhaseId, Instant> starts = new HashMap<>(phaseStartByPhaseId);
        starts.put(phaseId, start);
        return new CaseDates(responseDeadlineDays, created, starts, triggering, extendedTo, seat);
    }
}
