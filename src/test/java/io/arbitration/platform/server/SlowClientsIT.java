package io.arbitration.platform.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.Settings;
import io.arbitration.platform.config.Configuration;
import io.arbitration.platform.limits.RateLimiter;
import io.arbitration.platform.limits.SharedRateLimiters;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpConnectOptions;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Connections that cost a client nothing and the node something. */
@ExtendWith(VertxExtension.class)
class SlowClientsIT {

    private static final int WINDOW_SECONDS = 1;
    private static final Path HOME = Path.of("").toAbsolutePath();

    private interface Check {
        void on(int port) throws Exception;
    }

    /** A server of 8 MB answers behind the limit of connections, with what is set here. */
    private static void withServer(Map<String, String> environment, Check check) throws Exception {
        Settings settings = Settings.read(Configuration.load(HOME, environment), HOME);
        SharedRateLimiters rates = new SharedRateLimiters(environment.containsKey("ACP_RATE_LIMIT_CONNECTIONS_PER_ADDRESS"), 1000);
        RateLimiter newConnections = rates.limiter("connections", settings.rateLimit().connectionsPerAddress(), Duration.ofHours(1));
        RateLimiter refusals = rates.limiter("refusals", settings.rateLimit().refusalsPerAddress(), Duration.ofHours(1));
        ConnectionLimit limit = new ConnectionLimit(settings.server(), newConnections, refusals, WINDOW_SECONDS);
        Vertx vertx = Vertx.builder().withTransport(limit).build();
        try {
            Buffer large = Buffer.buffer(new byte[8 << 20]);
            HttpServer server = Await.result(vertx.createHttpServer(new HttpServerOptions().setSendBufferSize(PublicServer.SEND_BUFFER_BYTES)).connectionHandler(limit::served)
                    .requestHandler(request -> request.response().end(request.path().equals("/large") ? large : Buffer.buffer("small"))).listen(0));
            limit.guard(server.actualPort());
            check.on(server.actualPort());
            Await.until("no connection is counted any more", () -> limit.open().get() == 0);
        } finally {
            Await.result(vertx.close());
        }
    }

    private static boolean isOpen(RawConnection connection) throws IOException {
        try {
            return connection.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").read() != null;
        } catch (IOException reset) {
            return false;
        }
    }

    @Test
    void anAddressHasABoundOfItsOwn() throws Exception {
        withServer(Map.of("ACP_HTTP_CONNECTIONS_PER_ADDRESS", "3"), port -> {
            List<RawConnection> open = new ArrayList<>();
            try {
                for (int i = 0; i < 3; i++) {
                    open.add(new RawConnection(port));
                    assertThat(isOpen(open.getLast())).isTrue();
                }
                try (RawConnection tooMany = new RawConnection(port)) {
                    assertThat(isOpen(tooMany)).isFalse();
                }
                open.removeFirst().close();
                Await.until("what was closed makes room", () -> {
                    RawConnection again = new RawConnection(port);
                    open.add(again);
                    return isOpen(again);
                });
            } finally {
                for (RawConnection connection : open) {
                    connection.close();
                }
            }
        });
    }

    /** With TLS each new one makes the server sign before its client has done anything. */
    @Test
    void anAddressOpensSoManyConnectionsInATime() throws Exception {
        withServer(Map.of("ACP_RATE_LIMIT_CONNECTIONS_PER_ADDRESS", "5"), port -> {
            for (int i = 0; i < 5; i++) {
                try (RawConnection one = new RawConnection(port)) {
                    assertThat(isOpen(one)).isTrue();
                }
            }
            try (RawConnection tooMany = new RawConnection(port)) {
                assertThat(isOpen(tooMany)).isFalse();
            }
        });
        withServer(Map.of("ACP_RATE_LIMIT_CONNECTIONS_PER_ADDRESS", "1", "ACP_HTTP_TRUSTED_PROXIES", "127.0.0.1"), port -> {
            for (int i = 0; i < 5; i++) {
                try (RawConnection ofProxy = new RawConnection(port)) {
                    assertThat(isOpen(ofProxy)).isTrue();
                }
            }
        });
    }

    /** Behind a proxy all connections come from one address, and say nothing of who is behind it. */
    @Test
    void aTrustedProxyIsNotCounted() throws Exception {
        withServer(Map.of("ACP_HTTP_CONNECTIONS_PER_ADDRESS", "1", "ACP_HTTP_TRUSTED_PROXIES", "127.0.0.1"), port -> {
            try (RawConnection one = new RawConnection(port); RawConnection other = new RawConnection(port)) {
                assertThat(isOpen(one)).isTrue();
                assertThat(isOpen(other)).isTrue();
            }
        });
    }

