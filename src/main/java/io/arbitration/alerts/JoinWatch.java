package io.arbitration.alerts;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks every {@value #POLL_MILLIS} ms for people who joined a case after it was created. */
final class JoinWatch {

    private static final long POLL_MILLIS = 2000;
    private static final Logger LOG = LoggerFactory.getLogger(JoinWatch.class);

    private final Vertx vertx;
    private final FanOutRepository fanOut;
    private long poll = -1;
    private Future<?> looking = Future.succeededFuture();

    JoinWatch(Vertx vertx, FanOutRepository fanOut) {
        this.vertx = vertx;
        this.fanOut = fanOut;
    }

    void start() {
        poll = vertx.setPeriodic(POLL_MILLIS, timer -> look());
    }

    private void look() {
        if (!looking.isComplete()) {
            return;
        }
        looking = fanOut.fanOutToJoined()
                .onFailure(failure -> LOG.warn("alerts: looking for people who joined failed: {}", failure.getMessage()));
    }

    Future<Void> stop() {
        vertx.cancelTimer(poll);
        return looking.otherwiseEmpty().mapEmpty();
    }
}
