package io.arbitration.mainapi.live;

import io.arbitration.mainapi.live.LiveRepository.Addressed;
import io.arbitration.mainapi.live.LiveRepository.StreamedEvent;
import io.arbitration.platform.auth.AccessTokens;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.events.CommitNotifications;
import io.arbitration.platform.events.EventTail;
import io.arbitration.platform.events.EventTail.Batch;
import io.arbitration.platform.events.LogPosition;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open event streams of this node. While there are any, the node reads the end of the event log and delivers each event to the streams
 * of the clients that may see it at that moment. A stream that is behind gets nothing. It reads the missing events from the database, up to
 * the end of the log, and then joins again. {@link LiveChanges} sends those that ask for it hints at changes that are no events.
 *
 * <p>Everything here runs on the context of the area; each stream has a context of its own.
 */
final class LiveStreams {

    private static final Logger LOG = LoggerFactory.getLogger(LiveStreams.class);

    private final Vertx vertx;
    private final Context home;
    private final Database database;
    private final CommitNotifications notifications;
    private final LiveRepository repository;
    private final AccessTokens tokens;
    private final LiveChanges changes;
    private final Map<UUID, Set<LiveStream>> bySubscriber = new HashMap<>();
    private final Set<LiveStream> open = new HashSet<>();
    private volatile int openCount;
    private Optional<EventTail> tail = Optional.empty();
    private Future<Void> tailStarted = Future.succeededFuture();
    private boolean stopped;

    LiveStreams(
            Vertx vertx, Database database, CommitNotifications notifications, LiveRepository repository, AccessTokens tokens, LiveChanges changes,
            MeterRegistry meters) {
        this.vertx = vertx;
        this.home = vertx.getOrCreateContext();
        this.database = database;
        this.notifications = notifications;
        this.repository = repository;
        this.tokens = tokens;
        this.changes = changes;
        Gauge.builder("acp.events.streams", this, streams -> streams.openCount).description("Event streams that are open").register(meters);
    }

    /**
     * Adds a stream.
     *
     * @param then called with the end of the log, from which the stream gets events
     * @param failed called if the database does not answer, or the node stops
     */
    void enter(LiveStream stream, Consumer<LogPosition> then, Consumer<Throwable> failed) {
        home.runOnContext(on -> {
            if (stopped) {
                failed.accept(new IllegalStateException("the node stops"));
                return;
            }
            open.add(stream);
            openCount = open.size();
            bySubscriber.computeIfAbsent(stream.subscriber().id(), id -> new HashSet<>()).add(stream);
            changes.enter(stream);
            if (tail.isEmpty()) {
                EventTail begun = new EventTail(vertx, database, notifications, this::deliver);
                tail = Optional.of(begun);
                tailStarted = begun.start();
            }
            EventTail read = tail.get();
            tailStarted.onComplete(started -> then.accept(read.position()), failure -> {
                tail = tail.filter(current -> current != read);
                failed.accept(failure);
            });
        });
    }

    /** Completes on the context of the caller, when a stream that asks for changes can begin without missing one. */
    Future<Void> follow() {
        Context caller = vertx.getOrCreateContext();
        Promise<Void> following = Promise.promise();
        home.runOnContext(on -> changes.follow().onComplete(followed -> caller.runOnContext(back -> following.handle(followed))));
        return following.future();
    }

    void leave(LiveStream stream) {
        home.runOnContext(on -> {
            if (!open.remove(stream)) {
                return;
            }
            openCount = open.size();
            changes.leave(stream);
            bySubscriber.computeIfPresent(stream.subscriber().id(), (id, streams) -> {
                streams.remove(stream);
                return streams.isEmpty() ? null : streams;
            });
            if (open.isEmpty()) {
                stopTail();
            }
        });
    }

    private Future<Void> stopTail() {
        Future<Void> ended = tail.map(EventTail::stop).orElse(Future.succeededFuture());
        tail = Optional.empty();
        return ended;
    }

    /** Answers the position up to which events were delivered to streams. */
    void position(Consumer<LogPosition> then) {
        home.runOnContext(on -> tail.ifPresent(reading -> then.accept(reading.position())));
    }

    /**
     * Delivers events to a stream from now on, unless there was an event for it since it read the log.
     *
     * @param joined called before the first event is delivered
     * @param behind called instead with the end of the log, if there was such an event
     */
    void join(LiveStream stream, Runnable joined, Consumer<LogPosition> behind) {
        home.runOnContext(on -> tail.ifPresent(reading -> {
            if (stream.missed) {
                stream.missed = false;
                behind.accept(reading.position());
            } else {
                stream.joined = true;
                joined.run();
            }
        }));
    }

    /** Delivers nothing more to a stream whose client reads too slowly, until the stream joins again. */
    void fallBehind(LiveStream stream) {
        home.runOnContext(on -> {
            stream.joined = false;
            stream.missed = true;
        });
    }

    /** A node that was suspended or cut off first reads which sessions have ended, so that their streams get nothing more. */
    private Future<Void> deliver(Batch batch) {
        Promise<Void> readHere = Promise.promise();
        tokens.catchUp().onComplete(read -> home.runOnContext(on -> readHere.handle(read)));
        return readHere.future().compose(read -> repository.addressed(batch.events())).map(events -> {
            events.forEach(event -> deliver(batch, event));
            return null;
        });
    }

    private void deliver(Batch batch, Addressed event) {
        event.readers().forEach(id -> bySubscriber.getOrDefault(id, Set.of()).forEach(stream -> {
            if (!stream.follows(event.event())) {
                return;
            }
            if (stream.joined) {
                stream.deliver(batch, event.event());
            } else {
                stream.missed = true;
            }
        }));
    }

    /** The events of the subscriber between two positions; may complete on any thread. */
    Future<List<StreamedEvent>> between(Subscriber subscriber, LogPosition from, LogPosition to, int limit) {
        return tokens.catchUp().compose(read -> repository.between(subscriber, from, to, limit));
    }

    /** Ends all streams, so that their clients connect to another node, and accepts no further ones. */
    Future<Void> stop() {
        stopped = true;
        if (!open.isEmpty()) {
            LOG.info("{} event streams are ended", open.size());
        }
        open.forEach(LiveStream::end);
        return changes.stop().compose(ended -> stopTail());
    }

    /** The same as {@link #stop}, callable from any thread. */
    void end() {
        home.runOnContext(on -> stop());
    }
}
