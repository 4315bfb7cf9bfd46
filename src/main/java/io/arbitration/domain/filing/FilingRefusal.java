package io.arbitration.domain.filing;

import io.arbitration.domain.evidence.EvidenceBounds;
import io.arbitration.domain.evidence.UploadRefusal;
import java.time.Instant;

/** Why a command is refused. */
public sealed interface FilingRefusal {

    /** Reasons that need no further word. */
    enum Reason implements FilingRefusal {
        CASE_NOT_FOUND,
        NOT_A_PARTICIPANT,
        OBSERVER,
        /** The case manager has taken the right to file from the participant. */
        MAY_NOT_FILE,
        CASE_CLOSED,
        DOCUMENT_TYPE_NOT_FOUND,
        /** A party that a filing is to be visible to. */
        PARTY_NOT_FOUND,
        FILING_NOT_FOUND,
        NOT_YOUR_SIDE,
        NOT_APPROVER,
        OWN_DOCUMENT,
        ALREADY_SUBMITTED,
        ALREADY_WITHDRAWN,
        /** It has to be changed before it is submitted again. */
        NOT_SUBMITTED,
        NOT_ALLOWED_IN_PHASE,
        QUOTA_USED,
        /** The filing has changed since the user saw it. */
        STALE,
        ENTRY_NOT_FOUND,
        FILE_NOT_FOUND,
        ENTRY_SUPERSEDED
    }

    /** What cannot be done with a docketed filing. */
    enum Verb { CHANGED, SUBMITTED, WITHDRAWN, APPROVED, REJECTED }

    record AlreadyDocketed(Verb verb) implements FilingRefusal {}

    /** @param due the last moment in time */
    record Late(Instant due) implements FilingRefusal {}

    /** @param problem a sentence that begins with the place of the field */
    record InvalidField(String problem) implements FilingRefusal {}

    /** @param max how many files a document of this type has */
    record TooManyFiles(int max) implements FilingRefusal {}

    /** @param reason whether it is the case or the user that would have too many bytes */
    record TooManyBytes(UploadRefusal reason, EvidenceBounds bounds) implements FilingRefusal {}

    /** @param max how many drafts a party can have open in a case */
    record TooManyDrafts(int max) implements FilingRefusal {}
}
