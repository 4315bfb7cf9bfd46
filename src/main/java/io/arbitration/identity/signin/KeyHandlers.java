package io.arbitration.identity.signin;

import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.auth.AccessTokens;
import io.arbitration.platform.keys.SigningKeys;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.platform.telemetry.SecurityEvents;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** Publishes the public keys of the platform for verifiers, and withdraws a key that may have been stolen. */
public final class KeyHandlers {

    /**
     * Half the time for which a new key is published before it signs, so that a verifier that caches the keys this long never gets an
     * unknown key.
     */
    static final String PUBLIC_FOR_MINUTES = "public, max-age=300";

    private final AccessTokens tokens;
    private final SigningKeys keys;
    private final SecurityEvents security;

    public KeyHandlers(AccessTokens tokens, SigningKeys keys, SecurityEvents security) {
        this.tokens = tokens;
        this.keys = keys;
        this.security = security;
    }

    public Contract bind(Contract contract) {
        return contract
                .bind("listPublicKeys", this::listPublicKeys)
                .bind("viewOpenIdConfiguration", this::viewConfiguration)
                .bind("withdrawKey", this::withdraw);
    }

    private Future<Reply> listPublicKeys(Call call) {
        return Future.succeededFuture(Reply.json(keys.publicKeys()).withHeader("Cache-Control", PUBLIC_FOR_MINUTES));
    }

    /**
     * The part of OpenID Connect Discovery 1.0 that a verifier needs; the addresses are below the issuer, as the standard
     * requires.
     */
    private Future<Reply> viewConfiguration(Call call) {
        String issuer = tokens.issuer();
        String base = issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
        return Future.succeededFuture(Reply.json(new JsonObject()
                .put("issuer", issuer)
                .put("jwks_uri", base + "/.well-known/jwks.json")
                .put("token_endpoint", base + "/oauth/token")
                .put("token_endpoint_auth_methods_supported", new JsonArray().add("client_secret_basic").add("client_secret_post"))
                .put("grant_types_supported", new JsonArray().add("client_credentials"))
                .put("response_types_supported", new JsonArray().add("token"))
                .put("subject_types_supported", new JsonArray().add("public"))
                .put("id_token_signing_alg_values_supported", new JsonArray().add("ES256"))
                .put("claims_supported", new JsonArray(List.of("iss", "aud", "sub", "sid", "org", "scope", "auth_time", "iat", "exp", "jti"))))
                .withHeader("Cache-Control", PUBLIC_FOR_MINUTES));
    }

    private Future<Reply> withdraw(Call call) {
        String kid = call.text("kid");
        return keys.withdraw(kid, call.caller().id(), call.text("reason")).map(found -> {
            if (!found) {
                throw SignInError.KEY_NOT_FOUND.refusal();
            }
            security.acted(call.caller().id(), "key.withdrawn", kid);
            return Reply.sentence("Key withdrawn.");
        });
    }
}
