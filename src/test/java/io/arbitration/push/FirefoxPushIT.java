package io.arbitration.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.arbitration.Await;
import io.arbitration.OtherRuntimes;
import io.arbitration.RunningPlatform;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Push with a browser's own {@code PushManager}: Firefox makes the subscription and its keys, and reads what the platform encrypted. The
 * push service is on this machine and speaks with Firefox as Mozilla's does. Chromium cannot be told of another push service than Google's;
 * {@link DemoPageIT} gives it a subscription.
 */
class FirefoxPushIT {

    private static final JsonObject NOTIFICATION = new JsonObject().put("title", "Docketed <b>№ 3</b>").put("body", "Cranes v. Quarry ⚖")
            .put("url", "https://arbitration.example/cases/7").put("data", new JsonObject().put("entryID", "42"));

    @TempDir
    private static Path folder;
    private static Vertx vertx;
    private static PushServer service;
    private static HttpServer toBrowsers;
    private static RunningPlatform platform;
    private static Pushed pushed;
    private static Firefox firefox;

    /** What is connected, by the endpoint; and what browsers said of messages. */
    private static final Map<String, Channel> CHANNELS = new ConcurrentHashMap<>();
    private static final List<JsonObject> REFUSED = new CopyOnWriteArrayList<>();
    private static final List<JsonObject> ACKNOWLEDGED = new CopyOnWriteArrayList<>();

    private record Channel(ServerWebSocket socket, String id) {}

    @BeforeAll
    static void start() throws Exception {
        assumeTrue(OtherRuntimes.counterparts("Firefox"), "left to ./acp counterparts");
        Optional<ProcessBuilder> program = OtherRuntimes.program("firefox-esr").or(() -> OtherRuntimes.program("firefox"));
        assumeTrue(program.isPresent(), "no Firefox");
        vertx = Vertx.vertx();
        service = new PushServer().answering((exchange, taken) -> {
            Channel channel = CHANNELS.get(taken.browser().endpoint());
            channel.socket().writeTextMessage(new JsonObject().put("messageType", "notification").put("channelID", channel.id())
                    .put("version", UUID.randomUUID().toString()).put("data", Base64.getUrlEncoder().withoutPadding().encodeToString(taken.body()))
                    .put("headers", new JsonObject().put("encoding", taken.header("content-encoding"))).encode());
            exchange.sendResponseHeaders(201, -1);
        });
        toBrowsers = Await.result(vertx.createHttpServer(new HttpServerOptions().setHost("127.0.0.1").setPort(0).addWebSocketSubProtocol("push-notification"))
                .webSocketHandler(socket -> socket.textMessageHandler(text -> answer(socket, new JsonObject(text)))).listen());
        platform = RunningPlatform.start(folder.resolve("data"), Pushed.settings(service));
        pushed = Pushed.on(platform, service);
        firefox = Firefox.start(Path.of(program.get().command().getFirst()), folder, "ws://127.0.0.1:%d/".formatted(toBrowsers.actualPort()));
    }

    /** Mozilla's protocol between push service and browser. */
    private static void answer(ServerWebSocket socket, JsonObject said) {
        JsonObject answer = new JsonObject().put("messageType", said.getString("messageType")).put("status", 200);
        switch (said.getString("messageType", "ping")) {
            case "hello" -> answer.put("uaid", UUID.randomUUID().toString().replace("-", "")).put("use_webpush", true).put("broadcasts", new JsonObject());
            case "register" -> {
                String endpoint = service.subscribe(said.getString("key").replace("=", "")).endpoint();
                CHANNELS.put(endpoint, new Channel(socket, said.getString("channelID")));
                answer.put("channelID", said.getString("channelID")).put("pushEndpoint", endpoint);
            }
            case "unregister" -> answer.put("channelID", said.getString("channelID"));
            case "ack" -> {
                ACKNOWLEDGED.add(said);
                return;
            }
            // A message that it cannot read, or with which a page failed.
            case "nack" -> {
                REFUSED.add(said);
                return;
            }
            case "ping" -> answer.clear();
            // A browser may say more than concerns this test.
            default -> {
                return;
            }
        }
        socket.writeTextMessage(answer.encode());
    }

    @AfterAll
    static void stop() throws Exception {
        if (firefox != null) {
            firefox.close();
        }
        if (platform != null) {
            platform.close();
        }
        if (service != null) {
            service.close();
        }
        if (vertx != null) {
            Await.result(vertx.close());
        }
    }

    private static void awaitText(String id, String text) {
        Await.until(() -> "%s: %s".formatted(id, shown(id)), Await.BOUND, () -> shown(id).equals(text));
    }

    private static String shown(String id) {
        try {
            return firefox.text(id);
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static void awaitArrived(int count) {
        Await.until(() -> "arrived: " + shown("arrived") + "; acknowledged: " + ACKNOWLEDGED, Await.BOUND,
                () -> ((Number) firefox.run("return document.querySelectorAll('#arrived li').length;")).intValue() == count);
    }

    @Test
    void aBrowserSubscribesReadsWhatThePlatformSendsAndUnsubscribes() throws Exception {
        firefox.open(platform.url() + "/push/demo");
        firefox.allowNotifications();
        awaitText("status", "This browser is not subscribed.");
        firefox.run("document.getElementById('subscribe').click();");
        awaitText("status", "This browser is subscribed.");
        String id = shown("subscription-id");
        assertThat(shown("service")).isEqualTo(service.origin().substring("http://".length()));

        Pushed.ok(pushed.send(id, NOTIFICATION));
        awaitArrived(1);
        assertThat(shown("arrived")).contains("Docketed <b>№ 3</b>", "Cranes v. Quarry ⚖", "https://arbitration.example/cases/7", "\"entryID\": \"42\"");
        // A second one, of the largest size that is padded to.
        Pushed.ok(pushed.send(id, new JsonObject().put("title", "Long").put("body", "§".repeat(1_000))));
        awaitArrived(2);
        assertThat(firefox.run("""
                return navigator.serviceWorker.ready.then(registration => registration.getNotifications()).then(all => all.map(one => one.title).sort());
                """)).isEqualTo(new JsonArray().add("Docketed <b>№ 3</b>").add("Long"));
        Await.until(() -> "acknowledged: " + ACKNOWLEDGED, Await.BOUND, () -> ACKNOWLEDGED.stream()
                .flatMap(said -> said.getJsonArray("updates").stream()).filter(update -> ((JsonObject) update).getInteger("code", 100) == 100).count() == 2);
        assertThat(REFUSED).isEmpty();
        assertThat(service.refused()).isEmpty();

        firefox.run("document.getElementById('unsubscribe').click();");
        awaitText("status", "This browser is not subscribed.");
        assertThat(pushed.send(id, NOTIFICATION).body()).isEqualTo("Subscription not found");
    }
}
