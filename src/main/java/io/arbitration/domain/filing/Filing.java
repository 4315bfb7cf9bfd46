package io.arbitration.domain.filing;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.EntryId;
import io.arbitration.domain.FileId;
import io.arbitration.domain.FilingId;
import io.arbitration.domain.OrganizationId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.Participant;
import io.arbitration.domain.docket.Seal;
import io.arbitration.domain.hash.ContentHash;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A document filed in a case, in one of its states; each state has only the values that are known in it. */
public sealed interface Filing {

    /** What a filing has in every state. */
    Document document();

    FilingState state();

    /** The present submission of the filing; an edit after a rejection removes it until the next one. */
    default Optional<Submission> submission() {
        return Optional.empty();
    }

    /** Why the filing was last rejected, until it is submitted again. */
    default Optional<Rejection> rejection() {
        return Optional.empty();
    }

    /** The docket entry that the filing became. */
    default Optional<EntryId> docketedAs() {
        return Optional.empty();
    }

    default FilingId filingId() {
        return document().filingId;
    }

    default CaseId caseId() {
        return document().caseId;
    }

    default PartyId partyId() {
        return document().partyId;
    }

    default Content content() {
        return document().content;
    }

    /**
     * The filer's side sees its own filings, the approving party those submitted to it, every participant the docketed ones.
     * Observers see what the other members of their side see.
     */
    default boolean isVisibleTo(Participant participant) {
        return this instanceof Docketed
                || partyId().equals(participant.partyId())
                || submission().flatMap(Submission::approver).filter(participant.partyId()::equals).isPresent();
    }

    /** Whether it counts against the number of such documents that its party may file in the phase. */
    default boolean countsAgainstQuota() {
        return this instanceof Submitted || this instanceof Docketed;
    }

    /** Whether the filer's side can still change it. */
    default boolean isOpenDraft() {
        return this instanceof Draft || this instanceof Rejected;
    }

    /**
     * What a filing has in every state.
     *
     * @param phaseId the phase in which it was created or, once submitted, submitted
     * @param userId of the filer; the same applies to organization and party
     * @param revision grows by one with every change, from 1
     * @param sealed the seal of its docket entry from the first moment
     */
    record Document(
            FilingId filingId, CaseId caseId, DocumentTypeId documentTypeId, PhaseId phaseId, PartyId partyId, UserId userId,
            Optional<OrganizationId> organizationId, Content content, long revision, Instant created, Instant updated, Optional<Seal.Terms> sealed) {

        private Document changed(PhaseId phase, Content newContent, long newRevision, Instant now) {
            return new Document(filingId, caseId, documentTypeId, phase, partyId, userId, organizationId, newContent, newRevision, created, now, sealed);
        }

        private Document next(Instant now) {
            return changed(phaseId, content, revision + 1, now);
        }

        /** The hash of the filer's content, {@link ContentHash#FILING_MEMBERS}, as a receipt states it. */
        public String contentHash() {
            Map<String, Object> written = new HashMap<>();
            written.put("documentID", documentTypeId.value());
            written.put("fields", content.fields);
            written.put("parentEntryID", content.parentEntryId.map(EntryId::toString).orElse(null));
            written.put("supersedes", content.supersedes.map(EntryId::toString).orElse(null));
            written.put("title", content.title);
            return ContentHash.of(written, ContentHash.FILING_MEMBERS);
        }
    }

    /**
     * The content by the filer's side.
     *
     * @param fields strings, booleans and numbers by the id of their field
     * @param files in reading order
     */
    record Content(
            String title, Map<String, Object> fields, Optional<EntryId> supersedes, Optional<EntryId> parentEntryId, List<FiledFile> files) {

        public Content {
            files = List.copyOf(files);
        }

        /** Without files. */
        public Content(String title, Map<String, Object> fields, Optional<EntryId> supersedes, Optional<EntryId> parentEntryId) {
            this(title, fields, supersedes, parentEntryId, List.of());
        }

        Content withFiles(List<FiledFile> newFiles) {
            return new Content(title, fields, supersedes, parentEntryId, newFiles);
        }

        Optional<FiledFile> file(FileId fileId) {
            return files.stream().filter(file -> file.fileId().equals(fileId)).findFirst();
        }
    }

