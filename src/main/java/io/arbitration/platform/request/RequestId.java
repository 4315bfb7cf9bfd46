package io.arbitration.platform.request;

import io.arbitration.platform.telemetry.LogContext;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/** Gives each request an ID: that of the client if it is valid, else a new one. The answer returns it in {@code X-Request-Id}. */
public final class RequestId implements Handler<RoutingContext> {

    public static final String KEY = "requestId";
    public static final String HEADER = "X-Request-Id";
    private static final int LENGTH_MAX = 100;

    @Override
    public void handle(RoutingContext context) {
        RequestContext.remember(context);
        String id = of(context.request());
        context.put(KEY, id);
        LogContext.begin(context.vertx(), id);
        context.response().putHeader(HEADER, id);
        context.next();
    }

    public static String of(HttpServerRequest request) {
        String given = request.getHeader(HEADER);
        return given != null && isValid(given) ? given : fresh();
    }

    private static boolean isValid(String id) {
        return !id.isEmpty() && id.length() <= LENGTH_MAX
                && id.chars().allMatch(c -> c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || "-_.:".indexOf(c) >= 0);
    }

    private static String fresh() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return HexFormat.of().toHexDigits(random.nextLong()) + HexFormat.of().toHexDigits(random.nextLong());
    }
}
