package io.arbitration.ai;

import io.arbitration.platform.http.ApiError;

/** The errors of the AI area, as its contract has them. */
enum AiError implements ApiError {
    DOCUMENT_TYPE_NOT_FOUND(404, "document-type.not-found", "document type not found"),
    RULE_SET_NOT_FOUND(404, "rule-set.not-found", "rule set not found"),
    PROMPT_NOT_FOUND(404, "prompt.not-found", "prompt not found");

    private final int status;
    private final String code;
    private final String text;

    AiError(int status, String code, String text) {
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
