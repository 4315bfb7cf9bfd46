package io.arbitration.identity.signin;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.SignedJWT;
import io.arbitration.Await;
import io.arbitration.MovableClock;
import io.arbitration.OtherRuntimes;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.platform.FreePort;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A browser signs in at a provider that others wrote, npm's oidc-provider: with its clock half a minute off, when it has changed its keys,
 * while it is away, and until it logs out there.
 */
class BrowserProvidersIT {

    private static final String CLIENT = "arbitration-app";
    private static final String SECRET = "a secret: with / + and %";
    private static final String VERIFIER = "v".repeat(43);
    private static final String AWAY = "the identity provider does not answer";
    private static final MovableClock CLOCK = new MovableClock();
    /** The platform's names of the provider: one for each test, which moves the clock by which its keys are read. */
    private static final List<String> NAMES = List.of("node", "clocks", "rotating", "away", "unasked");

    @TempDir
    private static Path folder;
    private static RunningPlatform platform;
    private static Optional<Path> node;
    private static String origin;
    private static String provider;
    private static RSAKey first;
    private Optional<Process> running = Optional.empty();

    @BeforeAll
    static void start() throws Exception {
        node = OtherRuntimes.node("oidc-provider@9.13.3");
        int port = FreePort.any();
        origin = "http://localhost:" + port;
        provider = "http://localhost:" + FreePort.any();
        first = key("first");
        platform = RunningPlatform.start(folder, Map.of("ACP_HTTP_PORT", String.valueOf(port), "ACP_IDENTITY_PROVIDERS",
                new JsonObject(NAMES.stream().collect(Collectors.<String, String, Object>toMap(name -> name, name -> settings()))).encode()), CLOCK);
    }

    @AfterAll
    static void stop() {
        platform.close();
    }

    @AfterEach
    void leave() {
        endProvider();
        CLOCK.ahead(Duration.ZERO);
    }

    private static JsonObject settings() {
        return new JsonObject().put("issuer", provider).put("audiences", new JsonArray().add(CLIENT)).put("jwksUrl", provider + "/jwks")
                .put("clientID", CLIENT).put("clientSecret", SECRET);
    }

    private static RSAKey key(String id) throws JOSEException {
        return new RSAKeyGenerator(2048).keyID(id).keyUse(KeyUse.SIGNATURE).algorithm(JWSAlgorithm.RS256).generate();
    }

    private void endProvider() {
        running.ifPresent(process -> {
            process.destroy();
            process.onExit().join();
        });
        running = Optional.empty();
    }

    /** The provider with these keys, of which the first signs; in the place of the one that runs. Its sessions are gone. */
    private void startProvider(RSAKey... keys) throws IOException {
        Assumptions.assumeTrue(node.isPresent(), "no Node.js with oidc-provider");
        endProvider();
        Path script = node.get().resolve("provider.mjs");
        Files.copy(Path.of("src/test/resources/oidc/provider.mjs"), script, StandardCopyOption.REPLACE_EXISTING);
        Process process = new ProcessBuilder("node", script.toString(), String.valueOf(URI.create(provider).getPort()), CLIENT, SECRET,
                String.join(",", NAMES.stream().map(name -> origin + "/auth/callback/" + name).toList()), origin + "/auth/backchannel-logout/node", new JWKSet(List.of(keys)).toString(false)).redirectErrorStream(true).start();
        running = Optional.of(process);
        BufferedReader printed = process.inputReader();
        StringBuilder all = new StringBuilder();
        for (String line = printed.readLine(); !"ready".equals(line); line = printed.readLine()) {
            assertThat(line).as("the provider starts; it said: " + all).isNotNull();
            all.append(line).append('\n');
        }
        Thread.startVirtualThread(() -> printed.lines().forEach(line -> {}));
    }

    private static HttpResponse<String> signIn(HttpBrowser browser, String at) {
        HttpResponse<String> login = browser.go(origin + "/auth/login/" + at + "?returnTo=/docs");
        HttpResponse<String> consent = browser.submit(login, "prompt", "login", "login", "nora", "password", "any");
        return browser.submit(consent, "prompt", "consent");
    }

    private static void assertSignsIn(String at, String when) {
        try (HttpBrowser browser = new HttpBrowser()) {
            HttpResponse<String> done = signIn(browser, at);
            assertThat(done.uri()).as(when + done.body()).isEqualTo(URI.create(origin + "/docs"));
            assertThat(browser.isIn(origin)).as(when).isTrue();
        }
    }

    /** An ID token for the platform, of a sign-in whose code this test exchanges in the place of the platform. */
    private static String idToken(String at) throws Exception {
        String challenge = Base64.getUrlEncoder().withoutPadding().encodeToString(java.security.MessageDigest.getInstance("SHA-256").digest(VERIFIER.getBytes()));
        String back = origin + "/auth/callback/" + at;
        try (HttpBrowser browser = new HttpBrowser()) {
            HttpResponse<String> login = browser.go(provider + "/auth?response_type=code&scope=openid%20email%20profile&state=s&code_challenge_method=S256&code_challenge="
                    + challenge + "&client_id=" + CLIENT + "&redirect_uri=" + URLEncoder.encode(back, StandardCharsets.UTF_8));
            HttpResponse<String> consent = browser.submit(login, "prompt", "login", "login", "nora", "password", "any");
            // The platform refuses what it did not begin, so that the code stays good.
            HttpResponse<String> returned = browser.submit(consent, "prompt", "consent");
            assertThat(returned.statusCode()).as(returned.uri() + returned.body()).isEqualTo(400);
            String code = returned.uri().getQuery().replaceFirst(".*\\bcode=([^&]*).*", "$1");
            String basic = Base64.getEncoder().encodeToString((URLEncoder.encode(CLIENT, StandardCharsets.UTF_8) + ":" + URLEncoder.encode(SECRET, StandardCharsets.UTF_8)).getBytes());
            try (HttpClient client = HttpClient.newHttpClient()) {
                HttpResponse<String> tokens = client.send(HttpRequest.newBuilder(URI.create(provider + "/token")).header("Authorization", "Basic " + basic)
                        .header("Content-Type", "application/x-www-form-urlencoded").POST(HttpRequest.BodyPublishers.ofString(
                                "grant_type=authorization_code&code=%s&code_verifier=%s&redirect_uri=%s".formatted(code, VERIFIER, URLEncoder.encode(back, StandardCharsets.UTF_8))))
                        .build(), HttpResponse.BodyHandlers.ofString());
                assertThat(tokens.statusCode()).as(tokens.body()).isEqualTo(200);
                return new JsonObject(tokens.body()).getString("id_token");
            }
        }
    }

