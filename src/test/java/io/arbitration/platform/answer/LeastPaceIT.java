package io.arbitration.platform.answer;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpVersion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Over HTTP/2 a client grants each stream what may be sent: one that grants nothing must not hold an answer for ever. */
class LeastPaceIT {

    private static final int BYTES = 4 << 20;

    private final Vertx vertx = Vertx.vertx();
    private final Promise<Void> left = Promise.promise();
    private HttpClientAgent client;
    private HttpServer server;

    @BeforeEach
    void start() {
        LeastPace pace = new LeastPace(4 * BYTES, 1);
        server = Await.result(vertx.createHttpServer(new HttpServerOptions().setHttp2ClearTextEnabled(true)).requestHandler(request -> {
            Future<Void> sent = request.response().end(Buffer.buffer(new byte[BYTES]));
            sent.onComplete(left);
            pace.watch(vertx, request, sent, BYTES);
        }).listen(0));
        client = vertx.createHttpClient(new HttpClientOptions().setProtocolVersion(HttpVersion.HTTP_2).setHttp2ClearTextUpgrade(false));
    }

    @AfterEach
    void stop() {
        Await.result(vertx.close());
    }

    private Future<HttpClientResponse> answer() {
        return client.request(HttpMethod.GET, server.actualPort(), "localhost", "/").compose(request -> request.send().onSuccess(HttpClientResponse::pause));
    }

    @Test
    void aStreamThatIsGrantedNothingIsResetAfterItsTime() {
        HttpClientResponse answer = Await.result(answer());
        assertThat(answer.statusCode()).isEqualTo(200);
        Await.until("the server gives up", () -> left.future().failed());
    }

    @Test
    void aStreamThatTakesItIsLeftAlone() {
        Buffer whole = Await.result(answer().compose(one -> {
            Future<Buffer> body = one.body();
            one.resume();
            return body;
        }));
        assertThat(whole.length()).isEqualTo(BYTES);
        Await.result(left.future());
    }
}
