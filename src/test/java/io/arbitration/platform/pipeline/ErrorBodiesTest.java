package io.arbitration.platform.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.arbitration.Await;
import io.arbitration.platform.answer.LeastPace;
import io.arbitration.platform.limits.ByteBudget;
import io.arbitration.platform.request.RequestId;
import io.arbitration.platform.telemetry.SecurityEvents;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What nobody foresaw: the caller is told that something failed and nothing else, and the log is told all of it. */
class ErrorBodiesTest {

    @Test
    void anUnexpectedFailureIsLoggedAndTheCallerLearnsNothingOfIt() throws Exception {
        Logger log = (Logger) LoggerFactory.getLogger(ErrorBodies.class);
        List<ILoggingEvent> written = new CopyOnWriteArrayList<>();
        AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent event) {
                written.add(event);
            }
        };
        appender.setContext(log.getLoggerContext());
        appender.start();
        log.addAppender(appender);
        Vertx vertx = Vertx.vertx();
        try {
            Router router = Router.router(vertx);
            router.route().handler(new RequestId()).failureHandler(new ErrorBodies(new SecurityEvents(new SimpleMeterRegistry()),
                    new ReplySender(false, new LeastPace(1024, 30), new AnswerBudget(new ByteBudget.Bounds(1 << 20, 1 << 20, 1 << 20)), 0, new SimpleMeterRegistry())));
            router.route("/thrown").handler(context -> {
                throw new IllegalStateException("select secret from table of host 10.0.0.7");
            });
            router.route("/failed").handler(context -> context.fail(new IllegalArgumentException("password=hush")));
            HttpServer server = Await.result(vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1"));
            for (String path : List.of("/thrown", "/failed")) {
                HttpResponse<String> answer = HttpClient.newHttpClient().send(HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:%d%s".formatted(server.actualPort(), path))).build(), HttpResponse.BodyHandlers.ofString());
                assertThat(answer.statusCode()).isEqualTo(500);
                assertThat(answer.body()).isEqualTo("\"internal error\"");
                assertThat(answer.headers().map().toString()).doesNotContain("secret", "hush", "IllegalState");
            }
        } finally {
            log.detachAppender(appender);
            Await.result(vertx.close());
        }
        assertThat(written).hasSize(2).allSatisfy(line -> {
            assertThat(line.getLevel()).isEqualTo(Level.ERROR);
            assertThat(line.getThrowableProxy()).isNotNull();
        });
        assertThat(written.getFirst().getThrowableProxy().getMessage()).contains("10.0.0.7");
    }
}
