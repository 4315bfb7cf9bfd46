package io.arbitration.console;

import io.arbitration.Await;
import io.arbitration.platform.browser.PageSession;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** A page of the console in a browser, used as a person uses it: by what is on it, through the browser's own input. */
final class ConsolePage {

    private static final String AXE = axe();

    private final PageSession page;
    private final String origin;
    /** Exceptions of scripts, and what the browser's policies refused. */
    final List<String> complaints = new CopyOnWriteArrayList<>();
    /** Paths of the requests for data, as the console makes them. */
    final Set<String> asked = new ConcurrentSkipListSet<>();

    ConsolePage(PageSession page, String origin) {
        this.page = page;
        this.origin = origin;
        page.on("Runtime.exceptionThrown", thrown -> complaints.add(thrown.encode()));
        page.on("Log.entryAdded", logged -> {
            JsonObject entry = logged.getJsonObject("entry");
            // Answers that the console shows are logged by the browser, too.
            if (!entry.getString("source").equals("network") || entry.getString("text").contains("Security")) {
                complaints.add(entry.encode());
            }
        });
        page.on("Network.requestWillBeSent", sent -> {
            JsonObject request = sent.getJsonObject("request");
            if (List.of("Fetch", "XHR").contains(sent.getString("type"))) {
                asked.add(request.getString("method").toLowerCase() + " " + request.getString("url").replace(origin, ""));
            }
        });
        // Whoever is asked whether they are sure, is.
        page.on("Page.javascriptDialogOpening", asked -> page.call("Page.handleJavaScriptDialog", new JsonObject().put("accept", true)));
        for (String domain : List.of("Page", "Runtime", "Log", "Network", "DOM")) {
            await(page.call(domain + ".enable"));
        }
    }

    static <T> T await(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
    }

    Object evaluate(String expression) {
        return await(page.evaluate(expression));
    }

    void show(int width, int height, String theme) {
        await(page.call("Emulation.setDeviceMetricsOverride", new JsonObject().put("width", width).put("height", height).put("deviceScaleFactor", 1).put("mobile", false)));
        await(page.call("Emulation.setEmulatedMedia", new JsonObject().put("features",
                new JsonArray().add(new JsonObject().put("name", "prefers-color-scheme").put("value", theme)))));
    }

    void go(String path) {
        await(page.call("Page.navigate", new JsonObject().put("url", origin + path)));
    }

    /** Goes to another place in the console as a link does, and waits for a text there. */
    void follow(String path, String text) {
        evaluate("(() => { history.pushState(null, '', '%s'); dispatchEvent(new Event('acp-route')); })()".formatted(path));
        awaitText(text);
    }

    void awaitTrue(String condition) {
        Await.until(() -> "%s at %s; the page says %s; complaints %s".formatted(condition, evaluate("location.href"), text(), complaints), Await.BOUND,
                () -> Boolean.TRUE.equals(evaluate(condition)));
    }

    void awaitText(String text) {
        awaitTrue("(document.body?.innerText ?? '').toLowerCase().includes(%s)".formatted(quoted(text.toLowerCase())));
    }

    String text() {
        return (String) evaluate("document.body?.innerText ?? ''");
    }

    private static String quoted(String text) {
        return new JsonArray().add(text).encode().replaceAll("^\\[|]$", "");
    }

    /** An expression for the last thing that is shown and that a person would call by this name: a link, a button, a tab, a choice. */
    private static String named(String name) {
        return "[...document.querySelectorAll('a, button, label, summary')].filter(one => one.innerText.trim().replace(/\\s+/g, ' ').startsWith(%s) && one.checkVisibility()).at(-1)".formatted(quoted(name));
    }

    /** Clicks in the middle of what has this name. */
    void click(String name) {
        String element = named(name);
        awaitTrue("(%s) !== undefined".formatted(element));
        JsonObject at = (JsonObject) evaluate("(() => { const one = %s; one.scrollIntoView({block: 'center'}); const box = one.getClientRects()[0]; return {x: box.x + Math.min(box.width / 2, 40), y: box.y + box.height / 2}; })()".formatted(element));
        JsonObject event = new JsonObject().put("x", at.getDouble("x")).put("y", at.getDouble("y")).put("button", "left").put("clickCount", 1);
        await(page.call("Input.dispatchMouseEvent", event.copy().put("type", "mousePressed")));
        await(page.call("Input.dispatchMouseEvent", event.copy().put("type", "mouseReleased")));
    }

