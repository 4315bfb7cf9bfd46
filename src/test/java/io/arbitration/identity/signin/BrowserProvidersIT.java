package io.arbitration.identity.signin;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.OtherRuntimes;
import io.arbitration.RunningPlatform;
import io.arbitration.platform.FreePort;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.CookieManager;
import java.net.CookiePolicy;
import java.net.HttpCookie;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A browser signs in at a provider that others wrote, npm's oidc-provider, and is logged out from there. */
class BrowserProvidersIT {

    private static final String CLIENT = "arbitration-app";
    private static final String SECRET = "a secret: with / + and %";
    private static final Pattern ACTION = Pattern.compile("action=\"([^\"]+)\"");
    private static final Pattern XSRF = Pattern.compile("name=\"xsrf\" value=\"([^\"]+)\"");

    @TempDir
    private Path folder;
    private final CookieManager cookies = new CookieManager(null, CookiePolicy.ACCEPT_ALL);
    private final HttpClient browser = HttpClient.newBuilder().cookieHandler(cookies).followRedirects(HttpClient.Redirect.ALWAYS)
            .version(HttpClient.Version.HTTP_1_1).build();
    private RunningPlatform platform;
    private String origin;
    private String provider;
    private Optional<Process> running = Optional.empty();

    @BeforeEach
    void start() throws IOException {
        int port = FreePort.any();
        int providerPort = FreePort.any();
        origin = "http://localhost:" + port;
        provider = "http://localhost:" + providerPort;
        JsonObject settings = new JsonObject().put("node", new JsonObject().put("issuer", provider).put("audiences", new JsonArray().add(CLIENT))
                .put("jwksUrl", provider + "/jwks").put("clientID", CLIENT).put("clientSecret", SECRET));
        platform = RunningPlatform.start(folder, Map.of("ACP_HTTP_PORT", String.valueOf(port), "ACP_IDENTITY_PROVIDERS", settings.encode()));
    }

    @AfterEach
    void stop() {
        running.ifPresent(Process::destroy);
        platform.close();
    }

    private void startProvider(Path node) throws IOException {
        Path script = node.resolve("provider.mjs");
        Files.copy(Path.of("src/test/resources/oidc/provider.mjs"), script, StandardCopyOption.REPLACE_EXISTING);
        Process process = new ProcessBuilder("node", script.toString(), String.valueOf(URI.create(provider).getPort()), CLIENT, SECRET,
                origin + "/auth/callback/node", origin + "/auth/backchannel-logout/node").redirectErrorStream(true).start();
        running = Optional.of(process);
        BufferedReader printed = process.inputReader();
        StringBuilder all = new StringBuilder();
        for (String line = printed.readLine(); !"ready".equals(line); line = printed.readLine()) {
            assertThat(line).as("the provider starts; it said: " + all).isNotNull();
            all.append(line).append('\n');
        }
        Thread.startVirtualThread(() -> printed.lines().forEach(line -> {}));
    }

    private HttpResponse<String> get(String address) throws IOException, InterruptedException {
        return browser.send(HttpRequest.newBuilder(URI.create(address)).timeout(Duration.ofSeconds(30)).build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Sends the form of a page of the provider. */
    private HttpResponse<String> submit(HttpResponse<String> page, String... fields) throws IOException, InterruptedException {
        Matcher action = ACTION.matcher(page.body());
        assertThat(action.find()).as(page.uri() + " " + page.body()).isTrue();
        StringBuilder form = new StringBuilder();
        for (int i = 0; i < fields.length; i += 2) {
            form.append(i == 0 ? "" : "&").append(fields[i]).append('=').append(URLEncoder.encode(fields[i + 1], StandardCharsets.UTF_8));
        }
        HttpRequest request = HttpRequest.newBuilder(page.uri().resolve(action.group(1).replace("&amp;", "&"))).timeout(Duration.ofSeconds(30))
                .header("Content-Type", "application/x-www-form-urlencoded").POST(HttpRequest.BodyPublishers.ofString(form.toString())).build();
        return browser.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private int me() throws IOException, InterruptedException {
        return browser.send(HttpRequest.newBuilder(URI.create(origin + "/auth/users/me")).header("Origin", origin)
                .POST(HttpRequest.BodyPublishers.noBody()).build(), HttpResponse.BodyHandlers.ofString()).statusCode();
    }

    @Test
    void aBrowserSignsInAndIsOutWhenItLogsOutAtTheProvider() throws Exception {
        Optional<Path> node = OtherRuntimes.node("oidc-provider@9.13.3");
        Assumptions.assumeTrue(node.isPresent(), "no Node.js with oidc-provider");
        startProvider(node.get());

        HttpResponse<String> login = get(origin + "/auth/login/node?returnTo=/docs");
        HttpResponse<String> consent = submit(login, "prompt", "login", "login", "nora", "password", "any");
        HttpResponse<String> done = submit(consent, "prompt", "consent");
        assertThat(done.uri()).as(done.body()).isEqualTo(URI.create(origin + "/docs"));
        assertThat(done.statusCode()).isEqualTo(200);
        assertThat(cookies.getCookieStore().getCookies()).extracting(HttpCookie::getName).contains("session");
        assertThat(me()).isEqualTo(200);
        assertThat(platform.rows("select u.email, u.first_name, s.provider_session is not null from identity.sessions s join identity.users u using (user_id)"))
                .containsExactly(List.of("nora@example.org", "Nora", "t"));

        HttpResponse<String> asked = get(provider + "/session/end");
        Matcher xsrf = XSRF.matcher(asked.body());
        assertThat(xsrf.find()).as(asked.body()).isTrue();
        submit(asked, "xsrf", xsrf.group(1), "logout", "yes");
        Await.until("the provider's log-out ends the session", () -> me() == 401);
    }

    @Test
    void aProviderThatIsAwayIsSaidToBe() throws Exception {
        HttpResponse<String> away = get(origin + "/auth/login/node");
        assertThat(away.statusCode()).isEqualTo(503);
        assertThat(away.body()).isEqualTo("\"the identity provider does not answer\"");
        assertThat(away.headers().firstValue("Retry-After")).isPresent();
    }
}
