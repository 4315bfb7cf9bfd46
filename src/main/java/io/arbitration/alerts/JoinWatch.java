package io.arbitration.alerts;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks every {@value #POLL_MILLIS} ms for people who joined a case after it was created. Nearly all were added since the last look. A
 * person is seen later if the transaction was open for long, or if the clock of its node is behind. So one in {@value
 * #LOOKS_PER_LONG_LOOK} looks, the first included, goes back by more than a transaction may be open and than two clocks may differ.
 */
final class JoinWatch {

    private static final long POLL_MILLIS = 2000;
    private static final int LOOKS_PER_LONG_LOOK = 15;
    private static final Duration BACK = Duration.ofMinutes(1);
    private static final Duration LONG_BACK = Duration.ofMinutes(11);
    private static final Logger LOG = LoggerFactory.getLogger(JoinWatch.class);

    private final Vertx vertx;
    private final FanOutRepository fanOut;
    private long poll = -1;
    private int looks;
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
        looking = fanOut.fanOutToJoined(looks++ % LOOKS_PER_LONG_LOOK == 0 ? LONG_BACK : BACK)
                .onFailure(failure -> LOG.warn("alerts: looking for people who joined failed: {}", failure.getMessage()));
    }

    Future<Void> stop() {
        vertx.cancelTimer(poll);
        return looking.otherwiseEmpty().mapEmpty();
    }
}
