package io.arbitration.identity.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import io.arbitration.Await;
import io.arbitration.MovableClock;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.Settings;
import io.arbitration.identity.Secrets;
import io.arbitration.platform.AreaServices;
import io.arbitration.platform.config.Configuration;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.db.EmbeddedPostgres;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Refresh tokens, ended sessions and hostile access tokens, on nodes that share a database and a clock the test moves. */
class SessionsIT {

    @TempDir
    static Path folder;

    private static final MovableClock CLOCK = new MovableClock();
    private static EmbeddedPostgres postgres;
    private static RunningPlatform platform;

    @BeforeAll
    static void start() throws IOException {
        postgres = EmbeddedPostgres.start(Files.createDirectories(folder.resolve("data")), 0);
        platform = node(Map.of());
    }

    /** A node on the same database, with the same keyset and clock. */
    private static RunningPlatform node(Map<String, String> environment) {
        Map<String, String> all = new HashMap<>(environment);
        all.put("ACP_DATABASE_URL", "postgresql://%s:%s@%s:%d/%s?sslmode=disable".formatted(
                postgres.url().user(), postgres.url().password(), postgres.url().host(), postgres.url().port(), postgres.url().database()));
        return RunningPlatform.start(folder.resolve("node"), all, CLOCK);
    }

    @AfterAll
    static void stop() throws IOException {
        platform.close();
        postgres.close();
    }

    @BeforeEach
    void thePresent() {
        CLOCK.ahead(Duration.ZERO);
    }

    private static Person someone() {
        return platform.signIn("session-" + UUID.randomUUID() + "@example.com", "Ada", "Lindqvist");
    }

    private static Answer refresh(String refreshToken) {
        return platform.post("/auth/sessions/refresh", new JsonObject().put("refreshToken", refreshToken), null);
    }

    private static String refreshed(String refreshToken) {
        Answer answer = refresh(refreshToken);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.object().getString("refreshToken");
    }

    private static Answer me(RunningPlatform at, String accessToken) {
        return at.post("/auth/users/me", (JsonObject) null, accessToken);
    }

