package io.arbitration.domain.filing;

import io.arbitration.domain.PartyId;
import io.arbitration.domain.cases.CaseRules;
import io.arbitration.domain.cases.DocumentType;
import io.arbitration.domain.cases.MatrixEntry;
import io.arbitration.domain.time.Deadline;
import java.util.Optional;

/** What the definitions say of a filing: its document type, the rule of the phase, who approves it and until when it is due. */
public final class FilingTerms {

    private final CaseRules rules;

    public FilingTerms(CaseRules rules) {
        this.rules = rules;
    }

    /** Under which terms a filing would be submitted now. */
    public record Current(Optional<PartyId> approvedBy, Optional<Deadline> deadline) {}

    public Current now(CaseSnapshot snapshot, Filing filing) {
        Optional<PartyId> approver = filing.isOpenDraft() ? rule(snapshot, filing).flatMap(MatrixEntry::approvedBy) : approver(snapshot, filing);
        return new Current(approver, deadline(snapshot, filing));
    }

    /** Whether the filing would be submitted under a deadline, so that the snapshot has to have the dates of the case. */
    public boolean needsDates(CaseSnapshot snapshot, Filing filing) {
        return filing.isOpenDraft() && rule(snapshot, filing).flatMap(MatrixEntry::deadline).isPresent();
    }

    /** Only of what has not been submitted yet: what has keeps that of its submission. */
    Optional<Deadline> deadline(CaseSnapshot snapshot, Filing filing) {
        return filing.isOpenDraft()
                ? snapshot.dates().flatMap(dates -> rule(snapshot, filing).flatMap(entry -> rules.deadline(snapshot.ruleSet(), entry, filing.partyId(), dates)))
                : Optional.empty();
    }

    /** Empty where nobody of the party files such a document in the present phase. */
    Optional<MatrixEntry> rule(CaseSnapshot snapshot, Filing filing) {
        return rules.entry(snapshot.ruleSet(), snapshot.phaseId(), filing.document().documentTypeId(), filing.partyId());
    }

    /** Empty where the definitions have it no more. */
    Optional<DocumentType> documentType(Filing filing) {
        return rules.definitions().document(filing.document().documentTypeId());
    }

    /** The party that approves: the one of the submission, else the one that would. */
    Optional<PartyId> approver(CaseSnapshot snapshot, Filing filing) {
        return filing.submission().flatMap(Filing.Submission::approver)
                .or(() -> rule(snapshot, filing).flatMap(MatrixEntry::approvedBy));
    }
}
