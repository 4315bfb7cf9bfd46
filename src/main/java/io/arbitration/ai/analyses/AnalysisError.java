package io.arbitration.ai.analyses;

import io.arbitration.platform.answer.ApiError;

/** The errors of analyses, as the contract has them. */
enum AnalysisError implements ApiError {
    CASE_NOT_FOUND(404, "case.not-found", "case not found"),
    NOT_A_PARTICIPANT(403, "case.not-a-participant", "Not a participant in this case."),
    NOT_A_READER(403, "analysis.not-a-reader", "Only the case manager and the arbitrators can read the analyses of this case."),
    PAGES_OF_CALLER(429, "analysis.caller-busy", "At most %d pages of analyses of one caller are read at once.");

    private final Terms terms;

    AnalysisError(int status, String code, String text) {
        this.terms = new Terms(status, code, text);
    }

    @Override
    public Terms terms() {
        return terms;
    }
}
