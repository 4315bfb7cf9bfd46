package io.arbitration.mainapi.export;

import io.arbitration.platform.answer.ApiError;

/** The reasons why a case cannot be exported now. */
enum ExportError implements ApiError {
    BUSY(503, "export.busy", "Too many cases are being exported, try again later."),
    BUSY_OF_CALLER(429, "export.caller-busy", "At most %d exports of one caller are made at once."),
    TOO_LARGE(409, "export.too-large", "The export would have more than %d files.");

    private final Terms terms;

    ExportError(int status, String code, String text) {
        this.terms = new Terms(status, code, text);
    }

    @Override
    public Terms terms() {
        return terms;
    }
}
