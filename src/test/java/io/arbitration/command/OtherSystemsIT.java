package io.arbitration.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.icegreen.greenmail.user.GreenMailUser;
import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import io.arbitration.Await;
import io.arbitration.FaultyLine;
import io.arbitration.FaultyLine.State;
import io.arbitration.OpenCase;
import io.arbitration.OtherRuntimes;
import io.arbitration.RunningPlatform;
import io.arbitration.ai.ModelServer;
import io.arbitration.emails.ScriptedMailServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import jakarta.mail.Flags;
import jakarta.mail.Session;
import jakarta.mail.internet.MimeMessage;
import java.io.ByteArrayInputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A mail server, a mailbox, a model, an identity provider and a collector of traces that cannot be reached, say nothing, or answer what is no
 * protocol: health names each with the reason, the rest is served, and what waited is done when they are back.
 */
class OtherSystemsIT {

    private static final Duration WAIT = Duration.ofSeconds(150);
    private static final String ISSUER = "https://provider.example";
    private static RSAKey key;

    @TempDir
    private Path folder;
    private final Map<String, FaultyLine> lines = new LinkedHashMap<>();
    private ScriptedMailServer mail;
    private GreenMail mailbox;
    private GreenMailUser bounces;
    private ModelServer model;
    private HttpServer provider;
    private TraceCollector collector;

    @BeforeAll
    static void makeKey() throws Exception {
        key = new RSAKeyGenerator(2048).keyID("first").generate();
    }

