package io.arbitration.platform.server;

import io.arbitration.platform.answer.HttpError;
import io.arbitration.platform.answer.ProblemDetails;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.request.RequestId;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.Json;

/** Answers requests that no router can take because their HTTP is invalid: a head that is too long, a malformed line or header. */
final class MalformedRequest {

    private final SecurityHeaders headers;

    MalformedRequest(SecurityHeaders headers) {
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

    /** Answers without a router, and closes the connection: where the next request on it would begin is unknown. */
    void answer(HttpServerRequest request, Refusal refusal) {
        String requestId = RequestId.of(request);
        boolean problem = ProblemDetails.areWanted(request.headers(), Reply.JSON);
        headers.set(request.response().headers());
        request.response()
                .setStatusCode(refusal.status())
                .putHeader(RequestId.HEADER, requestId)
                .putHeader("Error-Code", refusal.code())
                .putHeader(HttpHeaders.CONTENT_TYPE, problem ? ProblemDetails.CONTENT_TYPE : Reply.JSON)
                .putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE)
                .end(problem ? ProblemDetails.of(refusal, requestId) : Json.encodeToBuffer(refusal.getMessage()))
                .onComplete(sent -> request.connection().close());
    }
}
