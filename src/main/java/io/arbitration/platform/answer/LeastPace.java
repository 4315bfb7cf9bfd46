package io.arbitration.platform.answer;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;

/**
 * The least pace at which a client must receive an answer over HTTP/2. There the client controls the window of each stream, so a
 * client with a closed window keeps the bytes in memory here while its connection looks alive. Over HTTP/1.1 the connection
 * itself is watched.
 *
 * @param bytesPerSecond least pace
 * @param graceSeconds that any answer may take in addition
 */
public record LeastPace(int bytesPerSecond, int graceSeconds) {

    /** Resets the stream of an answer, which must not have been ended yet, if these bytes have not been sent in time. */
    public void watch(Vertx vertx, HttpServerRequest request, Future<Void> sent, int bytes) {
        if (request.version() == HttpVersion.HTTP_2 && !sent.isComplete()) {
            long timer = vertx.setTimer(1000L * (graceSeconds + bytes / bytesPerSecond), late -> request.response().reset());
            sent.onComplete(done -> vertx.cancelTimer(timer));
        }
    }
}
