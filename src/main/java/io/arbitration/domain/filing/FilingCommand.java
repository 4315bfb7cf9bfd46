package io.arbitration.domain.filing;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.EntryId;
import io.arbitration.domain.FileId;
import io.arbitration.domain.FilingId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.docket.Seal;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A request of a user to change a filing. An ID of a client with an invalid form is {@link FilingId#OF_NOTHING} or {@link
 * EntryId#OF_NOTHING} here.
 */
public sealed interface FilingCommand {

    CaseId caseId();

    UserId by();

    /** A command on an existing filing. */
    sealed interface OnFiling extends FilingCommand {

        FilingId filingId();

        /** The revision that the user has read; empty: any. */
        OptionalLong ifMatch();
    }

    /**
     * @param documentTypeId empty for a text that cannot be the ID of a document type
     * @param sealed the seal of its future docket entry
     */
    record Create(
            CaseId caseId, UserId by, Optional<DocumentTypeId> documentTypeId, Optional<String> title, Map<String, Object> fields,
            Optional<EntryId> supersedes, Optional<EntryId> parentEntryId, Optional<Seal.Terms> sealed) implements FilingCommand {}

    /** Empty members stay unchanged. */
    record Update(
            CaseId caseId, UserId by, FilingId filingId, OptionalLong ifMatch, Optional<String> title, Optional<Map<String, Object>> fields,
            ReferenceChange supersedes, ReferenceChange parentEntryId) implements OnFiling {}

    /** A command on the files of a filing. */
    sealed interface OnFile extends OnFiling {

        FileId fileId();
    }

    /** @param file the stored file; it becomes the last one of the filing */
    record AddFile(CaseId caseId, UserId by, FilingId filingId, OptionalLong ifMatch, FiledFile file) implements OnFile {

        @Override
        public FileId fileId() {
            return file.fileId();
        }
    }

    /**
     * Empty members stay unchanged.
     *
     * @param position from 1; the files after it move by one
     */
    record UpdateFile(
            CaseId caseId, UserId by, FilingId filingId, OptionalLong ifMatch, FileId fileId, Optional<String> title, OptionalInt position)
            implements OnFile {}

    record RemoveFile(CaseId caseId, UserId by, FilingId filingId, OptionalLong ifMatch, FileId fileId) implements OnFile {}

    record Submit(CaseId caseId, UserId by, FilingId filingId, OptionalLong ifMatch) implements OnFiling {}

    record Withdraw(CaseId caseId, UserId by, FilingId filingId, OptionalLong ifMatch) implements OnFiling {}

    record Approve(CaseId caseId, UserId by, FilingId filingId, OptionalLong ifMatch) implements OnFiling {}

    record Reject(CaseId caseId, UserId by, FilingId filingId, OptionalLong ifMatch, String reason) implements OnFiling {}

    /** The change of a reference to a docket entry. */
    sealed interface ReferenceChange {

        record Keep() implements ReferenceChange {}

        record Remove() implements ReferenceChange {}

        record Set(EntryId to) implements ReferenceChange {}

        default Optional<EntryId> appliedTo(Optional<EntryId> old) {
            return switch (this) {
                case Keep keep -> old;
                case Remove remove -> Optional.empty();
                case Set set -> Optional.of(set.to);
            };
        }

        /** The new entry of the reference. */
        default Optional<EntryId> entryId() {
            return appliedTo(Optional.empty());
        }
    }
}
