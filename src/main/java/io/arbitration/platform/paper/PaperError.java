package io.arbitration.platform.paper;

import io.arbitration.platform.answer.ApiError;

/** Why no PDF can be made now. */
public enum PaperError implements ApiError {
    BUSY(503, "paper.busy", "Too many PDFs are being made, try again later."),
    OF_CALLER(429, "paper.caller-busy", "At most %d PDFs of one caller are made at once."),
    NO_LAYOUT(503, "paper.unavailable", "PDFs cannot be made: the text layout of this machine does not work.");

    private final Terms terms;

    PaperError(int status, String code, String text) {
        this.terms = new Terms(status, code, text);
    }

    @Override
    public Terms terms() {
        return terms;
    }
}
