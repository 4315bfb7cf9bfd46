package io.arbitration.identity.signin;

import io.arbitration.platform.answer.ApiError;

/** The errors of signing in, in the wording of the contract. */
enum SignInError implements ApiError {
    PROVIDER_NOT_FOUND(404, "identity.provider-not-found", "identity provider not found"),
    INVALID_ID_TOKEN(401, "identity.invalid-id-token", "invalid ID token"),
    EMAIL_NOT_VERIFIED(403, "identity.email-not-verified", "email not verified"),
    PROVIDER_UNAVAILABLE(503, "identity.provider-unavailable", "the keys of the identity provider are not available"),
    PROVIDER_SILENT(503, "identity.provider-silent", "the identity provider does not answer"),
    NOT_BEGUN_HERE(400, "sign-in.not-begun-here", "the sign-in was not begun in this browser, or too long ago"),
    NOT_SIGNED_IN(401, "sign-in.refused", "the identity provider did not sign you in"),
    KEY_NOT_FOUND(404, "key.not-found", "key not found");

    private final Terms terms;

    SignInError(int status, String code, String text) {
        this.terms = new Terms(status, code, text);
    }

    @Override
    public Terms terms() {
        return terms;
    }
}
