package io.arbitration.mainapi.filings;

import io.arbitration.domain.filing.FilingRefusal;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.answer.ApiError;
import io.arbitration.platform.answer.Refusal;
import java.util.Locale;

/** The errors of filings; the strings of the specification are exact. */
enum FilingError implements ApiError {
    CASE_NOT_FOUND(404, "case.not-found", "case not found"),
    NOT_A_PARTICIPANT(403, "case.not-a-participant", "Not a participant in this case."),
    OBSERVER(403, "case.observer", "You are registered as an observer and cannot file documents in this case"),
    MAY_NOT_FILE(403, "participant.may-not-file", "You may not file documents in this case."),
    CASE_CLOSED(409, "case.closed", "case is closed"),
    DOCUMENT_TYPE_NOT_FOUND(404, "document-type.not-found", "document type not found"),
    PARTY_NOT_FOUND(404, "party.not-found", "party not found"),
    SEALED(403, "docket-entry.sealed", "This entry is sealed."),
    NOT_FOUND(404, "filing.not-found", "document not found"),
    NOT_YOUR_SIDE(403, "filing.not-your-side", "Only the side that made this document can change it."),
    NOT_APPROVER(403, "filing.not-approver", "Only the approving party can decide on this document."),
    OWN_DOCUMENT(403, "filing.own-document", "You cannot decide on a document that you filed yourself."),
    ALREADY_DOCKETED(409, "filing.already-docketed", "document cannot be %s because it's already been added to the docket"),
    ALREADY_SUBMITTED(409, "filing.already-submitted", "document is already submitted for approval"),
    ALREADY_WITHDRAWN(409, "filing.already-withdrawn", "document is already withdrawn"),
    NOT_SUBMITTED(409, "filing.not-submitted", "document is not submitted for approval"),
    NOT_ALLOWED_IN_PHASE(409, "filing.not-allowed-in-phase", "document not allowed in this phase"),
    QUOTA_USED(409, "filing.quota-used", "document cannot be filed more often in this phase"),
    TOO_MANY_DRAFTS(409, "filing.too-many-drafts", "a party can have at most %d drafts in a case"),
    PAGES_OF_CALLER(429, "filing.caller-busy", "At most %d pages of filings of one caller are read at once."),
    LATE(409, "filing.late", "document is late: it had to be filed by %s"),
    STALE(409, "filing.stale", "If-Match does not match the current revision"),
    INVALID_FIELD(400, "filing.invalid-field", "%s"),
    TOO_MANY_FILES(409, "filing.too-many-files", "a document of this type has at most %d files"),
    FILE_NOT_FOUND(404, "file.not-found", "file not found"),
    ENTRY_NOT_FOUND(404, "docket-entry.not-found", "docket entry not found"),
    ENTRY_SUPERSEDED(409, "docket-entry.already-superseded", "docket entry is already superseded");

    private final Terms terms;

    FilingError(int status, String code, String text) {
        this.terms = new Terms(status, code, text);
    }

    @Override
    public Terms terms() {
        return terms;
    }

    /** The answer to a command that the rules refuse. */
    static Refusal of(FilingRefusal refusal) {
        return switch (refusal) {
            case FilingRefusal.AlreadyDocketed docketed -> ALREADY_DOCKETED.refusal(docketed.verb().name().toLowerCase(Locale.ROOT));
            case FilingRefusal.Late late -> LATE.refusal(Timestamps.text(late.due()));
            case FilingRefusal.InvalidField invalid -> INVALID_FIELD.refusal(invalid.problem());
            case FilingRefusal.TooManyFiles files -> TOO_MANY_FILES.refusal(files.max());
            case FilingRefusal.TooManyBytes bytes -> FileError.of(bytes.reason(), bytes.bounds());
            case FilingRefusal.TooManyDrafts drafts -> TOO_MANY_DRAFTS.refusal(drafts.max());
            case FilingRefusal.Reason reason -> of(reason).refusal();
        };
    }

    private static FilingError of(FilingRefusal.Reason reason) {
        return switch (reason) {
            case CASE_NOT_FOUND -> CASE_NOT_FOUND;
            case NOT_A_PARTICIPANT -> NOT_A_PARTICIPANT;
            case OBSERVER -> OBSERVER;
            case MAY_NOT_FILE -> MAY_NOT_FILE;
            case CASE_CLOSED -> CASE_CLOSED;
            case DOCUMENT_TYPE_NOT_FOUND -> DOCUMENT_TYPE_NOT_FOUND;
            case PARTY_NOT_FOUND -> PARTY_NOT_FOUND;
            case FILING_NOT_FOUND -> NOT_FOUND;
            case NOT_YOUR_SIDE -> NOT_YOUR_SIDE;
            case NOT_APPROVER -> NOT_APPROVER;
            case OWN_DOCUMENT -> OWN_DOCUMENT;
            case ALREADY_SUBMITTED -> ALREADY_SUBMITTED;
            case ALREADY_WITHDRAWN -> ALREADY_WITHDRAWN;
            case NOT_SUBMITTED -> NOT_SUBMITTED;
            case NOT_ALLOWED_IN_PHASE -> NOT_ALLOWED_IN_PHASE;
            case QUOTA_USED -> QUOTA_USED;
            case STALE -> STALE;
            case FILE_NOT_FOUND -> FILE_NOT_FOUND;
            case ENTRY_NOT_FOUND -> ENTRY_NOT_FOUND;
            case ENTRY_SUPERSEDED -> ENTRY_SUPERSEDED;
        };
    }
}
