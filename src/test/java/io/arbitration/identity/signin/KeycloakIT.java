package io.arbitration.identity.signin;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.AwaitedDocument;
import io.arbitration.MovableClock;
import io.arbitration.OtherRuntimes;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.platform.FreePort;
import io.arbitration.platform.browser.Chromium;
import io.arbitration.platform.browser.PageSession;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** People sign in at a real Keycloak, in a real browser and by tokens, as the guide for sign-in configures it. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class KeycloakIT {

    private static final String CLIENT = "arbitration-app";
    private static final String SECRET = "a secret: with / + and %";
    private static final String PASSWORD = "correct horse";
    private static final String REALM = "company";
    private static final MovableClock CLOCK = new MovableClock();

    @TempDir
    private static Path folder;
    private static Optional<Keycloak> keycloak = Optional.empty();
    private static RunningPlatform platform;
    private static String origin;

    private AwaitedDocument document;

    @BeforeAll
    static void start() throws Exception {
        Assumptions.assumeTrue(OtherRuntimes.counterparts("Keycloak"), "left to ./acp counterparts");
        int port = FreePort.any();
        origin = "http://localhost:" + port;
        keycloak = Keycloak.start(realm());
        Assumptions.assumeTrue(keycloak.isPresent(), "no Keycloak");
        platform = RunningPlatform.start(folder, Map.of("ACP_HTTP_PORT", String.valueOf(port), "ACP_IDENTITY_PROVIDERS", new JsonObject()
                .put("company", provider().put("clientID", CLIENT).put("clientSecret", SECRET))
                .put("text", provider().put("audiences", new JsonArray().add("writes-text")).put("emailVerifiedAsText", true))
                .put("strict", provider().put("audiences", new JsonArray().add("writes-text")))
                .put("unasked", provider().put("clientID", CLIENT).put("clientSecret", SECRET)).encode()), CLOCK);
    }

    @AfterAll
    static void stop() {
        if (platform != null) {
            platform.close();
        }
        keycloak.ifPresent(Keycloak::close);
    }

    @AfterEach
    void thePresent() {
        CLOCK.ahead(Duration.ZERO);
    }

    private static JsonObject provider() {
        String issuer = keycloak.orElseThrow().issuer();
        return new JsonObject().put("issuer", issuer).put("audiences", new JsonArray().add(CLIENT))
                .put("jwksUrl", issuer + "/protocol/openid-connect/certs");
    }

    /** As the guide says, and with what a realm may have beside it. */
    private static JsonObject realm() throws IOException {
        // The exchange of tokens is tried here without a page that would sign people in: by their passwords.
        JsonObject app = clientOfTheGuide().put("secret", SECRET).put("directAccessGrantsEnabled", true);
        JsonObject other = new JsonObject().put("clientId", "another-app").put("secret", SECRET).put("publicClient", false)
                .put("directAccessGrantsEnabled", true).put("protocolMappers", new JsonArray().add(mapper("for-us", "oidc-audience-mapper",
                        new JsonObject().put("included.client.audience", CLIENT).put("access.token.claim", "true"))));
        JsonObject text = new JsonObject().put("clientId", "writes-text").put("secret", SECRET).put("publicClient", false)
                .put("directAccessGrantsEnabled", true).put("defaultClientScopes", new JsonArray().add("basic").add("profile"))
                .put("protocolMappers", new JsonArray()
                        .add(mapper("address", "oidc-usermodel-property-mapper", new JsonObject().put("user.attribute", "email")
                                .put("claim.name", "email").put("id.token.claim", "true").put("jsonType.label", "String")))
                        .add(mapper("verified", "oidc-hardcoded-claim-mapper", new JsonObject().put("claim.name", "email_verified")
                                .put("claim.value", "true").put("id.token.claim", "true").put("jsonType.label", "String"))));
        // How long it takes to hash a password is not what is tried here.
        return new JsonObject().put("realm", REALM).put("enabled", true).put("sslRequired", "none")
                .put("passwordPolicy", "hashAlgorithm(pbkdf2-sha512) and hashIterations(1)")
                .put("clients", new JsonArray().add(app).add(other).add(text))
                .put("users", new JsonArray().add(user("nora", true)).add(user("tove", true)).add(user("ulf", false)));
    }

    private static JsonObject clientOfTheGuide() throws IOException {
        String guide = Files.readString(Path.of("docs/guides/sign-in.md"));
        int start = guide.indexOf("{\n  \"clientId\"");
        String client = guide.substring(start, guide.indexOf("```", start));
        assertThat(client).contains("https://arbitration.example.org/");
        return new JsonObject(client.replace("https://arbitration.example.org", origin));
    }

    private static JsonObject mapper(String name, String type, JsonObject config) {
        return new JsonObject().put("name", name).put("protocol", "openid-connect").put("protocolMapper", type).put("config", config);
    }

    private static JsonObject user(String name, boolean emailVerified) {
        return new JsonObject().put("username", name).put("enabled", true).put("email", name + "@example.org").put("emailVerified", emailVerified)
                .put("firstName", name.substring(0, 1).toUpperCase() + name.substring(1)).put("lastName", "Nyberg")
                .put("credentials", new JsonArray().add(new JsonObject().put("type", "password").put("value", PASSWORD).put("temporary", false)));
    }

    // A browser

    private static void go(PageSession page, String address) {
        Await.result(page.call("Page.navigate", new JsonObject().put("url", address)));
    }

    /** A page that is being left cannot be asked. */
    private void awaitTrue(PageSession page, String what, String expression) {
        try {
            Await.despiteFailures(what, Await.BOUND, () -> Boolean.TRUE.equals(Await.result(page.evaluate(expression))));
        } catch (AssertionError late) {
            throw new AssertionError("%s; %s".formatted(late.getMessage(), document), late);
        }
    }

    /** Fills Keycloak's form. */
    private void enter(PageSession page, String user, String password) {
        awaitTrue(page, "Keycloak asks who signs in", "document.querySelector('#username') !== null && document.readyState === 'complete'");
        Await.result(page.evaluate("""
                document.querySelector('#username').value = '%s';
                document.querySelector('#password').value = '%s';
                document.querySelector('#kc-form-login').setAttribute('data-sent', 'yes');
                document.querySelector('#kc-form-login').requestSubmit();
                """.formatted(user, password)));
    }

    private void awaitBack(PageSession page, String path) {
        awaitTrue(page, "the browser comes back", "location.href === '%s%s' && document.readyState === 'complete'".formatted(origin, path));
    }

    private static HttpBrowser signedIn(String user) {
        HttpBrowser browser = new HttpBrowser();
        HttpResponse<String> login = browser.go(origin + "/auth/login/company?returnTo=/docs");
        HttpResponse<String> done = browser.submit(login, "username", user, "password", PASSWORD, "credentialId", "");
        assertThat(done.uri()).as(done.body()).isEqualTo(URI.create(origin + "/docs"));
        assertThat(browser.isIn(origin)).isTrue();
        return browser;
    }

    private static String fetched(PageSession page, String path) {
        return (String) Await.result(page.evaluate("fetch('%s', {method: 'POST'}).then(async answer => answer.status + ' ' + await answer.text())".formatted(path)));
    }

    private static boolean isIn(PageSession page) {
        String me = fetched(page, "/auth/users/me");
        assertThat(me).matches("(?s)(200|401) .*");
        return me.startsWith("200");
    }

    /** In a real one, with Keycloak's own pages and scripts. */
    @Test
    void aBrowserSignsInAtKeycloakAndComesBackToWhereItWantedToGo() {
        Optional<Path> binary = Chromium.find(Optional.ofNullable(System.getenv("ACP_CHROMIUM")));
        if (binary.isEmpty()) {
            System.out.println("skipped: no browser on this machine for the sign-in at Keycloak");
        }
        Assumptions.assumeTrue(binary.isPresent(), "no browser");
        Vertx vertx = Vertx.vertx();
        Chromium chromium = Await.result(Chromium.launch(vertx, binary.get(), List.of(), Await.BOUND));
        try {
            PageSession page = Await.result(chromium.open());
            document = new AwaitedDocument(page);
            Await.result(page.call("Page.enable"));
            go(page, origin + "/auth/login/company?returnTo=/docs");
            enter(page, "nora", "wrong");
            awaitTrue(page, "Keycloak refuses a wrong password",
                    "document.querySelector('#username') !== null && !document.querySelector('#kc-form-login').hasAttribute('data-sent')");
            enter(page, "nora", PASSWORD);
            awaitBack(page, "/docs");
            assertThat(fetched(page, "/auth/users/me")).startsWith("200 ").contains("\"email\":\"nora@example.org\"", "\"first_name\":\"Nora\"");
            assertThat((String) Await.result(page.evaluate("document.cookie"))).as("the session's cookie is out of reach for scripts").doesNotContain("session");
            assertThat(fetched(page, "/auth/logout")).isEqualTo("200 \"Signed out.\"");
            assertThat(isIn(page)).isFalse();
            go(page, origin + "/auth/login/company?returnTo=/docs");
            awaitBack(page, "/docs");
            assertThat(isIn(page)).as("Keycloak still knows who it is").isTrue();

            go(page, keycloak.orElseThrow().issuer() + "/protocol/openid-connect/logout?client_id=" + CLIENT);
            awaitTrue(page, "Keycloak asks", "document.querySelector('#kc-logout') !== null && document.readyState === 'complete'");
            Await.result(page.evaluate("document.querySelector('#kc-logout').click()"));
            awaitTrue(page, "it is done", "document.querySelector('#kc-logout') === null && document.readyState === 'complete'");
            go(page, origin + "/docs");
            awaitBack(page, "/docs");
            Await.until("Keycloak's log-out ends the session here", () -> !isIn(page));
        } finally {
            Await.result(chromium.close());
            Await.result(vertx.close());
        }
    }

    @Test
    void whoLogsOutAtKeycloakIsOutAndOnlyInThatBrowser() {
        try (HttpBrowser browser = signedIn("nora"); HttpBrowser elsewhere = signedIn("nora")) {
            HttpResponse<String> asked = browser.go(keycloak.orElseThrow().issuer() + "/protocol/openid-connect/logout?client_id=" + CLIENT);
            browser.submit(asked, "session_code", HttpBrowser.hidden(asked, "session_code"), "confirmLogout", "Logout");
            Await.until("Keycloak's log-out ends the session here", () -> !browser.isIn(origin));
            assertThat(elsewhere.isIn(origin)).isTrue();
        }
    }

    @Test
    void whomAnAdministratorOfKeycloakLogsOutIsOutEverywhere() {
        try (HttpBrowser browser = signedIn("tove")) {
            String token = exchanged("company", idToken("tove")).object().getString("accessToken");
            assertThat(me(token).status()).isEqualTo(200);
            keycloak.orElseThrow().logOut("tove");
            Await.until("the browser's session ends", () -> !browser.isIn(origin));
            Await.until("the session with tokens ends", () -> me(token).status() == 401);
        }
        assertThat(exchanged("company", idToken("tove")).status()).as("a new sign-in").isEqualTo(200);
    }

    // Tokens

    private static String idToken(String user) {
        return tokens(CLIENT, user, "openid email profile").getString("id_token");
    }

    private static JsonObject tokens(String client, String user, String scope) {
        return keycloak.orElseThrow().tokens(client, SECRET, user, PASSWORD, scope);
    }

    private static Answer exchanged(String provider, String idToken) {
        return platform.post("/auth/authenticate/" + provider, new JsonObject().put("idToken", idToken), null);
    }

    private static Answer me(String accessToken) {
        return platform.post("/auth/users/me", (JsonObject) null, accessToken);
    }

    private static Answer refreshed(Answer tokens) {
        return platform.post("/auth/sessions/refresh", new JsonObject().put("refreshToken", tokens.object().getString("refreshToken")), null);
    }

    private static String header(String token, String name) {
        return new JsonObject(new String(Base64.getUrlDecoder().decode(token.split("\\.")[0]), StandardCharsets.UTF_8)).getString(name);
    }

    private static void assertRefused(Answer answer, int status, String sentence) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.sentence()).isEqualTo(sentence);
    }

    @Test
    void anIdTokenIsExchangedAndTheSessionRenewed() {
        Answer signedIn = exchanged("company", idToken("nora"));
        assertThat(signedIn.status()).as(signedIn.body()).isEqualTo(200);
        Answer next = refreshed(signedIn);
        assertThat(next.status()).isEqualTo(200);
        assertThat(me(next.object().getString("accessToken")).object().getString("email")).isEqualTo("nora@example.org");
    }

    @Test
    void noOtherTokenOfKeycloakSignsIn() {
        JsonObject own = tokens(CLIENT, "nora", "openid email profile");
        for (String kind : List.of("access_token", "refresh_token")) {
            assertRefused(exchanged("company", own.getString(kind)), 401, "invalid ID token");
        }
        JsonObject others = tokens("another-app", "nora", "openid email profile");
        assertRefused(exchanged("company", others.getString("id_token")), 401, "invalid ID token");
        String forUs = others.getString("access_token");
        assertThat(new String(Base64.getUrlDecoder().decode(forUs.split("\\.")[1]), StandardCharsets.UTF_8))
                .contains("\"aud\":\"%s\"".formatted(CLIENT), "\"azp\":\"another-app\"", "\"email_verified\":true");
        assertRefused(exchanged("company", forUs), 401, "invalid ID token");
    }

    @Test
    void clocksMayBeHalfAMinuteApart() {
        for (int seconds : new int[] {30, -30}) {
            CLOCK.ahead(Duration.ofSeconds(seconds));
            assertThat(exchanged("company", idToken("nora")).status()).as("%d s", seconds).isEqualTo(200);
            signedIn("nora").close();
        }
        CLOCK.ahead(Duration.ofSeconds(-35));
        Instant begun;
        Answer refused;
        do {
            begun = Instant.now();
            refused = exchanged("company", idToken("nora"));
            // The token names whole seconds: one that is used more than 4 s after its issue is within the 30 s.
        } while (Duration.between(begun, Instant.now()).toSeconds() >= 4);
        assertRefused(refused, 401, "invalid ID token");
    }

    @Test
    void anEmailMustBeVerifiedAndMayBeSoAsTextWhereTheProviderIsMarked() {
        assertRefused(exchanged("company", idToken("ulf")), 403, "email not verified");
        String text = tokens("writes-text", "nora", "openid").getString("id_token");
        assertThat(new String(Base64.getUrlDecoder().decode(text.split("\\.")[1]), StandardCharsets.UTF_8)).contains("\"email_verified\":\"true\"");
        assertRefused(exchanged("strict", text), 403, "email not verified");
        assertThat(exchanged("text", text).status()).isEqualTo(200);
    }

    @Test
    @Order(Order.DEFAULT + 1)
    void aRealmMayChangeItsKeys() {
        String before = idToken("nora");
        assertThat(exchanged("company", before).status()).isEqualTo(200);
        keycloak.orElseThrow().rotateKeys();
        String after = idToken("nora");
        assertThat(header(after, "kid")).isNotEqualTo(header(before, "kid"));
        CLOCK.ahead(ProviderKeys.BETWEEN_READS);
        assertThat(exchanged("company", after).status()).as("the new key is found without waiting for the kept ones to age").isEqualTo(200);
        assertThat(exchanged("company", before).status()).as("Keycloak still publishes the old one").isEqualTo(200);
        signedIn("nora").close();
        keycloak.orElseThrow().forgetOldKeys();
        CLOCK.forward(ProviderKeys.FRESH);
        Answer signedIn = exchanged("company", before);
        assertThat(signedIn.status()).as("signed by a key that is gone: " + signedIn.body()).isEqualTo(401);
    }

    @Test
    @Order(Order.DEFAULT + 2)
    void aKeycloakThatIsAwayIsSaidToBeAndOthersSignIn() {
        String kept = idToken("nora");
        Answer signedIn = exchanged("company", kept);
        keycloak.orElseThrow().close();
        assertRefused(platform.get("/auth/login/unasked"), 503, "the identity provider does not answer");
        Answer keys = exchanged("unasked", kept);
        assertRefused(keys, 503, "the keys of the identity provider are not available");
        assertThat(keys.header("Retry-After")).isEqualTo("5");
        Answer begun = platform.get("/auth/login/company");
        assertThat(begun.status()).as("its addresses are known").isEqualTo(302);
        String state = begun.header("Location").replaceFirst(".*[?&]state=([^&]*).*", "$1");
        String issuer = URLEncoder.encode(keycloak.orElseThrow().issuer(), StandardCharsets.UTF_8);
        assertRefused(platform.get("/auth/callback/company?code=x&state=%s&iss=%s".formatted(state, issuer), "Cookie", begun.header("Set-Cookie").split(";")[0]), 503,
                "the identity provider does not answer");

        assertThat(platform.health().getString("status")).isEqualTo("UP");
        assertThat(refreshed(signedIn).status()).as("a session goes on").isEqualTo(200);
        assertThat(exchanged("company", kept).status()).as("kept keys serve").isEqualTo(200);
        assertThat(platform.signIn("somebody@example.org", "Sam", "Somebody").token()).as("at another provider").isNotEmpty();
    }
}
