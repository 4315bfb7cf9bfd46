package io.arbitration.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.AwaitedDocument;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.platform.browser.BrowserFailure;
import io.arbitration.platform.browser.PageSession;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A page of the console in a browser, used as a person uses it: by what is on it, through the browser's own input. */
final class ConsolePage {

    private static final String AXE = axe();
    private static final int STOPS_MAX = 80;
    private static final List<String> UNANSWERED = List.of("Inspected target navigated or closed", "Cannot read properties of null");
    /** What is wrong with where Tab has led; empty when nothing is. An entry, a drop area and a choice show the focus for what is in them. */
    private static final String STOP = """
            (() => {
              const one = document.activeElement;
              if (!one || one === document.body || one.tagName === 'IFRAME') {
                return '';
              }
              if (one.tabIndex > 0) {
                return 'an order of its own';
              }
              const shows = element => element && getComputedStyle(element).outlineStyle !== 'none' && parseFloat(getComputedStyle(element).outlineWidth) >= 1;
              if (!shows(one) && !shows(one.closest('li')) && !shows(one.closest('.drop'))) {
                return 'not to be seen: ' + one.outerHTML.slice(0, 200);
              }
              const box = one.getBoundingClientRect();
              if (box.bottom < 0 || box.top > innerHeight) {
                return 'out of sight: ' + one.outerHTML.slice(0, 200);
              }
              const left = window.left;
              const begins = left === document.body || !left.isConnected || left.tagName === 'IFRAME' || one.matches('.skip') || one.closest('dialog');
              return begins || left.compareDocumentPosition(one) & (Node.DOCUMENT_POSITION_FOLLOWING | Node.DOCUMENT_POSITION_CONTAINED_BY) || left === one ? '' : 'before ' + left.outerHTML.slice(0, 200);
            })()""";
    /** Where something is, once it stays there for two frames with nothing over it; null before. Whether the next press hits it is noted in the page. */
    private static final String STANDING = """
            (async () => {
              const one = %s;
              one?.scrollIntoView({block: 'center'});
              let before = '';
              for (let frame = 0; frame < 20; frame++) {
                await new Promise(requestAnimationFrame);
                const box = one?.getClientRects()[0];
                const at = box && {x: box.x + Math.min(box.width / 2, 40), y: box.y + box.height / 2};
                if (at && JSON.stringify(at) === before && one.contains(document.elementFromPoint(at.x, at.y))) {
                  window.isHit = false;
                  window.isClicked = false;
                  window.said = [];
                  document.addEventListener('pointerdown', event => { window.isHit = one.contains(event.target); }, {once: true, capture: true});
                  one.addEventListener('click', () => { window.isClicked = true; }, {once: true, capture: true});
                  return at;
                }
                before = JSON.stringify(at);
              }
              return null;
            })()""";

    /**
     * Hands each answer to the page alone, the newest first, as no list comes before the one above it; and notes what was moved up or down that one can press or write in
     * ({@code moved}). {@code isCalm} tells whether the page has all that it asked for.
     */
    private static final String NEWEST_FIRST = """
            (() => {
              const ask = window.fetch;
              const answered = [];
              let under = 0;
              let calm = 0;
              let places = new WeakMap();
              let isWatching = true;
              window.moved = [];
              window.isCalm = () => calm > 5;
              window.watch = isOn => { isWatching = isOn; places = new WeakMap(); calm = 0; moved.length = 0; };
              window.fetch = (...sent) => {
                under++;
                calm = 0;
                return new Promise((resolve, reject) => ask(...sent).then(one => answered.push(() => resolve(one)), reject)).finally(() => { under--; });
              };
              setInterval(() => answered.pop()?.(), 50);
              const look = () => {
                calm = under === 0 ? calm + 1 : 0;
                for (const one of isWatching ? document.querySelectorAll('main :is(a[href], button, input, select, textarea, summary)') : []) {
                  const box = one.getBoundingClientRect();
                  if (box.height > 0 && one.checkVisibility({visibilityProperty: true})) {
                    const top = Math.round(box.top + scrollY + (one.closest('.beside')?.scrollTop ?? 0));
                    const before = places.get(one);
                    if (before !== undefined && Math.abs(before - top) > 1 && before - scrollY < innerHeight) {
                      moved.push(`${before} to ${top}: ${one.outerHTML.replace(/<!--.*?-->/g, '').slice(0, 140)}`);
                    }
                    places.set(one, top);
                  }
                }
                requestAnimationFrame(look);
              };
              requestAnimationFrame(look);
            })()""";

