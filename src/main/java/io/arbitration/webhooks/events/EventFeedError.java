package io.arbitration.webhooks.events;

import io.arbitration.platform.answer.ApiError;

/** The errors of the operations on events. */
enum EventFeedError implements ApiError {
    AFTER_OR_BEFORE(400, "request.invalid", "body: give either afterSequence or beforeSequence"),
    PAGES_OF_CALLER(429, "events.caller-busy", "At most %d pages of events of one caller are read at once.");

    private final Terms terms;

    EventFeedError(int status, String code, String text) {
        this.terms = new Terms(status, code, text);
    }

    @Override
    public Terms terms() {
        return terms;
    }
}
