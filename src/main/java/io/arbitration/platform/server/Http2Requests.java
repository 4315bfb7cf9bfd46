package io.arbitration.platform.server;

import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2RemoteFlowController;
import io.netty.handler.codec.http2.Http2Stream;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The requests of one HTTP/2 connection, whose client controls how much of each answer it receives. Work for an answer that it
 * cannot receive would be wasted, so a request waits, before any work is done for it, until the client can receive answers.
 */
final class Http2Requests {

    /** The number of unsent answers of a connection at which its further requests wait. More at once are not sent any sooner. */
    private static final int UNTAKEN_MAX = 16;
    /**
     * The same while the window of the whole connection is closed. More than none, because the window of a client that reads one
     * answer slowly is closed most of the time: one answer after the other uses up each window update at once.
     */
    private static final int UNTAKEN_MAX_OF_FULL = 4;
    /** Requests that begin before the other connections of the event loop are served: one read may bring a hundred. */
    private static final int BEGUN_IN_TURN_MAX = 8;
    /** The pause between two checks whether the client can receive answers; doubled each time that it cannot. */
    private static final long PAUSE_MILLIS_MIN = 10;
    private static final long PAUSE_MILLIS_MAX = 320;

    /**
     * Memory of a waiting request with a head of usual size, as measured; the heap required at the start includes it ({@code
     * HeapBudget}).
     */
    private static final int REQUEST_BYTES = 7 * 1024;
    /** Two copies of a head of 1 KB in twenty fields. */
    private static final int USUAL_HEAD_BYTES = 6 * 1024;
    /** A field is held as received bytes and as text, each with some overhead. */
    private static final int COPIES = 2;
    private static final int FIELD_BYTES = 200;

    private final Vertx vertx;
    private final OpenCounts streams;
    private final Optional<String> network;
    private final long waitNanosMax;
    private final Http2Connection connection;
    private final Http2RemoteFlowController answers;
    private final Http2Connection.PropertyKey counted;
    /** In order of arrival. */
    private List<Waiting> waiting = new ArrayList<>();
    private long pauseMillis;
    private boolean timerRunning;
    private int begunInTurn;
    /** Closed streams of this second that were reset for an error of the client. */
    private int closedForError;

    /** @param own the context of the request, whose locals name its owner */
    private record Waiting(HttpServerRequest request, Http2Stream stream, Context own, Runnable begin, long since) {}

    /**
     * @param handler of the connection
     * @param streams counts the requests of all connections
     * @param network of the client; empty for a trusted proxy
     * @param wait how long a request may wait before its stream is reset
     */
    Http2Requests(Vertx vertx, Http2ConnectionHandler handler, OpenCounts streams, Optional<String> network, Duration wait) {
        this.vertx = vertx;
        this.streams = streams;
        this.network = network;
        this.waitNanosMax = wait.toNanos();
        this.connection = handler.connection();
        this.answers = handler.encoder().flowController();
        this.counted = connection.newKey();
        // Netty enforces the maximum number of streams only after the client has acknowledged the server's settings: a client
        // that never does could open any number. Streams of a client that has not read the settings yet are refused with an error
        // after which it may try again.
        connection.remote().maxActiveStreams(PublicServer.HTTP2_STREAMS_MAX);
        connection.addListener(new Http2ConnectionAdapter() {
            @Override
            public void onStreamClosed(Http2Stream stream) {
                if (isResetForError(stream)) {
                    closedForError++;
                }
                leave(stream);
            }
        });
    }

    private void leave(Http2Stream stream) {
        Integer count = stream.removeProperty(counted);
        if (count != null) {
            streams.leave(network, count);
        }
    }

    /**
     * Begins a request when the client can receive the answer.
     *
     * @return false when no further stream may be open: the stream was reset with the error which means that nothing was done
     */
    boolean begin(HttpServerRequest request, Runnable begin) {
        Http2Stream stream = connection.stream(request.streamId());
        if (stream == null) {
            // The client has already reset the stream.
            return true;
        }
        int count = count(request);
        if (!streams.admit(network, count)) {
            request.response().reset(Http2Error.REFUSED_STREAM.code());
            return false;
        }
        stream.setProperty(counted, count);
        if (waiting.isEmpty() && mayBegin(stream)) {
            begun();
            begin.run();
            return true;
        }
        request.pause();
        waiting.add(new Waiting(request, stream, vertx.getOrCreateContext(), begin, System.nanoTime()));
        beginWaitingLater(PAUSE_MILLIS_MIN);
        return true;
    }

