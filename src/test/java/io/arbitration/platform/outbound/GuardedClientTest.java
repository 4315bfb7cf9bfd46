package io.arbitration.platform.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.Keytool;
import io.arbitration.platform.FreePort;
import io.arbitration.platform.outbound.OutboundFailure.Kind;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.JksOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.TrustOptions;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(VertxExtension.class)
class GuardedClientTest {

    private static final AddressRules LOOPBACK_ALLOWED = new AddressRules(List.of(Cidr.parse("127.0.0.1/32")), () -> 0);
    private static final Duration GENEROUS = Duration.ofSeconds(10);

    private static Vertx vertx;
    private static JksOptions certificate;
    @TempDir
    private static Path folder;

    /** Name servers whose answers a test sets: the next one each time, the last one for ever. */
    private static final class Answers implements Names {
        private final Map<String, Deque<List<String>>> answers = new HashMap<>();
        private final List<String> asked = Collections.synchronizedList(new ArrayList<>());

        @SafeVarargs
        final Answers say(String host, List<String>... addresses) {
            answers.put(host, new ArrayDeque<>(List.of(addresses)));
            return this;
        }

        @Override
        public Future<List<InetAddress>> resolve(String host) {
            asked.add(host);
            Deque<List<String>> next = answers.get(host);
            if (next == null) {
                return Future.failedFuture(new UnknownHostException(host));
            }
            return Future.succeededFuture((next.size() > 1 ? next.poll() : next.peek()).stream().map(GuardedClientTest::address).toList());
        }
    }

    @BeforeAll
    static void open(Vertx vertx) throws IOException, InterruptedException {
        GuardedClientTest.vertx = vertx;
        Path store = folder.resolve("server.p12");
        Keytool.run("-genkeypair", "-keystore", store.toString(), "-storepass", "changeit", "-alias", "server", "-keyalg", "EC", "-groupname", "secp256r1",
                "-dname", "CN=hook.example", "-ext", "san=dns:hook.example", "-validity", "2", "-storetype", "PKCS12");
        certificate = new JksOptions().setPath(store.toString()).setPassword("changeit");
    }

    @Test
    void whatIsSentArrivesAndTheAnswerComesBack() throws Exception {
        int port = serve(request -> request.body().onSuccess(body -> request.response().setStatusCode(202)
                .putHeader("X-Seen", request.getHeader("Host") + " " + request.path() + " " + request.getHeader("X-Mine") + " " + body).end("thanks")));
        OutboundAnswer answer = done(client(new Answers().say("hook.example", List.of("127.0.0.1")), Optional.empty())
                .send(request("http://hook.example:" + port + "/in?x=1", GENEROUS)));
        assertThat(answer.status()).isEqualTo(202);
        assertThat(answer.headers().get("X-Seen")).isEqualTo("hook.example:" + port + " /in yes hello");
        assertThat(answer.body()).hasToString("thanks");
        assertThat(answer.cut()).isFalse();
    }

    @Test
    void aNameThatLeadsToAPrivateAddressIsNotCalled() {
        for (String address : List.of("127.0.0.1", "169.254.169.254", "10.0.0.5", "::1", "64:ff9b::7f00:1", "fd00:ec2::254")) {
            GuardedClient strict = new GuardedClient(vertx, new AddressRules(List.of(), () -> 0), new Answers().say("evil.example", List.of(address)), Optional.empty());
            assertFailure(strict.send(request("https://evil.example/", GENEROUS)), Kind.REFUSED_ADDRESS, "which is not called");
        }
    }

    @Test
    void aPrivateAddressBesideAPublicOneIsLeftOut() throws Exception {
        GuardedClient strict = new GuardedClient(vertx, new AddressRules(List.of(), () -> 0),
                new Answers().say("mixed.example", List.of("127.0.0.1", "1.1.1.1", "10.0.0.1")), Optional.empty());
        assertThat(done(strict.check(TargetUrl.parse("https://mixed.example/")))).containsExactly(address("1.1.1.1"));
    }

    @Test
    void aNameThatChangesItsAnswerReachesOnlyWhatWasChecked() throws Exception {
        List<String> called = Collections.synchronizedList(new ArrayList<>());
        int port = serve(request -> {
            called.add(request.path());
            request.response().end();
        });
        // First an address that is allowed, then one that is not: the second call must not be made, kept connection or not.
        Answers rebinding = new Answers().say("rebind.example", List.of("127.0.0.1"), List.of("127.0.0.2"));
        GuardedClient client = client(rebinding, Optional.empty());
        done(client.send(request("http://rebind.example:" + port + "/first", GENEROUS)));
        assertFailure(client.send(request("http://rebind.example:" + port + "/second", GENEROUS)), Kind.REFUSED_ADDRESS, "loopback");
        assertThat(called).containsExactly("/first");
        // One look-up a call: there is no second one between the check and the connection.
        assertThat(rebinding.asked).hasSize(2);
    }

