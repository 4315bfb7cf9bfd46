package io.arbitration.platform.paper;

import io.arbitration.platform.http.ApiError;

/** Why no PDF can be made now. */
enum PaperError implements ApiError {
    BUSY(503, "paper.busy", "Too many PDFs are being made, try again later."),
    NO_LAYOUT(503, "paper.unavailable", "PDFs cannot be made: the text layout of this machine does not work.");

    private final int status;
    private final String code;
    private final String text;

    PaperError(int status, String code, String text) {
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