    /** As how many requests it counts: a head larger than usual counts as further ones. */
    private static int count(HttpServerRequest request) {
        int bytes = 0;
        for (Map.Entry<String, String> field : request.headers()) {
            bytes += FIELD_BYTES + COPIES * (field.getKey().length() + field.getValue().length());
        }
        return 1 + Math.ceilDiv(Math.max(0, bytes - USUAL_HEAD_BYTES), REQUEST_BYTES);
    }

    /** Whether the server reset the stream of a request before its answer began: then the client broke the protocol on it, or the request failed. */
    private boolean isResetForError(Http2Stream stream) {
        return stream.isResetSent() && !stream.isHeadersSent() && stream.getProperty(counted) != null;
    }

    /** Begins to count the streams that are reset for an error of the client anew. */
    void beginSecond() {
        closedForError = 0;
    }

    /**
     * The number of requests of this second whose streams were reset for an error of the client. It includes streams whose reset is not
     * sent yet: they remain open while frames that were received together are processed. A proxy's clients share its connection, and
     * cannot make such errors through it, so none are counted for a proxy.
     */
    int resetForError() {
        if (network.isEmpty()) {
            return 0;
        }
        int[] count = {closedForError};
        forEachOpen(stream -> {
            if (isResetForError(stream)) {
                count[0]++;
            }
        });
        return count[0];
    }

    /** Whether requests wait for the client. */
    boolean isWaiting() {
        return !waiting.isEmpty();
    }

    private boolean mayBegin(Http2Stream stream) {
        return begunInTurn < BEGUN_IN_TURN_MAX && takesAnswers(stream);
    }

    private void begun() {
        if (begunInTurn++ == 0) {
            vertx.runOnContext(nextTurn -> {
                begunInTurn = 0;
                beginWaiting();
            });
        }
    }

    private void beginWaitingLater(long millis) {
        if (!timerRunning) {
            timerRunning = true;
            pauseMillis = Math.min(millis, PAUSE_MILLIS_MAX);
            vertx.setTimer(pauseMillis, later -> {
                timerRunning = false;
                beginWaiting();
            });
        }
    }

    private void beginWaiting() {
        if (waiting.isEmpty()) {
            return;
        }
        List<Waiting> before = waiting;
        waiting = new ArrayList<>();
        for (Waiting one : before) {
            if (one.stream.state() == Http2Stream.State.CLOSED) {
                continue;
            }
            if (mayBegin(one.stream)) {
                begun();
                one.own.runOnContext(go -> {
                    one.request.resume();
                    one.begin.run();
                });
            } else if (System.nanoTime() - one.since > waitNanosMax) {
                // The client made no error.
                leave(one.stream);
                one.request.response().reset(Http2Error.CANCEL.code());
            } else {
                waiting.add(one);
            }
        }
        if (!waiting.isEmpty()) {
            beginWaitingLater(waiting.size() < before.size() ? PAUSE_MILLIS_MIN : 2 * pauseMillis);
        }
    }

    private boolean takesAnswers(Http2Stream stream) {
        boolean isFull = answers.windowSize(connection.connectionStream()) <= 0;
        return answers.windowSize(stream) > 0
                // Behind a proxy, the clients that read nothing are not the ones that would have to wait.
                && (network.isEmpty() || untaken() < (isFull ? UNTAKEN_MAX_OF_FULL : UNTAKEN_MAX));
    }

    /** The number of answers that wait for a window update of the client. */
    private int untaken() {
        int[] count = {0};
        forEachOpen(stream -> {
            if (answers.hasFlowControlled(stream)) {
                count[0]++;
            }
        });
        return count[0];
    }

    private void forEachOpen(Consumer<Http2Stream> act) {
        try {
            connection.forEachActiveStream(stream -> {
                act.accept(stream);
                return true;
            });
        } catch (Http2Exception impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
