package io.arbitration.push;

import io.arbitration.platform.answer.CachedBody;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.platform.pipeline.OperationHandler;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The demo page and its resources, from the class path. They refer to each other by relative addresses, so they work wherever the
 * area is mounted.
 */
final class DemoPage {

    /** Allows only resources of this origin, and icons of notifications. */
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; worker-src 'self'; "
            + "img-src https: http: data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

    private DemoPage() {}

    static void bind(Contract contract) {
        contract.bind("showWebPushDemo", part("demo.html", "text/html; charset=utf-8"))
                .bind("showWebPushDemoStyle", part("demo.css", "text/css; charset=utf-8"))
                .bind("showWebPushDemoScript", part("demo.js", "text/javascript; charset=utf-8"))
                .bind("showWebPushDemoServiceWorker", part("demo-service-worker.js", "text/javascript; charset=utf-8"));
    }

    private static OperationHandler part(String name, String contentType) {
        try (InputStream in = DemoPage.class.getResourceAsStream("/push/" + name)) {
            Map<String, String> headers = new LinkedHashMap<>();
            headers.put("Content-Security-Policy", POLICY);
            headers.put("X-Content-Type-Options", "nosniff");
            headers.put("Referrer-Policy", "no-referrer");
            headers.put("Cache-Control", "no-cache");
            Reply reply = Reply.kept(contentType, CachedBody.of(contentType, in.readAllBytes()), Map.copyOf(headers));
            return call -> Future.succeededFuture(reply);
        } catch (IOException failed) {
            throw new IllegalStateException("push/" + name, failed);
        }
    }
}
