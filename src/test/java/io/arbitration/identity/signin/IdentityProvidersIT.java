package io.arbitration.identity.signin;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import io.arbitration.Await;
import io.arbitration.MovableClock;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** ID tokens of configured providers, good and hostile: one with its keys in a file, one with its keys at an address. */
class IdentityProvidersIT {

    private static final String FILE_ISSUER = "https://file.example";
    private static final String URL_ISSUER = "https://url.example";
    /** Browsers reach it there, through a proxy that speaks TLS. */
    private static final String PUBLIC_URL = "https://arbitration.example";

    @TempDir
    static Path folder;

    private static final MovableClock CLOCK = new MovableClock();
    private static RSAKey rsa;
    private static HttpServer keyServer;
    private static volatile String servedKeys;
    private static volatile int servedStatus = 200;
    private static String webIssuer;
    private static volatile JsonObject webDiscovery = new JsonObject();
    private static volatile String webToken = "";
    private static volatile int tokenStatus = 200;
    private static final AtomicInteger SERVED = new AtomicInteger();
    private static final AtomicInteger WEB_ASKED = new AtomicInteger();
    private static RunningPlatform platform;

    @BeforeAll
    static void start() throws Exception {
        rsa = new RSAKeyGenerator(2048).keyID("rsa-1").generate();
        Path file = Files.writeString(folder.resolve("jwks.json"), new JWKSet(rsa).toString(true));
        keyServer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        keyServer.createContext("/keys", exchange -> {
            SERVED.incrementAndGet();
            byte[] body = servedKeys.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(servedStatus, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        keyServer.createContext("/web", exchange -> {
            WEB_ASKED.incrementAndGet();
            boolean forToken = exchange.getRequestURI().getPath().endsWith("/token");
            Object answer = forToken ? new JsonObject().put("id_token", webToken) : webDiscovery;
            byte[] body = answer.toString().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(forToken ? tokenStatus : 200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        keyServer.start();
        webIssuer = "http://127.0.0.1:%d/web".formatted(keyServer.getAddress().getPort());
        JsonObject web = new JsonObject().put("issuer", webIssuer).put("audiences", new JsonArray().add("client")).put("clientID", "client")
                .put("jwksFile", file.toString()).put("algorithms", new JsonArray().add("RS256"));
        JsonObject providers = new JsonObject()
                .put("file", new JsonObject()
                        .put("issuer", FILE_ISSUER).put("audiences", new JsonArray().add("client").add("second-client"))
                        .put("jwksFile", file.toString()).put("algorithms", new JsonArray().add("RS256")))
                // The same provider, marked as one that writes email_verified as text, and that logs people out.
                .put("text", new JsonObject()
                        .put("issuer", FILE_ISSUER).put("audiences", new JsonArray().add("client")).put("emailVerifiedAsText", true)
                        .put("jwksFile", file.toString()).put("algorithms", new JsonArray().add("RS256")))
                .put("web", web).put("other-issuer", web.copy()).put("left-alone", web.copy())
                .put("strong", web.copy().put("acrValues", new JsonArray().add("phr").add("phrh")))
                .put("url", new JsonObject()
                        .put("issuer", URL_ISSUER).put("audiences", new JsonArray().add("client"))
                        .put("jwksUrl", "http://127.0.0.1:" + keyServer.getAddress().getPort() + "/keys")
                        .put("algorithms", new JsonArray().add("ES256")));
        platform = RunningPlatform.start(Files.createDirectories(folder.resolve("data")), Map.of(
                "ACP_PROFILE", "production", "ACP_RATE_LIMIT_ENABLED", "false", "ACP_HTTP_PUBLIC_URL", PUBLIC_URL,
                "ACP_IDENTITY_PROVIDERS", providers.encode(),
                "ACP_IDENTITY_SUPER_ADMINISTRATORS", "Chief@Example.com,k@example.com"), CLOCK);
    }

    @AfterAll
    static void stop() {
        platform.close();
        keyServer.stop(0);
    }

    private static JWTClaimsSet.Builder claims(String issuer, String subject) {
        Instant now = CLOCK.instant();
        return new JWTClaimsSet.Builder()
                .issuer(issuer).audience("client").subject(subject)
                .claim("email", subject + "@example.com").claim("email_verified", true)
                .claim("given_name", "Ada").claim("family_name", "Lindqvist")
                .issueTime(Date.from(now)).expirationTime(Date.from(now.plusSeconds(300)));
    }

    private static String signed(JWSHeader header, JWTClaimsSet.Builder claims, JWSSigner signer) {
        try {
            SignedJWT token = new SignedJWT(header, claims.build());
            token.sign(signer);
            return token.serialize();
        } catch (JOSEException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static String rs256(JWTClaimsSet.Builder claims) {
        return rs256(claims, null);
    }

    private static String rs256(JWTClaimsSet.Builder claims, JOSEObjectType type) {
        try {
            return signed(new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("rsa-1").type(type).build(), claims, new RSASSASigner(rsa));
        } catch (JOSEException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static String es256(ECKey key, JWTClaimsSet.Builder claims) throws JOSEException {
        return signed(new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(key.getKeyID()).build(), claims, new ECDSASigner(key));
    }

    private static ECKey ecKey(String id) throws JOSEException {
        return new ECKeyGenerator(Curve.P_256).keyID(id).generate();
    }

    private static void serve(JWK... keys) {
        servedStatus = 200;
        servedKeys = new JWKSet(List.of(keys)).toString(true);
    }

    private static Answer authenticate(String provider, String idToken) {
        return platform.post("/auth/authenticate/" + provider, new JsonObject().put("idToken", idToken), null);
    }

    private static JsonObject me(Answer tokens) {
        return platform.post("/auth/users/me", (JsonObject) null, tokens.object().getString("accessToken")).object();
    }

    private static void assertRefused(String what, String idToken) {
        Answer answer = authenticate("file", idToken);
        assertThat(answer.status()).as(what).isEqualTo(401);
        assertThat(answer.sentence()).as(what).isEqualTo("invalid ID token");
        assertThat(answer.header("WWW-Authenticate")).as(what).startsWith("Bearer");
        assertThat(answer.header("Error-Code")).as(what).isEqualTo("identity.invalid-id-token");
    }

    private static void assertRefused(String what, UnaryOperator<JWTClaimsSet.Builder> change) {
        assertRefused(what, rs256(change.apply(claims(FILE_ISSUER, "hostile"))));
    }

    @Test
    void aTokenSignedWithAKeyOfTheFileSignsIn() {
        Answer answer = authenticate("file", rs256(claims(FILE_ISSUER, "ada")));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(me(answer).getString("email")).isEqualTo("ada@example.com");
    }

    @Test
    void theDemoProviderDoesNotExistInProduction() {
        assertThat(platform.post("/auth/demo/id-token", new JsonObject(), null).status()).isEqualTo(404);
        assertThat(platform.post("/demo/id-token", new JsonObject(), null).status()).isEqualTo(404);
        assertThat(platform.get("/demo/jwks.json").status()).isEqualTo(404);
        assertThat(authenticate("demo", "x").sentence()).isEqualTo("identity provider not found");
    }

    @Test
    void claimsThatDoNotHoldAreRefused() {
        Instant now = CLOCK.instant();
        assertRefused("other issuer", claims -> claims.issuer(URL_ISSUER));
        assertRefused("issuer with a slash", claims -> claims.issuer(FILE_ISSUER + "/"));
        assertRefused("no issuer", claims -> claims.issuer(null));
        assertRefused("other audience", claims -> claims.audience("somebody-else"));
        assertRefused("no audience", claims -> claims.audience((String) null));
        assertRefused("several audiences without azp", claims -> claims.audience(List.of("client", "somebody-else")));
        assertRefused("issued to another of several audiences",
                claims -> claims.audience(List.of("client", "somebody-else")).claim("azp", "somebody-else"));
        assertRefused("issued to another for us alone", claims -> claims.claim("azp", "somebody-else"));
        assertRefused("an access token of Keycloak", claims -> claims.claim("azp", "client").claim("typ", "Bearer"));
        assertRefused("azp of the wrong kind", claims -> claims.audience(List.of("client", "x")).claim("azp", 7));
        assertRefused("expired", claims -> claims.expirationTime(Date.from(now.minusSeconds(60))));
        assertRefused("no expiry", claims -> claims.expirationTime(null));
        assertRefused("issued in the future", claims -> claims.issueTime(Date.from(now.plusSeconds(120))));
        assertRefused("no time of issue", claims -> claims.issueTime(null));
        assertRefused("issued long ago", claims -> claims.issueTime(Date.from(now.minus(Duration.ofHours(25)))));
        assertRefused("not valid yet", claims -> claims.notBeforeTime(Date.from(now.plusSeconds(120))));
        assertRefused("no subject", claims -> claims.subject(null));
        assertRefused("empty subject", claims -> claims.subject(""));
        assertRefused("subject too long", claims -> claims.subject("s".repeat(256)));
        assertRefused("NUL in the subject", claims -> claims.subject("a\0b"));
        assertRefused("expiry of the wrong kind", claims -> claims.claim("exp", "tomorrow"));
        assertRefused("issuer of the wrong kind", claims -> claims.claim("iss", List.of(FILE_ISSUER)));
    }

    @Test
    void clocksMayDifferByTheConfiguredSkew() {
        Instant now = CLOCK.instant();
        assertThat(authenticate("file", rs256(claims(FILE_ISSUER, "skew").expirationTime(Date.from(now.minusSeconds(10))))).status())
                .isEqualTo(200);
        assertThat(authenticate("file", rs256(claims(FILE_ISSUER, "skew")
                .issueTime(Date.from(now.plusSeconds(20))).notBeforeTime(Date.from(now.plusSeconds(20))))).status()).isEqualTo(200);
    }

    @Test
    void oneOfSeveralAudiencesIsEnoughWhenTheTokenWasIssuedToUs() {
        JWTClaimsSet.Builder claims = claims(FILE_ISSUER, "several").audience(List.of("x", "second-client")).claim("azp", "second-client");
        assertThat(authenticate("file", rs256(claims)).status()).isEqualTo(200);
    }

    @Test
    void forgedSignaturesAreRefused() throws Exception {
        JWTClaimsSet.Builder claims = claims(FILE_ISSUER, "hostile");
        String payload = rs256(claims).split("\\.")[1];
        Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
        for (String none : List.of("none", "None", "NONE")) {
            String header = base64.encodeToString("{\"alg\":\"%s\"}".formatted(none).getBytes(StandardCharsets.UTF_8));
            assertRefused("alg " + none, header + "." + payload + ".");
            assertRefused("alg " + none + " with a signature", header + "." + payload + ".AAAA");
        }
        RSAPublicKey publicKey = rsa.toRSAPublicKey();
        for (byte[] secret : List.of(publicKey.getEncoded(), rsa.toPublicJWK().toJSONString().getBytes(StandardCharsets.UTF_8))) {
            assertRefused("HS256 with the public key as the secret",
                    signed(new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("rsa-1").build(), claims, new MACSigner(secret)));
        }
        RSAKey other = new RSAKeyGenerator(2048).keyID("rsa-1").generate();
        assertRefused("other key of the same id",
                signed(new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("rsa-1").build(), claims, new RSASSASigner(other)));
        assertRefused("unknown key id",
                signed(new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("rsa-2").build(), claims, new RSASSASigner(other)));
        assertRefused("key brought along in the header",
                signed(new JWSHeader.Builder(JWSAlgorithm.RS256).jwk(other.toPublicJWK()).build(), claims, new RSASSASigner(other)));
        assertRefused("algorithm that this provider isn't configured with",
                signed(new JWSHeader.Builder(JWSAlgorithm.PS256).keyID("rsa-1").build(), claims, new RSASSASigner(rsa)));
        assertRefused("ES256 for an RSA key", es256(ecKey("rsa-1"), claims));
        assertRefused("another type of token", signed(new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("rsa-1")
                .type(new JOSEObjectType("logout+jwt")).build(), claims, new RSASSASigner(rsa)));
        String[] parts = rs256(claims).split("\\.");
        String changed = base64.encodeToString(new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8)
                .replace("hostile", "admin").getBytes(StandardCharsets.UTF_8));
        assertRefused("changed payload", parts[0] + "." + changed + "." + parts[2]);
        assertRefused("no signature", parts[0] + "." + parts[1] + ".");
        assertRefused("two parts", parts[0] + "." + parts[1]);
        assertRefused("five parts", String.join(".", parts[0], parts[1], parts[2], parts[0], parts[1]));
        for (String garbage : List.of("x", "..", "a.b.c", "{}", "e30.e30.", " ", "é.é.é", "A".repeat(20_000))) {
            assertRefused("garbage", garbage);
        }
        assertRefused("deeply nested payload", parts[0] + "."
                + base64.encodeToString("[".repeat(10_000).getBytes(StandardCharsets.UTF_8)) + "." + parts[2]);
    }

    @Test
    void anEmailThatIsVerifiedAsTextSignsInWhereTheProviderIsMarkedSo() {
        assertThat(authenticate("text", rs256(claims(FILE_ISSUER, "t").claim("email_verified", "true"))).status()).isEqualTo(200);
        for (Object wrong : List.of("false", "TRUE", "", 1)) {
            assertThat(authenticate("text", rs256(claims(FILE_ISSUER, "t").claim("email_verified", wrong))).status()).as("%s", wrong).isEqualTo(403);
        }
    }

    @Test
    void onlyALogoutTokenOfTheProviderEndsSessions() {
        String event = "http://schemas.openid.net/event/backchannel-logout";
        String token = authenticate("file", rs256(claims(FILE_ISSUER, "out").claim("sid", "s-1"))).object().getString("accessToken");
        JWTClaimsSet.Builder good = claims(FILE_ISSUER, "out").claim("events", Map.of(event, Map.of())).jwtID("1");
        for (JWTClaimsSet.Builder wrong : List.of(
                claims(FILE_ISSUER, "out").jwtID("1"), claims(FILE_ISSUER, "out").claim("events", Map.of("other", Map.of())).jwtID("1"),
                claims(FILE_ISSUER, "out").claim("events", Map.of(event, Map.of())).jwtID("1").claim("nonce", "n"),
                claims(FILE_ISSUER, "out").claim("events", Map.of(event, Map.of())), claims(URL_ISSUER, "out").claim("events", Map.of(event, Map.of())).jwtID("1"),
                claims(FILE_ISSUER, "out").claim("events", Map.of(event, Map.of())).jwtID("1").audience("other"))) {
            Answer refused = logOut("file", logoutToken(wrong));
            assertThat(refused.status()).as(wrong.build().toString()).isEqualTo(400);
            assertThat(refused.object().getString("error")).isEqualTo("invalid_request");
        }
        assertThat(logOut("url", logoutToken(good)).status()).as("signed by another").isEqualTo(400);
        assertThat(logOut("file", rs256(good)).status()).as("without its type").isEqualTo(400);
        for (JOSEObjectType type : List.of(JOSEObjectType.JWT, new JOSEObjectType("at+jwt"))) {
            assertThat(logOut("file", rs256(good, type)).status()).as("%s", type).isEqualTo(400);
        }
        assertThat(logOut("nobody", logoutToken(good)).status()).isEqualTo(400);
        assertThat(logOut("file", logoutToken(claims(FILE_ISSUER, "out").claim("events", Map.of(event, Map.of())).jwtID("1").claim("sid", "s-2"))).status()).isEqualTo(200);
        assertThat(platform.post("/auth/users/me", (JsonObject) null, token).status()).as("another session of the provider").isEqualTo(200);
        assertThat(logOut("file", logoutToken(good)).status()).isEqualTo(200);
        assertThat(platform.post("/auth/users/me", (JsonObject) null, token).status()).isEqualTo(401);
    }

    /** Otherwise somebody who has seen an ID token could go on with it after its user has signed out. */
    @Test
    void anIdTokenOfASessionThatTheProviderEndedSignsNobodyIn() {
        String idToken = rs256(claims(FILE_ISSUER, "left").claim("sid", "left-1"));
        assertThat(authenticate("file", idToken).status()).isEqualTo(200);
        assertThat(logOut("file", logoutToken(claims(FILE_ISSUER, "left").claim("events", Map.of("http://schemas.openid.net/event/backchannel-logout", Map.of()))
                .jwtID("1").claim("sid", "left-1"))).status()).isEqualTo(200);
        assertRefused("of the session that has ended", idToken);
        assertThat(authenticate("file", rs256(claims(FILE_ISSUER, "left").claim("sid", "left-2"))).status()).as("of the next session").isEqualTo(200);
        assertThat(authenticate("file", rs256(claims(FILE_ISSUER, "left"))).status()).as("that names no session").isEqualTo(200);
    }

    /** A provider that heard no answer sends its token again; so may somebody who has seen it. */
    @Test
    void aLogoutTokenThatComesAgainEndsNothingThatBeganAfterIt() {
        String token = logoutToken(claims(FILE_ISSUER, "again").claim("events", Map.of("http://schemas.openid.net/event/backchannel-logout", Map.of())).jwtID("1")
                .expirationTime(Date.from(CLOCK.instant().plus(Duration.ofHours(1)))));
        String before = authenticate("file", rs256(claims(FILE_ISSUER, "again"))).object().getString("accessToken");
        assertThat(logOut("file", token).status()).isEqualTo(200);
        assertThat(platform.post("/auth/users/me", (JsonObject) null, before).status()).isEqualTo(401);
        CLOCK.forward(Duration.ofMinutes(2));
        String after = authenticate("file", rs256(claims(FILE_ISSUER, "again"))).object().getString("accessToken");
        assertThat(logOut("file", token).status()).as("as the first time, so that the provider stops").isEqualTo(200);
        assertThat(platform.post("/auth/users/me", (JsonObject) null, after).status()).as("of a later sign-in").isEqualTo(200);
        CLOCK.forward(Duration.ofMinutes(9));
        assertThat(logOut("file", token).status()).as("11 minutes old").isEqualTo(400);
        assertThat(platform.post("/auth/users/me", (JsonObject) null, after).status()).isEqualTo(200);
    }

    private static String logoutToken(JWTClaimsSet.Builder claims) {
        return rs256(claims, new JOSEObjectType("logout+jwt"));
    }

    private static Answer logOut(String provider, String token) {
        return platform.post("/auth/backchannel-logout/" + provider, java.net.http.HttpRequest.BodyPublishers.ofString("logout_token=" + token),
                "application/x-www-form-urlencoded", null);
    }

    @Test
    void whoMustSignInStronglyIsAskedForItAndRefusedOtherwise() {
        for (Object acr : java.util.Arrays.asList(null, "0", "phr phrh", "PHR", List.of("phr"))) {
            Answer refused = authenticate("strong", rs256(claims(webIssuer, "sue").claim("acr", acr)));
            assertThat(refused.status()).as("%s", acr).isEqualTo(401);
            assertThat(refused.sentence()).isEqualTo("invalid ID token");
        }
        assertThat(authenticate("strong", rs256(claims(webIssuer, "sue").claim("acr", "phrh"))).status()).isEqualTo(200);
        assertThat(authenticate("web", rs256(claims(webIssuer, "sue"))).status()).as("where nothing is asked for").isEqualTo(200);
        CLOCK.forward(Duration.ofMinutes(11));
        webDiscovery = discovery();
        assertThat(platform.get("/auth/login/strong").header("Location")).contains("acr_values=phr+phrh");
        assertThat(platform.get("/auth/login/web").header("Location")).doesNotContain("acr_values");
    }

    @Test
    void onlyAnEmailThatIsVerifiedSignsIn() {
        for (JWTClaimsSet.Builder claims : List.of(
                claims(FILE_ISSUER, "e").claim("email_verified", null), claims(FILE_ISSUER, "e").claim("email_verified", false),
                claims(FILE_ISSUER, "e").claim("email_verified", "true"), claims(FILE_ISSUER, "e").claim("email_verified", 1),
                claims(FILE_ISSUER, "e").claim("email", null), claims(FILE_ISSUER, "e").claim("email", "nobody"),
                claims(FILE_ISSUER, "e").claim("email", List.of("e@example.com")),
                claims(FILE_ISSUER, "e").claim("email", "a\0b@example.com"))) {
            Answer answer = authenticate("file", rs256(claims));
            assertThat(answer.status()).as(claims.build().toString()).isEqualTo(403);
            assertThat(answer.sentence()).isEqualTo("email not verified");
        }
    }

    @Test
    void namesAreTakenAsFarAsTheyCanBeShown() {
        JsonObject odd = me(authenticate("file", rs256(claims(FILE_ISSUER, "odd").claim("given_name", " A\0d\n\u202e\u200b\u2067a ").claim("family_name", 7))));
        assertThat(odd.getString("first_name")).isEqualTo("Ada");
        assertThat(odd.getString("last_name")).isEmpty();
        JsonObject longer = me(authenticate("file", rs256(claims(FILE_ISSUER, "long").claim("given_name", "𝔸".repeat(150)))));
        assertThat(longer.getString("first_name")).isEqualTo("𝔸".repeat(100));
    }

    @Test
    void theSameEmailAtAnotherProviderIsAnotherUser() throws Exception {
        ECKey key = ecKey("same-email");
        serve(key.toPublicJWK());
        CLOCK.forward(ProviderKeys.FRESH);
        String one = me(authenticate("file", rs256(claims(FILE_ISSUER, "twin")))).getString("id");
        String other = me(authenticate("url", es256(key, claims(URL_ISSUER, "twin")))).getString("id");
        assertThat(one).isNotEqualTo(other);
    }

    @Test
    void theEmailFollowsTheProviderAndWithItTheConfiguredSuperAdministrators() {
        String id = me(authenticate("file", rs256(claims(FILE_ISSUER, "promoted")))).getString("id");
        Answer promoted = authenticate("file", rs256(claims(FILE_ISSUER, "promoted").claim("email", "CHIEF@example.COM")));
        assertThat(me(promoted).getString("id")).isEqualTo(id);
        assertThat(me(promoted).getJsonArray("permissions")).containsExactly("admin.platform.super");
        Answer demoted = authenticate("file", rs256(claims(FILE_ISSUER, "promoted").claim("email", "someone@example.com")));
        assertThat(me(demoted).getJsonArray("permissions")).isEmpty();
    }

    @Test
    void anEmailThatOnlyFoldsToAnAdministratorsIsNone() {
        // U+212A, the Kelvin sign, is a k in lower case.
        Answer kelvin = authenticate("file", rs256(claims(FILE_ISSUER, "kelvin").claim("email", "\u212A@example.com")));
        assertThat(me(kelvin).getJsonArray("permissions")).isEmpty();
    }

    @Test
    void manyFirstSightsOfASubjectAtOnceMakeOneUser() {
        String token = rs256(claims(FILE_ISSUER, "crowd-" + UUID.randomUUID()));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Set<String> ids = Stream.generate(() -> CompletableFuture.supplyAsync(() -> authenticate("file", token), threads))
                    .limit(20).toList().stream()
                    .map(CompletableFuture::join)
                    .map(answer -> me(answer).getString("id"))
                    .collect(Collectors.toCollection(ConcurrentHashMap::newKeySet));
            assertThat(ids).hasSize(1);
        }
    }

    @Test
    void keysAtAnAddressFollowRotationAtABoundedRateAndOutliveAnOutage() throws Exception {
        ECKey first = ecKey("first");
        ECKey second = ecKey("second");
        serve(first.toPublicJWK());
        CLOCK.forward(ProviderKeys.FRESH);
        assertThat(authenticate("url", es256(first, claims(URL_ISSUER, "rotating"))).status()).isEqualTo(200);
        int reads = SERVED.get();
        assertThat(authenticate("url", es256(first, claims(URL_ISSUER, "rotating"))).status()).isEqualTo(200);
        assertThat(SERVED.get()).as("kept keys are not read again").isEqualTo(reads);

        serve(second.toPublicJWK());
        for (int i = 0; i < 5; i++) {
            assertThat(authenticate("url", es256(second, claims(URL_ISSUER, "rotating"))).status()).isEqualTo(401);
        }
        assertThat(SERVED.get()).as("an unknown key id just after a read").isEqualTo(reads);
        CLOCK.forward(ProviderKeys.BETWEEN_READS);
        assertThat(authenticate("url", es256(second, claims(URL_ISSUER, "rotating"))).status()).isEqualTo(200);
        assertThat(authenticate("url", es256(first, claims(URL_ISSUER, "rotating"))).status()).as("a key that is gone").isEqualTo(401);
        assertThat(SERVED.get()).isEqualTo(reads + 1);

        servedStatus = 500;
        CLOCK.forward(ProviderKeys.FRESH);
        assertThat(authenticate("url", es256(second, claims(URL_ISSUER, "rotating"))).status()).as("kept keys serve").isEqualTo(200);
        Answer unknown = authenticate("url", es256(first, claims(URL_ISSUER, "rotating")));
        assertThat(unknown.status()).as("nobody can know whether this key is good").isEqualTo(503);
        assertThat(platform.health().getJsonObject("parts").getString("identityProvider.url")).isEqualTo("DOWN");
        assertThat(platform.health().getJsonObject("troubles").getString("identityProvider.url")).startsWith("keys: ").contains("/keys answered 500");
        CLOCK.forward(ProviderKeys.STALE_MAX);
        Answer down = authenticate("url", es256(second, claims(URL_ISSUER, "rotating")));
        assertThat(down.status()).isEqualTo(503);
        assertThat(down.sentence()).isEqualTo("the keys of the identity provider are not available");
        assertThat(down.header("Retry-After")).isEqualTo("5");

        for (String broken : List.of("", "[]", "{\"keys\":7}", "<html>", " ".repeat(ProviderKeys.SET_LENGTH_MAX + 1))) {
            servedStatus = 200;
            servedKeys = broken;
            CLOCK.forward(ProviderKeys.AFTER_FAILURE);
            assertThat(authenticate("url", es256(second, claims(URL_ISSUER, "rotating"))).status()).isEqualTo(503);
        }
        serve(second.toPublicJWK());
        CLOCK.forward(ProviderKeys.AFTER_FAILURE);
        assertThat(authenticate("url", es256(second, claims(URL_ISSUER, "rotating"))).status()).as("back again").isEqualTo(200);
        assertThat(platform.health().getJsonObject("parts").getString("identityProvider.url")).isEqualTo("UP");
    }

    @Test
    void aTokenWithoutAKeyIdIsCheckedWithTheOnlyKey() throws Exception {
        String token = signed(new JWSHeader(JWSAlgorithm.RS256), claims(FILE_ISSUER, "no-kid"), new RSASSASigner(rsa));
        assertThat(authenticate("file", token).status()).isEqualTo(200);
    }

    // A browser, at a provider whose every answer the test writes

    /** A sign-in that was begun, as the browser holds it. */
    private record Begun(Map<String, String> asked, String cookie) {
        Answer back(String more) {
            return platform.get("/auth/callback/web?code=c&state=%s%s".formatted(asked.get("state"), more), "Cookie", cookie);
        }
    }

    private static JsonObject discovery() {
        return new JsonObject().put("issuer", webIssuer).put("authorization_endpoint", webIssuer + "/authorize").put("token_endpoint", webIssuer + "/token");
    }

    private static Begun begin() {
        Answer begun = platform.get("/auth/login/web?returnTo=/cases/7");
        assertThat(begun.status()).as(begun.body()).isEqualTo(302);
        Map<String, String> asked = Stream.of(begun.header("Location").split("[?&]")).skip(1).map(pair -> pair.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
        return new Begun(asked, begun.header("Set-Cookie").split(";")[0]);
    }

    private static JWTClaimsSet.Builder answering(Begun begun) {
        return claims(webIssuer, "wanda").claim("nonce", begun.asked.get("nonce"));
    }

    private static void assertNobody(String what, Answer answer, int status, String sentence) {
        assertThat(answer.status()).as(what).isEqualTo(status);
        assertThat(answer.sentence()).as(what).isEqualTo(sentence);
        assertThat(answer.header("Set-Cookie")).as(what).isNull();
    }

    @Test
    void anIdTokenOfAnotherSignInIsRefused() {
        CLOCK.forward(Duration.ofMinutes(11));
        webDiscovery = discovery();
        Begun others = begin();
        for (Object nonce : new Object[] {null, "", others.asked.get("nonce"), 7}) {
            Begun begun = begin();
            webToken = rs256(answering(begun).claim("nonce", nonce));
            assertNobody("nonce " + nonce, begun.back(""), 401, "invalid ID token");
        }
        Begun begun = begin();
        webToken = rs256(answering(begun));
        assertThat(begun.back("").status()).as("its own").isEqualTo(302);
    }

    /** A code that nobody gave is refused every day; a client that is refused is named, until its secret is taken again. */
    @Test
    void aClientThatTheProviderRefusesIsNamedAndSignsInWhenItsSecretIsTakenAgain() {
        CLOCK.forward(Duration.ofMinutes(11));
        webDiscovery = discovery();
        try {
            tokenStatus = 401;
            assertThat(begin().back("").header("Set-Cookie")).isNull();
            assertThat(platform.health().getJsonObject("parts").getString("identityProvider.web")).isEqualTo("DOWN");
            assertThat(platform.health().getJsonObject("troubles").getString("identityProvider.web")).startsWith("codes: ").contains("answered 401");
            tokenStatus = 200;
            Begun begun = begin();
            webToken = rs256(answering(begun));
            assertThat(begun.back("").status()).isEqualTo(302);
            assertThat(platform.health().getJsonObject("parts").getString("identityProvider.web")).isEqualTo("UP");
            tokenStatus = 400;
            assertThat(begin().back("").header("Set-Cookie")).isNull();
            assertThat(platform.health().getJsonObject("parts").getString("identityProvider.web")).as("a code that is refused").isEqualTo("UP");
        } finally {
            tokenStatus = 200;
        }
    }

    @Test
    void metadataOfAnotherIssuerOrOfLessSafeAddressesIsRefused() {
        for (JsonObject wrong : List.of(discovery().put("issuer", webIssuer + "/other"), discovery().put("issuer", "https://evil.example"),
                discovery().putNull("issuer"), discovery().put("token_endpoint", "ftp://127.0.0.1/"), discovery().putNull("authorization_endpoint"),
                discovery().put("authorization_endpoint", 7))) {
            webDiscovery = wrong;
            CLOCK.forward(ProviderKeys.AFTER_FAILURE);
            assertNobody(wrong.encode(), platform.get("/auth/login/other-issuer"), 503, "the identity provider does not answer");
        }
    }

    /** Whoever calls up the sign-in again and again makes the platform ask the provider no more often. */
    @Test
    void aProviderThatFailsIsAskedOnceForAllWhoWaitAndThenLeftAloneForAWhile() {
        CLOCK.forward(Duration.ofMinutes(11));
        webDiscovery = new JsonObject();
        int before = WEB_ASKED.get();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<CompletableFuture<Answer>> all = Stream.generate(() -> CompletableFuture.supplyAsync(() -> platform.get("/auth/login/left-alone"), threads))
                    .limit(30).toList();
            assertThat(all).allSatisfy(one -> assertThat(one.join().status()).isEqualTo(503));
        }
        assertThat(WEB_ASKED.get()).isEqualTo(before + 1);
        webDiscovery = discovery();
        CLOCK.forward(ProviderKeys.AFTER_FAILURE);
        assertThat(platform.get("/auth/login/left-alone").status()).as("back again").isEqualTo(302);
        webDiscovery = new JsonObject();
        CLOCK.forward(Duration.ofMinutes(11));
        assertThat(platform.get("/auth/login/left-alone").status()).as("its addresses are known").isEqualTo(302);
    }

    @Test
    void aProviderThatNamesItselfInAnswersMustDoSo() {
        CLOCK.forward(Duration.ofMinutes(11));
        webDiscovery = discovery().put("authorization_response_iss_parameter_supported", true);
        Begun begun = begin();
        webToken = rs256(answering(begun));
        assertNobody("without iss", begun.back(""), 401, "the identity provider did not sign you in");
        assertNobody("another's", begun.back("&iss=https%3A%2F%2Fevil.example"), 401, "the identity provider did not sign you in");
        assertThat(begun.back("&iss=" + java.net.URLEncoder.encode(webIssuer, StandardCharsets.UTF_8)).status()).isEqualTo(302);
    }

    private static String browser() {
        CLOCK.forward(Duration.ofMinutes(11));
        webDiscovery = discovery();
        Begun begun = begin();
        webToken = rs256(answering(begun));
        return begun.back("").header("Set-Cookie").split(";")[0];
    }

    private static int me(String cookie) {
        return platform.post("/auth/users/me", (JsonObject) null, null, "Cookie", cookie, "Origin", PUBLIC_URL).status();
    }

    /** That a session was used is noted beside the answer. */
    private static void awaitUseNoted() {
        String lately = CLOCK.instant().minus(Duration.ofHours(1)).toString();
        Await.until("the use is noted", () -> !platform.rows("""
                select 1 from identity.sessions s join identity.users u using (user_id)
                where u.subject = 'wanda' and s.ended_at is null and s.last_used > ?::timestamptz
                """, lately).isEmpty());
    }

    @Test
    void aBrowsersSessionEndsWhenItIsNotUsedForAWeekAndAfterThirtyDaysInAnyCase() {
        String idle = browser();
        assertThat(me(idle)).isEqualTo(200);
        CLOCK.forward(Duration.ofDays(7).minusMinutes(1));
        assertThat(me(idle)).as("used within the week").isEqualTo(200);
        awaitUseNoted();
        CLOCK.forward(Duration.ofDays(7));
        assertThat(me(idle)).as("not used for a week").isEqualTo(401);

        String used = browser();
        for (int day = 0; day < 29; day += 3) {
            assertThat(me(used)).as("day %d", day).isEqualTo(200);
            awaitUseNoted();
            CLOCK.forward(Duration.ofDays(3));
        }
        assertThat(me(used)).as("after thirty days").isEqualTo(401);
    }

    @Test
    void cookiesOfAPlatformOnHttpsAreForItsHostAndForTlsAlone() {
        CLOCK.forward(Duration.ofMinutes(11));
        webDiscovery = discovery();
        Begun begun = begin();
        assertThat(begun.cookie).startsWith("__Host-sign-in=");
        webToken = rs256(answering(begun));
        Answer done = begun.back("");
        assertThat(done.header("Location")).isEqualTo("/cases/7");
        for (Answer any : List.of(done, platform.get("/docs"), platform.get("/nowhere"), platform.post("/auth/users/me", "{", null))) {
            assertThat(any.header("Strict-Transport-Security")).as(any.body()).isEqualTo("max-age=31536000; includeSubDomains");
        }
        assertThat(done.header("Set-Cookie")).startsWith("__Host-session=s1_").contains("; Secure", "; Path=/", "; HttpOnly", "; SameSite=Lax").doesNotContain("Domain");
        String session = done.header("Set-Cookie").split(";")[0];
        Answer me = platform.post("/auth/users/me", (JsonObject) null, null, "Cookie", session, "Origin", PUBLIC_URL);
        assertThat(me.object().getString("email")).isEqualTo("wanda@example.com");
        assertThat(platform.post("/auth/users/me", (JsonObject) null, null, "Cookie", session.replace("__Host-", ""), "Origin", PUBLIC_URL).status())
                .as("a cookie that another host could have set").isEqualTo(401);
        assertThat(platform.post("/auth/users/me", (JsonObject) null, null, "Cookie", session, "Origin", PUBLIC_URL.replace("https", "http")).status()).isEqualTo(403);
    }
}
