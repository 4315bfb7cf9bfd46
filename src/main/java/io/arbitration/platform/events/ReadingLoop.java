package io.arbitration.platform.events;

import io.arbitration.platform.events.EventCursor.Position;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.function.Function;

/**
 * Reads the event log whenever there may be events, one read at a time: after the notification of a commit, every {@value
 * #POLL_MILLIS} ms, after a read that left events, and after a pause when a read failed. Everything runs on the context on which
 * it was started.
 */
final class ReadingLoop {

    static final long POLL_MILLIS = 2000;
    private static final long ELSEWHERE_MILLIS_MAX = 300;
    /** No timer: Vert.x numbers them from 0. */
    private static final long NONE = -1;

    /** The probability that there is an event to read. */
    enum Chance {
        /** A commit has just notified. */
        LIKELY,
        /** A poll, or another node may have read the events. */
        UNLIKELY
    }

    private final Vertx vertx;
    private final CommitNotifications notifications;
    private final Duration gathering;
    private final Duration failurePause;
    private final Concern concern;
    private final Function<Chance, Future<Position>> reading;
    private final Function<Throwable, Future<Void>> failed;
    private CommitNotifications.Registration registration;
    private long poll = NONE;
    private long retry = NONE;
    private boolean running;
    private boolean pausing;
    private boolean notifiedMeanwhile;
    private boolean gatheringStarted;
    private long elsewhereSince;
    private Promise<Void> stopping;

    /** Which commits a reader is notified of. The events of others it reads with the next poll. */
    enum Concern {
        ALL,
        /** Not of commits with drafts alone: each file that is uploaded to a draft is one. */
        NOT_DRAFTS
    }

    /**
     * @param gathering how long to collect events after a notification before they are read together; zero: read at once
     * @param failurePause from a failed read to the next
     * @param concern which commits the reader is notified of
     * @param reading reads and handles the next events; answers whether there may be more, or another node reads
     * @param failed called after a failed read; the pause begins when its future completes, which never fails
     */
    ReadingLoop(Vertx vertx, CommitNotifications notifications, Duration gathering, Duration failurePause, Concern concern,
            Function<Chance, Future<Position>> reading, Function<Throwable, Future<Void>> failed) {
        this.vertx = vertx;
        this.notifications = notifications;
        this.gathering = gathering;
        this.failurePause = failurePause;
        this.concern = concern;
        this.reading = reading;
        this.failed = failed;
    }

    /** Reads for the first time, unless the loop was stopped already. */
    void start() {
        if (stopping != null) {
            return;
        }
        registration = notifications.onEach(EventLog.CHANNEL, payload -> {
            if (concern == Concern.ALL || !payload.equals(EventLog.DRAFTS)) {
                notified();
            }
        });
        poll = vertx.setPeriodic(POLL_MILLIS, timer -> read(Chance.UNLIKELY));
        read(Chance.LIKELY);
    }

    /** Stops reading, or never begins; completes when the read in progress has ended. */
    Future<Void> stop() {
        stopping = Promise.promise();
        vertx.cancelTimer(retry);
        if (!running || pausing) {
            stopping.complete();
        }
        if (registration == null) {
            return Future.succeededFuture();
        }
        vertx.cancelTimer(poll);
        return registration.end().compose(ended -> stopping.future());
    }

    /** Reads as after a notification, without gathering. */
    void read() {
        read(Chance.LIKELY);
    }

    private void notified() {
        if (gathering.isZero()) {
            read();
        } else if (!gatheringStarted) {
            gatheringStarted = true;
            vertx.setTimer(gathering.toMillis(), timer -> {
                gatheringStarted = false;
                read();
            });
        }
    }

    private void read(Chance chance) {
        if (running || stopping != null) {
            notifiedMeanwhile = true;
            return;
        }
        vertx.cancelTimer(retry);
        running = true;
        notifiedMeanwhile = false;
        // Inside a future, so that an exception counts as a failure.
        Future.succeededFuture(chance).compose(reading).onComplete(this::ended, this::failed);
    }

    private void failed(Throwable failure) {
        failed.apply(failure).onComplete(handled -> {
            if (stopping != null) {
                stopping.complete();
                return;
            }
            pausing = true;
            retry = vertx.setTimer(failurePause.toMillis(), timer -> {
                pausing = false;
                running = false;
                read();
            });
        });
    }

    private void ended(Position position) {
        running = false;
        if (stopping != null) {
            stopping.complete();
            return;
        }
        if (position == Position.ELSEWHERE) {
            retryLater();
            return;
        }
        elsewhereSince = 0;
        if (position == Position.MORE) {
            read(Chance.UNLIKELY);
        } else if (notifiedMeanwhile) {
            notified();
        }
    }

    /**
     * There is no notification when the reading node dies. The pause is a quarter of the time waited so far, so an event is
     * delayed by at most that much.
     */
    private void retryLater() {
        long now = System.nanoTime();
        elsewhereSince = elsewhereSince == 0 ? now : elsewhereSince;
        long waited = Duration.ofNanos(now - elsewhereSince).toMillis();
        retry = vertx.setTimer(Math.clamp(waited / 4, 1, ELSEWHERE_MILLIS_MAX), timer -> read(Chance.UNLIKELY));
    }
}