    private static void assertRefreshRefused(String refreshToken) {
        Answer answer = refresh(refreshToken);
        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.sentence()).isEqualTo("invalid refresh token");
        assertThat(answer.header("Error-Code")).isEqualTo("session.invalid-refresh-token");
        assertThat(answer.header("WWW-Authenticate")).startsWith("Bearer");
    }

    private static void assertNotAccepted(String what, String accessToken) {
        assertNotAccepted(what, platform, accessToken);
    }

    private static void assertNotAccepted(String what, RunningPlatform at, String accessToken) {
        Answer answer = me(at, accessToken);
        assertThat(answer.status()).as(what).isEqualTo(401);
        assertThat(answer.sentence()).as(what).isEqualTo("missing or invalid access token");
        assertThat(answer.header("WWW-Authenticate")).as(what).startsWith("Bearer");
    }

    @Test
    void aRefreshTokenRenewsOnceAndIsReplaced() {
        Person ada = someone();
        Answer answer = refresh(ada.refreshToken());
        assertThat(answer.object().fieldNames()).containsExactlyInAnyOrder("accessToken", "refreshToken", "validForSeconds");
        assertThat(answer.object().getString("refreshToken")).isNotEqualTo(ada.refreshToken());
        assertThat(me(platform, answer.object().getString("accessToken")).object().getString("id")).isEqualTo(ada.id());
        assertThat(me(platform, ada.token()).status()).as("the access token before").isEqualTo(200);
    }

    @Test
    void aLostAnswerIsAnsweredAgainWithinTheWindow() {
        Person ada = someone();
        refreshed(ada.refreshToken());
        CLOCK.forward(Duration.ofSeconds(6));
        refreshed(refreshed(ada.refreshToken()));
    }

    @Test
    void aSecondUseOutsideTheWindowEndsTheWholeSession() {
        Person ada = someone();
        Answer next = refresh(ada.refreshToken());
        CLOCK.forward(Duration.ofSeconds(11));
        assertRefreshRefused(ada.refreshToken());
        assertRefreshRefused(next.object().getString("refreshToken"));
        assertNotAccepted("the session's first access token", ada.token());
        assertNotAccepted("the session's next access token", next.object().getString("accessToken"));
    }

    @Test
    void ofTwoHoldersOfTheSameTokenTheSecondIsFoundOut() {
        Person owner = someone();
        String owners = refreshed(owner.refreshToken());
        String thiefs = refreshed(owner.refreshToken());
        CLOCK.forward(Duration.ofHours(1));
        String ownersNext = refreshed(owners);
        CLOCK.forward(Duration.ofMinutes(1));
        assertRefreshRefused(thiefs);
        assertRefreshRefused(ownersNext);
    }

    @Test
    void theWindowIsNotProlongedByUsingIt() {
        Person ada = someone();
        refreshed(ada.refreshToken());
        CLOCK.forward(Duration.ofSeconds(6));
        refreshed(ada.refreshToken());
        CLOCK.forward(Duration.ofSeconds(6));
        assertRefreshRefused(ada.refreshToken());
    }

    @Test
    void refreshesAtOnceAllSucceedAndLeaveTheSessionAlive() {
        Person ada = someone();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Answer> answers = Stream.generate(() -> CompletableFuture.supplyAsync(() -> refresh(ada.refreshToken()), threads))
                    .limit(10).toList().stream().map(CompletableFuture::join).toList();
            assertThat(answers).allSatisfy(answer -> assertThat(answer.status()).isEqualTo(200));
            assertThat(answers.stream().map(answer -> answer.object().getString("refreshToken"))).doesNotHaveDuplicates();
            refreshed(answers.getFirst().object().getString("refreshToken"));
        }
    }

    @Test
    void aRefreshTokenExpires() {
        Person ada = someone();
        CLOCK.forward(Duration.ofDays(30));
        assertRefreshRefused(ada.refreshToken());
    }

    @Test
    void aSessionEndsAfterThirtyDaysHoweverOftenItIsRenewed() {
        Person ada = someone();
        CLOCK.forward(Duration.ofDays(15));
        String next = refreshed(ada.refreshToken());
        CLOCK.forward(Duration.ofDays(14));
        String last = refreshed(next);
        CLOCK.forward(Duration.ofDays(1));
        assertRefreshRefused(last);
    }

    @Test
    void generationsOfLongAgoAreForgottenAndTheirTokensRefused() {
        Person ada = someone();
        String token = ada.refreshToken();
        for (int i = 0; i < 30; i++) {
            CLOCK.forward(Duration.ofMinutes(1));
            token = refreshed(token);
        }
        String count = platform.rows("""
                select count(*) from identity.refresh_tokens t join identity.sessions s using (session_id) where s.user_id = ?::uuid
                """, ada.id()).getFirst().getFirst();
        assertThat(Integer.parseInt(count)).as("rows of a session").isLessThanOrEqualTo(22);
        assertRefreshRefused(ada.refreshToken());
        refreshed(token);
    }

    @Test
    void manyAnswersThatGotLostLeaveFewTokens() {
        Person ada = someone();
        refreshed(ada.refreshToken());
        for (int i = 0; i < 30; i++) {
            refreshed(ada.refreshToken());
        }
        String last = refreshed(ada.refreshToken());
        String count = platform.rows("""
                select count(*) from identity.refresh_tokens t join identity.sessions s using (session_id) where s.user_id = ?::uuid
                """, ada.id()).getFirst().getFirst();
        assertThat(Integer.parseInt(count)).as("rows of a session").isLessThanOrEqualTo(11);
        refreshed(last);
    }

    @Test
    void aSessionEndsAtItsNextRefreshWhenItsProviderIsConfiguredNoMore() {
        Person ada = someone();
        platform.rows("update identity.sessions set provider = 'gone' where user_id = ?::uuid returning 1", ada.id());
        assertRefreshRefused(ada.refreshToken());
        assertNotAccepted("its access token", ada.token());
    }

    @Test
    void aUserHasNoMoreSessionsThanTheBoundAndTheOneNotUsedForLongestEnds() {
        try (RunningPlatform bounded = node(Map.of("ACP_IDENTITY_SESSIONS_PER_USER_MAX", "3"))) {
            String email = "many-" + UUID.randomUUID() + "@example.com";
            List<Person> devices = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                devices.add(bounded.signIn(email, "Ada", "Lindqvist"));
                CLOCK.forward(Duration.ofMinutes(1));
            }
            String used = refreshed(devices.getFirst().refreshToken());
            Person other = someone();
            Person fourth = bounded.signIn(email, "Ada", "Lindqvist");
            assertThat(me(bounded, devices.get(1).token()).status()).as("not used for longest").isEqualTo(401);
            assertRefreshRefused(devices.get(1).refreshToken());
            for (Person still : List.of(devices.get(0), devices.get(2), fourth, other)) {
                assertThat(me(bounded, still.token()).status()).isEqualTo(200);
            }
            refreshed(used);
            Await.until("the other node knows", () -> me(platform, devices.get(1).token()).status() == 401);
            ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
            JsonObject idToken = new JsonObject().put("idToken", bounded.post("/demo/id-token", new JsonObject()
                    .put("email", email).put("first_name", "Ada").put("last_name", "Lindqvist"), null).object().getString("idToken"));
            List<CompletableFuture<Answer>> atOnce = Stream.generate(() ->
                    CompletableFuture.supplyAsync(() -> bounded.post("/auth/authenticate/demo", idToken, null), threads)).limit(8).toList();
            assertThat(atOnce).allSatisfy(one -> assertThat(one.join().status()).isEqualTo(200));
            threads.close();
            assertThat(platform.rows("select count(*) from identity.sessions where user_id = ?::uuid and ended_at is null", fourth.id()).getFirst())
                    .containsExactly("3");
        }
    }

    @Test
    void aDisabledUserIsOutOnAnotherNodeWithinASecond() {
        Person administrator = platform.administrator();
        Person ada = someone();
        try (RunningPlatform other = node(Map.of())) {
            assertThat(me(other, ada.token()).status()).isEqualTo(200);
            Answer disabled = platform.post("/auth/users/disable", new JsonObject().put("userID", ada.id()).put("reason", "Left."), administrator.token());
            assertThat(disabled.status()).isEqualTo(200);
            long answered = System.nanoTime();
            Await.until("the other node refuses the token", () -> {
                // A node does not trust what it read longer ago, however busy its machine is.
                boolean late = System.nanoTime() - answered > Duration.ofSeconds(1).toNanos();
                boolean out = me(other, ada.token()).status() == 401;
                assertThat(out || !late).as("refused within a second").isTrue();
                return out;
            });
        }
    }

    @Test
    void aWithdrawnKeyEndsItsTokensOnEveryNodeAndSessionsGoOnWithAnother() {
        Person administrator = platform.administrator();
        Person ada = someone();
        String kid = header(ada.token(), "kid");
        try (RunningPlatform other = node(Map.of())) {
            assertThat(me(other, ada.token()).status()).isEqualTo(200);
            Answer withdrawn = platform.post("/auth/keys/withdraw", new JsonObject().put("kid", kid).put("reason", "A backup was stolen."), administrator.token());
            assertThat(withdrawn.sentence()).isEqualTo("Key withdrawn.");
            assertNotAccepted("seen before", ada.token());
            for (String path : List.of("/auth/users/me", "/cases/cases/list", "/api/docket/entries/list", "/ai/analyses/list", "/profiles/users/public-profiles",
                    "/emails/email/retrieve", "/alerts/preferences/view", "/pdfs/templates/list", "/push/web-push/list", "/webhooks/urls/list")) {
                assertThat(platform.post(path, new JsonObject(), ada.token()).status()).as(path).isEqualTo(401);
            }
            Await.until("the other node refuses it", Await.BOUND, () -> me(other, ada.token()).status() == 401);
            assertThat(platform.get("/auth/.well-known/jwks.json").body()).doesNotContain(kid);
            String next = refresh(ada.refreshToken()).object().getString("accessToken");
            assertThat(header(next, "kid")).isNotEqualTo(kid);
            assertThat(me(platform, next).status()).isEqualTo(200);
            Await.until("the other node knows the next key", () -> me(other, next).status() == 200);
            Answer unknown = platform.post("/auth/keys/withdraw", new JsonObject().put("kid", "x").put("reason", "Stolen."), platform.administrator().token());
            assertThat(unknown.status()).isEqualTo(404);
            assertThat(unknown.sentence()).isEqualTo("key not found");
        }
    }

    private static String header(String token, String name) {
        return new JsonObject(new String(Base64.getUrlDecoder().decode(token.split("\\.")[0]), StandardCharsets.UTF_8)).getString(name);
    }

    @Test
    void whatIsNoRefreshTokenIsRefused() {
        Person ada = someone();
        for (String token : List.of("x", "r1_", "r1_" + "A".repeat(43), ada.token().substring(0, 500), ada.refreshToken() + "A", "é")) {
            assertRefreshRefused(token);
        }
        assertThat(refresh("").sentence()).isEqualTo("refreshToken: at least 1 character");
        refreshed(ada.refreshToken());
    }

    @Test
    void anEndedSessionTakesItsTokensWithItAndNoOther() {
        Person ada = someone();
        Person elsewhere = platform.signIn(ada.email(), "Ada", "Lindqvist");
        assertThat(platform.post("/auth/sessions/revoke", new JsonObject(), ada.token()).sentence()).isEqualTo("Session revoked.");
        assertNotAccepted("its access token", ada.token());
        assertRefreshRefused(ada.refreshToken());
        assertThat(me(platform, elsewhere.token()).status()).isEqualTo(200);
        refreshed(elsewhere.refreshToken());
    }

    @Test
    void endingAllSessionsEndsEveryOneOfTheCallerAndNobodyElses() {
        Person ada = someone();
        Person elsewhere = platform.signIn(ada.email(), "Ada", "Lindqvist");
        Person other = someone();
        assertThat(platform.post("/auth/sessions/revoke", new JsonObject().put("all", true), ada.token()).status()).isEqualTo(200);
        assertNotAccepted("the caller's", ada.token());
        assertNotAccepted("elsewhere", elsewhere.token());
        assertRefreshRefused(elsewhere.refreshToken());
        assertThat(me(platform, other.token()).status()).isEqualTo(200);
    }

    @Test
    void aBodyIsNotNeededToEndASession() {
        Person ada = someone();
        assertThat(platform.post("/auth/sessions/revoke", (JsonObject) null, ada.token()).status()).isEqualTo(200);
        assertNotAccepted("its access token", ada.token());
    }

    @Test
    void anEndedSessionIsKeptForTheDaysThatAreSetAndThenForgotten() {
        Person ada = someone();
        String session = platform.post("/auth/sessions/list", new JsonObject(), ada.token()).object().getJsonArray("sessions").getJsonObject(0).getString("sessionID");
        Person other = someone();
        assertThat(platform.post("/auth/sessions/revoke", new JsonObject(), ada.token()).status()).isEqualTo(200);
        AreaServices services = platform.services();
        Duration kept = Duration.ofDays(1);
        SessionEndService sessions = new SessionEndService(services.database(), new SessionRepository(services.database()), services.revocations(), services.security(),
                new Secrets(services.random()), kept, CLOCK);
        CLOCK.forward(kept.minusMinutes(1));
        Await.result(sessions.sweep());
        assertThat(platform.rows("select from identity.sessions where session_id = ?::uuid", session)).as("not long enough ago").hasSize(1);
        CLOCK.forward(Duration.ofMinutes(2));
        Await.result(sessions.sweep());
        assertThat(platform.rows("select from identity.sessions where session_id = ?::uuid", session)).isEmpty();
        assertThat(refreshed(other.refreshToken())).as("one that goes on").isNotEmpty();
    }

    @Test
    void sessionsWhoseRefreshTokensHaveExpiredAreForgottenAndNoOthers() {
        Person ada = someone();
        Vertx vertx = Vertx.vertx();
        Path home = Path.of("").toAbsolutePath();
        Database database = Database.open(vertx, postgres.url(), Settings.read(Configuration.load(home, Map.of()), home).database());
        try {
            SessionRepository sessions = new SessionRepository(database);
            Await.result(sessions.deleteOver(CLOCK.instant().plus(Duration.ofDays(30)).minusSeconds(60)));
            String next = refreshed(ada.refreshToken());
            assertThat(Await.result(sessions.deleteOver(CLOCK.instant().plus(Duration.ofDays(31))))).isPositive();
            assertRefreshRefused(next);
            assertThat(Await.result(sessions.deleteOver(CLOCK.instant().plus(Duration.ofDays(31))))).isZero();
        } finally {
            Await.result(database.close());
            Await.result(vertx.close());
        }
    }

    @Test
    void aDemoIdTokenIsTakenByEveryNodeAndAfterARestart() {
        String idToken = platform.post("/demo/id-token", new JsonObject()
                .put("email", "x@example.com").put("first_name", "X").put("last_name", "Y"), null).object().getString("idToken");
        try (RunningPlatform other = node(Map.of("ACP_HTTP_PUBLIC_URL", "http://localhost:0"))) {
            assertThat(other.post("/auth/authenticate/demo", new JsonObject().put("idToken", idToken), null).status()).isEqualTo(200);
            assertThat(other.get("/demo/jwks.json").body()).isEqualTo(platform.get("/auth/demo/jwks.json").body()).doesNotContain("\"d\"");
        }
    }

    @Test
    void anotherNodeTakesTheTokensAndLearnsWhatWasTakenBack() {
        Person administrator = platform.administrator();
        Person ada = someone();
        try (RunningPlatform other = node(Map.of())) {
            assertThat(me(other, ada.token()).status()).isEqualTo(200);
            platform.post("/auth/sessions/revoke", new JsonObject(), ada.token());
            Await.until("the other node refuses the token", () -> me(other, ada.token()).status() == 401);
            assertThat(me(other, administrator.token()).status()).isEqualTo(200);
        }
        try (RunningPlatform restarted = node(Map.of())) {
            assertThat(me(restarted, ada.token()).status()).as("known from the start").isEqualTo(401);
        }
    }

    @Test
    void accessTokensOfAnotherAudienceIssuerOrTimeAreNotAccepted() {
        try (RunningPlatform other = node(Map.of("ACP_IDENTITY_AUDIENCE", "something-else"))) {
            assertNotAccepted("other audience", other.administrator().token());
        }
        try (RunningPlatform other = node(Map.of("ACP_IDENTITY_ISSUER", "https://elsewhere.example"))) {
            assertNotAccepted("other issuer", other.administrator().token());
        }
        Person ada = someone();
        // The times of a token are whole seconds, and this clock goes on.
        CLOCK.forward(Duration.ofSeconds(3570));
        assertThat(me(platform, ada.token()).status()).isEqualTo(200);
        CLOCK.forward(Duration.ofSeconds(31));
        assertNotAccepted("expired", ada.token());
        CLOCK.ahead(Duration.ofMinutes(5));
        String tomorrow = refresh(ada.refreshToken()).object().getString("accessToken");
        CLOCK.ahead(Duration.ZERO);
        assertNotAccepted("from the future", tomorrow);
    }

    @Test
    void forgedAccessTokensAreNotAccepted() throws Exception {
        String token = someone().token();
        String[] parts = token.split("\\.");
        String payload = new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8);
        Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
        ECKey published = (ECKey) JWKSet.parse(platform.get("/auth/.well-known/jwks.json").body()).getKeys().getFirst();
        assertNotAccepted("alg none", base64.encodeToString("{\"alg\":\"none\",\"typ\":\"JWT\"}".getBytes(StandardCharsets.UTF_8))
                + "." + parts[1] + ".");
        for (byte[] secret : List.of(published.toECPublicKey().getEncoded(), published.toJSONString().getBytes(StandardCharsets.UTF_8))) {
            assertNotAccepted("HS256 with the public key", signed(
                    new JWSHeader.Builder(JWSAlgorithm.HS256).keyID(published.getKeyID()).build(), payload, new MACSigner(secret)));
        }
        ECKey own = new ECKeyGenerator(Curve.P_256).keyID(published.getKeyID()).generate();
        assertNotAccepted("own key under the platform's id", signed(
                new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(published.getKeyID()).build(), payload, new ECDSASigner(own)));
        assertNotAccepted("unknown key id", signed(
                new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("unknown").build(), payload, new ECDSASigner(own)));
        assertNotAccepted("key brought along", signed(
                new JWSHeader.Builder(JWSAlgorithm.ES256).jwk(own.toPublicJWK()).build(), payload, new ECDSASigner(own)));
        assertNotAccepted("more permissions", parts[0] + "." + base64.encodeToString(
                payload.replace("\"scope\":\"\"", "\"scope\":\"admin.platform.super\"").getBytes(StandardCharsets.UTF_8)) + "." + parts[2]);
        assertNotAccepted("a signature of zeros", parts[0] + "." + parts[1] + "." + base64.encodeToString(new byte[64]));
        String idToken = platform.post("/demo/id-token", new JsonObject()
                .put("email", "x@example.com").put("first_name", "X").put("last_name", "Y"), null).object().getString("idToken");
        assertNotAccepted("an ID token", idToken);
        for (int length : new int[] {1, 20, parts[0].length(), token.length() / 2, token.length() - 1}) {
            assertNotAccepted("truncated", token.substring(0, length));
        }
        for (String garbage : List.of("x", "..", "Bearer", "null", "{}", "A".repeat(10_240), token + "." + token, token + "A")) {
            assertNotAccepted("garbage", garbage);
        }
    }

    @Test
    void whatIsNoBearerTokenIsNotAccepted() {
        String token = someone().token();
        for (String header : List.of("", "Bearer", "Bearer ", "Basic " + token, token, "Bearer" + token, "Bearer " + token + " x")) {
            Answer answer = platform.post("/auth/users/me", (JsonObject) null, null, "Authorization", header);
            assertThat(answer.status()).as(header).isEqualTo(401);
        }
        Answer none = me(platform, null);
        assertThat(none.status()).isEqualTo(401);
        assertThat(none.header("WWW-Authenticate")).doesNotContain("error=");
        assertThat(platform.post("/auth/users/me", (JsonObject) null, null, "Authorization", "bearer  " + token).status())
                .as("the scheme is written in any case").isEqualTo(200);
    }

    private static String signed(JWSHeader header, String payload, com.nimbusds.jose.JWSSigner signer) throws Exception {
        JWSObject object = new JWSObject(header, new Payload(payload));
        object.sign(signer);
        return object.serialize();
    }
}
