package io.arbitration.identity.signin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.Keytool;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PfxOptions;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(VertxExtension.class)
class KeySetSourceTest {

    @TempDir
    static Path folder;

    private static Vertx vertx;
    private static KeySetSource sources;

    @BeforeAll
    static void start(Vertx vertx) {
        KeySetSourceTest.vertx = vertx;
        sources = new KeySetSource(vertx);
    }

    private static int serve(HttpServerOptions options, io.vertx.core.Handler<io.vertx.core.http.HttpServerRequest> handler) {
        return await(vertx.createHttpServer(options).requestHandler(handler).listen(0, "localhost")).actualPort();
    }

    @Test
    void aServerThatNobodyVouchesForIsNotAsked() throws Exception {
        AtomicInteger requests = new AtomicInteger();
        int port = serve(
                new HttpServerOptions().setSsl(true).setKeyCertOptions(new PfxOptions()
                        .setPath(selfSigned().toString()).setPassword("changeit")),
                request -> {
                    requests.incrementAndGet();
                    request.response().end("{\"keys\":[]}");
                });
        assertThatThrownBy(() -> await(sources.url("https://localhost:" + port + "/keys").get()))
                .rootCause().satisfiesAnyOf(
                        cause -> assertThat(cause).isInstanceOf(SSLException.class),
                        cause -> assertThat(cause).hasMessageContaining("certification path"));
        assertThat(requests).hasValue(0);
    }

    @Test
    void redirectsAreNotFollowed() {
        AtomicInteger elsewhere = new AtomicInteger();
        int target = serve(new HttpServerOptions(), request -> {
            elsewhere.incrementAndGet();
            request.response().end("{\"keys\":[]}");
        });
        int port = serve(new HttpServerOptions(), request ->
                request.response().setStatusCode(302).putHeader("Location", "http://localhost:" + target + "/").end());
        assertThatThrownBy(() -> await(sources.url("http://localhost:" + port + "/keys").get())).hasMessageContaining("answered 302");
        assertThat(elsewhere).hasValue(0);
    }

    @Test
    void anEndlessAnswerIsCutOff() {
        int port = serve(new HttpServerOptions(), request -> {
            request.response().setChunked(true);
            vertx.setPeriodic(1, timer -> {
                if (request.response().closed()) {
                    vertx.cancelTimer(timer);
                } else {
                    request.response().write("x".repeat(65_536));
                }
            });
        });
        assertThatThrownBy(() -> await(sources.url("http://localhost:" + port + "/keys").get()))
                .hasMessageContaining("longer than " + ProviderKeys.SET_LENGTH_MAX);
    }

    @Test
    void aFileIsReadUpToItsBound() throws IOException {
        Path good = Files.writeString(folder.resolve("good.json"), "{\"keys\":[]}");
        assertThat(await(sources.file(good).get())).isEqualTo("{\"keys\":[]}");
        Path large = Files.writeString(folder.resolve("large.json"), " ".repeat(ProviderKeys.SET_LENGTH_MAX + 1));
        assertThatThrownBy(() -> await(sources.file(large).get())).hasMessageContaining("longer than");
        assertThatThrownBy(() -> await(sources.file(folder.resolve("missing.json")).get())).hasMessageContaining("missing.json");
    }

    private static Path selfSigned() throws Exception {
        Path store = folder.resolve("self-signed.p12");
        Keytool.run("-genkeypair", "-alias", "server", "-keyalg", "EC", "-dname", "CN=localhost", "-storetype", "PKCS12", "-keystore", store.toString(), "-storepass", "changeit");
        return store;
    }

    private static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().join();
        } catch (CompletionException failed) {
            throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
        }
    }
}
