package io.arbitration.platform.browser;

import io.arbitration.platform.outbound.EgressProxy;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.util.stream.Stream;

/**
 * An empty page that waits for its one use, in a context of its own: it shares no cookies, storage, cache or workers with
 * others, and reaches the network through a lane of its own alone.
 */
final class Room {

    private final DevTools devTools;
    private final EgressProxy.Lane lane;
    private final String contextId;
    private final String targetId;
    private final Tab tab;
    private final Promise<Void> crashed = Promise.promise();
    private final DevTools.Registration crashes;

    private Room(DevTools devTools, EgressProxy.Lane lane, String contextId, String targetId, Tab tab) {
        this.devTools = devTools;
        this.lane = lane;
        this.contextId = contextId;
        this.targetId = targetId;
        this.tab = tab;
        this.crashes = devTools.on("Target.targetCrashed", event -> {
            if (targetId.equals(event.getString("targetId"))) {
                crashed.tryComplete();
            }
        });
    }

    /** Prepares one; what was made is gone again when that fails. */
    static Future<Room> open(Chromium chromium, EgressProxy egress) {
        DevTools devTools = chromium.devTools();
        return chromium.enclosure().map(own -> egress.open(own.folder())).orElseGet(egress::open).compose(lane -> devTools.call("Target.createBrowserContext", new JsonObject()
                        .put("disposeOnDetach", true)
                        .put("proxyServer", chromium.enclosure().map(own -> own.proxy(lane.port())).orElse("http://127.0.0.1:" + lane.port()))
                        // Without this, loopback addresses would be reached past the proxy.
                        .put("proxyBypassList", "<-loopback>"))
                .map(context -> context.getString("browserContextId"))
                .compose(contextId -> page(chromium, lane, contextId).onFailure(failed ->
                        devTools.call("Target.disposeBrowserContext", new JsonObject().put("browserContextId", contextId))))
                .onFailure(failed -> lane.close()));
    }

    private static Future<Room> page(Chromium chromium, EgressProxy.Lane lane, String contextId) {
        DevTools devTools = chromium.devTools();
        Future<JsonObject> noDownloads = devTools.call("Browser.setDownloadBehavior", new JsonObject()
                .put("behavior", "deny").put("browserContextId", contextId));
        return devTools.call("Target.createTarget", new JsonObject().put("url", "about:blank").put("browserContextId", contextId))
                .map(target -> target.getString("targetId"))
                .compose(targetId -> chromium.attach(targetId).compose(tab -> {
                    Room room = new Room(devTools, lane, contextId, targetId, tab);
                    Promise<Room> opened = Promise.promise();
                    Future.all(Stream.concat(Stream.of("Page.enable", "Network.enable").map(tab::call), Stream.of(noDownloads,
                                    tab.call("Page.setLifecycleEventsEnabled", new JsonObject().put("enabled", true)))).toList())
                            .onComplete(enabled -> opened.tryComplete(room), opened::tryFail);
                    // A page that has crashed answers nothing.
                    room.crashed().onSuccess(crashed -> opened.tryFail(new PageLost("the page crashed")));
                    return opened.future().onFailure(failed -> room.crashes.end());
                }));
    }

    /** Completes when its page has crashed. */
    Future<Void> crashed() {
        return crashed.future();
    }

    Tab tab() {
        return tab;
    }

    /** Its page, whose main frame has the same name. */
    String targetId() {
        return targetId;
    }

    String contextId() {
        return contextId;
    }

    EgressProxy.Lane lane() {
        return lane;
    }

    /** Its end, with whatever its page has opened; fails when the browser does not answer. */
    Future<Void> close() {
        devTools.forget(tab.sessionId());
        crashes.end();
        lane.close();
        return devTools.call("Target.disposeBrowserContext", new JsonObject().put("browserContextId", contextId)).mapEmpty();
    }
}