    @Test
    void plainHttpIsCalledOnlyWhereTheOperatorExempted() {
        GuardedClient client = client(new Answers().say("public.example", List.of("1.1.1.1")), Optional.empty());
        assertFailure(client.send(request("http://public.example/", GENEROUS)), Kind.REFUSED_ADDRESS, "https");
    }

    @Test
    void theManagementPortOfTheNodeIsNotCalledWhereTheOperatorExemptedLoopback() throws Exception {
        int port = serve(request -> request.response().end());
        int management = serve(request -> request.response().end());
        GuardedClient client = new GuardedClient(vertx, new AddressRules(List.of(Cidr.parse("127.0.0.0/8")), () -> management),
                new Answers().say("hook.example", List.of("127.0.0.1")), Optional.empty());
        for (String host : List.of("hook.example", "127.0.0.1")) {
            assertThat(done(client.send(request("http://%s:%d/".formatted(host, port), GENEROUS))).status()).isEqualTo(200);
            assertFailure(client.send(request("http://%s:%d/metrics".formatted(host, management), GENEROUS)), Kind.OWN_PORT, "management port");
        }
    }

    @Test
    void aRedirectIsAnAnswerAndNotFollowed() throws Exception {
        int port = serve(request -> request.response().setStatusCode(301).putHeader("Location", "http://169.254.169.254/latest/meta-data").end());
        assertThat(done(client(new Answers(), Optional.empty()).send(request("http://127.0.0.1:" + port + "/", GENEROUS))).status()).isEqualTo(301);
    }

