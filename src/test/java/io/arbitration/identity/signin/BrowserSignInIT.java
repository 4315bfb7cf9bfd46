package io.arbitration.identity.signin;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.identity.Secrets;
import io.arbitration.platform.FreePort;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A browser signs in at the demo provider, works with its cookie, and signs out. */
class BrowserSignInIT {

    @TempDir
    private static Path folder;
    private static RunningPlatform platform;
    private static String origin;

    @BeforeAll
    static void start() throws IOException {
        int port = FreePort.any();
        origin = "http://localhost:" + port;
        platform = RunningPlatform.start(folder, Map.of("ACP_HTTP_PORT", String.valueOf(port)));
    }

    @AfterAll
    static void stop() {
        platform.close();
    }

    private static Answer get(String address, String... headers) {
        assertThat(address).startsWith(origin);
        return platform.get(address.substring(origin.length()), headers);
    }

    private static String cookie(Answer answer, String name) {
        String set = answer.header("Set-Cookie");
        assertThat(set).startsWith(name + "=").contains("; Path=/", "; HttpOnly", "; SameSite=Lax").doesNotContain("Secure", "Domain");
        return set.substring(0, set.indexOf(';'));
    }

    private static Map<String, String> query(String address) {
        return Arrays.stream(URI.create(address).getRawQuery().split("&")).map(pair -> pair.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> URLDecoder.decode(pair[1], StandardCharsets.UTF_8)));
    }

    /** Where the provider sends the browser back to. */
    private static String signedInAt(Answer begun, String email) {
        Answer back = get(begun.header("Location") + "&login_hint=" + email + "&first_name=Ida&last_name=Inhouse");
        assertThat(back.status()).as(back.body()).isEqualTo(302);
        return back.header("Location");
    }

    private static Answer begin(String returnTo) {
        Answer begun = platform.get("/auth/login/demo" + returnTo);
        assertThat(begun.status()).as(begun.body()).isEqualTo(302);
        return begun;
    }

    /** The cookie of a browser in which somebody signed in. */
    private static String browserOf(String email) {
        Answer begun = begin("");
        Answer done = get(signedInAt(begun, email), "Cookie", cookie(begun, "sign-in"));
        assertThat(done.status()).as(done.body()).isEqualTo(302);
        return cookie(done, "session");
    }

    private static Answer post(String path, JsonObject body, String cookie, String... headers) {
        String[] all = Arrays.copyOf(headers, headers.length + 2);
        all[headers.length] = "Cookie";
        all[headers.length + 1] = cookie;
        return platform.post(path, body, null, all);
    }

    private static Answer me(String cookie) {
        return post("/auth/users/me", null, cookie, "Origin", origin);
    }

    private static String email() {
        return UUID.randomUUID() + "@example.org";
    }

    private static void assertRefused(Answer answer, int status, String sentence, String code) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.sentence()).isEqualTo(sentence);
        assertThat(answer.header("Error-Code")).isEqualTo(code);
    }

    @Test
    void aPageActsForNobodyElseThanTheUserItNames() {
        String session = browserOf(email());
        String userId = me(session).object().getString("id");
        assertThat(post("/auth/users/update", new JsonObject().put("first_name", "Ines"), session, "Origin", origin, "Acting-User", userId).status()).isEqualTo(200);
        String another = browserOf(email());
        for (String named : List.of(userId, userId + "0", "", "nobody")) {
            Answer refused = post("/auth/users/update", new JsonObject().put("first_name", "Otto"), another, "Origin", origin, "Acting-User", named);
            assertRefused(refused, 401, "another user is signed in", "session.another-user");
            assertThat(refused.header("WWW-Authenticate")).isEqualTo("Bearer realm=\"arbitration-platform\"");
        }
        assertThat(me(another).object().getString("first_name")).isEqualTo("Ida");
    }

    @Test
    void aBrowserComesBackSignedInToWhereItWantedToGo() {
        Answer begun = begin("?returnTo=/cases/7%3Ftab%3Ddocket");
        Map<String, String> asked = query(begun.header("Location"));
        assertThat(asked).containsEntry("response_type", "code").containsEntry("code_challenge_method", "S256")
                .containsEntry("redirect_uri", origin + "/auth/callback/demo").containsKeys("state", "nonce", "code_challenge");
        assertThat(begun.header("Referrer-Policy")).isEqualTo("no-referrer");
        String email = email();
        Answer done = get(signedInAt(begun, email), "Cookie", cookie(begun, "sign-in"));
        assertThat(done.status()).isEqualTo(302);
        assertThat(done.header("Location")).isEqualTo("/cases/7?tab=docket");
        String session = cookie(done, "session");
        assertThat(done.response().headers().allValues("Set-Cookie")).as("the attempt is forgotten").hasSize(2)
                .last().isEqualTo("sign-in=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax");
        assertThat(me(session).object().getString("email")).isEqualTo(email);
        assertThat(platform.rows("select count(*) from identity.sessions where cookie_hash is not null and provider = 'demo' and address <> ''").getFirst().getFirst())
                .isNotEqualTo("0");
    }

    @Test
    void theDemoProviderAsksWhoSignsIn() {
        Answer page = get(begin("").header("Location"));
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.header("Content-Type")).startsWith("text/html");
        assertThat(page.header("Content-Security-Policy")).contains("default-src 'none'", "frame-ancestors 'none'");
        assertThat(page.body()).contains("name=\"login_hint\"", "name=\"state\"");
        Map<String, String> asked = query(begin("").header("Location"));
        String forged = "/demo/authorize?response_type=code&client_id=%s&code_challenge_method=S256&code_challenge=x&state=s&login_hint=x@example.org&redirect_uri="
                .formatted(asked.get("client_id"));
        for (String elsewhere : List.of("https://evil.example/", origin + "/auth/callback/demo/", origin + "/")) {
            Answer refused = platform.get(forged + elsewhere);
            assertThat(refused.status()).as(elsewhere).isEqualTo(400);
            assertThat(refused.header("Location")).isNull();
        }
        Answer hostile = get(begin("").header("Location").replaceFirst("state=[^&]*", "state=%22%3E%3Cscript%3E"));
        assertThat(hostile.body()).doesNotContain("<script>");
    }

    @Test
    void aSignInBelongsToTheBrowserThatBeganIt() {
        Answer mine = begin("");
        Answer others = begin("");
        String back = signedInAt(mine, email());
        String sentence = "the sign-in was not begun in this browser, or too long ago";
        assertRefused(get(back), 400, sentence, "sign-in.not-begun-here");
        assertRefused(get(back, "Cookie", cookie(others, "sign-in")), 400, sentence, "sign-in.not-begun-here");
        for (String broken : List.of("sign-in=", "sign-in=x", "sign-in=demo.x.y.z", "sign-in=demo.x.Ly8.99999999999")) {
            assertRefused(get(back, "Cookie", broken), 400, sentence, "sign-in.not-begun-here");
        }
        String mixed = back.replaceFirst("code=[^&]*", "code=" + query(signedInAt(others, email())).get("code"));
        assertThat(get(mixed, "Cookie", cookie(mine, "sign-in")).status()).as("a code of another sign-in, whose verifier is another").isEqualTo(503);
        assertRefused(get(back.replaceFirst("code=[^&]*", "error=access_denied"), "Cookie", cookie(mine, "sign-in")), 401,
                "the identity provider did not sign you in", "sign-in.refused");
        assertRefused(get(back + "&iss=https%3A%2F%2Fevil.example", "Cookie", cookie(mine, "sign-in")), 401,
                "the identity provider did not sign you in", "sign-in.refused");
        assertThat(get(back, "Cookie", cookie(mine, "sign-in")).status()).isEqualTo(302);
    }

    @Test
    void theConsoleIsToldWhereToSignIn() {
        Answer page = platform.get("/console?invitation=" + UUID.randomUUID());
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.header("Content-Type")).startsWith("text/html");
        assertThat(page.body()).contains("<meta name=\"sign-in\" content=\"demo\">");
    }

    @Test
    void aHintOfWhoSignsInIsPassedOn() {
        Answer begun = begin("?login_hint=clara.claimant@" + UUID.randomUUID() + ".example");
        Answer back = get(begun.header("Location"));
        assertThat(back.status()).as(back.body()).isEqualTo(302);
        String session = cookie(get(back.header("Location"), "Cookie", cookie(begun, "sign-in")), "session");
        assertThat(me(session).object().getString("email")).startsWith("clara.claimant@");
        assertThat(me(session).object().getString("first_name")).isEqualTo("Clara");
        assertThat(me(session).object().getString("last_name")).isEqualTo("Claimant");
    }

    /** Else a link in somebody's page would make a session where the provider knows who it is, without a word of theirs. */
    @Test
    void whomAPageOfAnotherSiteSendsIsAskedByTheProvider() {
        for (String site : List.of("none", "same-origin", "same-site")) {
            assertThat(platform.get("/auth/login/demo", "Sec-Fetch-Site", site).header("Location")).as(site).doesNotContain("prompt=");
        }
        Answer begun = platform.get("/auth/login/demo?login_hint=ida@example.org", "Sec-Fetch-Site", "cross-site");
        assertThat(query(begun.header("Location"))).containsEntry("prompt", "login");
        Answer asked = get(begun.header("Location"));
        assertThat(asked.status()).isEqualTo(200);
        assertThat(asked.body()).contains("<h1>Demo sign-in</h1>").doesNotContain("name=\"prompt\"");
    }

    @Test
    void aBrowserIsSentToNoOtherOrigin() {
        for (String elsewhere : List.of("https://evil.example/", "//evil.example", "/%5Cevil.example", "evil", "", "/%0d%0aSet-Cookie:x", "/a%20b")) {
            Answer refused = platform.get("/auth/login/demo?returnTo=" + elsewhere);
            assertThat(refused.status()).as(elsewhere).isEqualTo(400);
            assertThat(refused.sentence()).isEqualTo("returnTo: must be a path of this origin");
        }
        assertRefused(platform.get("/auth/login/nobody"), 404, "identity provider not found", "identity.provider-not-found");
    }

    @Test
    void whatABrowserChangesComesFromAPageOfThisPlatform() {
        String session = browserOf(email());
        String sentence = "origin not allowed";
        for (String[] headers : new String[][] {{}, {"Origin", "https://evil.example"}, {"Origin", "null"}, {"Origin", origin + ".evil.example"},
            {"Origin", origin.replace("http:", "https:")}}) {
            assertRefused(post("/auth/users/update", new JsonObject().put("first_name", "Eve"), session, headers), 403, sentence, "origin.not-allowed");
        }
        assertThat(me(session).object().getString("first_name")).isEqualTo("Ida");
        assertThat(post("/auth/users/update", new JsonObject().put("first_name", "Ada"), session, "Origin", origin).status()).isEqualTo(200);
    }

    @Test
    void aBearerTokenWinsOverACookie() {
        String session = browserOf(email());
        Person other = platform.signIn(email(), "Otto", "Other");
        assertThat(platform.post("/auth/users/me", (JsonObject) null, other.token(), "Cookie", session).object().getString("id")).isEqualTo(other.id());
        assertThat(platform.post("/auth/users/me", (JsonObject) null, "x", "Cookie", session, "Origin", origin).status()).isEqualTo(401);
    }

    @Test
    void aCookieThatNamesNoSessionIsRefused() {
        for (String cookie : List.of("session=x", "session=", "session=s1_" + "A".repeat(43), "session=" + "A".repeat(4000))) {
            assertThat(me(cookie).status()).as(cookie).isEqualTo(401);
        }
    }

    @Test
    void aBrowserChoosesWhatItActsForAndGetsNoTokens() {
        String session = browserOf(email());
        String organization = post("/auth/organizations/create", new JsonObject().put("name", "Browsers"), session, "Origin", origin).object()
                .getString("organizationID");
        assertThat(me(session).object().getString("organizationID")).isEqualTo(organization);
        Answer none = post("/auth/sessions/organization", new JsonObject().putNull("organizationID"), session, "Origin", origin);
        assertThat(none.sentence()).isEqualTo("Organization chosen.");
        assertThat(me(session).object().getString("organizationID")).isNull();
        assertThat(post("/cases/cases/list", new JsonObject(), session, "Origin", origin).status()).as("of any area").isEqualTo(200);
    }

    @Test
    void signingOutEndsTheSessionAndTakesTheCookieAway() {
        String session = browserOf(email());
        assertThat(post("/auth/logout", null, session).status()).as("without an origin").isEqualTo(403);
        Answer out = post("/auth/logout", null, session, "Origin", origin);
        assertThat(out.sentence()).isEqualTo("Signed out.");
        assertThat(out.header("Set-Cookie")).startsWith("session=; ").contains("Max-Age=0");
        assertThat(me(session).status()).isEqualTo(401);
        assertThat(post("/auth/logout", null, session, "Origin", origin).status()).isEqualTo(401);
    }

    @Test
    void whoSignsInAgainLeavesNoSessionBehind() {
        String email = email();
        String before = browserOf(email);
        String elsewhere = browserOf(email);
        Answer begun = begin("");
        Answer done = get(signedInAt(begun, email()), "Cookie", cookie(begun, "sign-in") + "; " + before);
        assertThat(done.status()).as(done.body()).isEqualTo(302);
        assertThat(me(before).status()).as("nothing of that browser can use it any more").isEqualTo(401);
        assertThat(me(cookie(done, "session")).status()).isEqualTo(200);
        assertThat(me(elsewhere).status()).as("another browser").isEqualTo(200);
    }

    @Test
    void aDisabledUserIsOutOfTheBrowserAtOnceAndIsNotLetInAgain() {
        String email = email();
        String session = browserOf(email);
        String id = me(session).object().getString("id");
        Person administrator = platform.administrator();
        assertThat(platform.post("/auth/users/disable", new JsonObject().put("userID", id).put("reason", "Left."), administrator.token()).status()).isEqualTo(200);
        assertThat(me(session).status()).isEqualTo(401);
        Answer begun = begin("");
        assertRefused(get(signedInAt(begun, email), "Cookie", cookie(begun, "sign-in")), 403, "user disabled", "user.disabled");
    }

    @Test
    void theDemoProviderGivesTokensForACodeAsOAuthHasIt() {
        Answer begun = begin("");
        Map<String, String> back = query(signedInAt(begun, email()));
        String form = "grant_type=authorization_code&client_id=%s&redirect_uri=%s&code=%s&code_verifier=%s";
        String client = query(begun.header("Location")).get("client_id");
        Answer wrong = form("/demo/token", form.formatted(client, origin + "/auth/callback/demo", back.get("code"), "x"));
        assertThat(wrong.status()).isEqualTo(400);
        assertThat(wrong.object().getString("error")).isEqualTo("invalid_grant");
        assertThat(form("/demo/token", "grant_type=password").object().getString("error")).isEqualTo("unsupported_grant_type");
        assertThat(form("/demo/token", "grant_type=a&grant_type=b").object().getString("error")).isEqualTo("invalid_request");
    }

    /** The body of a request for the tokens of a fresh code. */
    private static String codeOfDemo(String verifier) {
        String client = query(begin("").header("Location")).get("client_id");
        String redirect = origin + "/auth/callback/demo";
        String challenge = Base64.getUrlEncoder().withoutPadding().encodeToString(Secrets.hash(verifier));
        Answer back = platform.get("/demo/authorize?response_type=code&code_challenge_method=S256&state=s&nonce=n&client_id=%s&redirect_uri=%s&code_challenge=%s&login_hint=%s"
                .formatted(client, redirect, challenge, email()));
        assertThat(back.status()).as(back.body()).isEqualTo(302);
        return "grant_type=authorization_code&client_id=%s&redirect_uri=%s&code=%s".formatted(client, redirect, query(back.header("Location")).get("code"));
    }

    private static Answer authenticate(String idToken) {
        return platform.post("/auth/authenticate/demo", new JsonObject().put("idToken", idToken), null);
    }

    @Test
    void aCodeOfTheDemoProviderIsGoodOnceAndItsSecondUseEndsWhatTheFirstBegan() {
        String verifier = "v".repeat(43);
        String request = codeOfDemo(verifier);
        assertThat(form("/demo/token", request + "&code_verifier=" + "w".repeat(43)).status()).as("without the verifier").isEqualTo(400);
        Answer first = form("/demo/token", request + "&code_verifier=" + verifier);
        assertThat(first.status()).as(first.body()).isEqualTo(200);
        String idToken = first.object().getString("id_token");
        Answer signedIn = authenticate(idToken);
        assertThat(signedIn.status()).as(signedIn.body()).isEqualTo(200);
        String token = signedIn.object().getString("accessToken");
        assertThat(form("/demo/token", request + "&code_verifier=" + "w".repeat(43)).status()).as("without the verifier").isEqualTo(400);
        assertThat(platform.post("/auth/users/me", (JsonObject) null, token).status()).as("whoever has the code alone ends nothing").isEqualTo(200);

        Answer second = form("/demo/token", request + "&code_verifier=" + verifier);
        assertThat(second.status()).isEqualTo(400);
        assertThat(second.object().getString("error")).isEqualTo("invalid_grant");
        assertThat(platform.post("/auth/users/me", (JsonObject) null, token).status()).isEqualTo(401);
        assertThat(platform.post("/auth/sessions/refresh", new JsonObject().put("refreshToken", signedIn.object().getString("refreshToken")), null).status()).isEqualTo(401);
        assertRefused(authenticate(idToken), 401, "invalid ID token", "identity.invalid-id-token");
    }

    @Test
    void ofManyUsesOfACodeAtOnceOneIsAnsweredAndItsTokenIsWorthNothing() {
        String verifier = "v".repeat(43);
        String request = codeOfDemo(verifier) + "&code_verifier=" + verifier;
        List<Answer> answers = IntStream.range(0, 8).mapToObj(i -> CompletableFuture.supplyAsync(() -> form("/demo/token", request), Thread::startVirtualThread)).toList()
                .stream().map(CompletableFuture::join).toList();
        List<Answer> good = answers.stream().filter(answer -> answer.status() == 200).toList();
        assertThat(good).hasSize(1);
        assertThat(answers).extracting(Answer::status).containsOnly(200, 400);
        assertRefused(authenticate(good.getFirst().object().getString("id_token")), 401, "invalid ID token", "identity.invalid-id-token");
    }

    private static Answer form(String path, String body, String... headers) {
        return platform.post(path, HttpRequest.BodyPublishers.ofString(body), "application/x-www-form-urlencoded", null, headers);
    }

    // Machine clients by OAuth

    @Test
    void aMachineClientGetsATokenAsOAuthHasIt() {
        JsonObject client = platform.post("/auth/clients/create", new JsonObject().put("name", "OAuth")
                .put("permissions", new io.vertx.core.json.JsonArray().add("emails.email.sender").add("push.keys.creator")), platform.administrator().token()).object();
        String id = client.getString("clientID");
        String secret = client.getString("clientSecret");
        String body = "grant_type=client_credentials&client_id=%s&client_secret=%s".formatted(id, secret);
        Answer answer = form("/auth/oauth/token", body);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
        assertThat(answer.object().fieldNames()).containsExactlyInAnyOrder("access_token", "token_type", "expires_in", "scope");
        assertThat(answer.object().getString("token_type")).isEqualTo("Bearer");
        assertThat(answer.object().getString("scope")).isEqualTo("emails.email.sender push.keys.creator");
        assertThat(platform.post("/auth/users/me", (JsonObject) null, answer.object().getString("access_token")).status()).isEqualTo(404);

        String basic = "Basic " + java.util.Base64.getEncoder().encodeToString((id + ":" + secret).getBytes(StandardCharsets.UTF_8));
        Answer narrow = form("/auth/oauth/token", "grant_type=client_credentials&scope=push.keys.creator", "Authorization", basic);
        assertThat(narrow.object().getString("scope")).isEqualTo("push.keys.creator");
        String token = narrow.object().getString("access_token");
        assertThat(platform.post("/emails/email/retrieve", new JsonObject().put("idempotencyKey", "x"), token).status()).isEqualTo(403);

        Map<String, String> wrong = Map.of(
                "grant_type=client_credentials&scope=admin.platform.super", "invalid_scope",
                "grant_type=password", "unsupported_grant_type", "scope=x", "invalid_request", "", "invalid_request",
                "grant_type=client_credentials&client_secret=" + secret, "invalid_request",
                "grant_type=client_credentials&client_id=" + UUID.randomUUID(), "invalid_request",
                "grant_type=client_credentials&%zz=1", "invalid_request");
        wrong.forEach((given, error) -> {
            Answer refused = form("/auth/oauth/token", given, "Authorization", basic);
            assertThat(refused.status()).as(given).isEqualTo(400);
            assertThat(refused.object().getString("error")).as(given).isEqualTo(error);
        });
        Answer stranger = form("/auth/oauth/token", body + "x");
        assertThat(stranger.status()).isEqualTo(401);
        assertThat(stranger.object().getString("error")).isEqualTo("invalid_client");
        assertThat(stranger.header("WWW-Authenticate")).startsWith("Basic");
        assertThat(platform.post("/auth/oauth/token", new JsonObject().put("grant_type", "client_credentials"), null).status()).isEqualTo(415);
        assertThat(platform.get("/auth/.well-known/openid-configuration").object().getString("token_endpoint")).endsWith("/oauth/token");
    }
}
