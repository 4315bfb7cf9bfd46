package io.arbitration.push.messages;

import io.arbitration.platform.answer.ApiError;

/** The errors of sending a notification. */
public enum SendError implements ApiError {
    NOT_WEB(400, "request.invalid", "%s: must be an http or https address, or one relative to the page that subscribed"),
    TOO_LARGE(400, "request.invalid", "notification: %d bytes as JSON, %d more than the %d that a push message can carry"),
    SERVICE_NOT_ALLOWED(503, "push-service.not-allowed", "The push service of this subscription is not one that the configuration allows."),
    SERVICE_REFUSED(502, "push-service.refused", "The push service refused the notification with status %d."),
    SERVICE_FAILED(502, "push-service.failed", "The push service could not be reached: %s."),
    SERVICE_BUSY(503, "push-service.busy", "The push service asks to wait."),
    SERVICE_TIMEOUT(504, "push-service.timeout", "The push service did not answer in time.");

    private final Terms terms;

    SendError(int status, String code, String text) {
        this.terms = new Terms(status, code, text);
    }

    @Override
    public Terms terms() {
        return terms;
    }
}
