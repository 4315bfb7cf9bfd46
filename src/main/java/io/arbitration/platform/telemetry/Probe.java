package io.arbitration.platform.telemetry;

import io.arbitration.platform.PartState;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks a part of the node periodically and keeps the last result. A check that fails, or takes longer than {@value #LOOK_MILLIS_MAX} ms,
 * results in DOWN. A change for the worse is logged once.
 */
public final class Probe {

    private static final long LOOK_MILLIS_MAX = 5000;
    private static final Logger LOG = LoggerFactory.getLogger(Probe.class);

    private final Vertx vertx;
    private final String part;
    private final Duration period;
    private final Supplier<Future<PartState>> check;
    private volatile PartState state = PartState.of("STARTING");

    public Probe(Vertx vertx, String part, Duration period, Supplier<Future<PartState>> look) {
        this.vertx = vertx;
        this.part = part;
        this.period = period;
        this.check = look;
    }

    /** Checks now, and then periodically until Vert.x closes; completes after the first check. */
    public Future<Void> start() {
        Promise<Void> first = Promise.promise();
        // From another thread, what a check attaches to a connection may come later than the first bytes, which nobody reads then.
        vertx.runOnContext(begun -> check().onComplete(looked -> {
            vertx.setTimer(period.toMillis(), timer -> start());
            first.tryComplete();
        }));
        return first.future();
    }

    private Future<PartState> check() {
        return within(check).onSuccess(this::setState);
    }

    /** The result of a check: DOWN if it fails, or takes longer than {@value #LOOK_MILLIS_MAX} ms. Never fails. */
    public static Future<PartState> within(Supplier<Future<PartState>> look) {
        return seen(look).timeout(LOOK_MILLIS_MAX, TimeUnit.MILLISECONDS)
                .otherwise(failed -> new PartState("DOWN", Optional.of(failed instanceof java.util.concurrent.TimeoutException
                        ? "no answer within %d s".formatted(LOOK_MILLIS_MAX / 1000) : String.valueOf(failed.getMessage()))));
    }

    private static Future<PartState> seen(Supplier<Future<PartState>> look) {
        try {
            return look.get();
        } catch (RuntimeException failed) {
            return Future.failedFuture(failed);
        }
    }

    private void setState(PartState now) {
        if (!now.word().equals(state.word())) {
            if (now.isWell()) {
                LOG.debug("{} is {}", part, now.word());
            } else {
                LOG.warn("{} is {}: {}", part, now.word(), now.trouble().orElse("no reason is known"));
            }
        }
        state = now;
    }

    /** The last result. From any thread. */
    public PartState state() {
        return state;
    }
}
