package io.arbitration.cases.invitations;

import io.arbitration.platform.answer.ApiError;

/** The errors of invitations to cases. */
enum InvitationError implements ApiError {
    NOT_FOUND(404, "invitation.not-found", "invitation not found"),
    EXPIRED(409, "invitation.expired", "invitation has expired"),
    ANSWERED(409, "invitation.already-answered", "invitation is already answered"),
    TOO_MANY_OPEN(429, "invitation.too-many-open", "at most %d invitations of a case can be open"),
    TOO_MANY_TODAY(429, "invitation.too-many-today", "a user can send at most %d invitations a day");

    private final Terms terms;

    InvitationError(int status, String code, String text) {
        this.terms = new Terms(status, code, text);
    }

    @Override
    public Terms terms() {
        return terms;
    }
}
