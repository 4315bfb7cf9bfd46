package io.arbitration.platform.answer;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.impl.HttpServerConnection;

/** What becomes of an answer that its client does not read. */
public final class UnreadAnswer {

    private UnreadAnswer() {}

    /**
     * Breaks the answer off at once, from any thread. Vert.x resets a stream of HTTP/2, but closes a connection of HTTP/1.1 only after its
     * client has read what was written; Netty closes that.
     */
    public static void cut(HttpServerRequest request) {
        if (request.version() == HttpVersion.HTTP_2) {
            request.response().reset();
        } else {
            ((HttpServerConnection) request.connection()).channelHandlerContext().close();
        }
    }
}
