package io.arbitration.platform.body;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.StreamResetException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A proxy sends the requests of many people on one connection of HTTP/2: that one of them never ends its body is not their concern. */
class UnreadBodyIT {

    private static final long WAIT_MILLIS = 50;

    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void stop() {
        Await.result(vertx.close());
    }

    @Test
    void overHttp2ABodyThatNeverEndsEndsItsStreamAlone() {
        HttpServer server = Await.result(vertx.createHttpServer().requestHandler(request -> {
            UnreadBody.discard(vertx, request, WAIT_MILLIS);
            request.response().setStatusCode(400).end("refused");
        }).listen(0));
        HttpClientAgent client = vertx.createHttpClient(new HttpClientOptions().setProtocolVersion(HttpVersion.HTTP_2).setHttp2ClearTextUpgrade(false));
        Promise<Throwable> ended = Promise.promise();
        HttpClientRequest endless = Await.result(client.request(HttpMethod.POST, server.actualPort(), "localhost", "/"));
        endless.exceptionHandler(ended::tryComplete).setChunked(true).write("a part");
        assertThat(Await.result(endless.response().compose(answer -> answer.body())).toString()).isEqualTo("refused");
        assertThat(Await.result(ended.future())).isInstanceOfSatisfying(StreamResetException.class, reset -> assertThat(reset.getCode()).isZero());
        HttpClientRequest after = Await.result(client.request(HttpMethod.GET, server.actualPort(), "localhost", "/"));
        assertThat(after.connection()).isSameAs(endless.connection());
        assertThat(Await.result(after.send()).statusCode()).isEqualTo(400);
    }
}
