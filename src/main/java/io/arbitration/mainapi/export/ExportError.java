package io.arbitration.mainapi.export;

import io.arbitration.platform.http.ApiError;

/** Why a case cannot be exported now. */
enum ExportError implements ApiError {
    BUSY(503, "export.busy", "Too many cases are being exported, try again later."),
    BUSY_OF_CALLER(429, "export.caller-busy", "At most %d exports of one caller are made at once."),
    TOO_LARGE(409, "export.too-large", "The export would have more than %d files.");

    private final int status;
    private final String code;
    private final String text;

    ExportError(int status, String code, String text) {
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
