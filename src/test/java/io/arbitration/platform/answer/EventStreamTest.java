package io.arbitration.platform.answer;

import io.arbitration.Await;
import io.vertx.core.Context;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.Router;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** However a stream ends, it is told so, and so is whatever else awaits the end of its request. */
class EventStreamTest {

    private static final int UNREAD_MEGABYTES = 32;

    private record Opened(EventStream events, Context own) {
        void run(Consumer<EventStream> then) {
            own.runOnContext(on -> then.accept(events));
        }
    }

    private final Vertx vertx = Vertx.vertx();
    private final Promise<Opened> opened = Promise.promise();
    private final Promise<Void> requestEnded = Promise.promise();
    private final Promise<Void> closed = Promise.promise();
    private HttpServer server;
    /** Kept: one that nobody refers to is closed when it is collected. */
    private HttpClient client;

    @BeforeEach
    void start() {
        Router router = Router.router(vertx);
        router.get("/").handler(context -> {
            context.addEndHandler(over -> requestEnded.complete());
            EventStream events = EventStream.open(vertx, context.request(), then -> context.addEndHandler(over -> then.run()));
            events.whenClosed(closed::complete);
            opened.complete(new Opened(events, vertx.getOrCreateContext()));
        });
        server = Await.result(vertx.createHttpServer().requestHandler(router).listen(0));
    }

    @AfterEach
    void stop() {
        Await.result(vertx.close());
    }

    private HttpClientResponse asked(HttpVersion version) {
        client = vertx.createHttpClient(new HttpClientOptions().setProtocolVersion(version).setHttp2ClearTextUpgrade(false));
        return Await.result(client.request(HttpMethod.GET, server.actualPort(), "localhost", "/").compose(request -> request.send()));
    }

    private void ends() {
        Await.result(closed.future());
        Await.result(requestEnded.future());
    }

    @ParameterizedTest
    @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
    void byItsServer(HttpVersion version) {
        asked(version);
        Await.result(opened.future()).run(EventStream::end);
        ends();
    }

    @ParameterizedTest
    @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
    void byACut(HttpVersion version) {
        asked(version);
        Await.result(opened.future()).run(EventStream::disconnect);
        ends();
    }

    /** More is written than the buffers of both sides take. */
    @ParameterizedTest
    @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
    void byACutWhileItsClientReadsNothing(HttpVersion version) {
        asked(version).pause();
        Await.result(opened.future()).run(events -> {
            for (int i = 0; i < UNREAD_MEGABYTES; i++) {
                events.send(String.valueOf(i), "large", "x".repeat(1 << 20));
            }
            events.disconnect();
        });
        ends();
    }

    @ParameterizedTest
    @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
    void byItsClient(HttpVersion version) {
        asked(version).request().reset();
        ends();
    }
}
