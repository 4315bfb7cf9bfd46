package io.arbitration.ai.prompts;

import io.arbitration.platform.answer.ApiError;

/** The errors of the operations on prompts. */
enum PromptError implements ApiError {
    DOCUMENT_TYPE_NOT_FOUND(404, "document-type.not-found", "document type not found"),
    RULE_SET_NOT_FOUND(404, "rule-set.not-found", "rule set not found"),
    STALE(409, "prompt.stale", "If-Match does not match the current revision"),
    PROMPT_NOT_FOUND(404, "prompt.not-found", "prompt not found");

    private final Terms terms;

    PromptError(int status, String code, String text) {
        this.terms = new Terms(status, code, text);
    }

    @Override
    public Terms terms() {
        return terms;
    }
}
