package io.arbitration.pdfs;

import io.arbitration.platform.answer.ApiError;

/** The errors of the PDFs area. */
enum PdfsError implements ApiError {
    TEMPLATE_NOT_FOUND(404, "template.not-found", "template not found"),
    UNKNOWN_PLACEHOLDERS(422, "placeholders.unknown", "unknown placeholders: %s"),
    TEMPLATE_REFUSED(422, "template.refused", "the template %s");

    private final Terms terms;

    PdfsError(int status, String code, String text) {
        this.terms = new Terms(status, code, text);
    }

    @Override
    public Terms terms() {
        return terms;
    }
}
