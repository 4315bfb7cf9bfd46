package io.arbitration.identity.signin;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jwt.SignedJWT;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** From a demo ID token to a token set and what it says. */
class SignInIT {

    private final RunningPlatform platform = RunningPlatform.shared();

    private static String freshEmail() {
        return "user-" + UUID.randomUUID() + "@example.com";
    }

    private Answer demoToken(String path, JsonObject body) {
        return platform.post(path, body, null);
    }

    private static JsonObject ada(String email) {
        return new JsonObject().put("email", email).put("first_name", "Ada").put("last_name", "Lindqvist");
    }

    @Test
    void aDemoIdTokenFromEitherPlaceSignsTheSameUserIn() {
        String email = freshEmail();
        for (String path : List.of("/auth/demo/id-token", "/demo/id-token")) {
            String idToken = demoToken(path, ada(email)).object().getString("idToken");
            Answer answer = platform.post("/auth/authenticate/demo", new JsonObject().put("idToken", idToken), null);
            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            assertThat(answer.object().fieldNames()).containsExactlyInAnyOrder("accessToken", "refreshToken", "validForSeconds");
            assertThat(answer.object().getInteger("validForSeconds")).isEqualTo(3600);
            assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
        }
        assertThat(platform.signIn(email, "Other", "Name").id()).isEqualTo(platform.signIn(email.toUpperCase(), "A", "B").id());
    }

    @Test
    void theProfileIsWhatTheFirstIdTokenSaid() {
        String email = freshEmail();
        RunningPlatform.Person ada = platform.signIn(email, "Ada", "Lindqvist");
        platform.signIn(email, "Eve", "Else");
        assertThat(platform.post("/auth/users/me", (JsonObject) null, ada.token()).object()).isEqualTo(new JsonObject()
                .put("id", ada.id()).put("email", email).put("first_name", "Ada").put("last_name", "Lindqvist")
                .putNull("organizationID").put("permissions", new JsonArray()));
    }

    @Test
    void theConfiguredSuperAdministratorHasThePermissionInTheProfileAndInTheToken() throws Exception {
        RunningPlatform.Person administrator = platform.administrator();
        assertThat(platform.post("/auth/users/me", (JsonObject) null, administrator.token()).object().getJsonArray("permissions"))
                .containsExactly("admin.platform.super");
        assertThat(SignedJWT.parse(administrator.token()).getJWTClaimsSet().getStringClaim("scope"))
                .isEqualTo("admin.platform.super");
    }

    @Test
    void anAccessTokenVerifiesWithThePublishedKeysAndCarriesTheClaimsOfTheContract() throws Exception {
        RunningPlatform.Person ada = platform.signIn(freshEmail(), "Ada", "Lindqvist");
        SignedJWT token = SignedJWT.parse(ada.token());
        Answer keys = platform.get("/auth/.well-known/jwks.json");
        assertThat(keys.header("Cache-Control")).isEqualTo("public, max-age=300");
        assertThat(keys.body()).doesNotContain("\"d\"");
        ECKey key = (ECKey) JWKSet.parse(keys.body()).getKeyByKeyId(token.getHeader().getKeyID());
        assertThat(token.verify(new ECDSAVerifier(key))).isTrue();
        JsonObject discovery = platform.get("/auth/.well-known/openid-configuration").object();
        assertThat(token.getJWTClaimsSet().getIssuer()).isEqualTo(discovery.getString("issuer"));
        assertThat(discovery.getString("jwks_uri")).isEqualTo(discovery.getString("issuer") + "/.well-known/jwks.json");
        assertThat(token.getJWTClaimsSet().getClaims().keySet())
                .containsExactlyInAnyOrder("iss", "aud", "sub", "sid", "scope", "auth_time", "iat", "exp", "jti");
        assertThat(token.getJWTClaimsSet().getSubject()).isEqualTo(ada.id());
    }

    @Test
    void anUnverifiedEmailIsRefused() {
        String idToken = demoToken("/demo/id-token", ada(freshEmail()).put("email_verified", false)).object().getString("idToken");
        Answer answer = platform.post("/auth/authenticate/demo", new JsonObject().put("idToken", idToken), null);
        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.sentence()).isEqualTo("email not verified");
        assertThat(answer.header("Error-Code")).isEqualTo("identity.email-not-verified");
    }

    @Test
    void anUnknownProviderIsNotFound() {
        for (String name : List.of("google", "DEMO", "demo%20", "..%2Fdemo")) {
            Answer answer = platform.post("/auth/authenticate/" + name, new JsonObject().put("idToken", "x"), null);
            assertThat(answer.status()).as(name).isEqualTo(404);
            assertThat(answer.sentence()).isEqualTo("identity provider not found");
        }
    }
}
