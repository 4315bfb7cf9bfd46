package io.arbitration.identity;

import io.vertx.core.json.JsonObject;

/** What a caller holds after it has signed in. A machine client gets an empty refresh token: it doesn't renew. */
record TokenSet(String accessToken, String refreshToken, long validForSeconds) {

    JsonObject json() {
        return new JsonObject()
                .put("accessToken", accessToken)
                .put("refreshToken", refreshToken)
                .put("validForSeconds", validForSeconds);
    }
}
