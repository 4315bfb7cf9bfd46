package io.arbitration.mainapi.docket;

import io.arbitration.platform.answer.ApiError;

/** The errors of the docket; the strings of the specification are exact. */
enum DocketError implements ApiError {
    LIST_CASE_NOT_FOUND(404, "case.not-found", "The specified case could not be found."),
    CASE_NOT_FOUND(404, "case.not-found", "case not found"),
    NOT_A_PARTICIPANT(403, "case.not-a-participant", "Not a participant in this case."),
    OBSERVER(403, "case.observer", "You are registered as an observer and cannot change this case"),
    NOT_OF_THE_TRIBUNAL(403, "case.not-of-the-tribunal", "Only the case manager and the arbitrators can do this in this case."),
    SEALED(403, "docket-entry.sealed", "This entry is sealed."),
    NOT_SEALED(409, "docket-entry.not-sealed", "entry is not sealed"),
    STALE(409, "filing.stale", "If-Match does not match the current revision"),
    PARTY_NOT_FOUND(404, "party.not-found", "party not found"),
    ENTRY_NOT_FOUND(404, "docket-entry.not-found", "docket entry not found"),
    VERIFICATIONS_OF_CALLER(429, "docket.caller-busy", "At most %d dockets of one caller are verified at once."),
    LISTS_OF_CALLER(429, "docket.caller-busy", "At most %d %s of dockets of one caller are read at once.");

    private final Terms terms;

    DocketError(int status, String code, String text) {
        this.terms = new Terms(status, code, text);
    }

    @Override
    public Terms terms() {
        return terms;
    }
}
