package io.arbitration.platform.queue;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks every second for items that are due, and sooner if the last look found that an item becomes due before. So an item is found at its
 * time, and an idle queue costs one look a second. Runs on the context that it was started on.
 */
public final class PeriodicPoll implements WorkQueue.Watch {

    private static final long PERIOD_MILLIS = 1000;
    /** Items that become due within so short a time are found by one look. */
    private static final long PAUSE_MILLIS_MIN = 50;
    private static final Logger LOG = LoggerFactory.getLogger(PeriodicPoll.class);

    private final Vertx vertx;
    private final String name;
    private final Supplier<Future<Optional<Duration>>> query;
    private long timer = -1;
    private boolean ended;

    private PeriodicPoll(Vertx vertx, String name, Supplier<Future<Optional<Duration>>> query) {
        this.vertx = vertx;
        this.name = name;
        this.query = query;
    }

    /**
     * Looks at once, and then regularly.
     *
     * @param name for the log
     * @param query finds what is due; answers in how long the next item will be due, empty if that is unknown. It may fail; then it is
     *     repeated after the period.
     */
    public static PeriodicPoll started(Vertx vertx, String name, Supplier<Future<Optional<Duration>>> query) {
        PeriodicPoll poll = new PeriodicPoll(vertx, name, query);
        poll.poll();
        return poll;
    }

    private void poll() {
        if (ended) {
            return;
        }
        // Called within a future, so that an exception counts as a failed look.
        Future.succeededFuture().compose(now -> query.get()).onComplete(next -> schedulePoll(pauseMillis(next)), failure -> {
            LOG.warn("{}: looking for what is due failed: {}", name, failure.getMessage());
            schedulePoll(PERIOD_MILLIS);
        });
    }

    private void schedulePoll(long millis) {
        if (!ended) {
            timer = vertx.setTimer(millis, due -> poll());
        }
    }

    /** A millisecond longer than the rest of the time, which was rounded down. */
    private static long pauseMillis(Optional<Duration> next) {
        return next.map(rest -> Math.clamp(rest.toMillis() + 1, PAUSE_MILLIS_MIN, PERIOD_MILLIS)).orElse(PERIOD_MILLIS);
    }

    @Override
    public void end() {
        ended = true;
        vertx.cancelTimer(timer);
    }
}
