package io.arbitration.domain.cases;

import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.time.Closures;
import io.arbitration.domain.time.Seat;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The rules of a case: who files which document in which phase, who approves it, and by when.
 *
 * @param timeZone in which the days of its deadlines begin and end
 * @param holidayCalendar the Jollyday calendar of its holidays, such as {@code us} or {@code de-by}
 * @param closures days, in addition to the holidays, on which the institution does not work
 * @param seat of a case without a seat of its own, whose holidays then count; empty: those of {@code holidayCalendar} count
 * @param responseDeadlineDaysDefault for a case that does not choose; one of the allowed numbers
 * @param responseDeadlineDaysAllowed the numbers from which a case may choose, ascending
 * @param reminderDays the numbers of days before a deadline on which its party is reminded, descending; 1 to 60 each
 * @param phases every phase of the definitions, in their order
 */
public record RuleSet(
        String id,
        String displayName,
        String description,
        ZoneId timeZone,
        String holidayCalendar,
        Closures closures,
        Optional<Seat> seat,
        int responseDeadlineDaysDefault,
        List<Integer> responseDeadlineDaysAllowed,
        List<Integer> reminderDays,
        List<ScheduledPhase> phases) {
    public RuleSet {
        reminderDays = List.copyOf(reminderDays);
        responseDeadlineDaysAllowed = List.copyOf(responseDeadlineDaysAllowed);
        phases = List.copyOf(phases);
    }

    /** The phase with that ID in this rule set; empty for an unknown phase. */
    public Optional<ScheduledPhase> phase(PhaseId phaseId) {
        return phases.stream().filter(phase -> phase.phaseId().equals(phaseId)).findFirst();
    }

    /** The rule under which that party files that document in that phase; empty if it may not. */
    public Optional<MatrixEntry> entry(PhaseId phaseId, DocumentTypeId documentId, PartyId partyId) {
        return entries(phaseId)
                .filter(entry -> entry.documentId().equals(documentId) && entry.filedBy().contains(partyId))
                .findFirst();
    }

    /** Whether any party may file that document in that phase. */
    public boolean allows(PhaseId phaseId, DocumentTypeId documentId) {
        return entries(phaseId).anyMatch(entry -> entry.documentId().equals(documentId));
    }

    /** The documents that this party may file in that phase, in the order of the rule set. */
    public List<MatrixEntry> entriesOf(PhaseId phaseId, PartyId partyId) {
        return entries(phaseId).filter(entry -> entry.filedBy().contains(partyId)).toList();
    }

    private Stream<MatrixEntry> entries(PhaseId phaseId) {
        return phase(phaseId).stream().flatMap(phase -> phase.documents().stream());
    }
}
