package io.arbitration.identity.sessions;

import io.arbitration.platform.answer.Reply;
import io.vertx.core.json.JsonObject;

/**
 * The tokens of a sign-in. The refresh token of a machine client is empty, because it gets a new access token with its secret.
 */
public record TokenSet(String accessToken, String refreshToken, long validForSeconds) {

    /** The answer with the tokens, which no cache may store (RFC 6749, section 5.1). */
    public Reply reply() {
        return Reply.json(new JsonObject()
                .put("accessToken", accessToken)
                .put("refreshToken", refreshToken)
                .put("validForSeconds", validForSeconds)).withHeader("Cache-Control", "no-store");
    }
}
