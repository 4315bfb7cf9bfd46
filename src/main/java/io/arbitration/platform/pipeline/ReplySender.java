package io.arbitration.platform.pipeline;

import io.arbitration.platform.answer.CachedBody;
import io.arbitration.platform.answer.Gzip;
import io.arbitration.platform.answer.HttpError;
import io.arbitration.platform.answer.LeastPace;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.answer.UnreadAnswer;
import io.arbitration.platform.body.BodyReader;
import io.arbitration.platform.limits.ByteBudget.Owner;
import io.arbitration.platform.limits.ByteBudget.Reservation;
import io.arbitration.platform.request.RequestContext;
import io.arbitration.platform.request.RequestId;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends replies, compressed for clients that accept gzip. The HTTP server does not do this: it would compress a constant body for
 * each answer, and after one uncompressed answer on an HTTP/2 connection it announces later ones as compressed and sends them
 * plain (Vert.x 5.0.10, VertxCompressorHttp2ConnectionEncoder). Answers to callers count in {@link AnswerBudget} until the client
 * has received them.
 */
public final class ReplySender {

    /**
     * The part of a long answer that is sent at once; the next part follows when it has been sent. Bytes that are passed to a
     * connection are copied out of the heap, and encrypted with TLS, even if the client does not read them: a thousand
     * connections with complete answers would use up that memory.
     */
    private static final int PIECE_BYTES = 65_536;
    /** The largest answer that is sent in any case, for instance a token set, which would be lost otherwise. */
    private static final int SHORT_BYTES_MAX = 16_384;
    private static final int RETRY_SECONDS = 1;
    private static final Logger LOG = LoggerFactory.getLogger(ReplySender.class);

    private final boolean compresses;
    private final LeastPace pace;
    private final AnswerBudget budget;
    private final Compressor compressor;
    private final Counter brokenOff;

    /**
     * @param compresses whether answers are compressed at all
     * @param budget of the answers of operations
     * @param compressedBytesMax of compressed forms that are cached beside bodies that many readers share
     */
    public ReplySender(boolean compresses, LeastPace pace, AnswerBudget budget, long compressedBytesMax, MeterRegistry meters) {
        this.compresses = compresses;
        this.pace = pace;
        this.budget = budget;
        this.compressor = new Compressor(compressedBytesMax, meters);
        this.brokenOff = Counter.builder("acp.http.answers.broken").description("Answers that were broken off, because clients did not take them and others needed the memory")
                .register(meters);
        Gauge.builder("acp.http.answers.bytes", budget, AnswerBudget::held).description("Bytes of answers that clients have not taken yet").register(meters);
    }

    /** The least pace at which a client must read an answer. */
    LeastPace pace() {
        return pace;
    }

    /** Refuses an owner whose share is used up by unread answers, before any work is done for the request. */
    void admit(Owner owner) {
        if (budget.isUsedUp(owner)) {
            throw HttpError.RATE.refusal().retryAfter(RETRY_SECONDS);
        }
    }

    /**
     * Sends a page that stays in memory as long as the node runs, so that sending it takes no further memory. Does nothing when
     * the client has disconnected or was answered already.
     */
    public void send(RoutingContext context, Reply page) {
        RequestContext.run(context, () -> sendPage(context, page));
    }

    private void sendPage(RoutingContext context, Reply page) {
        if (isAwaited(context)) {
            begin(context, page);
            if (page.kept().isPresent()) {
                sendKept(context, page, page.kept().get());
            } else {
                context.response().putHeader(HttpHeaders.CONTENT_TYPE, page.contentType());
                end(context, page.body());
            }
        }
    }

    /**
     * Sends the answer of an operation. A long answer to a read is refused if it does not fit into the memory that is left for answers. A
     * write is already executed, so its answer is always sent. A short answer is always sent, because a refusal would be as long.
     *
     * @param owner the owner to which the answer counts
     */
    void answer(RoutingContext context, Owner owner, boolean writes, Reply reply) {
        RequestContext.run(context, () -> answerInContext(context, owner, writes, reply));
    }

    private void answerInContext(RoutingContext context, Owner owner, boolean writes, Reply reply) {
        BodyReader.drop(context);
        if (!isAwaited(context)) {
            return;
        }
        Context own = context.vertx().getOrCreateContext();
        AnswerBudget.UnderWay answer = budget.open(owner, own, () -> disconnect(context.request(), context.get(RequestId.KEY)));
        Reservation taken = answer.reserve(reply.body(), writes || reply.body().length() <= SHORT_BYTES_MAX);
        if (taken != Reservation.HELD) {
            answer.close();
            context.fail((taken == Reservation.SHARE_USED_UP ? HttpError.RATE : HttpError.OVERLOADED).refusal().retryAfter(RETRY_SECONDS));
            return;
        }
        begin(context, reply);
        if (reply.kept().isPresent()) {
            sendKept(context, reply, reply.kept().get()).onComplete(left -> answer.close());
            return;
        }
        context.response().putHeader(HttpHeaders.CONTENT_TYPE, reply.contentType());
        if (compresses && Gzip.isWorthwhile(reply.contentType(), reply.body().length())) {
            context.response().headers().add(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING);
            if (acceptsGzip(context)) {
                compressor.gzip(context.vertx(), owner, reply.body(), reply.shared()).onComplete(
                        small -> RequestContext.run(context, () -> small.ifPresentOrElse(form -> sendCompressed(context, answer, form), () -> end(context, answer, reply.body()))),
                        failed -> RequestContext.run(context, () -> {
                            answer.close();
                            context.fail(failed);
                        }));
                return;
            }
        }
        end(context, answer, reply.body());
    }

