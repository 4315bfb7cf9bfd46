package io.arbitration.pdfs.fill;

import io.arbitration.platform.answer.ApiError;

/** Why values do not fit a template. */
enum FillError implements ApiError {
    UNKNOWN_PLACEHOLDERS(422, "placeholders.unknown", "unknown placeholders: %s");

    private final Terms terms;

    FillError(int status, String code, String text) {
        this.terms = new Terms(status, code, text);
    }

    @Override
    public Terms terms() {
        return terms;
    }
}
