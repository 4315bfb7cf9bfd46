package io.arbitration.emails;

import io.arbitration.platform.answer.ApiError;

/** The errors of this area. */
enum EmailsError implements ApiError {
    INVALID(400, "request.invalid", "%s: %s"),
    NOT_FOUND(404, "email.not-found", "no email found for the given idempotency key"),
    HELD_NOT_FOUND(404, "held-email.not-found", "email not found"),
    TEMPLATE_NOT_FOUND(404, "email-template.not-found", "template not found"),
    PICTURES(503, "email.pictures-unavailable", "The pictures of the email cannot be read.");

    private final Terms terms;

    EmailsError(int status, String code, String text) {
        this.terms = new Terms(status, code, text);
    }

    @Override
    public Terms terms() {
        return terms;
    }
}