    /**
     * Notes in {@code window.said} each sentence that the page says for some seconds only: whoever looks at the page all the time has read it, and a test that a busy machine
     * keeps from looking meanwhile has not.
     */
    private static final String NOTES_WHAT_IS_SAID = """
            (() => {
              window.said = [];
              let before = '';
              new MutationObserver(() => {
                const now = document.querySelector('p.said')?.textContent ?? '';
                if (now !== before && now !== '') {
                  said.push(now.toLowerCase());
                }
                before = now;
              }).observe(document, {subtree: true, childList: true, characterData: true});
            })()""";
    /** Whether a text is on the page, or was said since somebody last clicked; what was said is read once. */
    private static final String READ = """
            (text => {
              const isThere = (document.body?.innerText ?? '').toLowerCase().includes(text) || (window.said ?? []).some(one => one.includes(text));
              if (isThere) {
                window.said = (window.said ?? []).filter(one => !one.includes(text));
              }
              return isThere;
            })(%s)""";

    private final PageSession page;
    private final String origin;
    /** Exceptions of scripts, and what the browser's policies refused. */
    final List<String> complaints = new CopyOnWriteArrayList<>();
    /** Requests for anything but the page itself, its scripts and its styles, and what the provider of the demo shows, each once. */
    private final Map<String, JsonObject> requests = new ConcurrentHashMap<>();
    /** How often each path was asked for. */
    private final Map<String, AtomicInteger> asked = new ConcurrentHashMap<>();
    private final List<String> invalid = new CopyOnWriteArrayList<>();

    private final AwaitedDocument document;

    /** Answers or lets through what the browser has stopped. Replaced at once, so that no request is stopped that nobody looks at. */
    private volatile Consumer<JsonObject> between;

    ConsolePage(PageSession page, String origin) {
        this.page = page;
        this.origin = origin;
        page.on("Runtime.exceptionThrown", thrown -> complaints.add(thrown.encode()));
        page.on("Log.entryAdded", logged -> {
            JsonObject entry = logged.getJsonObject("entry");
            // Answers that the console shows are logged by the browser, too.
            boolean isTold = entry.getString("level").equals("info");
            if (!isTold && (!entry.getString("source").equals("network") || entry.getString("text").contains("Security"))) {
                complaints.add(entry.encode());
            }
        });
        page.on("Network.requestWillBeSent", sent -> {
            JsonObject request = sent.getJsonObject("request");
            String path = request.getString("url").replace(origin, "");
            if (path.startsWith("/") && !path.matches("/|/(console|demo)(/.*|\\?.*)?")) {
                asked.computeIfAbsent(path, any -> new AtomicInteger()).incrementAndGet();
                requests.putIfAbsent(request.getString("method") + path + request.getString("postData", ""), request);
            }
        });
        page.on("Network.responseReceived", received -> {
            JsonObject response = received.getJsonObject("response");
            if (response.getInteger("status") == 400 && response.getJsonObject("headers").encode().contains("\"request.invalid\"")) {
                invalid.add(response.getString("url"));
            }
        });
        // Whoever is asked whether they are sure, is.
        page.on("Page.javascriptDialogOpening", asked -> page.call("Page.handleJavaScriptDialog", new JsonObject().put("accept", true)));
        between = paused -> page.call("Fetch.continueRequest", new JsonObject().put("requestId", paused.getString("requestId")));
        page.on("Fetch.requestPaused", paused -> between.accept(paused));
        document = new AwaitedDocument(page);
        for (String domain : List.of("Inspector", "Page", "Runtime", "Log", "DOM")) {
            await(page.call(domain + ".enable"));
        }
        before(NOTES_WHAT_IS_SAID);
    }

