package io.arbitration.platform.body;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What becomes of a body that is refused before it was read whole: it is read and dropped for a while. Were the connection
 * closed at once, the client would be told of a reset while it writes and never see the answer (RFC 9112, section 9.6).
 */
public final class UnreadBody {

    private static final long BYTES_MAX = 64L * 1024 * 1024;
    private static final long WAIT_MILLIS = 10_000;

    private UnreadBody() {}

    public static void discard(RoutingContext context) {
        HttpServerRequest request = context.request();
        if (request.isEnded()) {
            return;
        }
        long timer = context.vertx().setTimer(WAIT_MILLIS, late -> request.connection().close());
        AtomicLong dropped = new AtomicLong();
        request.endHandler(whole -> context.vertx().cancelTimer(timer))
                .exceptionHandler(broken -> context.vertx().cancelTimer(timer))
                .handler(part -> {
                    if (dropped.addAndGet(part.length()) > BYTES_MAX) {
                        request.connection().close();
                    }
                });
    }
}
