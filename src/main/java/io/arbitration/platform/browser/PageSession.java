package io.arbitration.platform.browser;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.function.Consumer;

/** A page of a browser, or a worker of one: a session of the DevTools Protocol. */
public final class PageSession {

    private final DevTools devTools;
    private final String targetId;
    private final String sessionId;

    PageSession(DevTools devTools, String targetId, String sessionId) {
        this.devTools = devTools;
        this.targetId = targetId;
        this.sessionId = sessionId;
    }

    /** Whether its browser has ended. */
    boolean isGone() {
        return devTools.isGone();
    }

    String sessionId() {
        return sessionId;
    }

    /** A command of the protocol; answers its result. */
    public Future<JsonObject> call(String method, JsonObject parameters) {
        return devTools.call(sessionId, method, parameters);
    }

    public Future<JsonObject> call(String method) {
        return call(method, new JsonObject());
    }

    /** Passes on each event of this page; its domain has to be enabled. */
    public DevTools.Registration on(String method, Consumer<JsonObject> handler) {
        return devTools.on(sessionId, method, handler);
    }

    /** The value of an expression as JSON, or of its promise; fails with the exception that it threw. */
    public Future<Object> evaluate(String expression) {
        return call("Runtime.evaluate", new JsonObject().put("expression", expression).put("awaitPromise", true).put("returnByValue", true))
                .compose(answer -> {
                    JsonObject thrown = answer.getJsonObject("exceptionDetails");
                    return thrown == null
                            ? Future.succeededFuture(answer.getJsonObject("result").getValue("value"))
                            : Future.failedFuture(new BrowserFailure("Runtime.evaluate: " + thrown.getJsonObject("exception", new JsonObject())
                                    .getString("description", thrown.getString("text"))));
                });
    }

    public Future<Void> close() {
        devTools.removeListeners(sessionId);
        return devTools.call("Target.closeTarget", new JsonObject().put("targetId", targetId)).mapEmpty();
    }
}
