package io.arbitration.pdfs;

import io.arbitration.platform.http.ApiError;

/** The errors of the PDFs area. */
enum PdfsError implements ApiError {
    TEMPLATE_NOT_FOUND(404, "template.not-found", "template not found"),
    UNKNOWN_PLACEHOLDERS(422, "placeholders.unknown", "unknown placeholders: %s"),
    TEMPLATE_REFUSED(422, "template.refused", "the template %s");

    private final int status;
    private final String code;
    private final String text;

    PdfsError(int status, String code, String text) {
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