    @BeforeEach
    void startAll() throws Exception {
        mail = new ScriptedMailServer();
        mailbox = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_IMAP));
        mailbox.start();
        bounces = mailbox.setUser("bounces@mail.example.org", "bounces", "pass-word");
        model = new ModelServer();
        provider = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        provider.createContext("/keys", exchange -> {
            byte[] keys = new JWKSet(key).toString(true).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, keys.length);
            exchange.getResponseBody().write(keys);
            exchange.close();
        });
        provider.start();
        collector = new TraceCollector();
    }

    @AfterEach
    void stopAll() throws Exception {
        lines.values().forEach(FaultyLine::close);
        collector.close();
        provider.stop(0);
        model.close();
        mailbox.stop();
        mail.close();
    }

    private int line(String part, int target, State state) throws Exception {
        lines.put(part, new FaultyLine(target, state));
        return lines.get(part).port();
    }

    private void all(State state) throws Exception {
        for (FaultyLine line : lines.values()) {
            line.become(state);
        }
    }

    private RunningPlatform start(State state) throws Exception {
        String modelUrl = "http://127.0.0.1:" + line("model", Integer.parseInt(model.url().replaceAll(".*:", "")), state);
        String keys = "http://127.0.0.1:%d/keys".formatted(line("identityProvider.web", provider.getAddress().getPort(), state));
        return RunningPlatform.start(Files.createDirectories(folder.resolve("data")), Map.of(
                "ACP_SMTP_URL", "smtp://127.0.0.1:" + line("smtp", mail.port(), state), "ACP_SMTP_EXCHANGE_SECONDS", "4",
                "ACP_EMAILS_RETURN_PATH", "bounces@mail.example.org", "ACP_EMAILS_BOUNCES_POLL_SECONDS", "1",
                "ACP_EMAILS_BOUNCES_IMAP_URL", "imap://bounces:pass-word@127.0.0.1:%d/INBOX".formatted(line("bounces", mailbox.getImap().getPort(), state)),
                "ACP_AI_BASE_URL", modelUrl, "ACP_AI_EXCHANGE_SECONDS", "6", "ACP_AI_BREAK_SECONDS", "4",
                "ACP_IDENTITY_PROVIDERS", new JsonObject().put("web", new JsonObject().put("issuer", ISSUER).put("audiences", new JsonArray().add("client"))
                        .put("jwksUrl", keys).put("algorithms", new JsonArray().add("RS256"))).encode(),
                "ACP_TELEMETRY_TRACES_ENDPOINT", "http://127.0.0.1:" + line("traces", Integer.parseInt(collector.url().replaceAll(".*:", "")), state)));
    }

    /** A token of the provider; one with a key that is not known makes the platform read the keys. */
    private static String idToken(String keyId) throws Exception {
        Instant now = Instant.now();
        SignedJWT token = new SignedJWT(new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(keyId).build(), new JWTClaimsSet.Builder().issuer(ISSUER).audience("client")
                .subject("ada").claim("email", "ada@example.com").claim("email_verified", true).issueTime(Date.from(now)).expirationTime(Date.from(now.plusSeconds(300))).build());
        token.sign(new RSASSASigner(key));
        return token.serialize();
    }

    /** The platform, with somebody who uses all five again and again. */
    private final class User {

        private final RunningPlatform platform;
        private final OpenCase open;
        private final String sender;
        private final String document = "file://evidence/awards/claim.txt";

        User(RunningPlatform platform) throws Exception {
            this.platform = platform;
            this.open = OpenCase.on(platform);
            this.sender = platform.machine("emails.email.sender");
            Files.createDirectories(platform.objectFile(document).getParent());
            Files.writeString(platform.objectFile(document), "The claimant wants the price of a crane.");
        }

        int award() {
            return platform.post("/ai/generate-award", new JsonObject().put("documents", new JsonArray().add(new JsonObject().put("gsUrl", document)
                    .put("contentType", "text/plain"))).put("exhibits", new JsonArray()), open.arbitrator().token()).status();
        }

        int signIn(String keyId) throws Exception {
            return platform.post("/auth/authenticate/web", new JsonObject().put("idToken", idToken(keyId)), null).status();
        }

        String send() {
            String recipient = UUID.randomUUID() + "@example.org";
            assertThat(platform.post("/emails/email/send", new JsonObject().put("idempotencyKey", recipient).put("to", new JsonArray().add(recipient))
                    .put("subject", "Hearing").put("html", "<p>Come.</p>"), sender).status()).isEqualTo(200);
            return recipient;
        }

        String comesBack() throws Exception {
            String subject = "junk " + UUID.randomUUID();
            bounces.deliver(new MimeMessage(Session.getInstance(new Properties()),
                    new ByteArrayInputStream("Subject: %s\r\n\r\njunk".formatted(subject).getBytes(StandardCharsets.UTF_8))));
            return subject;
        }

        boolean isRead(String subject) throws Exception {
            for (var message : mailbox.getManagers().getImapHostManager().getInbox(bounces).getMessages()) {
                if (message.getMimeMessage().getSubject().equals(subject)) {
                    return message.getFlags().contains(Flags.Flag.SEEN);
                }
            }
            return false;
        }

        /** What waits for its time gets it at once. */
        void hurry() throws Exception {
            try (Connection sql = platform.sql(); Statement statement = sql.createStatement()) {
                statement.executeUpdate("update platform.queue_items set due = now() where queue = 'emails' and claim is null and due > now()");
            }
        }

        /** Uses all until health says this word of each. */
        JsonObject awaitEach(String word) {
            return Await.value(() -> "each is %s: %s".formatted(word, platform.health().encode()), WAIT, () -> {
                award();
                signIn(UUID.randomUUID().toString());
                hurry();
                JsonObject health = platform.health();
                return lines.keySet().stream().allMatch(part -> health.getJsonObject("parts").getString(part).equals(word)) ? health : null;
            });
        }

        void assertTroubleAndRecovery() throws Exception {
            String recipient = send();
            String subject = comesBack();
            JsonObject health = awaitEach("DOWN");
            assertThat(health.getString("status")).as("a node that others fail serves").isEqualTo("UP");
            assertThat(lines.keySet()).allSatisfy(part -> assertThat(health.getJsonObject("troubles").getString(part)).as(part).isNotBlank().doesNotContain("pass-word"));
            assertThat(isRead(subject)).isFalse();
            assertThat(award()).isBetween(502, 504);
            open.docketed(new JsonObject());

            all(State.WORKS);
            JsonObject well = awaitEach("UP");
            assertThat(well.getJsonObject("troubles", new JsonObject()).fieldNames()).doesNotContainAnyElementsOf(lines.keySet());
            Await.until("the mail is sent", WAIT, () -> {
                hurry();
                return mail.takenFor(recipient).size() == 1;
            });
            Await.until("what came back is read", WAIT, () -> isRead(subject));
            Await.until("the model answers", WAIT, () -> award() == 200);
            Await.until("the provider signs in", WAIT, () -> signIn("first") == 200);
            Await.until("spans arrive", WAIT, () -> !collector.seen().isEmpty());
        }
    }

    @Test
    void systemsThatAreAwayWhenTheNodeStartsAreNamedAndUsedOnceTheyAreThere() throws Exception {
        try (RunningPlatform platform = start(State.AWAY)) {
            new User(platform).assertTroubleAndRecovery();
        }
    }

    @Test
    void systemsThatGoAwayAreNamedAndUsedWhenTheyAreBack() throws Exception {
        assumeTrue(OtherRuntimes.counterparts("five systems that go away"), "left to ./acp counterparts");
        try (RunningPlatform platform = start(State.WORKS)) {
            User user = new User(platform);
            user.send();
            user.awaitEach("UP");
            all(State.AWAY);
            user.assertTroubleAndRecovery();
        }
    }

    @Test
    void systemsThatSayNothingAreGivenUpNamedAndUsedWhenTheySpeakAgain() throws Exception {
        assumeTrue(OtherRuntimes.counterparts("five systems that say nothing, each of which is given up after its time"), "left to ./acp counterparts");
        try (RunningPlatform platform = start(State.SILENT)) {
            new User(platform).assertTroubleAndRecovery();
        }
    }

    @Test
    void systemsThatAnswerNonsenseAreNamedAndUsedWhenTheyMakeSenseAgain() throws Exception {
        try (RunningPlatform platform = start(State.NONSENSE)) {
            new User(platform).assertTroubleAndRecovery();
        }
    }
}
