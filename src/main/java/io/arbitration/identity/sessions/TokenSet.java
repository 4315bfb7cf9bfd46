package io.arbitration.identity.sessions;

import io.arbitration.platform.answer.Reply;
import io.vertx.core.json.JsonObject;

/** What a caller holds after it has signed in. A machine client gets an empty refresh token: it doesn't renew. */
public record TokenSet(String accessToken, String refreshToken, long validForSeconds) {

    /** It holds secrets, so nothing on the way may keep it (RFC 6749, section 5.1). */
    public Reply reply() {
        return Reply.json(new JsonObject()
                .put("accessToken", accessToken)
                .put("refreshToken", refreshToken)
                .put("validForSeconds", validForSeconds)).withHeader("Cache-Control", "no-store");
    }
}
