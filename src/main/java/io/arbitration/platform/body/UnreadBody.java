package io.arbitration.platform.body;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.impl.HttpServerConnection;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reads and discards, for a limited time, the rest of a body whose request was refused before its end. If the connection were closed at
 * once, the client could get a reset while it still writes, and never see the answer (RFC 9112, section 9.6). Over HTTP/2 only the stream
 * ends after that time, because a proxy may send the requests of other people over the same connection.
 */
public final class UnreadBody {

    private static final long BYTES_MAX = 64L * 1024 * 1024;
    private static final long WAIT_MILLIS = 10_000;

    private UnreadBody() {}

    public static void discard(Vertx vertx, HttpServerRequest request) {
        discard(vertx, request, WAIT_MILLIS);
    }

    /** @param waitMillis how long the client may continue to send */
    static void discard(Vertx vertx, HttpServerRequest request, long waitMillis) {
        if (request.isEnded()) {
            return;
        }
        long timer = vertx.setTimer(waitMillis, late -> stop(request));
        AtomicLong dropped = new AtomicLong();
        request.endHandler(whole -> vertx.cancelTimer(timer))
                .exceptionHandler(broken -> vertx.cancelTimer(timer))
                .handler(part -> {
                    if (dropped.addAndGet(part.length()) > BYTES_MAX) {
                        vertx.cancelTimer(timer);
                        stop(request);
                    }
                });
    }

    private static void stop(HttpServerRequest request) {
        if (request.version() != HttpVersion.HTTP_2) {
            request.connection().close();
            return;
        }
        // Reset by Netty, because Vert.x 5.0.10 resets no stream whose answer has ended (Http2ServerStream). This reset is no error (RFC
        // 9113, section 8.1).
        ChannelHandlerContext connection = ((HttpServerConnection) request.connection()).channelHandlerContext();
        connection.pipeline().get(Http2ConnectionHandler.class)
                .resetStream(connection, request.response().streamId(), Http2Error.NO_ERROR.code(), connection.newPromise());
        connection.flush();
    }
}
