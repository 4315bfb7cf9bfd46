package io.arbitration.platform.browser;

import io.arbitration.platform.outbound.EgressProxy;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.util.stream.Stream;

/**
 * An empty page that is prepared for a single use, in a context of its own: it shares no cookies, storage, cache or workers with
 * others, and reaches the network only through a proxy port of its own.
 */
final class PageContext {

    private final DevTools devTools;
    private final EgressProxy.Listener listener;
    private final String contextId;
    private final String targetId;
    private final PageSession session;
    private final Promise<Void> crashed = Promise.promise();
    private final DevTools.Registration crashes;

    private PageContext(DevTools devTools, EgressProxy.Listener listener, String contextId, String targetId, PageSession session) {
        this.devTools = devTools;
        this.listener = listener;
        this.contextId = contextId;
        this.targetId = targetId;
        this.session = session;
        this.crashes = devTools.on("Target.targetCrashed", event -> {
            if (targetId.equals(event.getString("targetId"))) {
                crashed.tryComplete();
            }
        });
    }

    /** Prepares a page; if this fails, everything that was created is removed again. */
    static Future<PageContext> open(Chromium chromium, EgressProxy egress) {
        DevTools devTools = chromium.devTools();
        return chromium.namespace().map(own -> egress.open(own.folder())).orElseGet(egress::open).compose(listener -> devTools.call("Target.createBrowserContext", new JsonObject()
                        .put("disposeOnDetach", true)
                        .put("proxyServer", chromium.namespace().map(own -> own.proxy(listener.port())).orElse("http://127.0.0.1:" + listener.port()))
                        // Without this, loopback addresses would bypass the proxy.
                        .put("proxyBypassList", "<-loopback>"))
                .map(context -> context.getString("browserContextId"))
                .compose(contextId -> page(chromium, listener, contextId).onFailure(failed ->
                        devTools.call("Target.disposeBrowserContext", new JsonObject().put("browserContextId", contextId))))
                .onFailure(failed -> listener.close()));
    }

    private static Future<PageContext> page(Chromium chromium, EgressProxy.Listener listener, String contextId) {
        DevTools devTools = chromium.devTools();
        Future<JsonObject> noDownloads = devTools.call("Browser.setDownloadBehavior", new JsonObject()
                .put("behavior", "deny").put("browserContextId", contextId));
        return devTools.call("Target.createTarget", new JsonObject().put("url", "about:blank").put("browserContextId", contextId))
                .map(target -> target.getString("targetId"))
                .compose(targetId -> chromium.attach(targetId).compose(session -> {
                    PageContext page = new PageContext(devTools, listener, contextId, targetId, session);
                    Promise<PageContext> opened = Promise.promise();
                    Future.all(Stream.concat(Stream.of("Page.enable", "Network.enable").map(session::call), Stream.of(noDownloads,
                                    session.call("Page.setLifecycleEventsEnabled", new JsonObject().put("enabled", true)))).toList())
                            .onComplete(enabled -> opened.tryComplete(page), opened::tryFail);
                    // A crashed page answers nothing.
                    page.crashed().onSuccess(crashed -> opened.tryFail(new PageCrashed("the page crashed")));
                    return opened.future().onFailure(failed -> page.crashes.end());
                }));
    }

    /** Completes when its page has crashed. */
    Future<Void> crashed() {
        return crashed.future();
    }

    PageSession session() {
        return session;
    }

    /** The ID of its page, which is also that of the main frame. */
    String targetId() {
        return targetId;
    }

    String contextId() {
        return contextId;
    }

    EgressProxy.Listener listener() {
        return listener;
    }

    /** Closes it, with everything that its page has opened; fails if the browser does not answer. */
    Future<Void> close() {
        devTools.removeListeners(session.sessionId());
        crashes.end();
        listener.close();
        return devTools.call("Target.disposeBrowserContext", new JsonObject().put("browserContextId", contextId)).mapEmpty();
    }
}
