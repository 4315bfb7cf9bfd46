package io.arbitration.domain.filing;

import io.arbitration.domain.Decision;
import io.arbitration.domain.EntryId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.docket.DocketEntry;
import io.arbitration.domain.docket.DocketHead;
import io.arbitration.domain.docket.EntryForm;
import io.arbitration.domain.docket.EntryReference;
import java.time.Instant;
import java.util.Optional;

/** Makes docket entries from filings: with the next number, the previous hash and the time. */
final class Docketing {

    private Docketing() {}

    static Decision<FilingChange, FilingRefusal> docketedAtOnce(CaseSnapshot snapshot, Filing.Submitted submitted, UserId by, Instant now, IdGenerator ids) {
        Instant enteredAt = enteredAt(snapshot, now);
        EntryId entryId = ids.entry();
        return Refusals.decided(new FilingChange(submitted.docketedAtOnce(entryId, enteredAt), Optional.of(entry(snapshot, submitted, entryId, enteredAt, ids.salt())),
                FilingChange.Kind.SUBMITTED_AND_DOCKETED, by, enteredAt));
    }

    static Decision<FilingChange, FilingRefusal> approved(CaseSnapshot snapshot, Filing.Submitted submitted, UserId by, Instant now, IdGenerator ids) {
        Instant enteredAt = enteredAt(snapshot, now);
        EntryId entryId = ids.entry();
        return Refusals.decided(new FilingChange(submitted.approved(new Filing.Approval(by, enteredAt), entryId),
                Optional.of(entry(snapshot, submitted, entryId, enteredAt, ids.salt())), FilingChange.Kind.APPROVED, by, enteredAt));
    }

    /** The previous entry may have been made by a node whose clock is ahead of this one. */
    private static Instant enteredAt(CaseSnapshot snapshot, Instant now) {
        Instant before = snapshot.head().enteredAt();
        return now.isBefore(before) ? before : now;
    }

    private static DocketEntry entry(CaseSnapshot snapshot, Filing.Submitted submitted, EntryId entryId, Instant enteredAt, String salt) {
        DocketHead head = snapshot.head();
        Filing.Document document = submitted.document();
        Filing.Content content = document.content();
        Optional<EntryId> root = content.parentEntryId().flatMap(snapshot::reference).map(EntryReference::rootOfReply);
        return new DocketEntry(entryId, document.caseId(), head.lastNumber() + 1, document.filingId(), enteredAt, document.userId(),
                document.organizationId(), document.phaseId(), document.documentTypeId(), document.partyId(), content.title(), content.fields(),
                content.supersedes(), content.parentEntryId(), root, new EntryForm.Version2(salt, content.files().stream().map(FiledFile::sha256).toList()), head.hash(), "").hashed();
    }
}
