package io.arbitration;

import io.arbitration.platform.browser.PageSession;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The document that a page of a browser waits for. From the request for it until the first byte of its answer, Chromium holds back every
 * command to the page: a server that answers late looks like a browser that stands still. So a failure names the address that did not answer.
 */
public final class AwaitedDocument {

    private final Map<String, String> asked = new ConcurrentHashMap<>();

    /** Follows the documents of a page from now on. */
    public AwaitedDocument(PageSession page) {
        page.on("Network.requestWillBeSent", sent -> {
            if ("Document".equals(sent.getString("type"))) {
                JsonObject request = sent.getJsonObject("request");
                asked.put(sent.getString("requestId"), request.getString("method") + " " + request.getString("url"));
            }
        });
        page.on("Network.responseReceived", received -> asked.remove(received.getString("requestId")));
        page.on("Network.loadingFailed", failed -> asked.remove(failed.getString("requestId")));
        Await.result(page.call("Network.enable"));
    }

    @Override
    public String toString() {
        return asked.isEmpty() ? "the page waits for no document" : "the page waits for the answer to " + String.join(", ", asked.values());
    }
}
