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
 * What the deadlines of a case are counted from.
 *
 * @param responseDeadlineDays    what the case chose
 * @param phaseStartByPhaseId     when each phase began; a phase that has not begun is absent
 * @param triggering              docket entries that set deadlines running: the newest of each document type, and each whose deadline was extended
 * @param extendedTo              the deadlines that were extended, and up to when
 * @param seat                    whose working days count; empty: those of the rule set
 */
public record CaseDates(
        int responseDeadlineDays,
        Instant created,
        Map<PhaseId, Instant> phaseStartByPhaseId,
        List<TriggeringEntry> triggering,
        Map<Extended, Instant> extendedTo,
        Optional<Seat> seat) {

    /**
     * Which deadline was extended. The phase is not part of it: where a rule of the next phase counts from the same entry, or from the creation
     * of the case, for the same document of the same party, that deadline is the same for people, and what was granted goes on.
     *
     * @param triggerEntry the docket entry that set it running; empty: the start of a phase, or the creation of the case
     * @param trigger      when it began to run
     */
    public record Extended(DocumentTypeId documentId, PartyId partyId, Optional<EntryId> triggerEntry, Instant trigger) {}

    public CaseDates {
        phaseStartByPhaseId = Map.copyOf(phaseStartByPhaseId);
        triggering = List.copyOf(triggering);
        extendedTo = Map.copyOf(extendedTo);
    }

    /** The deadline with what was granted to that party; as it is where the rule of its phase gives more time than that. */
    Deadline extended(Deadline deadline, MatrixEntry entry, PartyId partyId, Optional<EntryId> triggerEntry) {
        Instant until = extendedTo.get(new Extended(entry.documentId(), partyId, triggerEntry, deadline.trigger()));
        return until == null || !until.isAfter(deadline.date()) ? deadline : deadline.extendedTo(until);
    }

    /** The same after a document entered the docket. */
    public CaseDates docketed(TriggeringEntry entry) {
        return new CaseDates(responseDeadlineDays, created, phaseStartByPhaseId, Stream.concat(triggering.stream(), Stream.of(entry)).toList(), extendedTo, seat);
    }

    /** The same, as if that phase began then. */
    CaseDates withPhaseStart(PhaseId phaseId, Instant start) {
        Map<PhaseId, Instant> starts = new HashMap<>(phaseStartByPhaseId);
        starts.put(phaseId, start);
        return new CaseDates(responseDeadlineDays, created, starts, triggering, extendedTo, seat);
    }
}