    /** What it asked of the platform: a program in its place would have sent the same. */
    Collection<JsonObject> requests() {
        return requests.values();
    }

    /** Addresses that answered that the request is not as the contract has it. */
    List<String> invalid() {
        return invalid;
    }

    void close() {
        await(page.close());
    }

    /** Kills the process that shows it; nothing of the page runs any more, not even what a page does when it is closed. */
    void kill() {
        Promise<JsonObject> crashed = Promise.promise();
        page.on("Inspector.targetCrashed", crashed::tryComplete);
        // Of this command there is no answer.
        page.call("Page.crash");
        await(crashed.future());
    }

    /** Names what it shares cookies, storage and connections with. */
    String browserContextId() {
        return await(page.call("Target.getTargetInfo")).getJsonObject("targetInfo").getString("browserContextId");
    }

    /** How often it has asked for the stream of events. */
    long streams() {
        return requests().stream().filter(request -> request.getString("url").contains("/api/events/stream")).count();
    }

    static <T> T await(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
    }

    Object evaluate(String expression) {
        return await(page.evaluate(expression));
    }

    void show(int width, int height, String theme) {
        await(page.call("Emulation.setDeviceMetricsOverride", new JsonObject().put("width", width).put("height", height).put("deviceScaleFactor", 1).put("mobile", false)));
        media("prefers-color-scheme", theme);
    }

    /** Goes there, and returns when the page that was there is left: what is awaited next is not found on that one. */
    void go(String path) {
        isKnown("(window.isLeft = false) === false");
        JsonObject went = await(page.call("Page.navigate", new JsonObject().put("url", origin + path)));
        // Another place in the same document is gone to at once; and a page that goes elsewhere by itself keeps this from being gone to.
        if (went.containsKey("loaderId") && !"net::ERR_ABORTED".equals(went.getString("errorText"))) {
            awaitTrue("window.isLeft === undefined");
        }
    }

    /** Goes to another place in the console as a link does, and waits for a text there, not on the screen that is left. */
    void follow(String path, String text) {
        goTo(path);
        awaitText(text);
    }

    /** The same without a text: returns when the screen of that place is shown, with or without what it reads. */
    void goTo(String path) {
        evaluate("(() => { history.pushState(null, '', '%s'); dispatchEvent(new Event('acp-route')); })()".formatted(path));
        awaitShown(path);
    }

    /** Waits until the screen of this place has taken the place of the one that is left. */
    void awaitShown(String path) {
        awaitTrue("document.querySelector('#main').dataset.place === '%s'".formatted(path.replaceFirst("^/console", "").replaceFirst("[?].*", "").replaceFirst("^$", "/")));
    }

    void awaitTrue(String condition) {
        Await.until(() -> "%s at %s; complaints %s".formatted(condition, situation(), complaints), Await.BOUND, () -> holds(condition));
    }

    /** What somebody would see who looks now; of a page that does not answer, what it waits for. */
    private String situation() {
        try {
            return "%s; the page says %s".formatted(evaluate("location.href"), text());
        } catch (CompletionException silent) {
            return "%s: %s".formatted(document, silent.getMessage());
        }
    }

