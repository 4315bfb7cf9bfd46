package io.arbitration.domain.filing;

import io.arbitration.domain.PartyId;
import io.arbitration.domain.cases.CaseRules;
import io.arbitration.domain.cases.DocumentType;
import io.arbitration.domain.cases.MatrixEntry;
import io.arbitration.domain.time.Deadline;
import java.util.Optional;

/** The definitions that apply to a filing: its document type, the rule of the phase, its approving party and its deadline. */
public final class FilingTerms {

    private final CaseRules rules;

    public FilingTerms(CaseRules rules) {
        this.rules = rules;
    }

    /** The terms of a submission now. */
    public record Current(Optional<PartyId> approvedBy, Optional<Deadline> deadline) {}

    public Current now(CaseSnapshot snapshot, Filing filing) {
        Optional<PartyId> approver = filing.isOpenDraft() ? rule(snapshot, filing).flatMap(MatrixEntry::approvedBy) : approver(snapshot, filing);
        return new Current(approver, deadline(snapshot, filing));
    }

    /** Whether a deadline would apply to the submission, so that the snapshot needs the dates of the case. */
    public boolean needsDates(CaseSnapshot snapshot, Filing filing) {
        return filing.isOpenDraft() && rule(snapshot, filing).flatMap(MatrixEntry::deadline).isPresent();
    }

    /** Only for a filing that is not submitted; a submitted one keeps the deadline of its submission. */
    Optional<Deadline> deadline(CaseSnapshot snapshot, Filing filing) {
        return filing.isOpenDraft()
                ? snapshot.dates().flatMap(dates -> rule(snapshot, filing).flatMap(entry -> rules.deadline(snapshot.ruleSet(), entry, filing.partyId(), dates)))
                : Optional.empty();
    }

    /** Empty if the party may not file such a document in the present phase. */
    Optional<MatrixEntry> rule(CaseSnapshot snapshot, Filing filing) {
        return rules.entry(snapshot.ruleSet(), snapshot.phaseId(), filing.document().documentTypeId(), filing.partyId());
    }

    /** Empty if the definitions no longer contain it. */
    Optional<DocumentType> documentType(Filing filing) {
        return rules.definitions().document(filing.document().documentTypeId());
    }

    /** The approving party: that of the submission, else the one that would approve it. */
    Optional<PartyId> approver(CaseSnapshot snapshot, Filing filing) {
        return filing.submission().flatMap(Filing.Submission::approver)
                .or(() -> rule(snapshot, filing).flatMap(MatrixEntry::approvedBy));
    }
}
