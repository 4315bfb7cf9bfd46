package io.arbitration.domain.cases;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.DeadlineId;
import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.EntryId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.time.Deadline;
import io.arbitration.domain.time.DeadlineRule.Trigger;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A deadline of a party in a case: there is one for each phase, document type, party and entry that started it.
 *
 * @param triggerEntry the docket entry that started it; empty: the start of the phase, or the creation of the case
 * @param set the date by the rule, before any extension
 */
public record CaseDeadline(
        DeadlineId deadlineId, CaseId caseId, PhaseId phaseId, DocumentTypeId documentId, PartyId partyId, Optional<EntryId> triggerEntry,
        Deadline set) {

    /** A docket entry whose document type starts deadlines. */
    public record TriggeringEntry(EntryId entryId, DocumentTypeId documentId, Instant enteredAt) {}

    /**
     * All running or passed deadlines of a case, in the order of its phases.
     *
     * @param entries entries of document types that start deadlines, in any order
     */
    public static List<CaseDeadline> of(CaseRules rules, Case of, List<TriggeringEntry> entries) {
        return rules.ruleSet(of.ruleSet()).phases().stream()
                .filter(phase -> of.phaseStartByPhaseId().containsKey(phase.phaseId()))
                .flatMap(phase -> phase.documents().stream())
                .flatMap(entry -> of(rules, of, entry, entries))
                .toList();
    }

    private static Stream<CaseDeadline> of(CaseRules rules, Case of, MatrixEntry entry, List<TriggeringEntry> entries) {
        return entry.deadline().stream().flatMap(rule -> switch (rule.trigger()) {
            case Trigger.PhaseStart() -> forEachParty(rules, of, entry, Optional.empty(), of.phaseStartByPhaseId().get(entry.phaseId()));
            case Trigger.CaseCreated() -> forEachParty(rules, of, entry, Optional.empty(), of.created());
            case Trigger.DocumentDocketed(DocumentTypeId documentId) -> entries.stream()
                    .filter(one -> one.documentId().equals(documentId) && isBeforeTheEnd(of, entry.phaseId(), one.enteredAt()))
                    .flatMap(one -> forEachParty(rules, of, entry, Optional.of(one.entryId()), one.enteredAt()));
        });
    }

    /** An entry that is docketed after the end of a phase starts no deadline in that phase. */
    private static boolean isBeforeTheEnd(Case of, PhaseId phaseId, Instant at) {
        Instant start = of.phaseStartByPhaseId().get(phaseId);
        return of.phaseStartByPhaseId().values().stream().filter(other -> other.isAfter(start)).allMatch(at::isBefore);
    }

    private static Stream<CaseDeadline> forEachParty(
            CaseRules rules, Case of, MatrixEntry entry, Optional<EntryId> triggerEntry, Instant trigger) {
        Deadline deadline = rules.deadline(of.ruleSet(), entry.deadline().orElseThrow(), trigger, of.responseDeadlineDays(), of.seat());
        return entry.filedBy().stream().map(party -> new CaseDeadline(
                DeadlineId.of(of.caseId(), entry.phaseId(), entry.documentId(), party, triggerEntry),
                of.caseId(), entry.phaseId(), entry.documentId(), party, triggerEntry, deadline));
    }
}
