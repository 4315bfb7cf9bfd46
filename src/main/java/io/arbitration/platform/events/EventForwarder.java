package io.arbitration.platform.events;

import io.arbitration.platform.db.Database;
import io.arbitration.platform.events.EventCursor.Look;
import io.arbitration.platform.events.EventCursor.Read;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the event log for something outside the database, every event at least once and in the order of {@link EventConsumer},
 * from whichever node holds the cursor. It is held by a lease, not by a transaction, in which all other consumers would have
 * to wait for what is told; so two nodes may think that they hold it, and {@link EventTeller#open} settles which of them
 * tells: who holds the cursor after it has opened.
 *
 * <p>What was told and is not behind the cursor yet is told again after a crash, in the same order; nothing else is. A teller
 * that fails is closed, another node has its turn, and it is tried again for as long as it takes. Woken by {@link CommitNotifications}; looks
 * on its own every {@value #POLL_MILLIS} ms. Everything runs on the context it was started on.
 */
public final class EventForwarder {

    /** Events that are told before the cursor is moved. */
    static final int BATCH_MAX = 256;
    private static final long POLL_MILLIS = 2000;
    private static final long HELD_BACK_MILLIS_MAX = 300;
    private static final Duration LEASE = Duration.ofSeconds(5);
    /** Longer than a poll, so that another node has its turn when this one cannot. */
    private static final Duration FAILURE_PAUSE = Duration.ofMillis(POLL_MILLIS + 1000);
    /** No term: they begin at 1. */
    private static final long CLOSED = 0;
    private static final Logger LOG = LoggerFactory.getLogger(EventForwarder.class);

    /** Where reading begins when a purpose is new. */
    public enum From { BEGINNING, NOW }

    private final Vertx vertx;
    private final CommitNotifications notifications;
    private final String name;
    private final From from;
    private final EventTeller teller;
    private final EventCursor cursor;
    private final LeaseRepository lease;
    private final Counter taken;
    private final EventLag lag;
    private CommitNotifications.Registration registration;
    private long poll;
    private long renewal;
    private long again;
    private long heldBackSince;
    private long openTerm = CLOSED;
    private long failures;
    private volatile Optional<Throwable> trouble = Optional.empty();
    private boolean running;
    private boolean wanted;
    private Promise<Void> stopping;

    /** @param name of the cursor, one per purpose, the same on all nodes */
    public EventForwarder(Vertx vertx, Database database, CommitNotifications notifications, MeterRegistry meters, String name, From from, EventTeller teller) {
        this.vertx = vertx;
        this.notifications = notifications;
        this.name = name;
        this.from = from;
        this.teller = teller;
        this.cursor = new EventCursor(database, name);
        this.lease = new LeaseRepository(database, name, UUID.randomUUID(), LEASE);
        this.taken = Counter.builder("events.taken").description("Events that a consumer has taken from the log")
                .tag("consumer", name).register(meters);
        this.lag = new EventLag(vertx, database, meters, name);
    }

    public Future<Void> start() {
        Future<Void> cursorThere = switch (from) {
            case BEGINNING -> cursor.createAtTheBeginning();
            case NOW -> cursor.createAtTheEnd();
        };
        return cursorThere.onSuccess(created -> {
            registration = notifications.on(EventLog.CHANNEL, this::look);
            poll = vertx.setPeriodic(POLL_MILLIS, timer -> look());
            lag.start();
            look();
        });
    }

    /** Takes no more; done when what is being told is, and another node may take over. */
    public Future<Void> stop() {
        if (registration == null) {
            return Future.succeededFuture();
        }
        vertx.cancelTimer(poll);
        lag.stop();
        vertx.cancelTimer(again);
        Promise<Void> done = Promise.promise();
        stopping = done;
        if (!running) {
            done.complete();
        }
        return registration.end().compose(ended -> done.future()).compose(ended -> giveBack());
    }

    /** Why events that stand in the log were not told by this node when it tried last; empty: they were, or none stand there. From any thread. */
    public Optional<Throwable> trouble() {
        return trouble;
    }

    /** There is something to take, or the teller has become ready. */
    public void look() {
        if (running || stopping != null) {
            wanted = true;
            return;
        }
        vertx.cancelTimer(again);
        running = true;
        wanted = false;
        cursor.standing()
                .onSuccess(standing -> trouble = standing == Look.CAUGHT_UP ? Optional.empty() : trouble)
                .compose(standing -> standing == Look.MORE ? holdAndTell() : Future.succeededFuture(standing))
                .onComplete(this::ended, this::failed);
    }

    private Future<Look> holdAndTell() {
        return lease.hold().compose(held -> {
            if (held.isEmpty()) {
                return Future.succeededFuture(Look.CAUGHT_UP);
            }
            renewal = vertx.setPeriodic(LEASE.toMillis() / 3, timer -> lease.renew(held.get())
                    .onFailure(failed -> LOG.warn("consumer {} cannot renew its lease: {}", name, failed.getMessage())));
            return held.get() == openTerm ? takeNext() : open();
        }).eventually(() -> {
            vertx.cancelTimer(renewal);
            return Future.succeededFuture();
        });
    }

    /** The cursor is asked for again behind the opening: whoever took it meanwhile may have told what this node would tell again. */
    private Future<Look> open() {
        openTerm = CLOSED;
        return teller.close()
                .compose(closed -> teller.open().onFailure(this::troubled))
                .compose(opened -> lease.hold())
                .compose(held -> {
                    openTerm = held.orElse(CLOSED);
                    return held.isPresent() ? takeNext() : teller.close().map(Look.CAUGHT_UP);
                });
    }

    private Future<Look> takeNext() {
        long term = openTerm;
        return lease.next(term, BATCH_MAX).compose(read -> {
            List<Read> settled = read.stream().takeWhile(Read::settled).toList();
            if (settled.isEmpty()) {
                return Future.succeededFuture(read.isEmpty() ? Look.CAUGHT_UP : Look.HELD_BACK);
            }
            Look look = settled.size() < read.size() ? Look.HELD_BACK : read.size() == BATCH_MAX ? Look.MORE : Look.CAUGHT_UP;
            return teller.tell(settled.stream().map(Read::event).toList()).onFailure(this::troubled)
                    .compose(told -> lease.move(term, settled.getLast()))
                    .compose(moved -> moved ? took(settled.size(), look) : lost());
        });
    }

    private void troubled(Throwable failure) {
        trouble = Optional.of(failure);
    }

    private Future<Look> took(int events, Look look) {
        taken.increment(events);
        heldBackSince = 0;
        trouble = Optional.empty();
        if (failures > 0) {
            LOG.info("consumer {} tells events again, after {} attempts that failed", name, failures);
            failures = 0;
        }
        return Future.succeededFuture(look);
    }

    private Future<Look> lost() {
        LOG.info("consumer {} is another node's now", name);
        openTerm = CLOSED;
        return teller.close().map(Look.CAUGHT_UP);
    }

    private void ended(Look look) {
        running = false;
        if (stopping != null) {
            stopping.complete();
            return;
        }
        switch (look) {
            case MORE -> look();
            case HELD_BACK -> waitALittle();
            case CAUGHT_UP -> {
                heldBackSince = 0;
                if (wanted) {
                    look();
                }
            }
        }
    }

    /** As in {@link EventConsumer}: nobody notifies when the transaction that is in the way ends. */
    private void waitALittle() {
        long now = System.nanoTime();
        heldBackSince = heldBackSince == 0 ? now : heldBackSince;
        again = vertx.setTimer(Math.clamp(Duration.ofNanos(now - heldBackSince).toMillis() / 4, 1, HELD_BACK_MILLIS_MAX), timer -> look());
    }

    private void failed(Throwable failure) {
        // Once, not for as long as a broker is away; what is wrong then is told by the teller's own state.
        if (failures++ == 0) {
            LOG.warn("consumer {} failed and tries again until it succeeds: {}", name,
                    String.valueOf(failure.getCause() == null ? failure : failure.getCause()));
        }
        giveBack().onComplete(given -> vertx.setTimer(FAILURE_PAUSE.toMillis(), timer -> {
            running = false;
            if (stopping != null) {
                stopping.complete();
            } else {
                look();
            }
        }));
    }

    private Future<Void> giveBack() {
        openTerm = CLOSED;
        return teller.close().eventually(lease::release)
                .onFailure(failed -> LOG.warn("consumer {} is not given back and waits for its lease to end: {}", name, failed.getMessage()))
                .otherwiseEmpty();
    }
}
