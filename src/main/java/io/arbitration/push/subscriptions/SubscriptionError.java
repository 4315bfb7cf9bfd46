package io.arbitration.push.subscriptions;

import io.arbitration.platform.answer.ApiError;

/** The errors of subscribing and of operations on a subscription. */
public enum SubscriptionError implements ApiError {
    NOT_FOUND(404, "subscription.not-found", "Subscription not found"),
    KEY_NOT_FOUND(404, "vapid-key.not-found", "VAPID key not found"),
    TOO_MANY_ANONYMOUS(409, "subscription.too-many", "There can be at most %d subscriptions without signing in."),
    ANONYMOUS_OFF(403, "subscription.anonymous-off", "Subscribing without signing in is not enabled."),
    INVALID_CURSOR(400, "request.invalid", "cursor: must be the nextCursor of a page before"),
    INVALID_ENDPOINT(400, "request.invalid", "subscription/endpoint: %s"),
    INVALID_KEY(400, "request.invalid", "subscription/keys/p256dh: must be a point of P-256, uncompressed, 65 bytes in base64url"),
    INVALID_SECRET(400, "request.invalid", "subscription/keys/auth: must be 16 bytes in base64url");

    private final Terms terms;

    SubscriptionError(int status, String code, String text) {
        this.terms = new Terms(status, code, text);
    }

    @Override
    public Terms terms() {
        return terms;
    }
}
