package io.arbitration.platform.http;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.Json;

/** Answers what is not HTTP enough to reach a router: an overlong head, a broken line, a bad header. */
final class MalformedRequest implements Handler<HttpServerRequest> {

    @Override
    public void handle(HttpServerRequest request) {
        request.response()
                .setStatusCode(400)
                .putHeader("Error-Code", "request.malformed")
                .putHeader(HttpHeaders.CONTENT_TYPE, Reply.JSON)
                .putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE)
                .end(Json.encodeToBuffer("request: malformed"))
                .onComplete(sent -> request.connection().close());
    }
}
