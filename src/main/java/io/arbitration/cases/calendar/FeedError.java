package io.arbitration.cases.calendar;

import io.arbitration.platform.answer.ApiError;

/** The errors of calendar feeds, in the wording of the specification. */
enum FeedError implements ApiError {
    FEED_NOT_FOUND(404, "feed.not-found", "feed not found"),
    USERS_ONLY(403, "feed.users-only", "Only a user can have a calendar feed."),
    TOO_MANY(409, "feed.too-many", "a user has at most %d calendar feeds");

    private final Terms terms;

    FeedError(int status, String code, String text) {
        this.terms = new Terms(status, code, text);
    }

    @Override
    public Terms terms() {
        return terms;
    }
}
