package io.arbitration.push;

import io.arbitration.push.encryption.P256;
import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.OtherRuntimes;
import io.arbitration.RunningPlatform;
import io.arbitration.platform.events.Addresses;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.Security;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import nl.martijndwars.webpush.AbstractPushService;
import nl.martijndwars.webpush.Encoding;
import nl.martijndwars.webpush.Notification;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.jose4j.lang.JoseException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The platform beside implementations that are not ours: one that reads what it sends, one that sends what its browsers read. */
class PeersIT {

    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();
    private static final String READER = """
            const ece = require('http_ece');
            const crypto = require('crypto');
            const messages = JSON.parse(require('fs').readFileSync(0, 'utf8'));
            console.log(JSON.stringify(messages.map(({body, privateKey, auth}) => {
              const keys = crypto.createECDH('prime256v1');
              keys.setPrivateKey(Buffer.from(privateKey, 'base64url'));
              return ece.decrypt(Buffer.from(body, 'base64url'), {version: 'aes128gcm', privateKey: keys, authSecret: auth}).toString('utf8');
            })));
            """;

    @TempDir
    private static Path folder;
    private static PushServer service;
    private static RunningPlatform platform;
    private static Pushed pushed;

    @BeforeAll
    static void start() {
        service = new PushServer();
        platform = RunningPlatform.start(folder, Pushed.settings(service));
        pushed = Pushed.on(platform, service);
    }

    @AfterAll
    static void stop() {
        platform.close();
        service.close();
    }

    /** Sent both ways: while the caller waits, and from the queue. */
    @Test
    void everyMessageIsReadByHttpEce() throws Exception {
        List<String> sent = new ArrayList<>();
        for (int length : new int[] {0, 1, 200, 240, 256, 500, 1000, 2000, 2040, 3900, 3974}) {
            JsonObject notification = new JsonObject().put("title", "№ " + length).put("body", "x".repeat(Math.max(0, length - 20)));
            Pushed.ok(pushed.send(pushed.subscribe(pushed.browser(), null), notification));
            sent.add(notification.encode());
        }
        RunningPlatform.Person person = pushed.person();
        pushed.subscribe(pushed.browser(), person);
        JsonObject queued = new JsonObject().put("title", "Queued").put("data", new JsonObject().put("emoji", "⚖️"));
        platform.ask(Addresses.PUSH_SEND, new JsonObject().put("idempotencyKey", UUID.randomUUID().toString()).put("userID", person.id()).put("notification", queued));
        sent.add(queued.encode());
        Pushed.await(() -> service.all().size() == sent.size() ? true : null, () -> "messages: " + service.all().size());
        JsonArray messages = new JsonArray(service.all().stream().map(taken -> new JsonObject().put("body", BASE64.encodeToString(taken.body()))
                .put("privateKey", taken.browser().privateNumber()).put("auth", BASE64.encodeToString(taken.browser().auth()))).toList());
        assertThat(read(messages)).containsExactlyElementsOf(sent);
    }

    private static List<String> read(JsonArray messages) throws IOException, InterruptedException {
        Optional<Path> modules = OtherRuntimes.node("http_ece@1.2.1");
        Assumptions.assumeTrue(modules.isPresent(), "no node with http_ece");
        Process node = new ProcessBuilder("node", "-e", READER).directory(modules.get().toFile()).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try (var in = node.outputWriter()) {
            in.write(messages.encode());
        }
        String printed = new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(node.waitFor()).isZero();
        return new JsonArray(printed).stream().map(String.class::cast).toList();
    }

    /** The other sender asks for its provider by name. */
    @BeforeAll
    static void addProviderOfTheOtherSender() {
        Security.addProvider(new BouncyCastleProvider());
    }

    @AfterAll
    static void removeProviderOfTheOtherSender() {
        Security.removeProvider(BouncyCastleProvider.PROVIDER_NAME);
    }

    private static final class OtherSender extends AbstractPushService<OtherSender> {

        OtherSender(KeyPair keys) throws GeneralSecurityException {
            super(BASE64.encodeToString(P256.point(keys.getPublic())), Browser.privateNumber(keys), "mailto:other@arbitration.example");
        }

        nl.martijndwars.webpush.HttpRequest prepare(Notification notification) throws GeneralSecurityException, IOException, JoseException {
            return prepareRequest(notification, Encoding.AES128GCM);
        }
    }

    /** So what reads and verifies in these tests is not made for our own sender alone. */
    @Test
    void anotherSenderIsTakenByTheSamePushServiceAndReadByTheSameBrowsers() throws Exception {
        KeyPair keys = P256.generate();
        // The other sender leaves the port out of the audience, which a push service on port 443 does not notice.
        try (PushServer other = new PushServer().takingPortlessAudience(); HttpClient client = HttpClient.newHttpClient()) {
            Browser browser = other.subscribe(BASE64.encodeToString(P256.point(keys.getPublic())));
            JsonObject subscription = browser.subscription().getJsonObject("keys");
            JsonObject message = new JsonObject().put("title", "From another").put("body", "⚖");
            nl.martijndwars.webpush.HttpRequest prepared = new OtherSender(keys).prepare(new Notification(browser.endpoint(), subscription.getString("p256dh"),
                    subscription.getString("auth"), message.encode().getBytes(StandardCharsets.UTF_8), 60));
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(prepared.getUrl())).timeout(Duration.ofSeconds(60))
                    .POST(HttpRequest.BodyPublishers.ofByteArray(prepared.getBody()));
            prepared.getHeaders().forEach(request::header);
            assertThat(client.send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode()).as(other.refused().toString()).isEqualTo(201);
            assertThat(other.next().message()).isEqualTo(message);
            if (OtherRuntimes.node("http_ece@1.2.1").isPresent()) {
                assertThat(read(new JsonArray().add(new JsonObject().put("body", BASE64.encodeToString(prepared.getBody()))
                        .put("privateKey", browser.privateNumber()).put("auth", BASE64.encodeToString(browser.auth()))))).containsExactly(message.encode());
            }
        }
    }
}
