package io.arbitration.platform.answer;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * An open answer of the type {@code text/event-stream} (HTML standard, section 9.2, Server-sent events). Belongs to the context
 * on which it was opened. It buffers nothing for a client that does not read: the sender checks {@link #isFull} first.
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
     * Sends the head of the answer; nothing to a client that has disconnected.
     *
     * @param atEnd registers a callback for the end of the request, however it ends. The router uses the handlers of the response
     *     itself to notify all registered callbacks
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
                // A buffering proxy would hold the events back.
                .putHeader("X-Accel-Buffering", "no").setChunked(true).setWriteQueueMaxSize(QUEUE_BYTES_MAX);
        stream.write("retry: " + RETRY_MILLIS + "\n\n");
        return stream;
    }

    /** Called once, when the client has disconnected or the stream was ended; at once if that has already happened. */
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

    /** Sends what moves the client's place in the stream nowhere, because it has no id. @param data one line */
    public void sendAside(String kind, String data) {
        write("event: " + kind + "\ndata: " + data + "\n\n");
    }

    /** Sends a position without an event: a block without data only sets the client's last event ID. */
    public void place(String id) {
        write("id: " + id + "\n\n");
    }

    /** Calls the callback at this interval, and sends a comment each time, so that neither side considers the other dead. */
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

    public boolean hasEnded() {
        return over;
    }

    /** Ends the answer; the client connects again. */
    public void end() {
        if (!over) {
            response.end();
        }
    }

    /** Disconnects a client that does not read, because a normal end would wait for it. */
    public void disconnect() {
        if (!over) {
            UnreadAnswer.disconnect(request);
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
