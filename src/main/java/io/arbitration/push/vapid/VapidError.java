package io.arbitration.push.vapid;

import io.arbitration.platform.answer.ApiError;

/** The errors of the operations on VAPID keys. */
public enum VapidError implements ApiError {
    INVALID_CURSOR(400, "request.invalid", "cursor: must be the nextCursor of a page before"),
    TOO_MANY(409, "vapid-key.too-many", "There can be at most %d VAPID keys.");

    private final Terms terms;

    VapidError(int status, String code, String text) {
        this.terms = new Terms(status, code, text);
    }

    @Override
    public Terms terms() {
        return terms;
    }
}
