package io.arbitration.mainapi.live;

import io.arbitration.platform.answer.ApiError;

/** The errors of the event stream, exact. */
enum LiveError implements ApiError {
    CASE_NOT_FOUND(404, "case.not-found", "case not found"),
    NOT_A_PARTICIPANT(403, "case.not-a-participant", "Not a participant in this case."),
    BAD_CHANGES(400, "request.invalid", "changes: must be true or false"),
    BAD_CURSOR(400, "request.invalid", "Last-Event-ID: must be the id of an event of this stream"),
    EXPIRED(410, "events.cursor-expired", "Last-Event-ID: is older than 24 hours; connect without it and read what may have changed"),
    TOO_MANY_OF_CALLER(429, "events.too-many-streams", "at most %d event streams of one caller are open at once"),
    NODE_FULL(503, "events.node-full", "this node serves as many event streams as it can");

    private final Terms terms;

    LiveError(int status, String code, String text) {
        this.terms = new Terms(status, code, text);
    }

    @Override
    public Terms terms() {
        return terms;
    }
}