    @Test
    void whoTakesAnAnswerSlowerThanTheLeastPaceIsCutOff() throws Exception {
        withServer(Map.of("ACP_HTTP_PACE_BYTES_MIN", "65536"), port -> {
            try (Socket slow = new Socket()) {
                slow.setReceiveBufferSize(4096);
                slow.connect(new InetSocketAddress("127.0.0.1", port));
                slow.setSoTimeout(30_000);
                slow.getOutputStream().write("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes());
                assertThat(slow.getInputStream().read()).isEqualTo('H');
                // Nothing more is read until the server has given up; what is left in its socket still comes.
                Await.until("the connection is cut off", () -> isReset(slow));
            }
        });
    }

    /** A write into a connection that the other side has closed fails, at the latest at the second time. */
    private static boolean isReset(Socket socket) {
        try {
            socket.getOutputStream().write("x".getBytes());
            return false;
        } catch (IOException reset) {
            return true;
        }
    }

    @Test
    void whoTakesItsTimeButTakesItIsServed() throws Exception {
        withServer(Map.of("ACP_HTTP_PACE_BYTES_MIN", "1024"), port -> {
            try (Socket reader = new Socket()) {
                reader.setReceiveBufferSize(65_536);
                reader.connect(new InetSocketAddress("127.0.0.1", port));
                reader.setSoTimeout(30_000);
                reader.getOutputStream().write("GET /large HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".getBytes());
                long end = System.nanoTime() + 3_000_000_000L;
                long[] read = {0};
                byte[] bytes = new byte[16_384];
                Await.until("more than two windows have passed", () -> {
                    read[0] += reader.getInputStream().read(bytes);
                    return System.nanoTime() > end;
                });
                read[0] += reader.getInputStream().readAllBytes().length;
                assertThat(read[0]).isGreaterThan(8 << 20);
            }
        });
    }

    @Test
    void aConnectionThatOnlyWantsAcknowledgementsIsClosed(@TempDir Path folder, Vertx vertx) throws Exception {
        try (RunningPlatform platform = RunningPlatform.start(folder, Map.of())) {
            HttpClientAgent client = vertx.createHttpClient(new HttpClientOptions().setProtocolVersion(HttpVersion.HTTP_2).setHttp2ClearTextUpgrade(false));
            HttpClientRequest request = Await.result(client.request(HttpMethod.GET, platform.platform().port(), "localhost", "/openapi/cases.yaml"));
            assertThat((int) Await.result(request.send().map(answer -> answer.statusCode()))).isEqualTo(200);
            HttpConnection connection = request.connection();
            AtomicBoolean closed = new AtomicBoolean();
            connection.closeHandler(gone -> closed.set(true));
            for (int i = 0; i < 40; i++) {
                connection.ping(Buffer.buffer(new byte[8]));
            }
            assertThat(closed.get()).as("a few pings are well").isFalse();
            for (int i = 0; i < 200; i++) {
                connection.ping(Buffer.buffer(new byte[8]));
            }
            Await.until("the connection is closed", closed::get);
            HttpConnection silent = Await.result(client.connect(new HttpConnectOptions().setHost("localhost").setPort(platform.platform().port())));
            AtomicBoolean silentClosed = new AtomicBoolean();
            silent.closeHandler(gone -> silentClosed.set(true));
            for (int i = 0; i < 200; i++) {
                silent.ping(Buffer.buffer(new byte[8]));
            }
            Await.until("one that never asks for anything is closed too", silentClosed::get);
            assertThat(platform.get("/openapi/cases.yaml").status()).isEqualTo(200);
        }
    }

    @Test
    void anUploadThatDripsIsRefusedBelowTheLeastPace(@TempDir Path folder) throws Exception {
        assertThat(ofADrippingUpload(folder, Map.of("ACP_HTTP_BODY_SECONDS", "3", "ACP_HTTP_PACE_BYTES_MIN", "4096"))).contains("The body did not arrive within 1 seconds.");
    }

    @Test
    void anUploadHasABoundOnItsWholeTime(@TempDir Path folder) throws Exception {
        assertThat(ofADrippingUpload(folder, Map.of("ACP_HTTP_PACE_BYTES_MIN", "1", "ACP_HTTP_UPLOAD_SECONDS", "2"))).contains("The body did not arrive within 2 seconds.");
    }

    /** The refusal, with status 408. */
    private static String ofADrippingUpload(Path folder, Map<String, String> settings) throws Exception {
        try (RunningPlatform platform = RunningPlatform.start(folder, settings)) {
            OpenCase open = OpenCase.on(platform);
            String begun = "--b\r\nContent-Disposition: form-data; name=\"caseID\"\r\n\r\n%s\r\n--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n"
                    .formatted(open.caseId()) + "Content-Type: text/plain\r\n\r\n";
            try (RawConnection slow = new RawConnection(platform.platform().port())) {
                slow.send("POST /api/evidence/uploads/create HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + open.claimant().token()
                        + "\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 900000\r\n\r\n" + begun);
                Await.until("an answer", () -> {
                    slow.send("x");
                    return slow.hasAnswer();
                });
                RawConnection.Answer answer = slow.read();
                assertThat(answer.status()).as(answer.body()).isEqualTo(408);
                return answer.body();
            }
        }
    }
}
