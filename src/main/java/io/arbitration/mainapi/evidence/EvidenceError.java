package io.arbitration.mainapi.evidence;

import io.arbitration.domain.evidence.EvidenceBounds;
import io.arbitration.domain.evidence.UploadRefusal;
import io.arbitration.platform.answer.ApiError;
import io.arbitration.platform.answer.Refusal;

/** The errors of evidence; {@code case not found} is the wording of the specification. */
enum EvidenceError implements ApiError {
    CASE_NOT_FOUND(404, "case.not-found", "case not found"),
    CATEGORY_NOT_FOUND(404, "evidence-type.not-found", "evidence type not found"),
    NOT_FOUND(404, "upload.not-found", "upload not found"),
    NOT_A_PARTICIPANT(403, "case.not-a-participant", "Not a participant in this case."),
    OBSERVER(403, "case.observer", "You are registered as an observer and cannot upload evidence in this case"),
    MAY_NOT_FILE(403, "participant.may-not-file", "You may not file documents in this case."),
    CASE_CLOSED(409, "case.closed", "case is closed"),
    NOT_TAKEN_IN_PHASE(409, "evidence.not-taken-in-phase", "evidence is no longer taken in this phase"),
    TOO_MANY(409, "evidence.too-many", "a party has at most %d exhibits in a case"),
    BYTES_OF_CASE(409, "evidence.bytes-of-case", "the exhibits and the files of filings of a case are at most %d bytes together"),
    BYTES_OF_PARTY(409, "evidence.bytes-of-party", "the exhibits and the files of filings of one party in a case are at most %d bytes together"),
    BYTES_OF_USER(409, "evidence.bytes-of-user", "the exhibits and the files of filings that one user has uploaded are at most %d bytes together"),
    EMPTY(400, "evidence.empty", "file: must not be empty"),
    EXECUTABLE(415, "evidence.executable", "The file is a program (%s); programs are not taken as evidence."),
    TYPE_NOT_ALLOWED(415, "evidence.type-not-allowed", "Evidence of this type cannot be %s, only %s."),
    TYPE_MISMATCH(415, "evidence.type-mismatch", "The file is declared as %s, but its content is %s.");

    private final Terms terms;

    EvidenceError(int status, String code, String text) {
        this.terms = new Terms(status, code, text);
    }

    @Override
    public Terms terms() {
        return terms;
    }

    /** The answer to an upload that the rules refuse. */
    static Refusal refusal(UploadRefusal rejection, EvidenceBounds bounds) {
        return switch (rejection) {
            case CASE_NOT_FOUND -> CASE_NOT_FOUND.refusal();
            case CATEGORY_NOT_FOUND -> CATEGORY_NOT_FOUND.refusal();
            case NOT_A_PARTICIPANT -> NOT_A_PARTICIPANT.refusal();
            case OBSERVER -> OBSERVER.refusal();
            case MAY_NOT_FILE -> MAY_NOT_FILE.refusal();
            case CASE_CLOSED -> CASE_CLOSED.refusal();
            case NOT_TAKEN_IN_PHASE -> NOT_TAKEN_IN_PHASE.refusal();
            case TOO_MANY_OF_PARTY -> TOO_MANY.refusal(bounds.uploadsPerPartyMax());
            case TOO_MANY_BYTES_OF_CASE -> BYTES_OF_CASE.refusal(bounds.caseBytesMax());
            case TOO_MANY_BYTES_OF_PARTY -> BYTES_OF_PARTY.refusal(bounds.partyBytesMax());
            case TOO_MANY_BYTES_OF_USER -> BYTES_OF_USER.refusal(bounds.userBytesMax());
        };
    }
}
