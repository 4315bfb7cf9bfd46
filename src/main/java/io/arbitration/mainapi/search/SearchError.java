package io.arbitration.mainapi.search;

import io.arbitration.platform.answer.ApiError;

/** The errors of the search. */
enum SearchError implements ApiError {
    NOTHING_TO_FIND(400, "search.nothing-to-find", "query: has no word to search for"),
    CASE_NOT_FOUND(404, "case.not-found", "case not found"),
    NOT_A_PARTICIPANT(403, "case.not-a-participant", "Not a participant in this case."),
    BUSY(503, "search.busy", "Too many searches are under way, try again later."),
    BUSY_OF_CALLER(429, "search.caller-busy", "At most %d searches of one caller are under way at once.");

    private final Terms terms;

    SearchError(int status, String code, String text) {
        this.terms = new Terms(status, code, text);
    }

    @Override
    public Terms terms() {
        return terms;
    }
}