    /**
     * A submission of a filing.
     *
     * @param approver the party that decides, fixed at the submission; empty if no approval is needed
     * @param late whether it was after the deadline, under a rule that only marks late filings
     */
    record Submission(Instant at, Optional<PartyId> approver, boolean late) {}

    /** A rejection of a filing by the approving party. */
    record Rejection(UserId by, Instant at, String reason) {}

    /** An approval of a filing by the approving party. */
    record Approval(UserId by, Instant at) {}

    /** Being written by the filer's side. */
    record Draft(Document document, Optional<Rejection> rejection) implements Filing {

        @Override
        public FilingState state() {
            return FilingState.DRAFT;
        }

        Draft edited(Content content, Instant now) {
            return new Draft(document.changed(document.phaseId, content, document.revision + 1, now), rejection);
        }

        Submitted submitted(PhaseId phase, Submission submission) {
            return new Submitted(document.changed(phase, document.content, document.revision + 1, submission.at), submission);
        }

        Withdrawn withdrawn(Instant now) {
            return new Withdrawn(document.next(now), Optional.empty(), rejection);
        }
    }

    /** Waiting for the decision of the approving party. */
    record Submitted(Document document, Submission submitted) implements Filing {

        @Override
        public FilingState state() {
            return FilingState.SUBMITTED;
        }

        @Override
        public Optional<Submission> submission() {
            return Optional.of(submitted);
        }

        Rejected rejected(Rejection rejection) {
            return new Rejected(document.next(rejection.at), submitted, rejection);
        }

        Withdrawn withdrawn(Instant now) {
            return new Withdrawn(document.next(now), Optional.of(submitted), Optional.empty());
        }

        Docketed approved(Approval approval, EntryId entryId) {
            return new Docketed(document.next(approval.at), submitted, Optional.of(approval), entryId);
        }

        /** Docketed at its submission, as one change, because no approval is needed. */
        Docketed docketedAtOnce(EntryId entryId, Instant enteredAt) {
            return new Docketed(document.changed(document.phaseId, document.content, document.revision, enteredAt), submitted,
                    Optional.empty(), entryId);
        }
    }

    /**
     * Permanently on the docket.
     *
     * @param approval empty if no approval was needed
     */
    record Docketed(Document document, Submission submitted, Optional<Approval> approval, EntryId entryId) implements Filing {

        @Override
        public FilingState state() {
            return FilingState.DOCKETED;
        }

        @Override
        public Optional<Submission> submission() {
            return Optional.of(submitted);
        }

        @Override
        public Optional<EntryId> docketedAs() {
            return Optional.of(entryId);
        }
    }

    /** Refused by the approving party; the filer's side may submit it again, changed or as it is. */
    record Rejected(Document document, Submission submitted, Rejection rejected) implements Filing {

        @Override
        public FilingState state() {
            return FilingState.REJECTED;
        }

        @Override
        public Optional<Submission> submission() {
            return Optional.of(submitted);
        }

        @Override
        public Optional<Rejection> rejection() {
            return Optional.of(rejected);
        }

        Draft edited(Content content, Instant now) {
            return new Draft(document.changed(document.phaseId, content, document.revision + 1, now), rejection());
        }

        /** Unchanged, to be submitted again. */
        Draft reopened() {
            return new Draft(document, rejection());
        }

        Withdrawn withdrawn(Instant now) {
            return new Withdrawn(document.next(now), submission(), rejection());
        }
    }

    /** Withdrawn by the filer's side, permanently. */
    record Withdrawn(Document document, Optional<Submission> submission, Optional<Rejection> rejection) implements Filing {

        @Override
        public FilingState state() {
            return FilingState.WITHDRAWN;
        }
    }
}
