package io.arbitration.platform.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.platform.answer.LeastPace;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.limits.ByteBudget;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.StreamResetException;
import io.vertx.ext.web.Router;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Over HTTP/2 a client grants each stream what may be sent: one that grants nothing must not hold an answer for ever. */
class LeastPaceIT {

    private static final int LONG_BYTES = 4 << 20;
    private static final int SHORT_BYTES = 100;

    private final Vertx vertx = Vertx.vertx();
    private HttpServer server;

    @BeforeEach
    void start() {
        ReplySender sender = new ReplySender(false, new LeastPace(4 * LONG_BYTES, 1), new AnswerBudget(new ByteBudget.Bounds(1 << 20, 1 << 20, 1 << 20)), 0, new SimpleMeterRegistry());
        Router router = Router.router(vertx);
        router.get("/:bytes").handler(context -> sender.send(context,
                new Reply(200, "application/octet-stream", Buffer.buffer(new byte[Integer.parseInt(context.pathParam("bytes"))]), Map.of())));
        server = Await.result(vertx.createHttpServer().requestHandler(router).listen(0));
    }

    @AfterEach
    void stop() {
        Await.result(vertx.close());
    }

    private Future<HttpClientResponse> answer(int bytes, HttpClientOptions options) {
        return vertx.createHttpClient(options.setProtocolVersion(HttpVersion.HTTP_2).setHttp2ClearTextUpgrade(false))
                .request(HttpMethod.GET, server.actualPort(), "localhost", "/" + bytes).compose(request -> request.send());
    }

    @ParameterizedTest
    @ValueSource(ints = {SHORT_BYTES, LONG_BYTES})
    void aStreamThatIsGrantedNothingIsResetAfterItsTime(int bytes) {
        Promise<Throwable> reset = Promise.promise();
        HttpClientOptions grantingNothing = new HttpClientOptions().setInitialSettings(new Http2Settings().setInitialWindowSize(0));
        HttpClientResponse answer = Await.result(answer(bytes, grantingNothing).onSuccess(one -> one.exceptionHandler(reset::tryComplete)));
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(Await.result(reset.future())).isInstanceOf(StreamResetException.class);
    }

    @Test
    void aStreamThatTakesItIsAnsweredWhole() {
        for (int bytes : new int[] {0, SHORT_BYTES, 65_536, 65_537, LONG_BYTES}) {
            HttpClientResponse answer = Await.result(answer(bytes, new HttpClientOptions()).compose(one -> one.body().map(whole -> {
                assertThat(whole.length()).isEqualTo(bytes);
                return one;
            })));
            assertThat(answer.getHeader("Content-Length")).isEqualTo(String.valueOf(bytes));
        }
    }
}