    @Test
    void anEndlessAnswerIsCutAtTheBound() throws Exception {
        int port = serve(request -> {
            request.response().setChunked(true);
            request.response().exceptionHandler(gone -> {});
            pour(request);
        });
        OutboundAnswer answer = done(client(new Answers(), Optional.empty()).send(request("http://127.0.0.1:" + port + "/", GENEROUS)));
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.cut()).isTrue();
        assertThat(answer.body().length()).isEqualTo(65_536);
    }

    @Test
    void anAnswerThatDripsEndsWithItsTime() throws Exception {
        int port = serve(request -> {
            request.response().setChunked(true).exceptionHandler(gone -> {});
            vertx.setPeriodic(50, timer -> {
                if (request.response().closed()) {
                    vertx.cancelTimer(timer);
                } else {
                    request.response().write(".");
                }
            });
        });
        long start = System.nanoTime();
        assertFailure(client(new Answers(), Optional.empty()).send(request("http://127.0.0.1:" + port + "/", Duration.ofMillis(400))), Kind.TIMEOUT, "400 ms");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
    }

    @Test
    void aServerThatNeverAnswersEndsWithItsTime() throws Exception {
        int port = listen(socket -> {});
        assertFailure(client(new Answers(), Optional.empty()).send(request("http://127.0.0.1:" + port + "/", Duration.ofMillis(300))), Kind.TIMEOUT, "300 ms");
    }

    @Test
    void aTlsHandshakeThatHangsEndsWithItsTime() throws Exception {
        int port = listen(socket -> {});
        assertFailure(client(new Answers(), Optional.empty()).send(request("https://127.0.0.1:" + port + "/", Duration.ofMillis(300))), Kind.TIMEOUT, "300 ms");
    }

    @Test
    void aConnectionResetInTheMiddleOfTheBodyIsAFailure() throws Exception {
        int port = listen(socket -> socket.handler(request ->
                socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf").onComplete(written -> socket.close())));
        assertFailure(client(new Answers(), Optional.empty()).send(request("http://127.0.0.1:" + port + "/", GENEROUS)), Kind.BROKEN, "");
    }

    @Test
    void aPortWhereNobodyListensIsAFailure() throws Exception {
        assertFailure(client(new Answers(), Optional.empty()).send(request("http://127.0.0.1:" + FreePort.any() + "/", GENEROUS)), Kind.CONNECT, "refused");
    }

    @Test
    void theNextAddressOfANameIsTriedWhenTheFirstDoesNotConnect() throws Exception {
        int port = serve(request -> request.response().end("second"));
        GuardedClient client = new GuardedClient(vertx, new AddressRules(List.of(Cidr.parse("127.0.0.0/8")), () -> 0),
                new Answers().say("two.example", List.of("127.0.0.9", "127.0.0.1")), Optional.empty());
        assertThat(done(client.send(request("http://two.example:" + port + "/", GENEROUS))).body()).hasToString("second");
    }

    @Test
    void anAnswerThatIsNotHttpIsAFailure() throws Exception {
        int port = listen(socket -> socket.handler(request -> socket.write("SSH-2.0-OpenSSH_9.9\r\n")));
        assertFailure(client(new Answers(), Optional.empty()).send(request("http://127.0.0.1:" + port + "/", GENEROUS)), Kind.BROKEN, "");
    }

    @Test
    void keptConnectionsServeManyRequests() throws Exception {
        List<String> peers = Collections.synchronizedList(new ArrayList<>());
        int port = serve(request -> {
            peers.add(request.remoteAddress().toString());
            request.response().end();
        });
        GuardedClient client = client(new Answers(), Optional.empty());
        for (int i = 0; i < 20; i++) {
            done(client.send(request("http://127.0.0.1:" + port + "/", GENEROUS)));
        }
        assertThat(peers).hasSize(20);
        // An answer is told a moment before its connection is back in the pool, so a second one may be made.
        assertThat(peers.stream().distinct()).hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void overTlsTheCertificateIsCheckedByNameAndTheNameIsIndicated() throws Exception {
        int port = serveTls(List.of(HttpVersion.HTTP_1_1));
        Answers names = new Answers().say("hook.example", List.of("127.0.0.1")).say("other.example", List.of("127.0.0.1"));
        GuardedClient trusting = client(names, Optional.of(certificate));
        OutboundAnswer answer = done(trusting.send(request("https://hook.example:" + port + "/", GENEROUS)));
        assertThat(answer.body()).hasToString("HTTP_1_1 hook.example");
        assertFailure(trusting.send(request("https://other.example:" + port + "/", GENEROUS)), Kind.TLS, "");
        assertFailure(trusting.send(request("https://127.0.0.1:" + port + "/", GENEROUS)), Kind.TLS, "");
        assertFailure(client(names, Optional.empty()).send(request("https://hook.example:" + port + "/", GENEROUS)), Kind.TLS, "");
    }

    @Test
    void aPeerThatSpeaksHttp2IsSpokenToInIt() throws Exception {
        int port = serveTls(List.of(HttpVersion.HTTP_2, HttpVersion.HTTP_1_1));
        GuardedClient trusting = client(new Answers().say("hook.example", List.of("127.0.0.1")), Optional.of(certificate));
        assertThat(done(trusting.send(request("https://hook.example:" + port + "/", GENEROUS))).body()).hasToString("HTTP_2 hook.example");
    }

    @Test
    void theNameOfThisMachineIsFoundInTheHostsFile() throws Exception {
        GuardedClient client = new GuardedClient(vertx, LOOPBACK_ALLOWED, List.of());
        assertThat(done(client.check(TargetUrl.parse("http://localhost:4000/")))).containsExactly(address("127.0.0.1"));
        assertFailure(client.check(TargetUrl.parse("https://nobody.invalid/")), Kind.NAME_NOT_RESOLVED, "nobody.invalid");
        done(client.close());
    }

    private static void pour(HttpServerRequest request) {
        while (!request.response().closed() && !request.response().writeQueueFull()) {
            request.response().write(Buffer.buffer(new byte[8192]));
        }
        if (!request.response().closed()) {
            request.response().drainHandler(more -> pour(request));
        }
    }

    private static GuardedClient client(Names names, Optional<TrustOptions> trust) {
        return new GuardedClient(vertx, LOOPBACK_ALLOWED, names, trust);
    }

    private static OutboundRequest request(String url, Duration within) {
        return new OutboundRequest(TargetUrl.parse(url), HttpMethod.POST, Map.of("X-Mine", "yes"), Buffer.buffer("hello"), within, 65_536);
    }

    private static int serve(Consumer<HttpServerRequest> handler) throws Exception {
        HttpServer server = vertx.createHttpServer().requestHandler(handler::accept);
        return done(server.listen(0, "127.0.0.1")).actualPort();
    }

    private static int serveTls(List<HttpVersion> versions) throws Exception {
        HttpServer server = vertx.createHttpServer(new HttpServerOptions().setSsl(true).setSni(true).setKeyCertOptions(certificate).setUseAlpn(true).setAlpnVersions(versions))
                .requestHandler(request -> request.response().end(request.version() + " " + request.connection().indicatedServerName()));
        return done(server.listen(0, "127.0.0.1")).actualPort();
    }

    private static int listen(Consumer<NetSocket> handler) throws Exception {
        return done(vertx.createNetServer().connectHandler(handler::accept).listen(0, "127.0.0.1")).actualPort();
    }

    private static void assertFailure(Future<?> future, Kind kind, String message) {
        assertThatThrownBy(() -> done(future))
                .isInstanceOfSatisfying(OutboundFailure.class, failure -> assertThat(failure.kind()).as(failure.getMessage()).isEqualTo(kind))
                .hasMessageContaining(message);
    }

    private static <T> T done(Future<T> future) throws Exception {
        try {
            return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof Exception cause ? cause : failed;
        }
    }

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException broken) {
            throw new IllegalArgumentException(broken);
        }
    }
}
