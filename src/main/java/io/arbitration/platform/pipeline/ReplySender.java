package io.arbitration.platform.pipeline;

import io.arbitration.platform.answer.Gzip;
import io.arbitration.platform.answer.KeptBody;
import io.arbitration.platform.answer.LeastPace;
import io.arbitration.platform.answer.Reply;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.arbitration.platform.request.OwnContext;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;

/**
 * Sends replies, compressed for whoever takes gzip. Not left to the HTTP server: it would compress a body that never changes
 * for each answer, and on a connection of HTTP/2 where one answer was sent as it is, it announces the later ones as compressed
 * and sends them plain (Vert.x 5.0.10, VertxCompressorHttp2ConnectionEncoder).
 */
public final class ReplySender {

    /**
     * Of a long answer, sent at once; the next follows when it has left. What is handed to a connection is copied out of the heap, and
     * with TLS encrypted, whether or not the client takes it: a thousand connections with whole answers would use up that memory.
     */
    private static final int PIECE_BYTES = 65_536;

    private final boolean compresses;
    private final LeastPace pace;
    private final Counter compressed;

    /** @param compresses whether answers are compressed at all */
    public ReplySender(boolean compresses, LeastPace pace, MeterRegistry meters) {
        this.compresses = compresses;
        this.pace = pace;
        this.compressed = Counter.builder("acp.http.compressed").description("Answers that were compressed while they were sent").register(meters);
    }

    /** How slow a client may take an answer. */
    LeastPace pace() {
        return pace;
    }

    /** Sends a reply; nothing when the client has gone or was answered already. */
    public void send(RoutingContext context, Reply reply) {
        OwnContext.run(context, () -> sendHere(context, reply));
    }

    private void sendHere(RoutingContext context, Reply reply) {
        HttpServerResponse response = context.response();
        if (response.ended() || response.closed()) {
            return;
        }
        response.setStatusCode(reply.status());
        // Answers hold tokens and files of a case: no cache keeps them unless the operation says so.
        response.putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        reply.headers().forEach(response::putHeader);
        reply.cookies().forEach(cookie -> response.headers().add(HttpHeaders.SET_COOKIE, cookie));
        boolean acceptsGzip = compresses && Gzip.isAccepted(context.request().getHeader(HttpHeaders.ACCEPT_ENCODING));
        if (reply.kept().isPresent()) {
            sendKept(context, reply, reply.kept().get(), acceptsGzip);
            return;
        }
        response.putHeader(HttpHeaders.CONTENT_TYPE, reply.contentType());
        Buffer body = reply.body();
        if (compresses && Gzip.isWorthwhile(reply.contentType(), body.length())) {
            response.headers().add(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING);
            if (acceptsGzip) {
                response.putHeader(HttpHeaders.CONTENT_ENCODING, "gzip");
                body = Gzip.fast(body);
                compressed.increment();
            }
        }
        end(context, body);
    }

    private void sendKept(RoutingContext context, Reply reply, KeptBody kept, boolean acceptsGzip) {
        HttpServerResponse response = context.response();
        boolean zipped = acceptsGzip && kept.gzip().isPresent();
        response.putHeader(HttpHeaders.ETAG, kept.entityTag(zipped));
        if (kept.gzip().isPresent()) {
            response.headers().add(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING);
        }
        if (kept.isKnown(context.request().getHeader(HttpHeaders.IF_NONE_MATCH))) {
            response.setStatusCode(304).end();
            return;
        }
        response.putHeader(HttpHeaders.CONTENT_TYPE, reply.contentType());
        if (zipped) {
            response.putHeader(HttpHeaders.CONTENT_ENCODING, "gzip");
        }
        end(context, zipped ? kept.gzip().get() : kept.plain());
    }

    private void end(RoutingContext context, Buffer body) {
        HttpServerResponse response = context.response();
        boolean overHttp2 = context.request().version() == HttpVersion.HTTP_2;
        if (body.length() == 0 || body.length() <= PIECE_BYTES && !overHttp2) {
            response.end(body);
            return;
        }
        response.putHeader(HttpHeaders.CONTENT_LENGTH, String.valueOf(body.length()));
        Promise<Void> all = Promise.promise();
        sendPieces(response, body, 0, all);
        pace.watch(context.vertx(), context.request(), all.future(), body.length());
    }

    /**
     * A loop and no recursion, because most pieces have left at once. Over HTTP/2 the answer ends only when all of it has left: a stream
     * whose answer has ended cannot be reset any more (Vert.x 5.0.10, Http2ServerStream), and one that is granted nothing would hold it.
     */
    private static void sendPieces(HttpServerResponse response, Buffer body, int begin, Promise<Void> all) {
        int from = begin;
        while (from < body.length()) {
            int next = Math.min(from + PIECE_BYTES, body.length());
            Future<Void> sent = response.write(body.slice(from, next));
            if (!sent.succeeded()) {
                sent.onComplete(left -> sendPieces(response, body, next, all), all::fail);
                return;
            }
            from = next;
        }
        response.end().onComplete(all);
    }
}
