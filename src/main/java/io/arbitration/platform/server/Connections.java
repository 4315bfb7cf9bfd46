package io.arbitration.platform.server;

import io.arbitration.platform.body.UnreadBody;
import io.arbitration.platform.limits.RateLimiter;
import io.arbitration.platform.request.ClientAddress;
import io.arbitration.platform.request.ClientNetwork;
import io.arbitration.platform.request.WorkOwner;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.impl.HttpServerConnection;
import io.vertx.ext.web.RoutingContext;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The connections of one event loop. Closes a connection on which no request is being answered and no new request has come for the
 * idle time. Bytes that are not yet a whole request do not keep it open.
 */
final class Connections {

    private static final int ENDING_SECONDS = 10;
    /** The window of an HTTP/1 connection, which has none. */
    private static final int NO_WINDOW = -1;

    private final Vertx vertx;
    private final ServerSettings settings;
    private final ConnectionLimit connectionLimit;
    private final RateLimiter refusals;
    private final Map<HttpConnection, Use> uses = new IdentityHashMap<>();

    private static final class Use {
        private int requests;
        private long since = System.nanoTime();
        private boolean ending;
        private boolean refusedTooMuch;
        /** Set for an HTTP/2 connection, as is the next. */
        private Http2Requests http2Requests;
        private ControlFrames controlFrames;

        private boolean isIdleSince(long nanos) {
            return requests == 0 && since - nanos < 0 && (http2Requests == null || !http2Requests.isWaiting());
        }
    }

    /** @param refusals the refusals that an address may get; its connection ends with the next one */
    Connections(Vertx vertx, ServerSettings settings, ConnectionLimit connectionLimit, RateLimiter refusals) {
        this.vertx = vertx;
        this.refusals = refusals;
        this.settings = settings;
        this.connectionLimit = connectionLimit;
    }

    void opened(HttpConnection connection) {
        connectionLimit.served(connection);
        Use use = new Use();
        uses.put(connection, use);
        connection.closeHandler(closed -> uses.remove(connection));
        if (connection.getWindowSize() != NO_WINDOW) {
            Http2ConnectionHandler http2 = ((HttpServerConnection) connection).channelHandlerContext().pipeline().get(Http2ConnectionHandler.class);
            use.http2Requests = new Http2Requests(vertx, http2, connectionLimit.streams(), network(connection), settings.head());
            use.controlFrames = ControlFrames.boundedOn(http2.decoder(), use.http2Requests);
        }
    }

    private Optional<String> network(HttpConnection connection) {
        return connectionLimit.counted(InetAddress.ofLiteral(connection.remoteAddress().hostAddress()));
    }

    /** Begins a request; over HTTP/2 only when its client can receive the answer. */
    void begin(HttpServerRequest request, Runnable begin) {
        Use use = uses.get(request.connection());
        if (use == null || use.http2Requests == null) {
            begin.run();
        } else if (!use.http2Requests.begin(request, begin) && network(request.connection()).isPresent()) {
            endsWithRefusal(request, request.remoteAddress().hostAddress());
        }
    }

    /** Closes the connection after the answer to this request. What the client sends after this request is ignored. */
    void endAfter(HttpServerRequest request) {
        Use use = uses.get(request.connection());
        if (use != null) {
            use.ending = true;
        }
        request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
    }

    boolean isEnding(HttpServerRequest request) {
        Use use = uses.get(request.connection());
        return use != null && use.ending;
    }

    /** Counts a request as being answered until its answer is sent. */
    void enter(RoutingContext context) {
        Use use = uses.get(context.request().connection());
        if (use != null) {
            use.requests++;
            context.addHeadersEndHandler(answering -> refuse(context, use));
            context.addEndHandler(answered -> {
                use.requests--;
                use.since = System.nanoTime();
                if (use.refusedTooMuch) {
                    context.request().connection().close();
                } else if (use.ending) {
                    endWhenRead(context.request());
                }
            });
        }
        context.next();
    }

    /**
     * Counts a refusal when its answer begins, because over HTTP/2 an answer to a client with a closed window never ends. If it
     * is one too many, the connection ends at once, over HTTP/1 with the answer.
     */
    private void refuse(RoutingContext context, Use use) {
        if (!use.refusedTooMuch && isTooMuch(context)) {
            use.ending = true;
            use.refusedTooMuch = true;
            if (context.request().version() == HttpVersion.HTTP_2) {
                context.vertx().runOnContext(begun -> context.request().connection().close());
            }
        }
    }

    /**
     * Refusing takes time too: a client that repeatedly sends refused requests has to open a new connection for each group of
     * them. The connection of a proxy is not closed, because other clients use it. Refusals of a signed-in caller count for the
     * address as well, which then gets no new connections; but a connection is closed only by refusals of its own caller, because
     * others may share the address and use up its bound.
     */
    private boolean isTooMuch(RoutingContext context) {
        int status = context.response().getStatusCode();
        if (status < 400 || status >= 500 || !isOwn(context.request(), ClientAddress.of(context))) {
            return false;
        }
        boolean ofAddress = isTooMuch(context.request(), ClientAddress.of(context));
        return WorkOwner.now().map(owner -> !refusals.tryAdmit(owner.caller())).orElse(ofAddress);
    }

    /** Whether the connection belongs to this client and not to a proxy. */
    private static boolean isOwn(HttpServerRequest request, String client) {
        return client.equals(request.remoteAddress().hostAddress());
    }

    private boolean isTooMuch(HttpServerRequest request, String client) {
        return isOwn(request, client) && !refusals.tryAdmit(ClientNetwork.of(client));
    }

    /**
     * Counts a refusal of a request that reached no router, and closes the connection at one too many.
     *
     * @param client its address
     * @return whether it ended the connection
     */
    boolean endsWithRefusal(HttpServerRequest request, String client) {
        if (!isTooMuch(request, client)) {
            return false;
        }
        endAfter(request);
        request.connection().close();
        return true;
    }

    /** Waits until the request has been read: a client that still sends would get a reset and lose the answer. {@link UnreadBody} bounds the wait. */
    private static void endWhenRead(HttpServerRequest request) {
        if (request.isEnded()) {
            request.connection().shutdown(ENDING_SECONDS, TimeUnit.SECONDS);
        } else {
            request.end().onComplete(read -> request.connection().close());
        }
    }

    /** Called every second. */
    void closeIdle() {
        long before = System.nanoTime() - settings.idle().toNanos();
        List<HttpConnection> idle = new ArrayList<>();
        uses.forEach((connection, use) -> {
            if (use.controlFrames != null) {
                use.controlFrames.beginSecond();
            }
            if (use.isIdleSince(before)) {
                idle.add(connection);
            }
        });
        idle.forEach(HttpConnection::close);
    }
}
