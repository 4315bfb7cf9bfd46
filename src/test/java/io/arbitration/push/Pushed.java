package io.arbitration.push;

import io.arbitration.Await;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.RunningPlatform;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;

/** A platform that sends to a push service of the test's own, and a machine that may send and make keys. */
record Pushed(RunningPlatform platform, PushServer service, String sender) {

    static Map<String, String> settings(PushServer service) {
        return Map.of("ACP_PUSH_ALLOWED_ENDPOINTS", service.origin() + ",https://updates.push.example,https://*.notify.example:8443",
                "ACP_PUSH_SUBJECT", "mailto:push@arbitration.example", "ACP_PUSH_EXCHANGE_SECONDS", "6");
    }

    static Pushed on(RunningPlatform platform, PushServer service) {
        JsonObject client = ok(platform.post("/auth/clients/create", new JsonObject().put("name", "Alerts")
                .put("permissions", new JsonArray().add("push.notifications.creator").add("push.keys.creator")), platform.administrator().token())).object();
        return new Pushed(platform, service, ok(platform.post("/auth/clients/token", client, null)).object().getString("accessToken"));
    }

    Person person() {
        return platform.signIn("pia-" + UUID.randomUUID() + "@example.org", "Pia", "Push");
    }

    Answer post(String path, JsonObject body, String token, String... headers) {
        return platform.post("/push" + path, body, token, headers);
    }

    /** The key for new subscriptions. */
    String activeKey() {
        return ok(post("/vapid-keys/list", null, null)).object().getJsonArray("keys").stream().map(JsonObject.class::cast)
                .filter(key -> key.getBoolean("active")).findFirst().orElseThrow().getString("vapidKey");
    }

    /** A browser at the push service, with the active key, not told to the platform. */
    Browser browser() {
        return service.subscribe(activeKey());
    }

    /** A browser of somebody, or of nobody; its subscriptionID. */
    String subscribe(Browser browser, Person person) {
        return subscribe(browser, person, activeKey());
    }

    String subscribe(Browser browser, Person person, String vapidKey) {
        JsonObject body = new JsonObject().put("vapidKey", vapidKey).put("subscription", browser.subscription());
        return ok(person == null ? post("/web-push/anonymous/subscribe", body, null) : post("/web-push/subscribe", body, person.token()))
                .object().getString("subscriptionID");
    }

    List<String> subscriptions(Person person) {
        return ok(post("/web-push/list", null, person.token())).object().getJsonArray("subscriptions").stream()
                .map(one -> ((JsonObject) one).getString("subscriptionID")).toList();
    }

    Answer send(String subscriptionId, JsonObject notification) {
        return post("/internal/send-web-push-to-subscription", notification.copy().put("subscriptionID", subscriptionId), sender);
    }

    static Answer ok(Answer answer) {
        if (answer.status() != 200) {
            throw new AssertionError("%d %s".formatted(answer.status(), answer.body()));
        }
        return answer;
    }

    static <T> T await(Supplier<T> value, Supplier<String> told) {
        return await(Duration.ofSeconds(60), value, told);
    }

    static <T> T await(Duration wait, Supplier<T> value, Supplier<String> told) {
        return Await.value(told, wait, value::get);
    }
}
