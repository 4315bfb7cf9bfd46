package io.arbitration.push;

import io.arbitration.push.messages.Notification;
import io.arbitration.push.subscriptions.Subscription;
import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.platform.browser.Chromium;
import io.arbitration.platform.browser.PageSession;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The demo page in a real browser, from subscribing to unsubscribing. The one thing that is not the browser's own is where it
 * subscribes: its vendor's push service is not reached from here, so the page gets a subscription at the test's push service,
 * and what arrives there, decrypted with the subscription's keys, is handed to the browser, which wakes the service worker.
 */
class DemoPageIT {

    private static final Duration COMMAND_WAIT = Duration.ofSeconds(20);
    private static final JsonObject NOTIFICATION = new JsonObject().put("title", "Docketed <b>№ 3</b>").put("body", "Cranes v. Quarry ⚖")
            .put("icon", "https://arbitration.example/icon.png").put("url", "https://arbitration.example/cases/7").put("data", new JsonObject().put("entryID", "42"));

    @TempDir
    private static Path folder;
    private static PushServer service;
    private static RunningPlatform platform;
    private static Pushed pushed;
    private static Vertx vertx;

    @BeforeAll
    static void start() {
        service = new PushServer();
        platform = RunningPlatform.start(folder, Pushed.settings(service));
        pushed = Pushed.on(platform, service);
        vertx = Vertx.vertx();
    }

    @AfterAll
    static void stop() {
        await(vertx.close());
        platform.close();
        service.close();
    }

    private static <T> T await(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
    }

    private static Path browser(String name) {
        Optional<Path> binary = Optional.ofNullable(System.getenv("ACP_CHROMIUM")).map(Path::of)
                .filter(configured -> configured.getFileName().toString().equals(name) || name.equals("any"))
                .or(() -> name.equals("any") ? Chromium.find(Optional.empty()) : Chromium.find(Optional.of("/usr/bin/" + name)));
        if (binary.isEmpty()) {
            System.out.printf("skipped: no browser (%s) on this machine for the demo page of push%n", name);
        }
        Assumptions.assumeTrue(binary.isPresent(), "no " + name);
        return binary.get();
    }

    /** What a page sees of {@code PushManager} when its push service is the test's. */
    private static String subscribedAt(Browser browser) {
        return """
                (() => {
                  const json = %s;
                  let subscribed = null;
                  const bytes = text => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), c => c.charCodeAt(0));
                  PushManager.prototype.getSubscription = async () => subscribed;
                  PushManager.prototype.subscribe = async options => {
                    if (!options.userVisibleOnly || options.applicationServerKey.byteLength !== 65) throw new Error('options');
                    subscribed = {endpoint: json.endpoint, options: {applicationServerKey: options.applicationServerKey.buffer},
                        toJSON: () => json, unsubscribe: async () => { subscribed = null; return true; }};
                    return subscribed;
                  };
                })();
                """.formatted(browser.subscription().encode());
    }

    @ParameterizedTest
    @ValueSource(strings = {"chromium-headless-shell", "chromium"})
    void aPersonSubscribesReceivesSeesAndUnsubscribes(String name) throws Exception {
        Path binary = browser(name);
        Browser subscription = pushed.browser();
        Chromium chromium = await(Chromium.launch(vertx, binary, List.of(), COMMAND_WAIT));
        try {
            PageSession page = await(chromium.open());
            List<String> complaints = new CopyOnWriteArrayList<>();
            List<String> registrations = new CopyOnWriteArrayList<>();
            page.on("Runtime.exceptionThrown", thrown -> complaints.add(thrown.encode()));
            page.on("ServiceWorker.workerRegistrationUpdated", updated -> updated.getJsonArray("registrations").forEach(
                    one -> registrations.add(((JsonObject) one).getString("registrationId"))));
            await(chromium.devTools().call("Browser.grantPermissions", new JsonObject().put("origin", platform.url())
                    .put("permissions", new JsonArray().add("notifications")).put("browserContextId", context(chromium))));
            for (String domain : List.of("Page", "Runtime", "ServiceWorker")) {
                await(page.call(domain + ".enable"));
            }
            await(page.call("Page.addScriptToEvaluateOnNewDocument", new JsonObject().put("source", subscribedAt(subscription))));
            await(page.call("Page.navigate", new JsonObject().put("url", platform.url() + "/push/demo")));
            awaitText(page, "status", "This browser is not subscribed.");

            await(page.evaluate("document.getElementById('subscribe').click()"));
            awaitText(page, "status", "This browser is subscribed.");
            String id = text(page, "subscription-id");
            assertThat(text(page, "service")).isEqualTo(service.origin().substring("http://".length()));

            PageSession worker = worker(chromium);
            await(worker.evaluate("""
                    (() => {
                      self.asked = [];
                      const real = self.registration.showNotification.bind(self.registration);
                      self.registration.showNotification = (title, options) => {
                        self.asked.push({title, options});
                        return real(title, options).catch(() => {});
                      };
                    })()
                    """));
            Pushed.ok(pushed.send(id, NOTIFICATION));
            PushServer.Taken taken = service.next();
            deliver(page, registrations.getLast(), taken);
            JsonObject shown = new JsonObject().put("title", NOTIFICATION.getString("title")).put("options", new JsonObject()
                    .put("body", NOTIFICATION.getString("body")).put("icon", NOTIFICATION.getString("icon"))
                    .put("data", new JsonObject().put("url", NOTIFICATION.getString("url")).put("data", NOTIFICATION.getJsonObject("data"))));
            awaitTrue(page, "document.querySelectorAll('#arrived li').length === 1");
            assertThat(await(worker.evaluate("self.asked"))).isEqualTo(new JsonArray().add(shown));
            if ("granted".equals(await(page.evaluate("Notification.permission")))) {
                awaitTrue(page, """
                        navigator.serviceWorker.ready.then(r => r.getNotifications()).then(all => all.length === 1 && all[0].title === %s)
                        """.formatted("'Docketed <b>№ 3</b>'"));
            }
            assertThat(text(page, "arrived")).contains("Docketed <b>№ 3</b>", "Cranes v. Quarry ⚖", "https://arbitration.example/cases/7", "\"entryID\": \"42\"");
            pictures(page, name);

            await(page.evaluate("document.getElementById('unsubscribe').click()"));
            awaitText(page, "status", "This browser is not subscribed.");
            Answer answer = pushed.send(id, NOTIFICATION);
            assertThat(answer.body()).isEqualTo("Subscription not found");
            assertThat(complaints).isEmpty();
        } finally {
            await(chromium.close());
        }
        assertThat(chromium.isAlive()).isFalse();
    }

