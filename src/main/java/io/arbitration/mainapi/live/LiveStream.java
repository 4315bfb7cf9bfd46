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
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One open event stream: sends events in the order of the log, each once, and tells with each where the client is. Keeps no events: when
 * the client does not take more, it reads what it lacks from the database later. Runs on the context of its request.
 */
final class LiveStream {

    private static final Duration KEEP_ALIVE = Duration.ofSeconds(15);
    /** After this long a client has to show its token or cookie again. */
    private static final long OPEN_MILLIS_MAX = Duration.ofHours(12).toMillis();
    private static final int PAGE = 100;
    private static final Logger LOG = LoggerFactory.getLogger(LiveStream.class);

    private final Vertx vertx;
    private final Context own;
    private final LiveStreams streams;
    private final Subscriber subscriber;
    private final EventStream events;
    private final Bulkhead catchingUp;
    private final Clock clock;
    private final long stallMillis;
    /** Whether events are handed here as they are read; on the context of the streams. */
    boolean joined;
    /** Whether an event came for this stream while it was not handed any; on the context of the streams. */
    boolean missed;
    private LogPosition position;
    private boolean behind = true;
    private long stall = -1;

    /**
     * @param catchingUp bounds how many streams of the node read from the database at once
     * @param stallMillis a client that takes nothing for so long is cut off; it goes on with its {@code Last-Event-ID}
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

    /** @param permit what this stream holds while it is open; @param from where its client was; empty: at the end of the log */
    void begin(Bulkhead.Permit permit, Optional<LogPosition> from) {
        if (events.isOver()) {
            permit.close();
            return;
        }
        long most = vertx.setTimer(OPEN_MILLIS_MAX, late -> events.end());
        events.whenClosed(() -> {
            vertx.cancelTimer(most);
            vertx.cancelTimer(stall);
            permit.close();
            streams.leave(this);
        });
        events.keepAlive(KEEP_ALIVE, () -> streams.position(now -> own.runOnContext(on -> place(now))));
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

    /** So that the id of a quiet stream does not get too old to go on from. */
    private void place(LogPosition now) {
        if (!behind && !events.isFull()) {
            position = now;
            events.place(cursor(now));
        }
    }

    /** Called on the context of the streams. */
    void deliver(Batch batch, StreamedEvent event) {
        own.runOnContext(on -> {
            if (behind || events.isOver()) {
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

    /** It counts as behind until events are handed here: a place that is told before would be past an event that was missed. */
    private void join() {
        streams.join(this, () -> own.runOnContext(on -> behind = false), end -> own.runOnContext(on -> catchUp(end)));
    }

    private void catchUp(LogPosition end) {
        if (events.isOver()) {
            return;
        }
        LogPosition from = position;
        // A read that first awaits what was taken back is done on any thread.
        catchingUp.run(subscriber.id(), () -> streams.between(subscriber, from, end, PAGE))
                .onComplete(found -> own.runOnContext(on -> send(found, 0, end)), this::failed);
    }

    private void send(List<StreamedEvent> found, int first, LogPosition end) {
        for (int i = first; i < found.size(); i++) {
            if (events.isOver()) {
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
        stall = vertx.setTimer(stallMillis, late -> {
            LOG.info("an event stream is closed, because its client has read nothing for {} ms", stallMillis);
            events.cut();
        });
        events.whenDrained(() -> {
            vertx.cancelTimer(stall);
            then.run();
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
