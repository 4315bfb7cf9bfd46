package io.arbitration.cases.definitions;

import io.arbitration.platform.answer.ApiError;

/** The errors of reading definitions; {@code mailType not found} is the wording of the specification. */
enum DefinitionsError implements ApiError {
    MAIL_TYPE_NOT_FOUND(404, "mail-type.not-found", "mailType not found");

    private final Terms terms;

    DefinitionsError(int status, String code, String text) {
        this.terms = new Terms(status, code, text);
    }

    @Override
    public Terms terms() {
        return terms;
    }
}
