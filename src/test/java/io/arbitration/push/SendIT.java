package io.arbitration.push;

import io.arbitration.push.messages.Notification;
import io.arbitration.push.subscriptions.Subscription;
import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sending to one subscription, against a push service that is as strict as a real one. */
class SendIT {

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

    @BeforeEach
    void takeEverything() {
        service.answering(201);
    }

    private static JsonObject notification() {
        return new JsonObject().put("title", "Eingereicht: Schriftsatz № 3 – ⚖️").put("body", "Cranes v. Quarry")
                .put("icon", "https://arbitration.example/icon.png").put("url", "https://arbitration.example/cases/7?entry=42#top")
                .put("data", new JsonObject().put("entryID", "42").put("nested", new JsonArray().add(1).add(new JsonObject().putNull("none"))));
    }

    private static void refused(Answer answer, int status, String code, String text) {
        assertThat(answer.body()).isEqualTo(text);
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.header("Error-Code")).isEqualTo(code);
        assertThat(answer.header("Content-Type")).startsWith("text/plain");
    }

    @Test
    void aNotificationArrivesAsItWasGivenEncryptedAndSigned() throws Exception {
        Browser browser = pushed.browser();
        String id = pushed.subscribe(browser, pushed.person());
        Answer answer = pushed.send(id, notification());
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("Notification sent successfully.");
        assertThat(answer.header("Content-Type")).startsWith("text/plain");
        PushServer.Taken taken = service.all(browser).getFirst();
        assertThat(taken.message()).isEqualTo(notification());
        assertThat(taken.header("TTL")).isEqualTo("86400");
        assertThat(taken.header("Urgency")).isEqualTo("normal");
        assertThat(taken.header("Topic")).isNull();
        assertThat(taken.claims().getSubject()).isEqualTo("mailto:push@arbitration.example");
        assertThat(taken.claims().getAudience()).containsExactly(service.origin());
    }

    @Test
    void ttlUrgencyAndTopicAreThoseAskedFor() {
        Browser browser = pushed.browser();
        String id = pushed.subscribe(browser, null);
        Pushed.ok(pushed.send(id, new JsonObject().put("ttl", 0).put("urgency", "very-low").put("topic", "docket_42-a")));
        PushServer.Taken taken = service.all(browser).getFirst();
        assertThat(List.of(taken.header("TTL"), taken.header("Urgency"), taken.header("Topic"))).containsExactly("0", "very-low", "docket_42-a");
        assertThat(taken.message()).isEqualTo(new JsonObject());
    }

    @Test
    void aSignatureServesAllMessagesToAPushServiceForAWhile() {
        Browser one = pushed.browser();
        Browser other = pushed.browser();
        Pushed.ok(pushed.send(pushed.subscribe(one, null), notification()));
        Pushed.ok(pushed.send(pushed.subscribe(other, null), notification()));
        assertThat(service.all(one).getFirst().header("Authorization")).isEqualTo(service.all(other).getFirst().header("Authorization"));
    }

    @Test
    void theSameIdempotencyKeySendsOnce() {
        Browser browser = pushed.browser();
        JsonObject body = notification().put("subscriptionID", pushed.subscribe(browser, null));
        for (int i = 0; i < 3; i++) {
            Answer answer = pushed.post("/internal/send-web-push-to-subscription", body, pushed.sender(), "Idempotency-Key", "once-" + browser.endpoint().hashCode());
            assertThat(answer.body()).isEqualTo("Notification sent successfully.");
            assertThat(answer.header("Idempotent-Replayed")).isEqualTo(i == 0 ? null : "true");
            assertThat(answer.header("Content-Type")).startsWith("text/plain");
        }
        assertThat(service.all(browser)).hasSize(1);
    }

    @Test
    void anUnknownSubscriptionIsNotFound() {
        for (String id : List.of(UUID.randomUUID().toString(), "x", "", "00000000-0000-0000-0000-00000000000g", "x".repeat(37))) {
            refused(pushed.send(id, notification()), 404, "subscription.not-found", "Subscription not found");
        }
    }

    @Test
    void aSubscriptionThatHasEndedIsRemovedAndNotFound() {
        for (int status : List.of(404, 410)) {
            Person person = pushed.person();
            String id = pushed.subscribe(pushed.browser(), person);
            service.answering(status);
            refused(pushed.send(id, notification()), 404, "subscription.not-found", "Subscription not found");
            assertThat(pushed.subscriptions(person)).isEmpty();
            service.answering(201);
            int sent = service.all().size();
            refused(pushed.send(id, notification()), 404, "subscription.not-found", "Subscription not found");
            assertThat(service.all()).hasSize(sent);
        }
    }

    @Test
    void aBusyPushServiceIsTriedAgain() {
        for (int status : List.of(429, 500, 503)) {
            Browser browser = pushed.browser();
            String id = pushed.subscribe(browser, null);
            AtomicInteger attempts = new AtomicInteger();
            service.answering((exchange, taken) -> exchange.sendResponseHeaders(attempts.incrementAndGet() == 1 ? status : 202, -1));
            assertThat(pushed.send(id, notification()).status()).as("after %d", status).isEqualTo(200);
            assertThat(service.all(browser)).hasSize(2);
        }
    }

    @Test
    void aPushServiceThatAsksToWaitLongerThanARequestIsToldToTheCaller() {
        Browser browser = pushed.browser();
        String id = pushed.subscribe(browser, null);
        service.answering(429, "Retry-After", "60");
        Answer answer = pushed.send(id, notification());
        refused(answer, 503, "push-service.busy", "The push service asks to wait.");
        assertThat(answer.header("Retry-After")).isEqualTo("60");
        assertThat(service.all(browser)).hasSize(1);
    }

    @Test
    void aRetryAfterWithinTheTimeOfTheRequestIsKept() {
        Browser browser = pushed.browser();
        String id = pushed.subscribe(browser, null);
        AtomicInteger attempts = new AtomicInteger();
        service.answering((exchange, taken) -> {
            exchange.getResponseHeaders().set("Retry-After", "1");
            exchange.sendResponseHeaders(attempts.incrementAndGet() == 1 ? 429 : 201, -1);
        });
        Pushed.ok(pushed.send(id, notification()));
        List<PushServer.Taken> all = service.all(browser);
        assertThat(Duration.between(all.get(0).at(), all.get(1).at())).isGreaterThanOrEqualTo(Duration.ofMillis(990));
    }

    @Test
    void whatAPushServiceRefusesIsToldWithItsStatus() {
        String id = pushed.subscribe(pushed.browser(), null);
        for (int status : List.of(301, 400, 403, 413)) {
            service.answering(status);
            refused(pushed.send(id, notification()), 502, "push-service.refused", "The push service refused the notification with status %d.".formatted(status));
        }
    }

    @Test
    void aPushServiceThatHangsTakesNoLongerThanTheTimeOfARequest() {
        String id = pushed.subscribe(pushed.browser(), null);
        CountDownLatch end = new CountDownLatch(1);
        service.answering((exchange, taken) -> {
            try {
                end.await();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        });
        long start = System.nanoTime();
        refused(pushed.send(id, notification()), 504, "push-service.timeout", "The push service did not answer in time.");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(5900), Duration.ofSeconds(60));
        end.countDown();
    }

    @Test
    void aPushServiceThatClosesTheConnectionIsTold() {
        String id = pushed.subscribe(pushed.browser(), null);
        service.answering((exchange, taken) -> exchange.close());
        Answer answer = pushed.send(id, notification());
        assertThat(answer.status()).isEqualTo(502);
        assertThat(answer.header("Error-Code")).isEqualTo("push-service.failed");
        assertThat(answer.body()).startsWith("The push service could not be reached: ").endsWith(".");
    }

    @Test
    void aNewKeyLeavesOlderSubscriptionsAsTheyAre() {
        Browser old = pushed.browser();
        String oldId = pushed.subscribe(old, null);
        Answer created = pushed.post("/vapid-keys/create", null, pushed.sender());
        assertThat(created.body()).isEqualTo("Vapid key created successfully.");
        assertThat(created.header("Content-Type")).startsWith("text/plain");
        Browser young = pushed.browser();
        String youngId = pushed.subscribe(young, null);
        Pushed.ok(pushed.send(oldId, notification()));
        Pushed.ok(pushed.send(youngId, notification()));
        assertThat(service.all(old).getFirst().header("Authorization")).isNotEqualTo(service.all(young).getFirst().header("Authorization"));
        List<JsonObject> keys = Pushed.ok(pushed.post("/vapid-keys/list", null, null)).object().getJsonArray("keys").stream().map(JsonObject.class::cast).toList();
        assertThat(keys.stream().map(key -> key.getBoolean("active"))).startsWith(true).doesNotHaveDuplicates().hasSize(2);
        assertThat(keys).allMatch(key -> key.getString("vapidKey").length() == 87 && key.size() == 3);
    }

    @Test
    void privateKeysAreStoredEncrypted() {
        String key = pushed.activeKey();
        String stored = platform.rows("select encode(encrypted, 'hex') from push.vapid_keys where public_key = decode(?, 'hex')",
                java.util.HexFormat.of().formatHex(java.util.Base64.getUrlDecoder().decode(key))).getFirst().getFirst();
        // PKCS #8 of any EC key holds the identifier of its curve.
        assertThat(stored).doesNotContain("2a8648ce3d030107").hasSizeGreaterThan(200);
    }

    @Test
    void onlyWhoeverMaySendsAndMakesKeys() {
        String token = pushed.person().token();
        String id = pushed.subscribe(pushed.browser(), null);
        refused(pushed.post("/internal/send-web-push-to-subscription", new JsonObject().put("subscriptionID", id), token), 403,
                "permission.required", "permission required: push.notifications.creator");
        refused(pushed.post("/vapid-keys/create", null, token), 403, "permission.required", "permission required: push.keys.creator");
        refused(pushed.post("/vapid-keys/create", null, null), 401, "token.invalid", "missing or invalid access token");
    }

    @Test
    void aNotificationOverTheLimitIsToldByHowMuch() {
        String id = pushed.subscribe(pushed.browser(), null);
        int frame = new JsonObject().put("body", "").encode().length();
        assertThat(pushed.send(id, new JsonObject().put("body", "x".repeat(3993 - frame))).status()).isEqualTo(200);
        refused(pushed.send(id, new JsonObject().put("body", "x".repeat(3993 - frame + 7))), 400, "request.invalid",
                "notification: 4000 bytes as JSON, 7 more than the 3993 that a push message can carry");
        // What alone is over it need not be counted.
        for (String text : List.of("title", "body", "icon", "url")) {
            refused(pushed.send(id, new JsonObject().put(text, "x".repeat(3994))), 400, "request.invalid", text + ": at most 3993 characters");
        }
        // Bytes count, not characters.
        refused(pushed.send(id, new JsonObject().put("body", "⚖".repeat(1500))), 400, "request.invalid",
                "notification: %d bytes as JSON, %d more than the 3993 that a push message can carry".formatted(4500 + frame, 4500 + frame - 3993));
    }

    @Test
    void iconAndUrlAreWebAddresses() {
        String id = pushed.subscribe(pushed.browser(), null);
        for (String address : List.of("javascript:alert(1)", "data:image/png;base64,AAAA", "file:///etc/passwd", "//host/x", "/\\\\host", "x:y", "/with space", "https://", "",
                "https:/host", " https://host", "https://ho st/", "ftp://host/x")) {
            for (String name : List.of("icon", "url")) {
                refused(pushed.send(id, new JsonObject().put(name, address)), 400, "request.invalid", name + ": must be an http or https address, or one relative to the page that subscribed");
            }
        }
        assertThat(pushed.send(id, new JsonObject().put("url", "HTTP://localhost:3000?x=1").put("icon", "https://[2001:db8::1]/i.png")).status()).isEqualTo(200);
        for (String relative : List.of("/cases/7", "cases/7?tab=docket#e:1", "?case=7", "#docket", "../i.png", "開庭.html")) {
            assertThat(pushed.send(id, new JsonObject().put("url", relative).put("icon", relative)).status()).as(relative).isEqualTo(200);
        }
    }

    @Test
    void aBodyOfTheWrongShapeIsToldWhere() {
        String id = pushed.subscribe(pushed.browser(), null);
        refused(pushed.post("/internal/send-web-push-to-subscription", new JsonObject(), pushed.sender()), 400, "request.invalid", "subscriptionID: is required");
        refused(pushed.send(id, new JsonObject().put("title", 1)), 400, "request.invalid", "title: must be a string");
        refused(pushed.send(id, new JsonObject().put("data", new JsonArray())), 400, "request.invalid", "data: must be an object");
        refused(pushed.send(id, new JsonObject().put("topic", "a b")), 400, "request.invalid", "topic: must match ^[A-Za-z0-9_-]+$");
        refused(pushed.send(id, new JsonObject().put("urgency", "now")), 400, "request.invalid", "urgency: must be one of very-low, low, normal, high");
        refused(pushed.send(id, new JsonObject().put("ttl", -1)), 400, "request.invalid", "ttl: at least 0");
        String deep = "{\"subscriptionID\":\"%s\",\"data\":%s%s}".formatted(id, "{\"a\":".repeat(1000), "1" + "}".repeat(1000));
        refused(platform.post("/push/internal/send-web-push-to-subscription", deep, pushed.sender()), 400, "request.invalid", "body: nested deeper than 64 levels");
    }

    @Test
    void thePushServiceRefusedNothingOfWhatWasSent() {
        Pushed.ok(pushed.send(pushed.subscribe(pushed.browser(), null), notification()));
        assertThat(service.refused()).isEmpty();
    }
}
