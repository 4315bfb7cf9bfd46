package io.arbitration.platform.browser;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * One navigation in a {@link PageContext}: opens an address, or given HTML, waits until the page has loaded and sends no more
 * requests, and makes a picture or a PDF of it. Ends by its deadline whatever the page does. To be used on one context.
 */
final class Navigation {

    private static final int QUIET_MILLIS = 100;
    private static final int DIALOGS_MAX = 10;
    private static final int POPUPS_MAX = 10;
    private static final int DOCUMENTS_MAX = 10;
    private static final int REQUESTS_MAX = 10_000;
    private static final String ABORTED = "net::ERR_ABORTED";
    private static final int STATUS_ERRORS_FROM = 400;
    /** The content types of pages: those that the browser shows itself, without a viewer or a download. */
    private static final Set<String> PAGES = Set.of("application/xhtml+xml", "application/xml", "application/json");
    /** Requests that stay open as long as the page, or whose result is not visible: the icon of a page, reports. */
    private static final Set<String> NEVER_ENDING = Set.of("EventSource", "WebSocket", "Ping", "Media", "Other");
    /** The apparent address of given HTML; the name exists nowhere (RFC 6761), and nothing is requested from it. */
    private static final String GIVEN = "http://document.invalid/";
    /** Given HTML may only show its own content: no script, no request. */
    private static final String GIVEN_POLICY = "sandbox; default-src 'none'; img-src data:; font-src data:; style-src 'unsafe-inline' data:";
    private static final double MILLIMETRES_PER_INCH = 25.4;

    private record Document(int status, String type) {}

    private final Vertx vertx;
    private final PageContext page;
    private final PageSession session;
    private final Duration deadline;
    private final Promise<Buffer> done = Promise.promise();
    private final Map<String, Document> documents = new HashMap<>();
    private final Set<String> reached = new HashSet<>();
    private final Set<String> inFlight = new HashSet<>();
    private final Set<Long> timers = new HashSet<>();
    private Supplier<Future<Buffer>> result;
    private JsonObject shown = new JsonObject();
    private int documentsShown;
    private int requests;
    private int dialogs;
    private int popups;
    private boolean toLeave;
    private boolean leaving;
    private long quietTimer = -1;
    private boolean settled;

    Navigation(Vertx vertx, PageContext page, Duration deadline) {
        this.vertx = vertx;
        this.page = page;
        this.session = page.session();
        this.deadline = deadline;
    }

    /** A PNG of the upper left of the page, of exactly this size. Fails with {@link PageFailure} or {@link PageCrashed}. */
    Future<Buffer> picture(String url, int width, int height) {
        result = () -> session.call("Page.captureScreenshot", new JsonObject().put("format", "png").put("optimizeForSpeed", true))
                .map(answer -> decoded(answer.getString("data")));
        begin();
        session.call("Emulation.setDeviceMetricsOverride", new JsonObject().put("width", width).put("height", height)
                .put("deviceScaleFactor", 1).put("mobile", false)).onFailure(this::broken);
        // A page that continues to load invisible content is shown as it is after a while.
        timer(deadline.toMillis() * 2 / 3, () -> {
            if (has("DOMContentLoaded")) {
                settle();
            }
        });
        go(url);
        return done.future();
    }

    /** A PDF, A4 unless the HTML sets another size. Fails like a picture. */
    Future<Buffer> print(String html) {
        result = () -> session.call("Page.printToPDF", new JsonObject().put("printBackground", true).put("preferCSSPageSize", true)
                        .put("paperWidth", 210 / MILLIMETRES_PER_INCH).put("paperHeight", 297 / MILLIMETRES_PER_INCH))
                .map(answer -> decoded(answer.getString("data")));
        begin();
        page.listener().close();
        session.on("Fetch.requestPaused", paused -> answer(paused, html));
        session.call("Fetch.enable", new JsonObject().put("patterns", new JsonArray().add(new JsonObject().put("urlPattern", "*")))).onFailure(this::broken);
        go(GIVEN);
        return done.future();
    }