    void key(String key, int code, String text) {
        JsonObject pressed = new JsonObject().put("key", key).put("code", key).put("windowsVirtualKeyCode", code);
        await(page.call("Input.dispatchKeyEvent", pressed.copy().put("type", text.isEmpty() ? "rawKeyDown" : "keyDown").put("text", text)));
        await(page.call("Input.dispatchKeyEvent", pressed.copy().put("type", "keyUp")));
    }

    /** Presses Tab until what has this name has the focus, as somebody without a mouse gets there; then Enter. */
    void tabToAndEnter(String name) {
        String element = named(name);
        awaitTrue("(%s) !== undefined".formatted(element));
        for (int pressed = 0; pressed < 60; pressed++) {
            if (Boolean.TRUE.equals(evaluate("document.activeElement === " + element))) {
                key("Enter", 13, "\r");
                return;
            }
            key("Tab", 9, "");
        }
        throw new AssertionError("Tab does not reach " + name);
    }

    /** Writes into the field with this label. */
    void write(String label, String text) {
        String field = "[...document.querySelectorAll('label')].filter(one => one.innerText.startsWith(%s) && one.checkVisibility()).map(one => one.control).at(-1)".formatted(quoted(label));
        awaitTrue("(%s) !== undefined".formatted(field));
        evaluate("(() => { const one = %s; one.scrollIntoView({block: 'center'}); one.focus(); one.select?.(); })()".formatted(field));
        await(page.call("Input.insertText", new JsonObject().put("text", text)));
    }

    /** Types digits and letters into the field with this label, which has parts of its own, as a day and a time of day have. */
    void type(String label, String keys) {
        write(label, "");
        keys.chars().forEach(key -> key(Character.toString(key), key, Character.toString(key)));
    }

    /** The clock of the place where this person is; for pages that are gone to after this. */
    void timeZone(String id) {
        await(page.call("Emulation.setTimezoneOverride", new JsonObject().put("timezoneId", id)));
    }

    void saveDownloadsTo(Path folder) {
        await(page.call("Page.setDownloadBehavior", new JsonObject().put("behavior", "allow").put("downloadPath", folder.toAbsolutePath().toString())));
    }

    void choose(Path file) {
        int root = await(page.call("DOM.getDocument")).getJsonObject("root").getInteger("nodeId");
        int node = await(page.call("DOM.querySelector", new JsonObject().put("nodeId", root).put("selector", "input[type=file]"))).getInteger("nodeId");
        await(page.call("DOM.setFileInputFiles", new JsonObject().put("nodeId", node).put("files", new JsonArray().add(file.toAbsolutePath().toString()))));
    }

    /** What a person answers whom this site asks for a permission, for the pages of their browser. */
    void allow(String permission) {
        String context = await(page.call("Target.getTargetInfo")).getJsonObject("targetInfo").getString("browserContextId");
        await(page.call("Browser.grantPermissions", new JsonObject().put("origin", origin).put("permissions", new JsonArray().add(permission)).put("browserContextId", context)));
    }

    /** Runs a script in each page that is gone to after this, before its own. */
    void before(String script) {
        await(page.call("Page.addScriptToEvaluateOnNewDocument", new JsonObject().put("source", script)));
    }

    void offline(boolean isOffline) {
        await(page.call("Network.emulateNetworkConditions", new JsonObject().put("offline", isOffline).put("latency", 0).put("downloadThroughput", -1).put("uploadThroughput", -1)));
    }

    /** What stands in the way of people on this page, by the rules of WCAG 2.2 AA and good practice. */
    JsonArray barriers() {
        if (!Boolean.TRUE.equals(evaluate("window.axe !== undefined"))) {
            evaluate(AXE + "; true");
        }
        return (JsonArray) evaluate("axe.run(document, {resultTypes: ['violations']}).then(found => found.violations.map(one => `${one.id}: ${one.nodes.map(node => node.html.slice(0, 160) + ' ' + node.failureSummary).join(' | ')}`))");
    }

    /** For a person to look at. */
    void picture(String name) throws IOException {
        Path pictures = Files.createDirectories(Path.of("target/pictures"));
        Files.write(pictures.resolve(name + ".png"), Base64.getDecoder().decode(await(page.call("Page.captureScreenshot")).getString("data")));
    }

    private static String axe() {
        try (InputStream in = ConsolePage.class.getResourceAsStream("/axe.min.js")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
