package io.arbitration.platform.answer;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.impl.HttpServerConnection;

/** Aborts answers that their clients do not read. */
public final class UnreadAnswer {

    private UnreadAnswer() {}

    /**
     * Aborts the answer at once, from any thread. Vert.x resets an HTTP/2 stream, but closes an HTTP/1.1 connection only after
     * its client has read the written bytes; there Netty closes the connection.
     */
    public static void disconnect(HttpServerRequest request) {
        if (request.version() == HttpVersion.HTTP_2) {
            request.response().reset();
        } else {
            ((HttpServerConnection) request.connection()).channelHandlerContext().close();
        }
    }
}
