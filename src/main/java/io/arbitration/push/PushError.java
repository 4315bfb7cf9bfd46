package io.arbitration.push;

import io.arbitration.platform.answer.ApiError;

/** The errors of this area. */
enum PushError implements ApiError {
    SUBSCRIPTION_NOT_FOUND(404, "subscription.not-found", "Subscription not found"),
    KEY_NOT_FOUND(404, "vapid-key.not-found", "VAPID key not found"),
    TOO_MANY_KEYS(409, "vapid-key.too-many", "There can be at most %d VAPID keys."),
    TOO_MANY_ANONYMOUS(409, "subscription.too-many", "There can be at most %d subscriptions without signing in."),
    ANONYMOUS_OFF(403, "subscription.anonymous-off", "Subscribing without signing in is not enabled."),
    INVALID_ENDPOINT(400, "request.invalid", "subscription/endpoint: %s"),
    INVALID_KEY(400, "request.invalid", "subscription/keys/p256dh: must be a point of P-256, uncompressed, 65 bytes in base64url"),
    INVALID_SECRET(400, "request.invalid", "subscription/keys/auth: must be 16 bytes in base64url"),
    NOT_WEB(400, "request.invalid", "%s: must be an absolute http or https address"),
    TOO_LARGE(400, "request.invalid", "notification: %d bytes as JSON, %d more than the %d that a push message can carry"),
    SERVICE_NOT_ALLOWED(503, "push-service.not-allowed", "The push service of this subscription is not one that the configuration allows."),
    SERVICE_REFUSED(502, "push-service.refused", "The push service refused the notification with status %d."),
    SERVICE_FAILED(502, "push-service.failed", "The push service could not be reached: %s."),
    SERVICE_BUSY(503, "push-service.busy", "The push service asks to wait."),
    SERVICE_TIMEOUT(504, "push-service.timeout", "The push service did not answer in time.");

    private final Terms terms;

    PushError(int status, String code, String text) {
        this.terms = new Terms(status, code, text);
    }

    @Override
    public Terms terms() {
        return terms;
    }
}
