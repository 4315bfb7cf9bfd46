package io.arbitration.identity.sessions;

import io.arbitration.platform.answer.ApiError;

/** The errors of sessions, in the wording of the contract. */
enum SessionError implements ApiError {
    INVALID_REFRESH_TOKEN(401, "session.invalid-refresh-token", "invalid refresh token"),
    SESSION_NOT_FOUND(404, "session.not-found", "session not found"),
    ORGANIZATION_NOT_FOUND(404, "organization.not-found", "organization not found"),
    NOT_A_MEMBER(403, "organization.not-a-member", "Not a member of this organization.");

    private final Terms terms;

    SessionError(int status, String code, String text) {
        this.terms = new Terms(status, code, text);
    }

    @Override
    public Terms terms() {
        return terms;
    }
}