    /**
     * Ends an error answer, whose status and headers are set. Over HTTP/2 the least pace applies to it and it counts like an
     * answer: otherwise a client with a closed window could keep it, and its request, in memory as long as the connection lives.
     *
     * @param owner the owner to which the error counts
     * @param requestId for the log
     */
    public void refuse(Vertx vertx, HttpServerRequest request, String requestId, Owner owner, Buffer body) {
        if (request.version() != HttpVersion.HTTP_2) {
            request.response().end(body);
            return;
        }
        AnswerBudget.UnderWay answer = budget.open(owner, vertx.getOrCreateContext(), () -> disconnect(request, requestId));
        answer.reserve(body, true);
        answer.reserveMore(headBytes(request));
        end(vertx, request, body).onComplete(left -> answer.close());
    }

    private static long headBytes(HttpServerRequest request) {
        long bytes = request.uri() == null ? 0 : request.uri().length();
        for (Map.Entry<String, String> header : request.headers()) {
            bytes += header.getKey().length() + header.getValue().length();
        }
        return bytes;
    }

    private void sendCompressed(RoutingContext context, AnswerBudget.UnderWay answer, Buffer form) {
        answer.replace(form);
        context.response().putHeader(HttpHeaders.CONTENT_ENCODING, "gzip");
        end(context, answer, form);
    }

    private void end(RoutingContext context, AnswerBudget.UnderWay answer, Buffer body) {
        if (answer.isAborted() || !isAwaited(context)) {
            answer.close();
            return;
        }
        end(context, body).onComplete(left -> answer.close());
    }

    private static boolean isAwaited(RoutingContext context) {
        return !context.response().ended() && !context.response().closed();
    }

    private boolean acceptsGzip(RoutingContext context) {
        return compresses && Gzip.isAccepted(context.request().getHeader(HttpHeaders.ACCEPT_ENCODING));
    }

    private static void begin(RoutingContext context, Reply reply) {
        HttpServerResponse response = context.response();
        response.setStatusCode(reply.status());
        // Answers contain tokens and files of a case: no cache may store them unless the operation allows it.
        response.putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        reply.headers().forEach(response::putHeader);
        reply.cookies().forEach(cookie -> response.headers().add(HttpHeaders.SET_COOKIE, cookie));
    }

    private Future<Void> sendKept(RoutingContext context, Reply reply, CachedBody kept) {
        HttpServerResponse response = context.response();
        boolean zipped = kept.gzip().isPresent() && acceptsGzip(context);
        response.putHeader(HttpHeaders.ETAG, kept.entityTag(zipped));
        if (kept.gzip().isPresent()) {
            response.headers().add(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING);
        }
        if (kept.isKnown(context.request().getHeader(HttpHeaders.IF_NONE_MATCH))) {
            return response.setStatusCode(304).end();
        }
        response.putHeader(HttpHeaders.CONTENT_TYPE, reply.contentType());
        if (zipped) {
            response.putHeader(HttpHeaders.CONTENT_ENCODING, "gzip");
        }
        return end(context, zipped ? kept.gzip().get() : kept.plain());
    }

    /** Completes when all of it has been sent, or cannot be sent any more. */
    private Future<Void> end(RoutingContext context, Buffer body) {
        return end(context.vertx(), context.request(), body);
    }

    private Future<Void> end(Vertx vertx, HttpServerRequest request, Buffer body) {
        HttpServerResponse response = request.response();
        boolean overHttp2 = request.version() == HttpVersion.HTTP_2;
        if (request.method() == HttpMethod.HEAD) {
            // Otherwise Vert.x would send the body over HTTP/2, and no length over HTTP/1.1.
            return response.putHeader(HttpHeaders.CONTENT_LENGTH, String.valueOf(body.length())).end();
        }
        if (body.length() == 0 || body.length() <= PIECE_BYTES && !overHttp2) {
            return response.end(body);
        }
        response.putHeader(HttpHeaders.CONTENT_LENGTH, String.valueOf(body.length()));
        Promise<Void> all = Promise.promise();
        sendPieces(response, body, 0, all);
        pace.watch(vertx, request, all.future(), body.length());
        return all.future();
    }

    /**
     * A loop instead of recursion, because most pieces are sent at once. Over HTTP/2 the answer ends only when all of it has been
     * sent: a stream whose answer has ended cannot be reset any more (Vert.x 5.0.10, Http2ServerStream), and a stream with a
     * closed window would keep it in memory.
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

    /** An answer over HTTP/1.1 may wait in the connection after its end, and is removed only with the connection. */
    private void disconnect(HttpServerRequest request, String requestId) {
        brokenOff.increment();
        LOG.info("request {}: its answer was broken off, because the client does not read it and others need the memory", requestId);
        UnreadAnswer.disconnect(request);
    }
}
