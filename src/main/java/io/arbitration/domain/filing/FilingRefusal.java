package io.arbitration.domain.filing;

import io.arbitration.domain.evidence.EvidenceBounds;
import io.arbitration.domain.evidence.UploadRefusal;
import java.time.Instant;

/** The reasons why a command is refused. */
public sealed interface FilingRefusal {

    /** Reasons without further values. */
    enum Reason implements FilingRefusal {
        CASE_NOT_FOUND,
        NOT_A_PARTICIPANT,
        OBSERVER,
        /** The case manager has withdrawn the participant's right to file. */
        MAY_NOT_FILE,
        CASE_CLOSED,
        DOCUMENT_TYPE_NOT_FOUND,
        /** A party in {@code visibleTo} does not exist. */
        PARTY_NOT_FOUND,
        FILING_NOT_FOUND,
        NOT_YOUR_SIDE,
        NOT_APPROVER,
        OWN_DOCUMENT,
        ALREADY_SUBMITTED,
        ALREADY_WITHDRAWN,
        /** The filing must be changed before it is submitted again. */
        NOT_SUBMITTED,
        NOT_ALLOWED_IN_PHASE,
        QUOTA_USED,
        /** The filing has changed since the user read it. */
        STALE,
        ENTRY_NOT_FOUND,
        FILE_NOT_FOUND,
        ENTRY_SUPERSEDED
    }

    /** The attempted change of a docketed filing. */
    enum Verb { CHANGED, SUBMITTED, WITHDRAWN, APPROVED, REJECTED }

    record AlreadyDocketed(Verb verb) implements FilingRefusal {}

    /** @param due the last instant in time */
    record Late(Instant due) implements FilingRefusal {}

    /** @param problem a sentence that begins with the position of the field */
    record InvalidField(String problem) implements FilingRefusal {}

    /** @param max the maximum number of files of this document type */
    record TooManyFiles(int max) implements FilingRefusal {}

    /** @param reason whether the case or the user would have too many bytes */
    record TooManyBytes(UploadRefusal reason, EvidenceBounds bounds) implements FilingRefusal {}

    /** @param max the maximum number of open drafts of a party in a case */
    record TooManyDrafts(int max) implements FilingRefusal {}
}
