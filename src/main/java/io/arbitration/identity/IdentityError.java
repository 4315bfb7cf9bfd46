package io.arbitration.identity;

import io.arbitration.platform.answer.ApiError;

/** The errors of the identity area, as its contract has them. */
enum IdentityError implements ApiError {
    PROVIDER_NOT_FOUND(404, "identity.provider-not-found", "identity provider not found"),
    INVALID_ID_TOKEN(401, "identity.invalid-id-token", "invalid ID token"),
    EMAIL_NOT_VERIFIED(403, "identity.email-not-verified", "email not verified"),
    PROVIDER_UNAVAILABLE(503, "identity.provider-unavailable", "the keys of the identity provider are not available"),
    INVALID_REFRESH_TOKEN(401, "session.invalid-refresh-token", "invalid refresh token"),
    USER_NOT_FOUND(404, "user.not-found", "user not found"),
    ORGANIZATION_NOT_FOUND(404, "organization.not-found", "organization not found"),
    NOT_AN_ADMINISTRATOR(403, "organization.not-an-administrator", "Not an administrator of this organization."),
    ALREADY_A_MEMBER(409, "organization.already-a-member", "user already belongs to an organization"),
    MEMBER_NOT_FOUND(404, "organization.member-not-found", "member not found"),
    LAST_ADMINISTRATOR(409, "organization.last-administrator", "the last administrator cannot be removed"),
    PERMISSION_NOT_FOUND(404, "permission.not-found", "permission not found"),
    PERMISSION_CONFIGURED(409, "permission.configured", "the configuration names this user as a super administrator"),
    INVALID_CLIENT(401, "client.invalid-credentials", "invalid client credentials");

    private final Terms terms;

    IdentityError(int status, String code, String text) {
        this.terms = new Terms(status, code, text);
    }

    @Override
    public Terms terms() {
        return terms;
    }
}