    private static Answer exchanged(String at, String idToken) {
        return platform.post("/auth/authenticate/" + at, new JsonObject().put("idToken", idToken), null);
    }

    private static void assertRefused(Answer answer, int status, String sentence) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.sentence()).isEqualTo(sentence);
    }

    @Test
    void aBrowserSignsInAndIsOutWhenItLogsOutAtTheProvider() throws Exception {
        startProvider(first);
        try (HttpBrowser browser = new HttpBrowser(); HttpBrowser elsewhere = new HttpBrowser()) {
            HttpResponse<String> done = signIn(browser, "node");
            assertThat(done.uri()).as(done.body()).isEqualTo(URI.create(origin + "/docs"));
            assertThat(done.statusCode()).isEqualTo(200);
            assertThat(browser.cookieNames()).contains("session");
            assertThat(browser.isIn(origin)).isTrue();
            assertThat(platform.rows("select u.email, u.first_name, s.provider_session is not null from identity.sessions s join identity.users u using (user_id) where s.ended_at is null"))
                    .contains(List.of("nora@example.org", "Nora", "t"));
            signIn(elsewhere, "node");

            HttpResponse<String> asked = browser.go(provider + "/session/end");
            browser.submit(asked, "xsrf", HttpBrowser.hidden(asked, "xsrf"), "logout", "yes");
            Await.until("the provider's log-out ends the session", () -> !browser.isIn(origin));
            assertThat(elsewhere.isIn(origin)).as("another browser").isTrue();
        }
    }

    @Test
    void clocksMayBeHalfAMinuteApart() throws Exception {
        startProvider(first);
        for (int seconds : new int[] {30, -30}) {
            CLOCK.ahead(Duration.ofSeconds(seconds));
            assertSignsIn("clocks", "%d s".formatted(seconds));
            assertThat(exchanged("clocks", idToken("clocks")).status()).as("%d s", seconds).isEqualTo(200);
        }
        CLOCK.ahead(Duration.ofSeconds(-35));
        assertRefused(exchanged("clocks", idToken("clocks")), 401, "invalid ID token");
    }

    @Test
    void aProviderMayChangeItsKeys() throws Exception {
        RSAKey second = key("second");
        startProvider(first);
        String before = idToken("rotating");
        assertThat(exchanged("rotating", before).status()).isEqualTo(200);
        startProvider(second, first);
        String after = idToken("rotating");
        assertThat(SignedJWT.parse(after).getHeader().getKeyID()).isEqualTo("second");
        CLOCK.ahead(ProviderKeys.BETWEEN_READS);
        assertThat(exchanged("rotating", after).status()).as("the new key is found without waiting for the kept ones to age").isEqualTo(200);
        assertThat(exchanged("rotating", before).status()).as("the old one is still published").isEqualTo(200);
        assertSignsIn("rotating", "with the new key");
        startProvider(second);
        CLOCK.ahead(ProviderKeys.BETWEEN_READS.plus(ProviderKeys.FRESH));
        assertRefused(exchanged("rotating", before), 401, "invalid ID token");
        assertThat(exchanged("rotating", after).status()).isEqualTo(200);
    }

    @Test
    void aProviderThatIsAwayIsSaidToBeAndOthersSignIn() throws Exception {
        startProvider(first);
        String kept = idToken("away");
        Answer signedIn = exchanged("away", kept);
        assertThat(signedIn.status()).as(signedIn.body()).isEqualTo(200);
        assertThat(platform.get("/auth/login/away").status()).isEqualTo(302);
        endProvider();
        Answer away = platform.get("/auth/login/unasked");
        assertRefused(away, 503, AWAY);
        assertThat(away.header("Retry-After")).isNotNull();
        Answer begun = platform.get("/auth/login/away");
        assertThat(begun.status()).as("its addresses are known").isEqualTo(302);
        String state = begun.header("Location").replaceFirst(".*[?&]state=([^&]*).*", "$1");
        assertRefused(platform.get("/auth/callback/away?code=x&state=%s&iss=%s".formatted(state, URLEncoder.encode(provider, StandardCharsets.UTF_8)),
                "Cookie", begun.header("Set-Cookie").split(";")[0]), 503, AWAY);
        assertThat(exchanged("away", kept).status()).as("kept keys serve").isEqualTo(200);
        assertThat(platform.post("/auth/sessions/refresh", new JsonObject().put("refreshToken", signedIn.object().getString("refreshToken")), null).status())
                .as("a session goes on").isEqualTo(200);
        assertThat(platform.signIn("somebody@example.org", "Sam", "Somebody").token()).as("at another provider").isNotEmpty();
        startProvider(first);
        assertSignsIn("away", "it is back");
    }
}
