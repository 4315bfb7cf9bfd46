package io.arbitration.push;

import io.arbitration.push.subscriptions.Subscription;
import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Subscribing, listing and ending; nothing here is sent. */
class SubscriptionsIT {

    private static final int SUBSCRIPTIONS_MAX = 5;

    @TempDir
    private static Path folder;
    private static PushServer service;
    private static RunningPlatform platform;
    private static Pushed pushed;

    @BeforeAll
    static void start() {
        service = new PushServer();
        Map<String, String> settings = new HashMap<>(Pushed.settings(service));
        settings.put("ACP_PUSH_SUBSCRIPTIONS_MAX", String.valueOf(SUBSCRIPTIONS_MAX));
        platform = RunningPlatform.start(folder, settings);
        pushed = Pushed.on(platform, service);
    }

    @AfterAll
    static void stop() {
        platform.close();
        service.close();
    }

    private static Answer subscribe(JsonObject subscription, Person person) {
        return pushed.post("/web-push/subscribe", new JsonObject().put("vapidKey", pushed.activeKey()).put("subscription", subscription), person.token());
    }

    private static void refused(Answer answer, int status, String text) {
        assertThat(answer.body()).isEqualTo(text);
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.header("Content-Type")).startsWith("text/plain");
    }

    @Test
    void aUserListsAndEndsItsOwn() {
        Person person = pushed.person();
        Browser browser = pushed.browser();
        JsonObject subscription = browser.subscription().put("expirationTime", 1795253400123.75);
        String id = Pushed.ok(subscribe(subscription, person)).object().getString("subscriptionID");
        JsonObject listed = Pushed.ok(pushed.post("/web-push/list", null, person.token())).object().getJsonArray("subscriptions").getJsonObject(0);
        assertThat(listed.getString("created")).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
        listed.remove("created");
        assertThat(listed).isEqualTo(new JsonObject().put("subscriptionID", id).put("vapidKey", pushed.activeKey())
                .put("endpoint", browser.endpoint()).put("expires", "2026-11-21T09:30:00.123Z"));
        Answer ended = pushed.post("/web-push/unsubscribe", new JsonObject().put("subscriptionID", id), person.token());
        assertThat(ended.body()).isEqualTo("Unsubscribed successfully.");
        assertThat(ended.header("Content-Type")).startsWith("text/plain");
        assertThat(pushed.subscriptions(person)).isEmpty();
        refused(pushed.post("/web-push/unsubscribe", new JsonObject().put("subscriptionID", id), person.token()), 404, "Subscription not found");
        refused(pushed.send(id, new JsonObject()), 404, "Subscription not found");
    }

    @Test
    void subscriptionsAndKeysAreListedInPages() {
        Person person = pushed.person();
        List<String> ids = IntStream.range(0, SUBSCRIPTIONS_MAX).mapToObj(one -> pushed.subscribe(pushed.browser(), person)).toList();
        List<String> listed = new ArrayList<>();
        JsonObject filter = new JsonObject().put("limit", 2);
        JsonObject page;
        do {
            page = Pushed.ok(pushed.post("/web-push/list", filter, person.token())).object();
            page.getJsonArray("subscriptions").forEach(one -> listed.add(((JsonObject) one).getString("subscriptionID")));
            filter.put("cursor", page.getString("nextCursor"));
        } while (page.getString("nextCursor") != null);
        assertThat(listed).containsExactlyInAnyOrderElementsOf(ids);
        refused(pushed.post("/web-push/list", new JsonObject().put("cursor", "1.x"), person.token()), 400, "cursor: must be the nextCursor of a page before");
        refused(pushed.post("/vapid-keys/list", new JsonObject().put("cursor", "x"), null), 400, "cursor: must be the nextCursor of a page before");
        JsonObject keys = Pushed.ok(pushed.post("/vapid-keys/list", new JsonObject().put("limit", 1), null)).object();
        assertThat(keys.getJsonArray("keys")).hasSize(1);
        assertThat(keys.getJsonArray("keys").getJsonObject(0).getBoolean("active")).isTrue();
    }

    @Test
    void nobodyEndsOrSeesThoseOfAnother() {
        Person person = pushed.person();
        Person other = pushed.person();
        String id = pushed.subscribe(pushed.browser(), person);
        JsonObject reference = new JsonObject().put("subscriptionID", id);
        refused(pushed.post("/web-push/unsubscribe", reference, other.token()), 404, "Subscription not found");
        refused(pushed.post("/web-push/anonymous/unsubscribe", reference, null), 404, "Subscription not found");
        assertThat(pushed.subscriptions(other)).isEmpty();
        assertThat(pushed.subscriptions(person)).containsExactly(id);
    }

    @Test
    void theSameBrowserAgainKeepsItsIdAndTakesItsNewKeys() {
        Person person = pushed.person();
        Browser browser = pushed.browser();
        String id = pushed.subscribe(browser, person);
        Browser anew = Browser.at(browser.endpoint());
        assertThat(pushed.subscribe(anew, person)).isEqualTo(id);
        assertThat(pushed.subscriptions(person)).containsExactly(id);
        Pushed.ok(pushed.send(id, new JsonObject().put("title", "Anew")));
        assertThat(anew.read(service.all(browser).getFirst().body())).isEqualTo(new JsonObject().put("title", "Anew"));
    }

    @Test
    void aBrowserBelongsToWhoeverSubscribedInItLast() {
        Person first = pushed.person();
        Person second = pushed.person();
        Browser browser = pushed.browser();
        String before = pushed.subscribe(browser, first);
        String after = pushed.subscribe(browser, second);
        assertThat(after).isNotEqualTo(before);
        assertThat(pushed.subscriptions(first)).isEmpty();
        assertThat(pushed.subscriptions(second)).containsExactly(after);
        refused(pushed.send(before, new JsonObject()), 404, "Subscription not found");
    }

    @Test
    void anAnonymousSubscriptionTakesNothingFromAUser() {
        Person person = pushed.person();
        Browser browser = pushed.browser();
        String id = pushed.subscribe(browser, person);
        String anonymous = pushed.subscribe(browser, null);
        assertThat(anonymous).isNotEqualTo(id).isEqualTo(pushed.subscribe(browser, null));
        assertThat(pushed.subscriptions(person)).containsExactly(id);
        assertThat(Pushed.ok(pushed.post("/web-push/anonymous/unsubscribe", new JsonObject().put("subscriptionID", anonymous), null)).body())
                .isEqualTo("Unsubscribed successfully.");
        refused(pushed.send(anonymous, new JsonObject()), 404, "Subscription not found");
        Pushed.ok(pushed.send(id, new JsonObject()));
    }

    @Test
    void withoutItBeingEnabledNobodySubscribesAnonymously(@TempDir Path another) {
        Map<String, String> settings = new HashMap<>(Pushed.settings(service));
        settings.put("ACP_PUSH_ANONYMOUS", "false");
        try (RunningPlatform closed = RunningPlatform.start(another, settings)) {
            Pushed there = Pushed.on(closed, service);
            JsonObject body = new JsonObject().put("vapidKey", there.activeKey()).put("subscription", there.browser().subscription());
            refused(there.post("/web-push/anonymous/subscribe", body, null), 403, "Subscribing without signing in is not enabled.");
            refused(there.post("/web-push/anonymous/unsubscribe", new JsonObject().put("subscriptionID", UUID.randomUUID().toString()), null), 403,
                    "Subscribing without signing in is not enabled.");
            assertThat(there.post("/web-push/subscribe", body, there.person().token()).status()).isEqualTo(200);
        }
    }

    @Test
    void thereIsABoundOfThoseWhoDidNotSignIn(@TempDir Path another) {
        Map<String, String> settings = new HashMap<>(Pushed.settings(service));
        settings.put("ACP_PUSH_ANONYMOUS_MAX", "2");
        try (RunningPlatform bounded = RunningPlatform.start(another, settings)) {
            Pushed there = Pushed.on(bounded, service);
            Browser first = there.browser();
            String id = there.subscribe(first, null);
            there.subscribe(there.browser(), null);
            JsonObject third = new JsonObject().put("vapidKey", there.activeKey()).put("subscription", there.browser().subscription());
            refused(there.post("/web-push/anonymous/subscribe", third, null), 409, "There can be at most 2 subscriptions without signing in.");
            assertThat(there.subscribe(first, null)).as("one that is there already").isEqualTo(id);
            Pushed.ok(there.post("/web-push/anonymous/unsubscribe", new JsonObject().put("subscriptionID", id), null));
            Pushed.ok(there.post("/web-push/anonymous/subscribe", third, null));
        }
    }

    @Test
    void theOldestSubscriptionMakesRoomForOneTooMany() {
        Person person = pushed.person();
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < SUBSCRIPTIONS_MAX + 2; i++) {
            ids.add(pushed.subscribe(pushed.browser(), person));
        }
        assertThat(pushed.subscriptions(person)).containsExactlyElementsOf(ids.subList(2, ids.size()));
    }

    @Test
    void anUnknownKeyIsNotFound() {
        Person person = pushed.person();
        for (String key : List.of("", "x", "not base64!", Base64.getUrlEncoder().withoutPadding().encodeToString(pushed.browser().point()))) {
            refused(pushed.post("/web-push/subscribe", new JsonObject().put("vapidKey", key).put("subscription", pushed.browser().subscription()), person.token()),
                    404, "VAPID key not found");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            https://attacker.example/push                  | must be at a push service that this platform sends to
            https://updates.push.example:444/1             | must be at a push service that this platform sends to
            https://updates.push.example.attacker.test/1   | must be at a push service that this platform sends to
            https://evilupdates.push.example/1             | must be at a push service that this platform sends to
            https://notify.example:8443/1                  | must be at a push service that this platform sends to
            https://xnotify.example:8443/1                 | must be at a push service that this platform sends to
            https://a.notify.example/1                     | must be at a push service that this platform sends to
            https://169.254.169.254/latest/meta-data       | must be at a push service that this platform sends to
            http://updates.push.example/1                  | must be an absolute https address
            http://127.0.0.1:1234/1                        | must be an absolute https address
            https://updates.push.example@attacker.example/ | must not carry a user name or password
            https://updates.push.example\\@attacker.example/ | must be a valid URL: illegal character in authority at character 29
            ftp://updates.push.example/1                   | must be an absolute https address
            /relative                                      | must be an absolute https address
            https://updates.push.example/#x                | must not have a fragment (#)
            """)
    void endpointsElsewhereAreRefused(String endpoint, String why) {
        refused(subscribe(pushed.browser().subscription().put("endpoint", endpoint), pushed.person()), 400, "subscription/endpoint: " + why);
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://updates.push.example/wpush/v2/x", "https://UPDATES.push.example/x", "https://updates.push.example:443/x",
            "https://db5p.notify.example:8443/w/?token=x", "https://a.b.notify.example:8443/x"})
    void endpointsAtAllowedPushServicesAreTaken(String endpoint) {
        assertThat(subscribe(pushed.browser().subscription().put("endpoint", endpoint + UUID.randomUUID()), pushed.person()).status()).isEqualTo(200);
    }

    @Test
    void keysThatAreNoneAreRefused() {
        Person person = pushed.person();
        Browser browser = pushed.browser();
        byte[] off = browser.point().clone();
        off[40] ^= 1;
        String wrongKey = "subscription/keys/p256dh: must be a point of P-256, uncompressed, 65 bytes in base64url";
        for (byte[] key : List.of(off, Arrays.copyOf(browser.point(), 64), new byte[65], new byte[0])) {
            refused(subscribe(with(browser, "p256dh", key), person), 400, wrongKey);
        }
        String wrongSecret = "subscription/keys/auth: must be 16 bytes in base64url";
        for (int length : List.of(0, 15, 17, 32)) {
            refused(subscribe(with(browser, "auth", new byte[length]), person), 400, wrongSecret);
        }
        JsonObject words = browser.subscription();
        words.getJsonObject("keys").put("auth", "this is no base64");
        refused(subscribe(words, person), 400, wrongSecret);
    }

    private static JsonObject with(Browser browser, String name, byte[] value) {
        JsonObject subscription = browser.subscription();
        subscription.getJsonObject("keys").put(name, Base64.getUrlEncoder().withoutPadding().encodeToString(value));
        return subscription;
    }

    @Test
    void aBodyOfTheWrongShapeIsToldWhere() {
        Person person = pushed.person();
        Browser browser = pushed.browser();
        refused(pushed.post("/web-push/subscribe", new JsonObject(), person.token()), 400, "vapidKey: is required");
        refused(subscribe(new JsonObject().put("endpoint", browser.endpoint()), person), 400, "subscription/keys: is required");
        refused(subscribe(browser.subscription().put("keys", new JsonArray()), person), 400, "subscription/keys: must be an object");
        refused(subscribe(browser.subscription().put("expirationTime", "soon"), person), 400, "subscription/expirationTime: must be a number");
        refused(subscribe(browser.subscription().put("expirationTime", -1), person), 400, "subscription/expirationTime: at least 0");
        refused(subscribe(browser.subscription().put("expirationTime", 32_503_680_000_001L), person), 400, "subscription/expirationTime: at most 32503680000000");
        Pushed.ok(subscribe(pushed.browser().subscription().put("expirationTime", 32_503_680_000_000L), person));
        refused(subscribe(browser.subscription().put("endpoint", "https://updates.push.example/" + "x".repeat(2000)), person), 400,
                "subscription/endpoint: at most 2000 characters");
        refused(pushed.post("/web-push/unsubscribe", new JsonObject().put("subscriptionID", 1), person.token()), 400, "subscriptionID: must be a string");
        for (String path : List.of("/web-push/unsubscribe", "/web-push/anonymous/unsubscribe")) {
            refused(pushed.post(path, new JsonObject().put("subscriptionID", "x".repeat(36)), person.token()), 404, "Subscription not found");
            refused(pushed.post(path, new JsonObject().put("subscriptionID", "x".repeat(37)), person.token()), 404, "Subscription not found");
        }
    }
}
