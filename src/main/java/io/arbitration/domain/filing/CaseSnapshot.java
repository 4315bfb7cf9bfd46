package io.arbitration.domain.filing;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.EntryId;
import io.arbitration.domain.FilingId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.CaseDates;
import io.arbitration.domain.cases.CaseDeadline.TriggeringEntry;
import io.arbitration.domain.cases.Participant;
import io.arbitration.domain.docket.DocketEntry;
import io.arbitration.domain.docket.DocketHead;
import io.arbitration.domain.docket.EntryReference;
import io.arbitration.domain.time.CaseClock;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Everything on which decisions about filings of one case depend, at one moment. {@link #after} applies a decision, so that the
 * next decision of a batch is made on the result before anything is written.
 *
 * @param clock the clock of the case
 * @param participants the participants who sent the commands
 * @param filings the filings that the commands concern
 * @param references the docket entries to which these filings and commands refer
 * @param used how often a party has a document submitted or docketed in a phase, for the documents of the commands
 * @param openDrafts how many filings each party can still change, for the parties of the commands
 * @param dates the dates from which deadlines are counted; empty if no deadline is needed
 */
public record CaseSnapshot(
        CaseId caseId, String ruleSet, PhaseId phaseId, boolean isOpen, CaseClock clock, DocketHead head, Map<UserId, Participant> participants,
        Map<FilingId, Filing> filings, Map<EntryId, EntryReference> references, Map<Quota, Integer> used,
        Map<PartyId, Integer> openDrafts, Optional<CaseDates> dates) {

    /** The key of a quota: how often a party may file a document type in a phase. */
    public record Quota(PhaseId phaseId, PartyId partyId, DocumentTypeId documentTypeId) {

        static Quota of(Filing filing) {
            return new Quota(filing.document().phaseId(), filing.partyId(), filing.document().documentTypeId());
        }
    }

    public CaseSnapshot {
        participants = Map.copyOf(participants);
        filings = Map.copyOf(filings);
        references = Map.copyOf(references);
        used = Map.copyOf(used);
        openDrafts = Map.copyOf(openDrafts);
    }

    public Optional<Participant> participant(UserId userId) {
        return Optional.ofNullable(participants.get(userId));
    }

    public Optional<Filing> filing(FilingId filingId) {
        return Optional.ofNullable(filings.get(filingId));
    }

    public Optional<EntryReference> reference(EntryId entryId) {
        return Optional.ofNullable(references.get(entryId));
    }

    /** The quota under which a filing would be submitted now. */
    public Quota quotaNow(Filing filing) {
        return new Quota(phaseId, filing.partyId(), filing.document().documentTypeId());
    }

    int used(Quota quota) {
        return used.getOrDefault(quota, 0);
    }

    int openDrafts(PartyId partyId) {
        return openDrafts.getOrDefault(partyId, 0);
    }

    /** The same with the values that were looked up for its filings and commands. */
    public CaseSnapshot with(
            Map<EntryId, EntryReference> foundReferences, Map<Quota, Integer> foundUsed, Map<PartyId, Integer> foundDrafts, Optional<CaseDates> foundDates) {
        return new CaseSnapshot(caseId, ruleSet, phaseId, isOpen, clock, head, participants, filings, foundReferences, foundUsed, foundDrafts, foundDates);
    }

    /** The case after a change of one of its filings. */
    public CaseSnapshot after(FilingChange change) {
        Filing now = change.filing();
        Optional<Filing> before = filing(now.filingId());
        Map<FilingId, Filing> newFilings = new HashMap<>(filings);
        newFilings.put(now.filingId(), now);
        Map<Quota, Integer> newUsed = new HashMap<>(used);
        Map<PartyId, Integer> newDrafts = new HashMap<>(openDrafts);
        before.ifPresent(old -> count(old, -1, newUsed, newDrafts));
        count(now, 1, newUsed, newDrafts);
        Optional<DocketEntry> entry = change.entry();
        return new CaseSnapshot(caseId, ruleSet, phaseId, isOpen, clock, entry.map(DocketHead::at).orElse(head), participants, newFilings,
                entry.map(this::referencesAfter).orElse(references), newUsed, newDrafts, entry.map(this::datesAfter).orElse(dates));
    }

    private static void count(Filing filing, int change, Map<Quota, Integer> used, Map<PartyId, Integer> drafts) {
        if (filing.countsAgainstQuota()) {
            used.merge(Quota.of(filing), change, Integer::sum);
        }
        if (filing.isOpenDraft()) {
            drafts.merge(filing.partyId(), change, Integer::sum);
        }
    }

    private Optional<CaseDates> datesAfter(DocketEntry entry) {
        return dates.map(before -> before.docketed(new TriggeringEntry(entry.entryId(), entry.documentTypeId(), entry.enteredAt())));
    }

    private Map<EntryId, EntryReference> referencesAfter(DocketEntry entry) {
        Map<EntryId, EntryReference> after = new HashMap<>(references);
        after.put(entry.entryId(), EntryReference.to(entry));
        entry.supersedes().ifPresent(old -> after.computeIfPresent(old, (id, reference) -> reference.nowSuperseded()));
        return after;
    }
}