    /** False also while what is asked about is not there yet, and while the page is being left, when it cannot be asked. */
    private boolean holds(String condition) {
        try {
            return Boolean.TRUE.equals(evaluate(condition));
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof BrowserFailure && UNANSWERED.stream().anyMatch(String.valueOf(failed.getMessage())::contains)) {
                return false;
            }
            throw failed;
        }
    }

    void awaitText(String text) {
        awaitTrue(READ.formatted(quoted(text.toLowerCase())));
    }

    String text() {
        return (String) evaluate("document.body?.innerText ?? ''");
    }

    private static String quoted(String text) {
        return new JsonArray().add(text).encode().replaceAll("^\\[|]$", "");
    }

    /** An expression for the last thing that is shown and that a person would call by this name: a link, a button, a tab, a choice. */
    private static String named(String name) {
        return "[...document.querySelectorAll('a, button, label, summary')].filter(one => [one.innerText.trim().replace(/\\s+/g, ' '), one.ariaLabel ?? ''].some(text => text.startsWith(%s)) && one.checkVisibility()).at(-1)".formatted(quoted(name));
    }

    /** Clicks in the middle of what has this name. */
    void click(String name) {
        String element = named(name);
        awaitTrue("(%s) !== undefined".formatted(element));
        // What is read late may move it between the look and the press: then it is let go elsewhere, so that nothing else is clicked, and looked for again.
        Await.until(() -> "%s can be pressed at %s".formatted(name, situation()), Await.BOUND, () -> {
            JsonObject at = (JsonObject) evaluate(STANDING.formatted(element));
            return at != null && pressed(at);
        });
    }

    /** Clicks there, unless what stood there has moved before it was pressed; answers whether it was clicked, which it was not when it moved before it was released. */
    private boolean pressed(JsonObject at) {
        JsonObject event = new JsonObject().put("x", at.getDouble("x")).put("y", at.getDouble("y")).put("button", "left").put("clickCount", 1);
        await(page.call("Input.dispatchMouseEvent", event.copy().put("type", "mousePressed")));
        boolean isHit = Boolean.TRUE.equals(evaluate("window.isHit"));
        if (!isHit) {
            event.put("x", 0).put("y", 0);
            await(page.call("Input.dispatchMouseEvent", event.copy().put("type", "mouseMoved")));
        }
        await(page.call("Input.dispatchMouseEvent", event.copy().put("type", "mouseReleased")));
        return isHit && !isKnown("window.isClicked === false");
    }

    /** False also when the page was left meanwhile, as a click may lead to another one. */
    private boolean isKnown(String condition) {
        try {
            return Boolean.TRUE.equals(evaluate(condition));
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof BrowserFailure) {
                return false;
            }
            throw failed;
        }
    }

    /** Clicks twice, as somebody does who double-clicks everything. */
    void doubleClick(String name) {
        JsonObject event = middle(named(name)).put("button", "left");
        for (int count = 1; count <= 2; count++) {
            for (String type : List.of("mousePressed", "mouseReleased")) {
                await(page.call("Input.dispatchMouseEvent", event.copy().put("type", type).put("clickCount", count)));
            }
        }
    }

    /** How often the page has asked the platform for anything. */
    int asked() {
        return asked.values().stream().mapToInt(AtomicInteger::get).sum();
    }

    /** How often the page has asked the platform for this path. */
    int asked(String path) {
        return asked.getOrDefault(path, new AtomicInteger()).get();
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

    void enter() {
        key("Enter", 13, "\r");
    }

    void space() {
        key(" ", 32, " ");
    }

    /** Presses Tab once: where one is then is to be seen, and follows in the page what one left. What was done before has not taken the focus away. */
    void tab() {
        awaitTrue("window.left === undefined || document.activeElement !== document.body");
        evaluate("void (window.left = document.activeElement)");
        key("Tab", 9, "");
        assertThat(evaluate(STOP)).as("the stop after %s".formatted(evaluate("window.left.outerHTML.slice(0, 200)"))).isEqualTo("");
        // Between the last stop and the first one are the browser's own.
        evaluate("void (window.left = document.activeElement === document.body ? undefined : window.left)");
    }

    /** Presses Tab until what has this name has the focus. */
    ConsolePage tabTo(String name) {
        String element = named(name);
        awaitTrue("(%s) !== undefined".formatted(element));
        return tabToElement(element, name);
    }

    /** The same for the field with this label. */
    ConsolePage tabToField(String label) {
        String element = field(label);
        awaitTrue("(%s) !== undefined".formatted(element));
        return tabToElement(element, label);
    }

    private ConsolePage tabToElement(String element, String name) {
        for (int pressed = 0; pressed < STOPS_MAX; pressed++) {
            if (Boolean.TRUE.equals(evaluate("document.activeElement === " + element))) {
                return this;
            }
            tab();
        }
        throw new AssertionError("Tab does not reach " + name);
    }

    /** Types a text where the focus is. */
    void insert(String text) {
        await(page.call("Input.insertText", new JsonObject().put("text", text)));
    }

    /** The same in a page that is none of the console. */
    void insertInto(String selector, String text) {
        evaluate("document.querySelector('%s').focus()".formatted(selector));
        insert(text);
    }

    /** Types letters and digits key by key where the focus is. */
    void letters(String keys) {
        keys.chars().forEach(key -> key(Character.toString(key), Character.toUpperCase(key), Character.toString(key)));
    }

    /** When the page asks for a file, as it does upon a key, this one is chosen. */
    void choosesByKeys(Path file) {
        page.on("Page.fileChooserOpened", opened -> page.call("DOM.setFileInputFiles", new JsonObject().put("backendNodeId", opened.getInteger("backendNodeId"))
                .put("files", new JsonArray().add(file.toAbsolutePath().toString()))));
        await(page.call("Page.setInterceptFileChooserDialog", new JsonObject().put("enabled", true)));
    }

    /** Writes into the field with this label. */
    void write(String label, String text) {
        String field = field(label);
        // While a dialog is open, what is behind it takes no focus, and what is typed would go elsewhere.
        awaitTrue("(() => { const one = %s; one?.scrollIntoView({block: 'center'}); one?.focus(); one?.select?.(); return one !== undefined && one.getRootNode().activeElement === one; })()".formatted(field));
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
        choose("input[type=file]", file);
    }

    void choose(String input, Path... files) {
        awaitTrue("document.querySelector(%s) !== null".formatted(quoted(input)));
        int root = await(page.call("DOM.getDocument")).getJsonObject("root").getInteger("nodeId");
        int node = await(page.call("DOM.querySelector", new JsonObject().put("nodeId", root).put("selector", input))).getInteger("nodeId");
        await(page.call("DOM.setFileInputFiles", new JsonObject().put("nodeId", node).put("files", paths(files))));
    }

    private static JsonArray paths(Path... files) {
        return new JsonArray(Stream.of(files).map(file -> file.toAbsolutePath().toString()).toList());
    }

    /** Drags files from outside over the element and lets go. */
    void drop(String element, Path... files) {
        JsonObject at = middle("document.querySelector(%s)".formatted(quoted(element)));
        JsonObject dragged = at.put("data", new JsonObject().put("items", new JsonArray()).put("files", paths(files)).put("dragOperationsMask", 1));
        for (String type : List.of("dragEnter", "dragOver", "drop")) {
            await(page.call("Input.dispatchDragEvent", dragged.copy().put("type", type)));
        }
    }

    /** Presses in the middle of the element, moves by so many pixels, and lets go. */
    void drag(String element, int right, int down) {
        JsonObject at = middle("document.querySelector(%s)".formatted(quoted(element))).put("button", "left").put("buttons", 1).put("clickCount", 1);
        JsonObject to = at.copy().put("x", at.getDouble("x") + right).put("y", at.getDouble("y") + down);
        await(page.call("Input.dispatchMouseEvent", at.copy().put("type", "mousePressed")));
        await(page.call("Input.dispatchMouseEvent", to.copy().put("type", "mouseMoved")));
        await(page.call("Input.dispatchMouseEvent", to.copy().put("type", "mouseReleased").put("buttons", 0)));
    }

    private JsonObject middle(String element) {
        awaitTrue("(%s)?.checkVisibility() === true".formatted(element));
        return (JsonObject) evaluate("(() => { const one = %s; one.scrollIntoView({block: 'center'}); const box = one.getBoundingClientRect(); return {x: box.x + box.width / 2, y: box.y + box.height / 2}; })()".formatted(element));
    }

    /** Writes where the focus is. */
    void type(String text) {
        await(page.call("Input.insertText", new JsonObject().put("text", text)));
    }

    /** Puts the focus into the field with this label, as Tab does. */
    void focus(String label) {
        String field = field(label);
        awaitTrue("(%s) !== undefined".formatted(field));
        evaluate("(() => { const one = %s; one.scrollIntoView({block: 'center'}); one.focus(); })()".formatted(field));
    }

    /** Chooses in the list with this label by the arrow keys. */
    void pick(String label, String name) {
        String field = field(label);
        awaitTrue("(%s) !== undefined".formatted(field));
        int steps = (Integer) evaluate("(() => { const one = %s; one.scrollIntoView({block: 'center'}); one.focus(); return [...one.options].findIndex(each => each.text.startsWith(%s)) - one.selectedIndex; })()".formatted(field, quoted(name)));
        for (int step = 0; step < Math.abs(steps); step++) {
            key(steps > 0 ? "ArrowDown" : "ArrowUp", steps > 0 ? 40 : 38, "");
        }
        awaitTrue("(%s).selectedOptions[0].text.startsWith(%s)".formatted(field, quoted(name)));
    }

    /** An expression for the last field with this label that is shown. */
    private static String field(String label) {
        return "[...document.querySelectorAll('label')].filter(one => one.innerText.replace(/\\s+/g, ' ').replaceAll(' :', ':').startsWith(%s) && one.checkVisibility()).map(one => one.control).at(-1)".formatted(quoted(label));
    }

    /** Signs in as somebody in another window of this browser, as the page asks them to whose session has ended. */
    void signInElsewhere(Person person) {
        evaluate("fetch('/auth/login/demo?returnTo=/console&login_hint=%s').then(() => new BroadcastChannel('acp.session').postMessage('signed-in'))".formatted(person.email()));
    }

    /** Runs a script in each page that is gone to after this, before its own. */
    void before(String script) {
        await(page.call("Page.addScriptToEvaluateOnNewDocument", new JsonObject().put("source", script)));
    }

    /** From the next page on, answers come in the order in which they were not asked for, and {@link #moved} tells what that moved. */
    void answersNewestFirst() {
        before(NEWEST_FIRST);
    }

    /** What was moved up or down, since it was first shown, of what one can press or write in, once the page has all that it asked for. */
    JsonArray moved() {
        awaitTrue("isCalm()");
        return (JsonArray) evaluate("moved");
    }

    void offline(boolean isOffline) {
        line(isOffline, 0, -1);
    }

    /** A line that takes so long for the first byte, and then lets so many bytes a second through. */
    void slowLine(int latencyMillis, int bytesPerSecond) {
        line(false, latencyMillis, bytesPerSecond);
    }

    private void line(boolean isOffline, int latencyMillis, int bytesPerSecond) {
        await(page.call("Network.emulateNetworkConditions", new JsonObject().put("offline", isOffline).put("latency", latencyMillis)
                .put("downloadThroughput", bytesPerSecond).put("uploadThroughput", bytesPerSecond)));
    }

    /** From now on so many requests to this path are answered by something between the browser and the platform; the others get through. */
    void between(String path, int times, int status, Map<String, String> headers, String body) {
        AtomicInteger left = new AtomicInteger(times);
        JsonArray named = new JsonArray();
        headers.forEach((name, value) -> named.add(new JsonObject().put("name", name).put("value", value)));
        between = paused -> {
            JsonObject request = new JsonObject().put("requestId", paused.getString("requestId"));
            if (left.getAndDecrement() > 0) {
                page.call("Fetch.fulfillRequest", request.put("responseCode", status).put("responseHeaders", named)
                        .put("body", Base64.getEncoder().encodeToString(body.getBytes(StandardCharsets.UTF_8))));
            } else {
                page.call("Fetch.continueRequest", request);
            }
        };
        await(page.call("Fetch.enable", new JsonObject().put("patterns", new JsonArray().add(new JsonObject().put("urlPattern", "*" + path)))));
    }

    /** The first path is always answered with this, and the second once with another status. */
    void betweenBoth(String path, String body, String once, int status, String refusal) {
        AtomicInteger left = new AtomicInteger(1);
        JsonArray json = new JsonArray().add(new JsonObject().put("name", "Content-Type").put("value", "application/json"));
        between = paused -> {
            JsonObject request = new JsonObject().put("requestId", paused.getString("requestId"));
            boolean isFirst = paused.getJsonObject("request").getString("url").endsWith(path);
            if (isFirst || left.getAndDecrement() > 0) {
                page.call("Fetch.fulfillRequest", request.put("responseCode", isFirst ? 200 : status).put("responseHeaders", json)
                        .put("body", Base64.getEncoder().encodeToString((isFirst ? body : refusal).getBytes(StandardCharsets.UTF_8))));
            } else {
                page.call("Fetch.continueRequest", request);
            }
        };
        await(page.call("Fetch.enable", new JsonObject().put("patterns", new JsonArray().add(new JsonObject().put("urlPattern", "*" + path)).add(new JsonObject().put("urlPattern", "*" + once)))));
    }

    /** Requests to this path get no answer until what is returned here is run. */
    Runnable hold(String path) {
        Promise<Void> released = Promise.promise();
        between = paused -> released.future().onSuccess(on -> page.call("Fetch.continueRequest", new JsonObject().put("requestId", paused.getString("requestId"))));
        await(page.call("Fetch.enable", new JsonObject().put("patterns", new JsonArray().add(new JsonObject().put("urlPattern", "*" + path)))));
        return released::tryComplete;
    }

    /**
     * The next answers of this path are lost on their way: the platform has done what it was asked, and the page does not learn of it.
     *
     * @param never paths of which no request gets through
     */
    void loseAnswers(String path, int times, String... never) {
        AtomicInteger left = new AtomicInteger(times);
        between = paused -> {
            JsonObject request = new JsonObject().put("requestId", paused.getString("requestId"));
            boolean isAnswer = paused.containsKey("responseStatusCode") || paused.containsKey("responseErrorReason");
            if (!isAnswer || left.getAndDecrement() > 0) {
                page.call("Fetch.failRequest", request.put("errorReason", "ConnectionClosed"));
            } else {
                page.call("Fetch.continueRequest", request);
            }
        };
        JsonArray patterns = new JsonArray().add(new JsonObject().put("urlPattern", "*" + path).put("requestStage", "Response"));
        for (String one : never) {
            patterns.add(new JsonObject().put("urlPattern", "*" + one).put("requestStage", "Request"));
        }
        await(page.call("Fetch.enable", new JsonObject().put("patterns", patterns)));
    }

    /** What stands in the way of people on this page, by the rules of WCAG 2.2 AA and good practice. */
    JsonArray barriers() {
        return barriers("{resultTypes: ['violations']}");
    }

    /**
     * The same in the other theme of a page without barriers. The themes differ by their colours alone ({@link ConsoleBundleTest}), so that only the rules
     * that look at colours can find something new.
     */
    JsonArray barriersOfColours() {
        return barriers("{resultTypes: ['violations'], runOnly: {type: 'rule', values: ['color-contrast', 'link-in-text-block']}}");
    }

    private JsonArray barriers(String options) {
        if (!Boolean.TRUE.equals(evaluate("window.axe !== undefined"))) {
            evaluate(AXE + "; true");
        }
        return (JsonArray) evaluate("axe.run(document, %s).then(found => found.violations.map(one => `${one.id}: ${one.nodes.map(node => node.html.slice(0, 160) + ' ' + node.failureSummary).join(' | ')}`))".formatted(options));
    }

    /** For a person to look at, in a run with the system property {@code acp.pictures=keep}. */
    void picture(String name) throws IOException {
        if (!KeptPictures.KEEP) {
            return;
        }
        Path pictures = Files.createDirectories(Path.of("target/pictures"));
        Files.write(pictures.resolve(name + ".png"), picture());
    }

    /** What is shown, as PNG. */
    byte[] picture() {
        return Base64.getDecoder().decode(await(page.call("Page.captureScreenshot")).getString("data"));
    }

    /** What the reader's system asks for: features of media and their values; until the page is shown anew. */
    void media(String... features) {
        JsonArray all = new JsonArray();
        for (int i = 0; i < features.length; i += 2) {
            all.add(new JsonObject().put("name", features[i]).put("value", features[i + 1]));
        }
        await(page.call("Emulation.setEmulatedMedia", new JsonObject().put("features", all)));
    }

    /** As a browser that shows no PDF in a page; for pages that are gone to after this. */
    void withoutViewer() {
        await(page.call("Page.addScriptToEvaluateOnNewDocument", new JsonObject().put("source", "Object.defineProperty(Navigator.prototype, 'pdfViewerEnabled', {get: () => false})")));
    }

    private static String axe() {
        try (InputStream in = ConsolePage.class.getResourceAsStream("/axe.min.js")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
