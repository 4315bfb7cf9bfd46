package io.arbitration.platform.request;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;

/**
 * The Vert.x context of a request. Its answer is written only on this context: the server then needs no queue for writes from
 * other threads, which would take 4.7 KB of heap for each connection.
 */
public final class RequestContext {

    private static final String KEY = "ownContext";

    private RequestContext() {}

    /** Called on that context, before any other work for the request. */
    static void remember(RoutingContext context) {
        context.put(KEY, context.vertx().getOrCreateContext());
    }

    /**
     * Runs a task on that context, at once if this is the current one: a future for which a request waited may be completed on
     * any thread.
     */
    public static void run(RoutingContext context, Runnable act) {
        Context own = context.get(KEY);
        if (own == null || own == Vertx.currentContext()) {
            act.run();
        } else {
            own.runOnContext(on -> act.run());
        }
    }
}