    /** Contexts are made for pages; the one that is open is the only one. */
    private static String context(Chromium chromium) {
        return await(chromium.devTools().call("Target.getBrowserContexts", new JsonObject())).getJsonArray("browserContextIds").getString(0);
    }

    private static PageSession worker(Chromium chromium) {
        String target = Pushed.await(() -> await(chromium.devTools().call("Target.getTargets", new JsonObject())).getJsonArray("targetInfos").stream()
                .map(JsonObject.class::cast).filter(one -> one.getString("type").equals("service_worker")).map(one -> one.getString("targetId"))
                .findFirst().orElse(null), () -> "a service worker");
        return await(chromium.attach(target));
    }

    private static void deliver(PageSession page, String registration, PushServer.Taken taken) {
        await(page.call("ServiceWorker.deliverPushMessage", new JsonObject().put("origin", platform.url()).put("registrationId", registration)
                .put("data", new String(taken.browser().decrypt(taken.body()), StandardCharsets.UTF_8))));
    }

    private static String text(PageSession page, String id) {
        return (String) await(page.evaluate("document.getElementById('%s')?.textContent ?? ''".formatted(id)));
    }

    private static void awaitText(PageSession page, String id, String text) {
        Pushed.await(() -> text(page, id).equals(text) ? true : null, () -> "%s: %s".formatted(id, text(page, id)));
    }

    private static void awaitTrue(PageSession page, String expression) {
        Pushed.await(() -> Boolean.TRUE.equals(await(page.evaluate(expression))) ? true : null, () -> expression);
    }

    /** For a person to look at: a phone, by day and by night. Nothing reaches over the edge. */
    private static void pictures(PageSession page, String name) throws Exception {
        await(page.call("Emulation.setDeviceMetricsOverride", new JsonObject().put("width", 360).put("height", 780).put("deviceScaleFactor", 2).put("mobile", true)));
        awaitTrue(page, "document.documentElement.scrollWidth <= 360");
        Path pictures = Files.createDirectories(Path.of("target/pictures"));
        for (String scheme : List.of("light", "dark")) {
            await(page.call("Emulation.setEmulatedMedia", new JsonObject().put("features",
                    new JsonArray().add(new JsonObject().put("name", "prefers-color-scheme").put("value", scheme)))));
            String png = await(page.call("Page.captureScreenshot", new JsonObject().put("format", "png").put("captureBeyondViewport", true))).getString("data");
            Files.write(pictures.resolve("push-demo-%s-%s.png".formatted(name, scheme)), Base64.getDecoder().decode(png));
        }
    }

    @Test
    void thePageAllowsNothingButItself() {
        for (String part : List.of("", ".css", ".js", "-service-worker.js")) {
            Answer answer = platform.get("/push/demo" + part);
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.header("Content-Security-Policy")).startsWith("default-src 'none'; script-src 'self'");
            assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
        }
        assertThat(platform.get("/push/demo").body()).doesNotContain("<style", "onclick", "<script>");
    }
}
