package io.arbitration.platform.answer;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;

/**
 * How slow a client may take an answer over HTTP/2. There it grants each stream what may be sent, so that one that grants
 * nothing holds the bytes here while its connection looks alive. Over HTTP/1.1 the connection itself is watched.
 *
 * @param bytesPerSecond least pace
 * @param graceSeconds that any answer may take beside
 */
public record LeastPace(int bytesPerSecond, int graceSeconds) {

    /** Resets the stream of an answer, which must not have been ended yet, when these bytes have not been sent in their time. */
    public void watch(Vertx vertx, HttpServerRequest request, Future<Void> sent, int bytes) {
        if (request.version() == HttpVersion.HTTP_2 && !sent.isComplete()) {
            long timer = vertx.setTimer(1000L * (graceSeconds + bytes / bytesPerSecond), late -> request.response().reset());
            sent.onComplete(done -> vertx.cancelTimer(timer));
        }
    }
}
