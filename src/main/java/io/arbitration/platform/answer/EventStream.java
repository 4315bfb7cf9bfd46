package io.arbitration.platform.answer;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * An open answer of the type {@code text/event-stream} (HTML standard, section 9.2, Server-sent events). Belongs to the context that it
 * was opened on. Nothing is kept here for a client that does not read: who sends asks {@link #isFull} first.
 */
public final class EventStream {

    private static final int QUEUE_BYTES_MAX = 65_536;
    private static final int RETRY_MILLIS = 2000;

    private final Vertx vertx;
    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private Runnable onClosed = () -> { };
    private long keepAliveTimer = -1;
    private boolean over;

    private EventStream(Vertx vertx, HttpServerRequest request) {
        this.vertx = vertx;
        this.request = request;
        this.response = request.response();
    }

    /**
     * Sends the head of the answer; nothing to a client that has gone.
     *
     * @param atEnd registers what is called when the request has ended, however it ends. The handlers of the response itself are the
     *     router's: by them it tells all who registered
     */
    public static EventStream open(Vertx vertx, HttpServerRequest request, Consumer<Runnable> atEnd) {
        EventStream stream = new EventStream(vertx, request);
        HttpServerResponse response = request.response();
        if (response.ended() || response.closed()) {
            stream.over = true;
            return stream;
        }
        atEnd.accept(stream::close);
        response.setStatusCode(200).putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream").putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                // A proxy that collected events before it passes them on would hold them back.
                .putHeader("X-Accel-Buffering", "no").setChunked(true).setWriteQueueMaxSize(QUEUE_BYTES_MAX);
        stream.write("retry: " + RETRY_MILLIS + "\n\n");
        return stream;
    }

    /** Called once, when the client has gone or the stream was ended, now if that is so already. */
    public void whenClosed(Runnable then) {
        if (over) {
            then.run();
        } else {
            onClosed = then;
        }
    }

    /** Sends an event. @param data one line */
    public void send(String id, String kind, String data) {
        write("id: " + id + "\nevent: " + kind + "\ndata: " + data + "\n\n");
    }

    /** Tells the client where it is, without an event: a block without data sets its last event id alone. */
    public void place(String id) {
        write("id: " + id + "\n\n");
    }

    /** Calls in this interval, and sends a comment each time, so that neither side takes the other for dead. */
    public void keepAlive(Duration interval, Runnable then) {
        if (over) {
            return;
        }
        keepAliveTimer = vertx.setPeriodic(interval.toMillis(), timer -> {
            if (!isFull()) {
                write(":\n\n");
            }
            then.run();
        });
    }

    public boolean isFull() {
        return over || response.writeQueueFull();
    }

    /** Called once when the client has read so much that more can be sent. */
    public void whenDrained(Runnable then) {
        response.drainHandler(drained -> {
            response.drainHandler(null);
            then.run();
        });
    }

    public boolean isOver() {
        return over;
    }

    /** Ends the answer; a client connects again. */
    public void end() {
        if (!over) {
            response.end();
        }
    }

    /** Cuts off a client that does not read: an orderly end would wait for it. */
    public void cut() {
        if (!over) {
            UnreadAnswer.cut(request);
        }
    }

    private void write(String text) {
        if (!over) {
            response.write(Buffer.buffer(text));
        }
    }

    private void close() {
        if (!over) {
            over = true;
            vertx.cancelTimer(keepAliveTimer);
            onClosed.run();
        }
    }
}
