package io.arbitration.platform.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.platform.answer.HttpError;
import io.arbitration.platform.answer.LeastPace;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.body.BodyReader;
import io.arbitration.platform.body.BodySettings;
import io.arbitration.platform.limits.ByteBudget;
import io.arbitration.platform.request.RequestId;
import io.arbitration.platform.telemetry.SecurityEvents;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.StreamResetException;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
    private static final int BODY_BYTES = 300_000;
    private static final int HEAD_BYTES = 5000;

    private final Vertx vertx = Vertx.vertx();
    private final AnswerBudget answers = new AnswerBudget(new ByteBudget.Bounds(1 << 20, 1 << 20, 1 << 20));
    private final ByteBudget bodies = new ByteBudget(new ByteBudget.Bounds(1 << 20, 1 << 20, 1 << 20));
    private final Promise<RoutingContext> refused = Promise.promise();
    private final List<HttpClient> clients = new ArrayList<>();
    private HttpServer server;

    @BeforeEach
    void start() {
        ReplySender sender = new ReplySender(false, new LeastPace(4 * LONG_BYTES, 1), answers, 0, new SimpleMeterRegistry());
        Router router = Router.router(vertx);
        router.get("/:bytes").handler(context -> sender.send(context,
                new Reply(200, "application/octet-stream", Buffer.buffer(new byte[Integer.parseInt(context.pathParam("bytes"))]), Map.of())));
        BodySettings reading = new BodySettings(1 << 20, new ByteBudget.Bounds(1 << 20, 1 << 20, 1 << 20), 1 << 20, Duration.ofMinutes(1), 1, Duration.ofMinutes(1));
        router.route("/refused").handler(new RequestId()).failureHandler(new ErrorBodies(new SecurityEvents(new SimpleMeterRegistry()), sender));
        router.post("/refused").handler(new BodyReader(reading, 1 << 20, bodies, context -> new ByteBudget.Owner("one", false))).handler(context -> {
            assertThat(BodyReader.body(context).length()).isEqualTo(BODY_BYTES);
            refused.complete(context);
            context.fail(HttpError.PATH.refusal());
        });
        router.head("/refused").handler(context -> context.fail(HttpError.PATH.refusal()));
        server = Await.result(vertx.createHttpServer().requestHandler(router).listen(0));
    }

    @AfterEach
    void stop() {
        Await.result(vertx.close());
    }

    /** Held until the end, because Vert.x closes a client that nobody holds any more at the next garbage collection. */
    private HttpClient client(HttpClientOptions options) {
        clients.add(vertx.createHttpClient(options));
        return clients.getLast();
    }

    private Future<HttpClientResponse> answer(int bytes, HttpClientOptions options) {
        return client(options.setProtocolVersion(HttpVersion.HTTP_2).setHttp2ClearTextUpgrade(false))
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

    /** An error as well, of which it keeps the head of the request in memory, but no body. */
    @Test
    void anErrorThatIsNotTakenIsCountedAndResetAfterItsTimeAndItsRequestsBodyIsDropped() {
        Promise<Throwable> reset = Promise.promise();
        HttpClientOptions grantingNothing = new HttpClientOptions().setProtocolVersion(HttpVersion.HTTP_2).setHttp2ClearTextUpgrade(false)
                .setInitialSettings(new Http2Settings().setInitialWindowSize(0));
        HttpClientResponse answer = Await.result(client(grantingNothing).request(HttpMethod.POST, server.actualPort(), "localhost", "/refused")
                .compose(request -> request.putHeader("X-Long", "x".repeat(HEAD_BYTES)).send(Buffer.buffer(new byte[BODY_BYTES])))
                .onSuccess(one -> one.exceptionHandler(reset::tryComplete)));
        assertThat(answer.statusCode()).isEqualTo(404);
        RoutingContext context = Await.result(refused.future());
        assertThat(context.response().ended()).as("waits for the client").isFalse();
        assertThat(BodyReader.body(context).length()).as("body of the request").isZero();
        assertThat(bodies.held()).isZero();
        assertThat(answers.held()).isGreaterThan(HEAD_BYTES);
        assertThat(Await.result(reset.future())).isInstanceOf(StreamResetException.class);
        Await.until("nothing is held any more", () -> answers.held() == 0);
    }

    @Test
    void anErrorThatIsTakenEndsWhole() {
        for (HttpMethod method : List.of(HttpMethod.POST, HttpMethod.HEAD)) {
            Buffer body = Await.result(client(new HttpClientOptions().setProtocolVersion(HttpVersion.HTTP_2).setHttp2ClearTextUpgrade(false))
                    .request(method, server.actualPort(), "localhost", "/refused")
                    .compose(request -> method == HttpMethod.HEAD ? request.send() : request.send(Buffer.buffer(new byte[BODY_BYTES])))
                    .compose(one -> one.body()));
            assertThat(body.length() > 0).as(method.name()).isEqualTo(method == HttpMethod.POST);
        }
        Await.until("nothing is held any more", () -> answers.held() == 0);
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
