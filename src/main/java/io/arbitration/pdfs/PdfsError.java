package io.arbitration.pdfs;

import io.arbitration.platform.answer.ApiError;

/** The errors of the PDFs area. */
enum PdfsError implements ApiError {
    TEMPLATE_NOT_FOUND(404, "template.not-found", "template not found"),
    FILLS_OF_CALLER(429, "fills.caller-busy", "At most %d characters of one caller are filled in at once; a short form counts as %d."),
    UPLOADS_OF_CALLER(429, "templates.caller-busy", "At most %d template of one caller is uploaded at once."),
    DISK(503, "templates.disk-low", "The disk has less than %d bytes free; no templates are taken until it has more."),
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
