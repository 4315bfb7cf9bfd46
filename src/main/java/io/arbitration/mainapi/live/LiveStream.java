package io.arbitration.mainapi.live;

import io.arbitration.domain.CaseId;
import io.arbitration.mainapi.live.LiveRepository.StreamedEvent;
import io.arbitration.platform.answer.EventStream;
import io.arbitration.platform.events.EventTail.Batch;
import io.arbitration.platform.events.LogPosition;
import io.arbitration.platform.limits.Bulkhead;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One open event stream. It sends events in the order of the log, each once, and each with the cursor from which the client can continue.
 * It buffers no events: if the client reads too slowly, the stream later reads the missing ones from the database. Runs on the context of
 * its request.
 */
final class LiveStream {

    private static final Duration KEEP_ALIVE = Duration.ofSeconds(15);
    /** A stream ends after this time, so that the client has to authenticate again. */
    private static final long OPEN_MILLIS_MAX = Duration.ofHours(12).toMillis();
    private static final int PAGE = 100;
    /** Of more hints that wait, one remains that says that anything may have changed. */
    private static final int HINTS_MAX = 64;
    private static final Logger LOG = LoggerFactory.getLogger(LiveStream.class);

    private final Vertx vertx;
    private final Context own;
    private final LiveStreams streams;
    private final Subscriber subscriber;
    private final EventStream events;
    private final Bulkhead catchingUp;
    private final Clock clock;
    private final long stallMillis;
    /** Whether this stream gets events as the log is read. Only used on the context of {@link LiveStreams}. */
    boolean joined;
    /** Whether there was an event for this stream while it was not joined. Only used on the context of {@link LiveStreams}. */
    boolean missed;
    /** Hints that are to be sent when the client has read what it was sent. */
    private final Set<Hint> hints = new LinkedHashSet<>();
    private LogPosition position;
    private boolean behind = true;
    private long stall = -1;
    private boolean isDraining;
    /** What goes on when the client has read what it was sent. */
    private Runnable afterDrain = () -> { };

    /**
     * @param catchingUp bounds how many streams of the node read from the database at once
     * @param stallMillis a client that reads nothing for so long is disconnected; it can continue with {@code Last-Event-ID}
     */
    LiveStream(Vertx vertx, LiveStreams streams, Subscriber subscriber, EventStream events, Bulkhead catchingUp, Clock clock, long stallMillis) {
        this.vertx = vertx;
        this.own = vertx.getOrCreateContext();
        this.streams = streams;
        this.subscriber = subscriber;
        this.events = events;
        this.catchingUp = catchingUp;
        this.clock = clock;
        this.stallMillis = stallMillis;
    }

    Subscriber subscriber() {
        return subscriber;
    }

    boolean follows(StreamedEvent event) {
        return subscriber.caseId().map(CaseId::value).map(event.caseId()::equals).orElse(true);
    }

    boolean follows(Hint hint) {
        return subscriber.caseId().map(caseId -> hint.about().equals(Optional.of(Hint.About.ofCase(caseId.value())))).orElse(true);
    }

    /**
     * Sends events until the client has gone.
     *
     * @param place released when the stream is closed
     * @param from the position that the client has reached; empty: the end of the log
     */
    void begin(StreamPlaces.Place place, Optional<LogPosition> from) {
        if (events.hasEnded()) {
            place.close();
            return;
        }
        long most = vertx.setTimer(OPEN_MILLIS_MAX, late -> events.end());
        events.whenClosed(() -> {
            vertx.cancelTimer(most);
            vertx.cancelTimer(stall);
            place.close();
            streams.leave(this);
        });
        place.onLoss(() -> own.runOnContext(on -> events.end()));
        events.keepAlive(KEEP_ALIVE, () -> streams.position(now -> own.runOnContext(on -> sendPosition(now))));
        streams.enter(this, end -> own.runOnContext(on -> {
            if (from.isPresent()) {
                position = from.get();
                catchUp(end);
            } else {
                position = end;
                events.place(cursor(end));
                join();
            }
        }), this::failed);
    }

    /**
     * Sends the present position on a stream without events. Otherwise the last cursor of its client would become too old to continue from.
     */
    private void sendPosition(LogPosition now) {
        if (!behind && !events.isFull()) {
            position = now;
            events.place(cursor(now));
        }
    }

    /** Called on the context of the streams. */
    void deliver(Batch batch, StreamedEvent event) {
        own.runOnContext(on -> {
            if (behind || events.hasEnded()) {
                return;
            }
            if (events.isFull()) {
                behind = true;
                streams.fallBehind(this);
                whenDrained(this::join);
                return;
            }
            send(batch.from().on(batch.to(), event.sequence()), event);
        });
    }

    /** Sends these hints, once each, when the client reads. Called on the context of the streams. */
    void hint(Collection<Hint> more) {
        own.runOnContext(on -> {
            if (events.hasEnded()) {
                return;
            }
            hints.addAll(more);
            if (hints.size() > HINTS_MAX || hints.contains(Hint.ANYTHING)) {
                hints.clear();
                hints.add(Hint.ANYTHING);
            }
            if (!events.isFull()) {
                sendHints();
            } else if (!isDraining) {
                whenDrained(() -> { });
            }
        });
    }

    private void sendHints() {
        hints.forEach(hint -> events.sendAside(Hint.EVENT, hint.data()));
        hints.clear();
    }

    /**
     * The stream counts as behind until it has joined. A position that was sent before could be past an event that the client has not got.
     */
    private void join() {
        streams.join(this, () -> own.runOnContext(on -> behind = false), end -> own.runOnContext(on -> catchUp(end)));
    }

    private void catchUp(LogPosition end) {
        if (events.hasEnded()) {
            return;
        }
        LogPosition from = position;
        // The read may complete on any thread, because it first awaits the revocations that this node has missed.
        catchingUp.run(subscriber.id(), () -> streams.between(subscriber, from, end, PAGE))
                .onComplete(found -> own.runOnContext(on -> send(found, 0, end)), this::failed);
    }

    private void send(List<StreamedEvent> found, int first, LogPosition end) {
        for (int i = first; i < found.size(); i++) {
            if (events.hasEnded()) {
                return;
            }
            if (events.isFull()) {
                int next = i;
                whenDrained(() -> send(found, next, end));
                return;
            }
            send(position.on(end, found.get(i).sequence()), found.get(i));
        }
        if (found.size() == PAGE) {
            catchUp(end);
        } else {
            position = end;
            join();
        }
    }

    private void send(LogPosition at, StreamedEvent event) {
        position = at;
        events.send(cursor(at), event.kind(), event.envelope());
    }

    private void whenDrained(Runnable then) {
        afterDrain = then;
        if (isDraining) {
            return;
        }
        isDraining = true;
        stall = vertx.setTimer(stallMillis, late -> {
            LOG.info("an event stream is closed, because its client has read nothing for {} ms", stallMillis);
            events.disconnect();
        });
        events.whenDrained(() -> {
            vertx.cancelTimer(stall);
            isDraining = false;
            sendHints();
            afterDrain.run();
        });
    }

    private void failed(Throwable failure) {
        LOG.warn("an event stream is ended, and its client connects again: {}", failure.getMessage());
        end();
    }

    /** From any context. */
    void end() {
        own.runOnContext(on -> events.end());
    }

    private String cursor(LogPosition at) {
        return new StreamCursor(at, clock.instant()).text();
    }
}