    private void answer(JsonObject paused, String html) {
        String requestId = paused.getString("requestId");
        boolean document = GIVEN.equals(paused.getJsonObject("request").getString("url")) && "Document".equals(paused.getString("resourceType"))
                && documentsShown == 0;
        Future<JsonObject> answered = document
                ? session.call("Fetch.fulfillRequest", new JsonObject().put("requestId", requestId).put("responseCode", 200)
                        .put("responseHeaders", new JsonArray()
                                .add(new JsonObject().put("name", "Content-Type").put("value", "text/html; charset=utf-8"))
                                .add(new JsonObject().put("name", "Content-Security-Policy").put("value", GIVEN_POLICY)))
                        .put("body", Base64.getEncoder().encodeToString(html.getBytes(StandardCharsets.UTF_8))))
                : session.call("Fetch.failRequest", new JsonObject().put("requestId", requestId).put("errorReason", "BlockedByClient"));
        // A request that the page itself has cancelled meanwhile cannot be answered; the request of the document must be.
        answered.onFailure(failed -> {
            if (document) {
                broken(failed);
            }
        });
    }

    private static Buffer decoded(String base64) {
        return Buffer.buffer(Base64.getDecoder().decode(base64));
    }

    private void begin() {
        timer(deadline.toMillis(), () -> fail("it was not there within %d ms".formatted(deadline.toMillis())));
        page.crashed().onSuccess(crashed -> end(new PageCrashed("the page crashed")));
        session.on("Page.javascriptDialogOpening", opening -> dismiss());
        session.on("Page.frameNavigated", navigated -> show(navigated.getJsonObject("frame")));
        session.on("Page.frameScheduledNavigation", scheduled -> lead(scheduled, scheduled.getDouble("delay") * 1000 < QUIET_MILLIS, leaving));
        session.on("Page.frameClearedScheduledNavigation", cleared -> lead(cleared, false, leaving));
        session.on("Page.frameRequestedNavigation", requested -> lead(requested, toLeave, leaving || "currentTab".equals(requested.getString("disposition"))));
        session.on("Page.navigatedWithinDocument", navigated -> lead(navigated, false, false));
        session.on("Page.lifecycleEvent", this::reach);
        session.on("Network.requestWillBeSent", this::ask);
        session.on("Network.responseReceived", this::receive);
        session.on("Network.loadingFinished", finished -> finish(finished.getString("requestId")));
        session.on("Network.loadingFailed", this::lose);
    }

    private void go(String url) {
        session.call("Page.navigate", new JsonObject().put("url", url)).onComplete(answer -> {
            String error = answer.getString("errorText");
            if (ABORTED.equals(error)) {
                // A download or another response that is no page ends like this. So does a page whose process died: it no longer
                // answers, and its crash is reported.
                session.call("Page.getFrameTree").onComplete(alive -> fail(error), this::broken);
            } else if (error != null) {
                fail(error);
            }
        }, this::broken);
    }

    private void dismiss() {
        if (++dialogs > DIALOGS_MAX) {
            fail("it opens dialogs without end");
            return;
        }
        session.call("Page.handleJavaScriptDialog", new JsonObject().put("accept", false)).onFailure(this::broken);
    }

    /** The page has opened another page, which was closed. */
    void popup() {
        if (++popups > POPUPS_MAX) {
            fail("it opens windows without end");
        }
    }

    private void show(JsonObject frame) {
        if (frame.containsKey("parentId")) {
            return;
        }
        shown = frame;
        toLeave = false;
        leaving = false;
        if (++documentsShown > DOCUMENTS_MAX) {
            fail("it leads from page to page without end");
        }
    }

    /**
     * Whether the page is about to redirect, or does so. A busy browser requests the next page some time later, and that page is
     * the one to wait for. A page that does not redirect after all is shown after the bound that {@link #reach} sets.
     */
    private void lead(JsonObject event, boolean soon, boolean now) {
        if (page.targetId().equals(event.getString("frameId"))) {
            toLeave = soon;
            leaving = now;
            look();
        }
    }

    private void reach(JsonObject event) {
        if (page.targetId().equals(event.getString("frameId"))) {
            reached.add(event.getString("loaderId") + event.getString("name"));
            look();
            if (has("load")) {
                // A page that keeps sending requests is then shown as it is.
                timer(deadline.toMillis() / 5, () -> {
                    if (has("load")) {
                        settle();
                    }
                });
            }
        }
    }

