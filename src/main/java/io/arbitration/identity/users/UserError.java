package io.arbitration.identity.users;

import io.arbitration.platform.answer.ApiError;

/** The errors of users and their permissions, in the wording of the contract. */
public enum UserError implements ApiError {
    USER_NOT_FOUND(404, "user.not-found", "user not found"),
    USER_DISABLED(403, "user.disabled", "user disabled"),
    PERMISSION_NOT_FOUND(404, "permission.not-found", "permission not found"),
    PERMISSION_CONFIGURED(409, "permission.configured", "the configuration names this user as a super administrator");

    private final Terms terms;

    UserError(int status, String code, String text) {
        this.terms = new Terms(status, code, text);
    }

    @Override
    public Terms terms() {
        return terms;
    }
}
