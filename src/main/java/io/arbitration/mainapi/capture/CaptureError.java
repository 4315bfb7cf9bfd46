package io.arbitration.mainapi.capture;

import io.arbitration.platform.answer.ApiError;

/** The errors of page captures; the first two strings are in the wording of the specification. */
enum CaptureError implements ApiError {
    MAIL_TYPE_NOT_FOUND(404, "mail-type.not-found", "mailType not found"),
    NOT_LOADED(422, "page.not-loaded", "Failed to load webpage URL"),
    BUSY_OF_CALLER(429, "capture.caller-busy", "At most %d captures of one caller are made at once."),
    NO_ATTACHMENTS(400, "mail-type.no-attachments", "mailType: takes no attachments");

    private final Terms terms;

    CaptureError(int status, String code, String text) {
        this.terms = new Terms(status, code, text);
    }

    @Override
    public Terms terms() {
        return terms;
    }
}