    private boolean has(String stage) {
        return reached.contains(shown.getString("loaderId") + stage);
    }

    private void ask(JsonObject event) {
        if (++requests > REQUESTS_MAX) {
            fail("it asks for more than %d things".formatted(REQUESTS_MAX));
        } else if (isWaitedFor(event)) {
            inFlight.add(event.getString("requestId"));
            look();
        }
    }

    /**
     * For frames and workers in other processes only the beginning is reported, not the end; but the page loads only after its
     * frames.
     */
    private boolean isWaitedFor(JsonObject event) {
        String type = event.getString("type", "");
        String url = event.getJsonObject("request").getString("url", "");
        boolean ofFrame = "Document".equals(type) && !page.targetId().equals(event.getString("frameId"));
        return !ofFrame && !NEVER_ENDING.contains(type) && !url.startsWith("blob:") && !url.startsWith("data:");
    }

    private void receive(JsonObject event) {
        if ("Document".equals(event.getString("type")) && page.targetId().equals(event.getString("frameId"))) {
            JsonObject response = event.getJsonObject("response");
            documents.put(event.getString("loaderId"), new Document(response.getInteger("status"), response.getString("mimeType")));
        }
    }

    /** A missing resource is shown as missing, except for the document itself, whose request has the ID of its loader. */
    private void lose(JsonObject event) {
        String requestId = event.getString("requestId");
        if (requestId.equals(shown.getString("loaderId")) && !event.getBoolean("canceled", false)) {
            fail(event.getString("errorText"));
        }
        finish(requestId);
    }

    private void finish(String requestId) {
        if (inFlight.remove(requestId)) {
            look();
        }
    }

    /** Completes after a period in which the page is loaded, sends no requests and does not redirect. */
    private void look() {
        if (settled) {
            return;
        }
        boolean quiet = has("load") && inFlight.isEmpty() && !toLeave && !leaving;
        if (quiet && quietTimer < 0) {
            quietTimer = timer(QUIET_MILLIS, this::settle);
        } else if (!quiet && quietTimer >= 0) {
            vertx.cancelTimer(quietTimer);
            timers.remove(quietTimer);
            quietTimer = -1;
        }
    }

    private void settle() {
        if (settled || !isPage()) {
            return;
        }
        settled = true;
        String loaderId = shown.getString("loaderId");
        result.get().onComplete(made -> {
            if (loaderId.equals(shown.getString("loaderId"))) {
                timers.forEach(vertx::cancelTimer);
                done.tryComplete(made);
            } else {
                // The page redirected during the check, perhaps to a forbidden address.
                settled = false;
                quietTimer = -1;
                look();
            }
        }, this::broken);
    }

    /** Whether the present content counts as a page; fails the visit if it does not. */
    private boolean isPage() {
        String url = shown.getString("url", "");
        Document document = documents.get(shown.getString("loaderId"));
        if (shown.containsKey("unreachableUrl") || !url.startsWith("http://") && !url.startsWith("https://")) {
            fail("it leads to what is no page");
        } else if (document == null) {
            fail("it has no answer");
        } else if (document.status >= STATUS_ERRORS_FROM) {
            fail("status " + document.status);
        } else if (!document.type.startsWith("text/") && !document.type.startsWith("image/") && !PAGES.contains(document.type)) {
            fail("it is no page but " + document.type);
        }
        return !done.future().isComplete();
    }

    private long timer(long millis, Runnable then) {
        long[] id = new long[1];
        id[0] = vertx.setTimer(Math.max(1, millis), fired -> {
            timers.remove(id[0]);
            if (!done.future().isComplete()) {
                then.run();
            }
        });
        timers.add(id[0]);
        return id[0];
    }

    private void broken(Throwable failed) {
        end(session.isGone() ? new PageCrashed("the browser has gone") : new PageFailure(failed.getMessage()));
    }

    private void fail(String why) {
        end(new PageFailure(why));
    }

    /** The browser has ended, or the caller ends the visit. */
    void end(RuntimeException why) {
        if (done.tryFail(why)) {
            timers.forEach(vertx::cancelTimer);
        }
    }
}
