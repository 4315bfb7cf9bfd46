package io.arbitration.command.bench;

import io.arbitration.platform.browser.PageSession;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A page of the console that is measured: what it loads, how long its tasks are, and how soon something is painted after a click. */
final class BenchPage {

    private static final long LOOK_MILLIS = 10;
    private static final Duration WAIT = Duration.ofSeconds(60);
    /** What runs in the page before anything of it does. The browser tells of tasks of 50 ms and more. */
    private static final String WATCH = """
            window.bench = {
              tasks: [],
              painted: selector => new Promise(done => addEventListener('click', event => {
                const look = () => {
                  if (!document.querySelector(selector)) {
                    requestAnimationFrame(look);
                    return;
                  }
                  const {port1, port2} = new MessageChannel();
                  port1.onmessage = () => done(performance.now() - event.timeStamp);
                  port2.postMessage(0);
                };
                requestAnimationFrame(look);
              }, {capture: true, once: true})),
            };
            new PerformanceObserver(list => list.getEntries().forEach(one => bench.tasks.push(one.duration))).observe({type: 'longtask', buffered: true});
            """;

    private final PageSession page;
    private final URI origin;
    /** Scripts and styles by their address, with their bytes as they came. */
    private final Map<String, Long> loaded = new ConcurrentHashMap<>();

    BenchPage(PageSession page, URI origin) {
        this.page = page;
        this.origin = origin;
        Map<String, String> asked = new ConcurrentHashMap<>();
        page.on("Network.responseReceived", received -> {
            if (Set.of("Script", "Stylesheet").contains(received.getString("type"))) {
                asked.put(received.getString("requestId"), received.getJsonObject("response").getString("url"));
            }
        });
        page.on("Network.loadingFinished", finished -> {
            String url = asked.get(finished.getString("requestId"));
            if (url != null) {
                loaded.put(url, finished.getLong("encodedDataLength"));
            }
        });
        for (String domain : new String[] {"Page", "Runtime", "Network"}) {
            await(page.call(domain + ".enable"));
        }
        await(page.call("Page.addScriptToEvaluateOnNewDocument", new JsonObject().put("source", WATCH)));
        await(page.call("Emulation.setDeviceMetricsOverride", new JsonObject().put("width", 1440).put("height", 960).put("deviceScaleFactor", 1).put("mobile", false)));
    }

    private static <T> T await(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().orTimeout(WAIT.toSeconds(), TimeUnit.SECONDS).join();
    }

    /** How many times slower the processor is for this page. */
    void slowDown(int times) {
        await(page.call("Emulation.setCPUThrottlingRate", new JsonObject().put("rate", times)));
    }

    /** Nothing is kept from one page to the next, as if each was the first. */
    void forgetFiles() {
        await(page.call("Network.setCacheDisabled", new JsonObject().put("cacheDisabled", true)));
    }

    void go(String path) {
        await(page.call("Page.navigate", new JsonObject().put("url", origin + path)));
    }

    Object evaluate(String expression) {
        return await(page.evaluate(expression));
    }

    double number(String expression) {
        return ((Number) evaluate(expression)).doubleValue();
    }

    void awaitTrue(String condition) {
        long end = System.nanoTime() + WAIT.toNanos();
        while (!Boolean.TRUE.equals(evaluate(condition))) {
            if (System.nanoTime() > end) {
                throw new BenchFailed("not within %d s: %s; the page says: %s".formatted(WAIT.toSeconds(), condition, evaluate("document.body?.innerText")));
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS));
        }
    }

    /** Until nothing more is shown or loaded for a moment. */
    void awaitQuiet() {
        awaitTrue("document.querySelector('main h1') !== null && !document.querySelector('.waiting')");
        evaluate("new Promise(done => { let left = 3; const idle = () => --left ? requestIdleCallback(idle) : done(true); requestIdleCallback(idle); })");
    }

    /** Scripts and styles that were loaded since this was last asked, with their bytes. */
    Map<String, Long> takeLoaded() {
        Map<String, Long> taken = new HashMap<>(loaded);
        loaded.clear();
        return taken;
    }

    /** The longest task since this was last asked, in milliseconds; 0 when none took 50. */
    double takeLongestTaskMillis() {
        return number("Math.max(0, ...bench.tasks.splice(0))");
    }

    /** Clicks on a link; milliseconds from the click to the frame in which what the selector finds is painted. */
    double millisFromClickTo(String link, String selector) {
        evaluate("void (window.bench.measured = bench.painted('%s'))".formatted(selector));
        JsonObject at = (JsonObject) evaluate("(() => { const one = document.querySelector(`%s`); one.scrollIntoView({block: 'center'}); const box = one.getBoundingClientRect(); return {x: box.x + 20, y: box.y + box.height / 2}; })()".formatted(link));
        JsonObject event = new JsonObject().put("x", at.getDouble("x")).put("y", at.getDouble("y")).put("button", "left").put("clickCount", 1);
        await(page.call("Input.dispatchMouseEvent", event.copy().put("type", "mousePressed")));
        await(page.call("Input.dispatchMouseEvent", event.copy().put("type", "mouseReleased")));
        return number("bench.measured");
    }

    /** Turns the wheel until the page is at its end; at its beginning for a negative number of pixels. */
    void scroll(int pixels) {
        JsonObject event = new JsonObject().put("type", "mouseWheel").put("x", 400).put("y", 600).put("deltaX", 0).put("deltaY", pixels);
        String isThere = pixels > 0 ? "scrollY + innerHeight >= document.documentElement.scrollHeight - 1" : "scrollY <= 0";
        while (!Boolean.TRUE.equals(evaluate(isThere))) {
            await(page.call("Input.dispatchMouseEvent", event));
            evaluate("new Promise(done => requestAnimationFrame(() => done(true)))");
        }
    }

    void close() {
        await(page.close());
    }
}
