package io.arbitration.platform.queue;

import io.arbitration.domain.Identifiers;
import io.arbitration.platform.events.CommitNotifications;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes the items of a {@link WorkQueue}: claims them in batches, attempts each, and records the outcomes in batches. After a crash
 * between attempt and record, the attempt is repeated when its lease has ended; nothing is lost. The notification of a commit starts a
 * claim at once. The queue is watched for items that become due with time, and for items whose notification was lost. Runs on the context that
 * it was started on.
 */
public final class Dispatcher<C, O> {

    public static final int BATCH_MAX = 64;
    private static final int RECORDED_MAX = 256;
    private static final long RECORD_WAIT_MILLIS = 3;
    private static final Duration FAILURE_PAUSE = Duration.ofSeconds(1);
    private static final Duration STOP_WAIT = Duration.ofSeconds(3);
    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

    private final Vertx vertx;
    private final String name;
    private final WorkQueue<C, O> queue;
    private final CommitNotifications notifications;
    private final String channel;
    private final Bounds bounds;
    private final RandomGenerator random;
    private final Set<C> inFlight = Collections.newSetFromMap(new IdentityHashMap<>());
    private final List<O> outcomes = new ArrayList<>();
    private CommitNotifications.Registration registration;
    private WorkQueue.Watch watch;
    private boolean claiming;
    private boolean wanted;
    private boolean remain;
    private boolean recording;
    private boolean recordTimer;
    private Promise<Void> stopping;

    /**
     * How much is claimed and attempted at once.
     *
     * @param inFlightMax the most attempts of this node at the same time
     * @param claimedMax the most items that one statement claims
     * @param claimedMin nothing is claimed while fewer attempts than this could begin
     */
    public record Bounds(int inFlightMax, int claimedMax, int claimedMin) {

        public static Bounds of(int inFlightMax) {
            return new Bounds(inFlightMax, BATCH_MAX, Math.min(BATCH_MAX, (inFlightMax + 1) / 2));
        }
    }

    /**
     * @param name for the log
     * @param channel PostgreSQL channel that the commit of a transaction notifies which adds items
     */
    public Dispatcher(Vertx vertx, String name, WorkQueue<C, O> queue, CommitNotifications notifications, String channel, Bounds bounds, RandomGenerator random) {
        this.vertx = vertx;
        this.name = name;
        this.queue = queue;
        this.notifications = notifications;
        this.channel = channel;
        this.bounds = bounds;
        this.random = random;
    }

    public void start() {
        registration = notifications.on(channel, this::claim);
        watch = queue.watch(this::claim);
        claim();
    }

    /** How many attempts are in flight. */
    public int inFlight() {
        return inFlight.size();
    }

    /**
     * Claims nothing more, waits up to {@link #STOP_WAIT} for the attempts in flight, and releases the items whose attempts have not ended
     * by then.
     */
    public Future<Void> stop() {
        if (registration == null) {
            return Future.succeededFuture();
        }
        watch.end();
        stopping = Promise.promise();
        vertx.setTimer(STOP_WAIT.toMillis(), timer -> stopping.tryComplete());
        endIfIdle();
        return registration.end()
                .compose(ended -> stopping.future())
                .compose(idle -> recordRest())
                .compose(recorded -> inFlight.isEmpty() ? Future.succeededFuture() : queue.release(List.copyOf(inFlight)))
                .onFailure(failure -> LOG.warn("{}: stopping: {}; what was claimed is done again", name, failure.getMessage()))
                .otherwiseEmpty();
    }

    private Future<Void> recordRest() {
        List<O> rest = List.copyOf(outcomes);
        outcomes.clear();
        return rest.isEmpty() ? Future.succeededFuture() : queue.record(rest);
    }

    private void endIfIdle() {
        if (stopping != null && inFlight.isEmpty() && !claiming && !recording) {
            stopping.tryComplete();
        }
    }

    private void claim() {
        if (stopping != null) {
            return;
        }
        int free = bounds.inFlightMax - inFlight.size() - outcomes.size();
        if (claiming || free < bounds.claimedMin) {
            wanted = true;
            return;
        }
        int most = Math.min(bounds.claimedMax, free);
        claiming = true;
        wanted = false;
        // Called within a future, so that an exception counts as a failed claim.
        Future.succeededFuture(Identifiers.random(random)).compose(claim -> queue.claim(claim, most)).onComplete(claims -> {
            claiming = false;
            remain = claims.remain();
            claims.claimed().forEach(this::attempt);
            if (claims.again() || wanted) {
                claim();
            }
            endIfIdle();
        }, failure -> {
            LOG.warn("{}: claiming failed: {}", name, failure.getMessage());
            vertx.setTimer(FAILURE_PAUSE.toMillis(), timer -> {
                claiming = false;
                claim();
                endIfIdle();
            });
        });
    }

    private void attempt(C claimed) {
        inFlight.add(claimed);
        Future.succeededFuture(claimed).compose(queue::attempt).onComplete(outcome -> {
            inFlight.remove(claimed);
            outcomes.add(outcome);
            recordSoon();
        }, failure -> {
            inFlight.remove(claimed);
            LOG.error("{}: attempting item {} failed; it is attempted again when its lease ends", name, queue.key(claimed), failure);
            if (remain || wanted) {
                claim();
            }
            endIfIdle();
        });
    }

    private void recordSoon() {
        if (outcomes.size() >= BATCH_MAX) {
            record();
        } else if (!recordTimer) {
            recordTimer = true;
            vertx.setTimer(RECORD_WAIT_MILLIS, timer -> {
                recordTimer = false;
                record();
            });
        }
    }

    /** Records one batch at a time. The attempts that end meanwhile are recorded together in the next one. */
    private void record() {
        if (recording || outcomes.isEmpty()) {
            return;
        }
        recording = true;
        List<O> batch = List.copyOf(outcomes.subList(0, Math.min(outcomes.size(), RECORDED_MAX)));
        outcomes.subList(0, batch.size()).clear();
        queue.record(batch).onComplete(recorded -> {
            recording = false;
            record();
            if (remain || wanted) {
                claim();
            }
            endIfIdle();
        }, failure -> {
            LOG.warn("{}: recording {} attempts failed and is tried again: {}", name, batch.size(), failure.getMessage());
            vertx.setTimer(FAILURE_PAUSE.toMillis(), timer -> {
                recording = false;
                outcomes.addAll(0, batch);
                record();
                endIfIdle();
            });
        });
    }
}
