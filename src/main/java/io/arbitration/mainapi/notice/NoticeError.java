package io.arbitration.mainapi.notice;

import io.arbitration.platform.answer.ApiError;

/** The errors of service of notice; {@code mailType not found} is exact. */
enum NoticeError implements ApiError {
    INVALID(400, "request.invalid", "%s: %s"),
    CASE_NOT_FOUND(404, "case.not-found", "case not found"),
    MAIL_TYPE_NOT_FOUND(404, "mail-type.not-found", "mailType not found"),
    ENTRY_NOT_FOUND(404, "docket-entry.not-found", "docket entry not found"),
    HEARING_NOT_FOUND(404, "hearing.not-found", "hearing not found"),
    NOT_FOUND(404, "notice.not-found", "notice not found"),
    RECIPIENT_NOT_FOUND(404, "notice.recipient-not-found", "recipients/%d: no participant of this case"),
    NOT_A_PARTICIPANT(403, "case.not-a-participant", "Not a participant in this case."),
    OBSERVER(403, "case.observer", "You are registered as an observer and cannot serve notices in this case"),
    MAY_NOT_FILE(403, "participant.may-not-file", "You may not file documents in this case."),
    SEALED(403, "docket-entry.sealed", "This entry is sealed."),
    MAY_NOT_SEE(409, "notice.may-not-see", "recipients/%d: may not see this entry"),
    CASE_CLOSED(409, "case.closed", "case is closed"),
    HEARING_CANCELLED(409, "hearing.cancelled", "hearing is cancelled"),
    HEARING_CHANGED(409, "hearing.changed", "The hearing was changed just now, look at it and try again."),
    NO_ADDRESS(409, "notice.no-address", "recipients/%d: has no address that email can be sent to"),
    OUTSIDE(409, "notice.outside-of-case", "recipients/%d: is outside of the case"),
    TOO_MANY_OUTSIDE_OF_USER(429, "notice.too-many-outside", "notices go to at most %d addresses outside of cases a day from one user"),
    TOO_MANY_OUTSIDE_OF_CASE(429, "notice.too-many-outside-of-case", "notices go to at most %d addresses outside of a case a day"),
    TOO_MANY_OUTSIDE_OF_SIDE(429, "notice.too-many-outside-of-side", "notices of one side go to at most %d addresses outside of a case a day"),
    TOO_MANY_INSIDE(429, "notice.too-many-inside", "notices of one user go to at most %d participants of cases a day"),
    TOO_MANY(409, "notice.too-many", "notices are served on at most %d recipients in a case"),
    PROOFS_OF_CALLER(429, "notice.caller-busy", "At most %d proofs of service of one caller are made at once."),
    PROOFS_BUSY(503, "notice.proofs-busy", "Too many proofs of service are being made, try again later."),
    STORE(503, "objects.unavailable", "The object store is not available."),
    FILE_LOST(500, "notice.file-lost", "A stored file of the notice is missing or altered.");

    private final Terms terms;

    NoticeError(int status, String code, String text) {
        this.terms = new Terms(status, code, text);
    }

    @Override
    public Terms terms() {
        return terms;
    }
}
