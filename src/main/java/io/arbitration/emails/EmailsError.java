package io.arbitration.emails;

import io.arbitration.platform.http.ApiError;

/** The errors of this area. */
enum EmailsError implements ApiError {
    INVALID(400, "request.invalid", "%s: %s"),
    NOT_FOUND(404, "email.not-found", "no email found for the given idempotency key"),
    HELD_NOT_FOUND(404, "held-email.not-found", "email not found"),
    TEMPLATE_NOT_FOUND(404, "email-template.not-found", "template not found");

    private final int status;
    private final String code;
    private final String text;

    EmailsError(int status, String code, String text) {
        this.status = status;
        this.code = code;
        this.text = text;
    }

    @Override
    public int status() {
        return status;
    }

    @Override
    public String code() {
        return code;
    }

    @Override
    public String text() {
        return text;
    }
}
