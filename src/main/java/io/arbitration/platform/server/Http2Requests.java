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

/**
 * The requests of one connection of HTTP/2. There a client says how much of each answer it takes. Work for an answer that it does not take
 * would be done in vain, so a request waits, before anything is done for it, until the client takes answers.
 */
final class Http2Requests {

    /** Answers that a connection may leave untaken before its further requests wait. More at once do not get through any sooner. */
    private static final int UNTAKEN_MAX = 16;
    /**
     * The same while the client grants nothing to the connection as a whole. More than none, because a client that takes one answer slowly has
     * granted nothing at most moments: what it grants is used at once, by the answers in turn.
     */
    private static final int UNTAKEN_MAX_OF_FULL = 4;
    /** Requests that begin before the other connections of the event loop have their turn: one read may bring a hundred. */
    private static final int BEGUN_IN_TURN_MAX = 8;
    /** Between two looks whether the client takes answers now, twice as long each time that it takes none. */
    private static final long PAUSE_MILLIS_MIN = 10;
    private static final long PAUSE_MILLIS_MAX = 320;

    /** What a request takes whose head is no longer than usual, measured as it waits; the heap of the start counts it ({@code HeapBudget}). */
    private static final int REQUEST_BYTES = 7 * 1024;
    /** Two copies of a head of 1 KB in twenty fields. */
    private static final int USUAL_HEAD_BYTES = 6 * 1024;
    /** A field is held as it came and as text, with what each of both takes beside its bytes. */
    private static final int COPIES = 2;
    private static final int FIELD_BYTES = 200;

    private final Vertx vertx;
    private final OpenCounts streams;
    private final Optional<String> network;
    private final long waitNanosMax;
    private final Http2Connection connection;
    private final Http2RemoteFlowController answers;
    private final Http2Connection.PropertyKey counted;
    /** In the order in which they came. */
    private List<Waiting> waiting = new ArrayList<>();
    private long pauseMillis;
    private boolean looking;
    private int begunInTurn;

    /** @param own the context of the request, whose locals say whose it is */
    private record Waiting(HttpServerRequest request, Http2Stream stream, Context own, Runnable begin, long since) {}

    /**
     * @param handler of the connection
     * @param streams counts the streams of all connections
     * @param network of the client; empty for a trusted proxy
     * @param wait how long a request may wait; then its stream is reset
     */
    Http2Requests(Vertx vertx, Http2ConnectionHandler handler, OpenCounts streams, Optional<String> network, Duration wait) {
        this.vertx = vertx;
        this.streams = streams;
        this.network = network;
        this.waitNanosMax = wait.toNanos();
        this.connection = handler.connection();
        this.answers = handler.encoder().flowController();
        this.counted = connection.newKey();
        // Netty holds a client to the number of streams in the server's settings from the moment on that the client has acknowledged them: one
        // that never does could open any number. Those of a client that has not read them yet are refused, which tells it that it may try again.
        connection.remote().maxActiveStreams(PublicServer.HTTP2_STREAMS_MAX);
        connection.addListener(new Http2ConnectionAdapter() {
            @Override
            public void onStreamClosed(Http2Stream stream) {
                Integer count = stream.removeProperty(counted);
                if (count != null) {
                    streams.leave(network, count);
                }
            }
        });
    }

    /**
     * Begins a request when the client takes answers.
     *
     * @return false when no further stream may be open: the stream was reset with the error which says that nothing was done
     */
    boolean begin(HttpServerRequest request, Runnable begin) {
        Http2Stream stream = connection.stream(request.streamId());
        if (stream == null) {
            // The client has reset it in the same packet.
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
        lookLater(PAUSE_MILLIS_MIN);
        return true;
    }

    /** As how many requests it counts: what its head takes beyond that of a usual one counts as further ones. */
    private static int count(HttpServerRequest request) {
        int bytes = 0;
        for (Map.Entry<String, String> field : request.headers()) {
            bytes += FIELD_BYTES + COPIES * (field.getKey().length() + field.getValue().length());
        }
        return 1 + Math.ceilDiv(Math.max(0, bytes - USUAL_HEAD_BYTES), REQUEST_BYTES);
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
                look();
            });
        }
    }

    private void lookLater(long millis) {
        if (!looking) {
            looking = true;
            pauseMillis = Math.min(millis, PAUSE_MILLIS_MAX);
            vertx.setTimer(pauseMillis, later -> {
                looking = false;
                look();
            });
        }
    }

    private void look() {
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
                one.request.response().reset(Http2Error.CANCEL.code());
            } else {
                waiting.add(one);
            }
        }
        if (!waiting.isEmpty()) {
            lookLater(waiting.size() < before.size() ? PAUSE_MILLIS_MIN : 2 * pauseMillis);
        }
    }

    private boolean takesAnswers(Http2Stream stream) {
        boolean isFull = answers.windowSize(connection.connectionStream()) <= 0;
        return answers.windowSize(stream) > 0
                // Behind a proxy, those who take nothing are not those who wait.
                && (network.isEmpty() || untaken() < (isFull ? UNTAKEN_MAX_OF_FULL : UNTAKEN_MAX));
    }

    /** Answers of which something waits until the client grants more. */
    private int untaken() {
        int[] count = {0};
        try {
            connection.forEachActiveStream(stream -> {
                if (answers.hasFlowControlled(stream)) {
                    count[0]++;
                }
                return true;
            });
        } catch (Http2Exception impossible) {
            throw new IllegalStateException(impossible);
        }
        return count[0];
    }
}
