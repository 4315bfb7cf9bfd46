package io.arbitration.platform.server;

import io.arbitration.platform.answer.HttpError;
import io.arbitration.platform.answer.ProblemDetails;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.body.UnreadBody;
import io.arbitration.platform.limits.ByteBudget;
import io.arbitration.platform.pipeline.ReplySender;
import io.arbitration.platform.request.RequestId;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.json.Json;

/** Answers requests that no router can take because their HTTP is invalid: a head that is too long, a malformed line or header. */
final class MalformedRequest {

    private final SecurityHeaders headers;
    private final ReplySender sender;

    MalformedRequest(SecurityHeaders headers, ReplySender sender) {
        this.sender = sender;
        this.headers = headers;
    }

    /** What is wrong with a request that the HTTP decoder could not read. */
    static Refusal refusal(HttpServerRequest request) {
        return switch (request.decoderResult().cause()) {
            case TooLongHttpLineException line -> HttpError.ADDRESS_TOO_LONG.refusal(PublicServer.INITIAL_LINE_BYTES_MAX);
            case TooLongHttpHeaderException headers -> HttpError.HEADERS_TOO_LARGE.refusal(PublicServer.HEADER_BYTES_MAX);
            case null, default -> HttpError.MALFORMED.refusal();
        };
    }

    /**
     * Answers without a router. Over HTTP/1 it closes the connection, because it is unknown where the next request on it begins.
     * Over HTTP/2 the frames show this, so only the stream ends: the other streams may belong to other people behind the same
     * proxy.
     *
     * @param network of the client
     */
    void answer(Vertx vertx, HttpServerRequest request, String network, Refusal refusal) {
        String requestId = RequestId.of(request);
        boolean problem = ProblemDetails.areWanted(request.headers(), Reply.JSON);
        headers.set(request.response().headers());
        request.response()
                .setStatusCode(refusal.status())
                .putHeader(RequestId.HEADER, requestId)
                .putHeader("Error-Code", refusal.code())
                .putHeader(HttpHeaders.CONTENT_TYPE, problem ? ProblemDetails.CONTENT_TYPE : Reply.JSON);
        refusal.retryAfterSeconds().ifPresent(seconds -> request.response().putHeader(HttpHeaders.RETRY_AFTER, String.valueOf(seconds)));
        Buffer body = problem ? ProblemDetails.of(refusal, requestId) : Json.encodeToBuffer(refusal.getMessage());
        if (request.version() == HttpVersion.HTTP_2) {
            UnreadBody.discard(vertx, request);
            sender.refuse(vertx, request, requestId, new ByteBudget.Owner(network, false), body);
        } else {
            request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE).end(body).onComplete(sent -> request.connection().close());
        }
    }
}
