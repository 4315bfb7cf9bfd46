package io.arbitration.platform.request;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;

/**
 * The Vert.x context that a request belongs to. Its answer is written there alone: the server then needs no queue for each connection that
 * takes writes from other threads, which is 4.7 KB of the heap.
 */
public final class OwnContext {

    private static final String KEY = "ownContext";

    private OwnContext() {}

    /** Called on that context, before anything else is done for the request. */
    static void remember(RoutingContext context) {
        context.put(KEY, context.vertx().getOrCreateContext());
    }

    /** Runs it there, now if this is there: what a request waited for may be completed on any thread. */
    public static void run(RoutingContext context, Runnable act) {
        Context own = context.get(KEY);
        if (own == null || own == Vertx.currentContext()) {
            act.run();
        } else {
            own.runOnContext(on -> act.run());
        }
    }
}
