package io.arbitration.platform.server;

import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;

/**
 * The security headers of every answer: browsers use it only as its declared type, execute and display nothing of it, and send no
 * referrer to other sites. Pages replace these headers by their own.
 *
 * @param overTls whether browsers reach the platform over TLS, and must do so from then on (RFC 6797)
 */
record SecurityHeaders(boolean overTls) implements Handler<RoutingContext> {

    private static final CharSequence TYPE_OPTIONS = HttpHeaders.createOptimized("x-content-type-options");
    private static final CharSequence NO_SNIFF = HttpHeaders.createOptimized("nosniff");
    private static final CharSequence POLICY = HttpHeaders.createOptimized("content-security-policy");
    private static final CharSequence NOTHING = HttpHeaders.createOptimized("default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox");
    private static final CharSequence REFERRER = HttpHeaders.createOptimized("referrer-policy");
    /** Not {@code no-referrer}: with that, browsers omit the origin of forms that are posted to the same site. */
    private static final CharSequence SAME_ORIGIN = HttpHeaders.createOptimized("same-origin");
    private static final CharSequence TRANSPORT = HttpHeaders.createOptimized("strict-transport-security");
    private static final CharSequence A_YEAR = HttpHeaders.createOptimized("max-age=31536000; includeSubDomains");

    @Override
    public void handle(RoutingContext context) {
        set(context.response().headers());
        context.next();
    }

    void set(MultiMap headers) {
        headers.set(TYPE_OPTIONS, NO_SNIFF).set(POLICY, NOTHING).set(REFERRER, SAME_ORIGIN);
        if (overTls) {
            headers.set(TRANSPORT, A_YEAR);
        }
    }
}
