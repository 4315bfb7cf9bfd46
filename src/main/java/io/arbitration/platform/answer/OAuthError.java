package io.arbitration.platform.answer;

/**
 * The errors of the operations that answer in the form of RFC 6749, section 5.2: {@code error} is the code after {@code oauth.}.
 */
public enum OAuthError implements ApiError {
    INVALID_REQUEST(400, "oauth.invalid-request", "%s"),
    INVALID_CLIENT(401, "oauth.invalid-client", "invalid client credentials"),
    INVALID_GRANT(400, "oauth.invalid-grant", "the code is unknown, expired, or for another client, address or verifier"),
    INVALID_SCOPE(400, "oauth.invalid-scope", "the client does not hold all of these permissions"),
    UNSUPPORTED_GRANT_TYPE(400, "oauth.unsupported-grant-type", "grant_type must be %s"),
    INVALID_LOGOUT_TOKEN(400, "oauth.invalid-request", "invalid logout token");

    private static final String PREFIX = "oauth.";
    private final Terms terms;

    OAuthError(int status, String code, String text) {
        this.terms = new Terms(status, code, text);
    }

    @Override
    public Terms terms() {
        return terms;
    }

    /** The RFC 6749 name of a refusal, including those of the pipeline. */
    public static String nameOf(Refusal refusal) {
        if (refusal.code().startsWith(PREFIX)) {
            return refusal.code().substring(PREFIX.length()).replace('-', '_');
        }
        return refusal.status() >= 500 || refusal.status() == 429 ? "temporarily_unavailable" : "invalid_request";
    }
}
