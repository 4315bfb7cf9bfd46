package io.arbitration.platform.pipeline;

import io.arbitration.platform.answer.Gzip;
import io.arbitration.platform.answer.HttpError;
import io.arbitration.platform.answer.KeptBody;
import io.arbitration.platform.answer.LeastPace;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.answer.UnreadAnswer;
import io.arbitration.platform.body.BodyReader;
import io.arbitration.platform.limits.ByteBudget.Owner;
import io.arbitration.platform.limits.ByteBudget.Taken;
import io.arbitration.platform.request.OwnContext;
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
 * Sends replies, compressed for whoever takes gzip. Not left to the HTTP server: it would compress a body that never changes
 * for each answer, and on a connection of HTTP/2 where one answer was sent as it is, it announces the later ones as compressed
 * and sends them plain (Vert.x 5.0.10, VertxCompressorHttp2ConnectionEncoder). Answers to callers are held to {@link AnswerBudget}
 * until the client has taken them.
 */
public final class ReplySender {

    /**
     * Of a long answer, sent at once; the next follows when it has left. What is handed to a connection is copied out of the heap, and
     * with TLS encrypted, whether or not the client takes it: a thousand connections with whole answers would use up that memory.
     */
    private static final int PIECE_BYTES = 65_536;
    /** Of an answer that is sent in any case: a token set, for instance, which would be lost. */
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
     * @param compressedBytesMax of compressed forms that are kept beside bodies that many readers share
     */
    public ReplySender(boolean compresses, LeastPace pace, AnswerBudget budget, long compressedBytesMax, MeterRegistry meters) {
        this.compresses = compresses;
        this.pace = pace;
        this.budget = budget;
        this.compressor = new Compressor(compressedBytesMax, meters);
        this.brokenOff = Counter.builder("acp.http.answers.broken").description("Answers that were broken off, because clients did not take them and others needed the room")
                .register(meters);
        Gauge.builder("acp.http.answers.bytes", budget, AnswerBudget::held).description("Bytes of answers that clients have not taken yet").register(meters);
    }

    /** How slow a client may take an answer. */
    LeastPace pace() {
        return pace;
    }

    /** Refuses whoever has its whole share of answers that it has not taken: before anything is done for the request. */
    void admit(Owner owner) {
        if (budget.isUsedUp(owner)) {
            throw HttpError.RATE.refusal().retryAfter(RETRY_SECONDS);
        }
    }

    /** Sends a page that is held for as long as the node runs, so that sending it holds no more; nothing when the client has gone or was answered already. */
    public void send(RoutingContext context, Reply page) {
        OwnContext.run(context, () -> sendPage(context, page));
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
     * Sends what answers an operation. When there is no room for a long answer to a read, it is refused. A write is done already and
     * answered in any case, and so is a short answer, because a refusal is as long.
     *
     * @param owner whose answer it is
     */
    void answer(RoutingContext context, Owner owner, boolean writes, Reply reply) {
        OwnContext.run(context, () -> answerHere(context, owner, writes, reply));
    }

    private void answerHere(RoutingContext context, Owner owner, boolean writes, Reply reply) {
        BodyReader.drop(context);
        if (!isAwaited(context)) {
            return;
        }
        Context own = context.vertx().getOrCreateContext();
        AnswerBudget.UnderWay answer = budget.open(owner, own, () -> breakOff(context.request(), context.get(RequestId.KEY)));
        Taken taken = answer.hold(reply.body(), writes || reply.body().length() <= SHORT_BYTES_MAX);
        if (taken != Taken.HELD) {
            answer.close();
            context.fail((taken == Taken.SHARE_USED_UP ? HttpError.RATE : HttpError.OVERLOADED).refusal().retryAfter(RETRY_SECONDS));
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
                        small -> OwnContext.run(context, () -> small.ifPresentOrElse(form -> sendCompressed(context, answer, form), () -> end(context, answer, reply.body()))),
                        failed -> OwnContext.run(context, () -> {
                            answer.close();
                            context.fail(failed);
                        }));
                return;
            }
        }
        end(context, answer, reply.body());
    }

    /**
     * Ends an error, whose status and headers are set. Over HTTP/2 it is held to the least pace and counted like an answer: a client
     * that grants nothing could else keep it, and its request, for as long as the connection lives.
     *
     * @param owner who asked
     * @param requestId for the log
     */
    public void refuse(Vertx vertx, HttpServerRequest request, String requestId, Owner owner, Buffer body) {
        if (request.version() != HttpVersion.HTTP_2) {
            request.response().end(body);
            return;
        }
        AnswerBudget.UnderWay answer = budget.open(owner, vertx.getOrCreateContext(), () -> breakOff(request, requestId));
        answer.hold(body, true);
        answer.holdBeside(headBytes(request));
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
        if (answer.isOver() || !isAwaited(context)) {
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
        // Answers hold tokens and files of a case: no cache keeps them unless the operation says so.
        response.putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        reply.headers().forEach(response::putHeader);
        reply.cookies().forEach(cookie -> response.headers().add(HttpHeaders.SET_COOKIE, cookie));
    }

    private Future<Void> sendKept(RoutingContext context, Reply reply, KeptBody kept) {
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

    /** When all of it has left, or cannot any more. */
    private Future<Void> end(RoutingContext context, Buffer body) {
        return end(context.vertx(), context.request(), body);
    }

    private Future<Void> end(Vertx vertx, HttpServerRequest request, Buffer body) {
        HttpServerResponse response = request.response();
        boolean overHttp2 = request.version() == HttpVersion.HTTP_2;
        if (request.method() == HttpMethod.HEAD) {
            // Vert.x would send the body all the same over HTTP/2, and no length over HTTP/1.1.
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

    /** An answer over HTTP/1.1 may wait in the connection behind its end, and leaves with it alone. */
    private void breakOff(HttpServerRequest request, String requestId) {
        brokenOff.increment();
        LOG.info("request {}: its answer was broken off, because the client does not read it and others need the memory", requestId);
        UnreadAnswer.cut(request);
    }
}
