package io.arbitration.mainapi.docket;

import io.arbitration.platform.http.ApiError;

/** The errors of the docket; the strings of the specification are exact. */
enum DocketError implements ApiError {
    LIST_CASE_NOT_FOUND(404, "case.not-found", "The specified case could not be found."),
    CASE_NOT_FOUND(404, "case.not-found", "case not found"),
    NOT_A_PARTICIPANT(403, "case.not-a-participant", "Not a participant in this case."),
    ENTRY_NOT_FOUND(404, "docket-entry.not-found", "docket entry not found");

    private final int status;
    private final String code;
    private final String text;

    DocketError(int status, String code, String text) {
        this.status = status;
        this.code = code;
        this.text = text;
    }

    @Override
    public int status() {
        return status;
    }

    @Override
    public String code() {
        return code;
    }

    @Override
    public String text() {
        return text;
    }
}
