package io.arbitration.platform.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.OtherRuntimes;
import io.arbitration.RunningPlatform;
import io.arbitration.command.bench.AnyCertificate;
import io.arbitration.platform.idempotency.Idempotency;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.junit5.VertxExtension;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The public server with TLS, a page that may call it, and areas with addresses of their own. */
@ExtendWith(VertxExtension.class)
class ProtocolIT {

    @TempDir
    private static Path folder;

    private static RunningPlatform secure;
    private static RunningPlatform plain;
    private static SSLContext trusting;

    @BeforeAll
    static void start() throws Exception {
        ServerCertificate certificate = ServerCertificate.in(folder);
        trusting = certificate.trusting();
        Map<String, String> settings = new HashMap<>(certificate.settings());
        settings.putAll(Map.of("ACP_HTTP_CORS_ORIGINS", "https://app.example.org, http://localhost:3000",
                "ACP_AREAS_ADDRESSES", "{\"cases\": {\"host\": \"cases.localhost\"}, \"profiles\": {\"port\": 0}}",
                "ACP_AREAS_ENABLED", "auth,cases,profiles"));
        secure = RunningPlatform.start(folder.resolve("secure"), settings);
        plain = RunningPlatform.shared();
    }

    private static final int PROTOCOL_ERROR = 1;
    private static final int FLOW_CONTROL_ERROR = 3;
    private static final int STREAM_CLOSED = 5;
    private static final int REFUSED_STREAM = 7;
    private static final int ENHANCE_YOUR_CALM = 11;
    private static final int STREAMS_MAX = 128;

    private interface Flood {
        void on(Http2Frames connection) throws Exception;
    }

    /** Floods a connection with frames; whoever asks on another one is answered meanwhile and after it. */
    private static void flood(Flood flood) throws Exception {
        try (Http2Frames connection = new Http2Frames(trusting, secure.platform().port())) {
            connection.send(Http2Frames.frame(Http2Frames.SETTINGS, 0, 0, Http2Frames.NOTHING));
            flood.on(connection);
            assertThat(send(HttpClient.Version.HTTP_2, post(secureUrl() + "/auth/sessions/refresh")).statusCode()).isEqualTo(400);
        }
    }

    private static boolean isGoAway(Http2Frames.Frame frame) {
        return frame.type() == Http2Frames.GOAWAY;
    }

    /** CVE-2023-44487. */
    @Test
    void aConnectionOnWhichStreamsAreOpenedAndResetIsEnded() throws Exception {
        flood(connection -> {
            for (int stream = 1; stream < 2000; stream += 2) {
                connection.send(Http2Frames.frame(Http2Frames.HEADERS, Http2Frames.END_HEADERS | Http2Frames.END_STREAM, stream, Http2Frames.GET),
                        Http2Frames.frame(Http2Frames.RST_STREAM, 0, stream, Http2Frames.number(Http2Frames.CANCEL)));
            }
            assertThat(connection.awaits(ProtocolIT::isGoAway)).isIn(null, new Http2Frames.Frame(Http2Frames.GOAWAY, 0, ENHANCE_YOUR_CALM));
            assertThat(connection.awaits(frame -> frame.type() == Http2Frames.HEADERS)).as("closed").isNull();
        });
    }

    /** CVE-2025-8671: frames that are errors of their streams, so that the server resets them itself while it works on their requests. */
    @ParameterizedTest
    @EnumSource(ErrorOfStream.class)
    void aConnectionWhoseClientMakesTheServerResetStreamsIsEnded(ErrorOfStream error) throws Exception {
        flood(connection -> {
            ByteArrayOutputStream frames = new ByteArrayOutputStream();
            for (int stream = 1; stream < 2 * STREAMS_MAX; stream += 2) {
                frames.writeBytes(Http2Frames.frame(Http2Frames.HEADERS, Http2Frames.END_HEADERS | Http2Frames.END_STREAM, stream, Http2Frames.GET));
                frames.writeBytes(error.frame(stream));
            }
            // In one record of TLS, so that the node reads them at once.
            connection.send(frames.toByteArray());
            AtomicInteger resets = new AtomicInteger();
            Http2Frames.Frame end = connection.awaits(frame -> {
                if (frame.type() == Http2Frames.RST_STREAM) {
                    resets.incrementAndGet();
                }
                return isGoAway(frame);
            });
            assertThat(end).satisfiesAnyOf(closed -> assertThat(closed).isNull(), goAway -> assertThat(goAway.error()).isIn(PROTOCOL_ERROR, FLOW_CONTROL_ERROR, STREAM_CLOSED, ENHANCE_YOUR_CALM));
            assertThat(resets.get()).as("streams reset: one more than the bound").isLessThanOrEqualTo(RESETS_OF_A_SECOND + 1);
            assertThat(connection.awaits(frame -> frame.type() == Http2Frames.HEADERS)).as("closed").isNull();
        });
    }

    @Test
    void aFewErrorsOfStreamsEndNothing() throws Exception {
        flood(connection -> {
            for (int stream = 1; stream < RESETS_OF_A_SECOND; stream += 2) {
                connection.send(Http2Frames.frame(Http2Frames.HEADERS, Http2Frames.END_HEADERS | Http2Frames.END_STREAM, stream, Http2Frames.GET),
                        ErrorOfStream.WINDOW_THAT_GROWS_BY_NOTHING.frame(stream));
            }
            connection.send(Http2Frames.frame(Http2Frames.HEADERS, Http2Frames.END_HEADERS | Http2Frames.END_STREAM, RESETS_OF_A_SECOND + 1, Http2Frames.GET));
            assertThat(connection.awaits(frame -> frame.type() == Http2Frames.HEADERS || isGoAway(frame)).type()).isEqualTo(Http2Frames.HEADERS);
        });
    }

    private enum ErrorOfStream {
        WINDOW_THAT_GROWS_BY_NOTHING, WINDOW_THAT_GROWS_TOO_LARGE, DATA_BEHIND_THE_END, PRIORITY_ON_ITSELF;

        private byte[] frame(int stream) {
            return switch (this) {
                case WINDOW_THAT_GROWS_BY_NOTHING -> Http2Frames.frame(Http2Frames.WINDOW_UPDATE, 0, stream, Http2Frames.number(0));
                case WINDOW_THAT_GROWS_TOO_LARGE -> Http2Frames.frame(Http2Frames.WINDOW_UPDATE, 0, stream, Http2Frames.number(Integer.MAX_VALUE));
                case DATA_BEHIND_THE_END -> Http2Frames.frame(Http2Frames.DATA, 0, stream, new byte[1]);
                case PRIORITY_ON_ITSELF -> Http2Frames.frame(Http2Frames.PRIORITY, 0, stream, ByteBuffer.allocate(5).putInt(stream).put((byte) 0).array());
            };
        }
    }

    /** CVE-2016-6581: 14 KB that unpack to a head of 40 MB, by the table of headers of the connection. */
    @Test
    void aHeadThatUnpacksToMuchMoreIsRefused() throws Exception {
        flood(connection -> {
            ByteArrayOutputStream head = new ByteArrayOutputStream();
            head.writeBytes(Http2Frames.GET);
            // A literal for the table (RFC 7541, section 6.2.1), of a name of one byte and a value of 4000 (127 + 3873 in groups of 7 bits).
            head.writeBytes(new byte[] {0x40, 1, 'x', 127, (byte) (3873 % 128 + 128), 3873 / 128});
            head.writeBytes("y".repeat(4000).getBytes(StandardCharsets.US_ASCII));
            for (int i = 0; i < 10_000; i++) {
                head.write(0xbe);
            }
            connection.send(Http2Frames.frame(Http2Frames.HEADERS, Http2Frames.END_HEADERS | Http2Frames.END_STREAM, 1, head.toByteArray()));
            Http2Frames.Frame refused = connection.awaits(frame -> frame.type() == Http2Frames.RST_STREAM || isGoAway(frame) || frame.type() == Http2Frames.DATA);
            assertThat(refused).satisfiesAnyOf(closed -> assertThat(closed).isNull(), frame -> assertThat(frame.type()).isNotEqualTo(Http2Frames.DATA));
        });
    }

    private static final int SETTINGS_OF_A_SECOND = 10;
    private static final int PINGS_OF_A_SECOND = 50;
    private static final int PRIORITIES_OF_A_SECOND = 500;
    private static final int RESETS_OF_A_SECOND = 40;

    private static byte[][] times(int count, byte[] frame) {
        return Collections.nCopies(count, frame).toArray(byte[][]::new);
    }

    private static byte[] priority(int stream) {
        return Http2Frames.frame(Http2Frames.PRIORITY, 0, stream, ByteBuffer.allocate(5).putInt(0).put((byte) 15).array());
    }

    /** All in one record of TLS, so that the node reads them at once: it does not begin to count anew between them. */
    @ParameterizedTest
    @CsvSource({"SETTINGS", "PING", "PRIORITY"})
    void framesThatCostWorkForNoRequestEndTheirConnectionBeyondTheBoundOfASecond(String kind) throws Exception {
        flood(connection -> {
            connection.send(Http2Frames.window(0));
            for (int stream = 1; stream < 2 * STREAMS_MAX; stream += 2) {
                connection.send(Http2Frames.frame(Http2Frames.HEADERS, Http2Frames.END_HEADERS | Http2Frames.END_STREAM, stream, GET_DOCS));
            }
            connection.send(switch (kind) {
                case "SETTINGS" -> times(2 * SETTINGS_OF_A_SECOND, Http2Frames.window(1));
                case "PING" -> times(2 * PINGS_OF_A_SECOND, Http2Frames.frame(Http2Frames.PING, 0, 0, new byte[8]));
                default -> times(2 * PRIORITIES_OF_A_SECOND, priority(1));
            });
            assertThat(connection.awaits(ProtocolIT::isGoAway)).isIn(null, new Http2Frames.Frame(Http2Frames.GOAWAY, 0, ENHANCE_YOUR_CALM));
            assertThat(connection.awaits(frame -> frame.type() == Http2Frames.HEADERS)).as("closed, however many streams are open").isNull();
        });
    }

    @Test
    void asManyFramesAsASecondMayHaveEndNothing() throws Exception {
        flood(connection -> {
            ByteArrayOutputStream frames = new ByteArrayOutputStream();
            // One came at the beginning.
            for (byte[] frame : times(SETTINGS_OF_A_SECOND - 1, Http2Frames.frame(Http2Frames.SETTINGS, 0, 0, Http2Frames.NOTHING))) {
                frames.writeBytes(frame);
            }
            for (byte[] frame : times(PINGS_OF_A_SECOND, Http2Frames.frame(Http2Frames.PING, 0, 0, new byte[8]))) {
                frames.writeBytes(frame);
            }
            for (byte[] frame : times(PRIORITIES_OF_A_SECOND, priority(1))) {
                frames.writeBytes(frame);
            }
            connection.send(frames.toByteArray(), Http2Frames.frame(Http2Frames.HEADERS, Http2Frames.END_HEADERS | Http2Frames.END_STREAM, 1, Http2Frames.GET));
            assertThat(connection.awaits(frame -> frame.type() == Http2Frames.HEADERS || isGoAway(frame)).type()).isEqualTo(Http2Frames.HEADERS);
        });
    }

    /** CVE-2019-9512 and CVE-2019-9515: frames that are answered, where nobody reads the answers. */
    @ParameterizedTest
    @CsvSource({"PING", "SETTINGS"})
    void aConnectionOnWhichAcknowledgementsPileUpIsEnded(String kind) throws Exception {
        flood(connection -> {
            byte[] frame = kind.equals("PING") ? Http2Frames.frame(Http2Frames.PING, 0, 0, new byte[8]) : Http2Frames.frame(Http2Frames.SETTINGS, 0, 0, Http2Frames.NOTHING);
            byte[][] thousand = Collections.nCopies(1000, frame).toArray(byte[][]::new);
            boolean open = true;
            for (int i = 0; i < 20_000 && open; i++) {
                open = connection.send(thousand);
            }
            assertThat(open).as("after twenty million frames").isFalse();
        });
    }

    /** CVE-2024-27983, CVE-2024-27316 and their kin: a head that never ends, in frames without a byte and in frames of a byte. */
    @ParameterizedTest
    @CsvSource({"0", "1"})
    void aHeadThatGoesOnWithoutAnEndEndsItsConnection(int bytes) throws Exception {
        flood(connection -> {
            connection.send(Http2Frames.frame(Http2Frames.HEADERS, Http2Frames.END_STREAM, 1, Http2Frames.GET));
            boolean open = true;
            for (int i = 0; i < 100_000 && open; i++) {
                open = connection.send(Http2Frames.frame(Http2Frames.CONTINUATION, 0, 1, new byte[bytes]));
            }
            assertThat(connection.awaits(ProtocolIT::isGoAway)).isIn(null, new Http2Frames.Frame(Http2Frames.GOAWAY, 0, ENHANCE_YOUR_CALM));
            assertThat(connection.awaits(frame -> frame.type() == Http2Frames.HEADERS)).as("closed, and nothing was answered").isNull();
        });
    }

    /** CVE-2019-9517: of streams on which nothing may be sent a connection has as many as any other, also where its client acknowledges no settings. */
    @Test
    void streamsWithClosedWindowsAreBounded() throws Exception {
        flood(connection -> {
            connection.send(Http2Frames.window(0));
            for (int stream = 1; stream <= 2 * STREAMS_MAX + 1; stream += 2) {
                connection.send(Http2Frames.frame(Http2Frames.HEADERS, Http2Frames.END_HEADERS | Http2Frames.END_STREAM, stream, GET_DOCS));
            }
            Http2Frames.Frame refused = connection.awaits(frame -> frame.type() == Http2Frames.RST_STREAM || isGoAway(frame));
            assertThat(refused).isEqualTo(new Http2Frames.Frame(Http2Frames.RST_STREAM, 2 * STREAMS_MAX + 1, REFUSED_STREAM));
        });
    }

    /** CVE-2019-9511: windows that grow by a byte each time, and one that grows beyond what there is. */
    @Test
    void windowsThatAreOpenedByteByByteTakeNothingFromOthersAndOneBeyondTheBoundEndsTheConnection() throws Exception {
        flood(connection -> {
            connection.send(Http2Frames.window(1), Http2Frames.frame(Http2Frames.HEADERS, Http2Frames.END_HEADERS | Http2Frames.END_STREAM, 1, GET_DOCS));
            for (int i = 0; i < 20_000; i++) {
                connection.send(Http2Frames.frame(Http2Frames.WINDOW_UPDATE, 0, 0, Http2Frames.number(1)));
            }
            assertThat(send(HttpClient.Version.HTTP_2, post(secureUrl() + "/auth/sessions/refresh")).statusCode()).as("meanwhile").isEqualTo(400);
            connection.send(Http2Frames.frame(Http2Frames.WINDOW_UPDATE, 0, 0, Http2Frames.number(Integer.MAX_VALUE)));
            assertThat(connection.awaits(ProtocolIT::isGoAway)).isEqualTo(new Http2Frames.Frame(Http2Frames.GOAWAY, 0, FLOW_CONTROL_ERROR));
        });
    }

    /** GET /docs/swagger-ui-bundle.js */
    private static final byte[] GET_DOCS = docs();

    private static byte[] docs() {
        byte[] path = "/docs/swagger-ui-bundle.js".getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(2 + 11 + 2 + path.length).put(new byte[] {(byte) 0x82, (byte) 0x87, 0x01, 0x09, 'l', 'o', 'c', 'a', 'l', 'h', 'o', 's', 't', 0x04, (byte) path.length})
                .put(path).array();
    }

    @AfterAll
    static void stop() {
        secure.close();
    }

    /** Mozilla's configuration "intermediate", as sslyze of PyPI checks it: all that differs is that nobody vouches for the certificate. */
    @Test
    void tlsIsAsMozillaRecommendsIt() throws Exception {
        Optional<Path> python = OtherRuntimes.python("sslyze==6.3.1");
        Assumptions.assumeTrue(python.isPresent(), "no Python with sslyze");
        Path printed = folder.resolve("sslyze.log");
        Process sslyze = new ProcessBuilder(python.get().toString(), "-m", "sslyze", "--mozilla_config=intermediate", "localhost:" + secure.platform().port())
                .redirectErrorStream(true).redirectOutput(printed.toFile()).start();
        try {
            assertThat(sslyze.waitFor(120, TimeUnit.SECONDS)).as("ends by itself").isTrue();
        } finally {
            sslyze.destroyForcibly();
        }
        String compliance = Files.readString(printed).split("COMPLIANCE AGAINST TLS CONFIGURATION")[1];
        assertThat(compliance.lines().map(String::strip).filter(line -> line.startsWith("* "))).as(compliance)
                .containsExactly("* certificate_path_validation: Certificate path validation failed for CN=localhost.");
    }

    /**
     * What testssl.sh says of protocols, ciphers and vulnerabilities. It is not asked who chooses the cipher: it wants the server to, and
     * Mozilla's configuration, which the other test holds to, wants the client to, as all of the ciphers are safe.
     */
    @Test
    void testsslFindsNoWeakness() throws Exception {
        Assumptions.assumeTrue(OtherRuntimes.counterparts("testssl.sh"), "left to ./acp judge");
        Path findings = folder.resolve("testssl.json");
        Optional<ProcessBuilder> program = OtherRuntimes.program("testssl", "--quiet", "--warnings", "off", "--color", "0", "--ip", "127.0.0.1", "--jsonfile", findings.toString(),
                "--protocols", "--std", "--fs", "--vulnerable", "localhost:" + secure.platform().port());
        Assumptions.assumeTrue(program.isPresent() && OtherRuntimes.program("host").isPresent(), "no testssl.sh, or no host, which it does not run without");
        Path root = Path.of(program.get().command().getFirst()).toAbsolutePath().getParent().getParent().getParent();
        program.get().environment().put("TESTSSL_INSTALL_DIR", root.resolve("etc/testssl").toString());
        Path printed = folder.resolve("testssl.log");
        Process testssl = program.get().redirectErrorStream(true).redirectOutput(printed.toFile()).start();
        try {
            assertThat(testssl.waitFor(10, TimeUnit.MINUTES)).as("ends by itself").isTrue();
        } finally {
            testssl.destroyForcibly();
        }
        List<JsonObject> found = new JsonArray(Files.readString(findings)).stream().map(JsonObject.class::cast).toList();
        assertThat(found).as(Files.readString(printed)).anyMatch(one -> one.getString("id").equals("heartbleed") && one.getString("severity").equals("OK"))
                .anyMatch(one -> one.getString("id").equals("TLS1_3") && one.getString("severity").equals("OK"));
        // What it cannot look for, for want of an old OpenSSL, is no finding.
        assertThat(found.stream().filter(one -> !one.getString("id").equals("engine_problem")).filter(one -> !Set.of("OK", "INFO", "LOW").contains(one.getString("severity"))).map(JsonObject::encode)).isEmpty();
    }

    private static HttpResponse<String> send(HttpClient.Version version, HttpRequest.Builder request) throws Exception {
        try (HttpClient client = HttpClient.newBuilder().version(version).sslContext(trusting).build()) {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    private static HttpRequest.Builder post(String url) {
        return HttpRequest.newBuilder(URI.create(url)).header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString("{}"));
    }

    private static String secureUrl() {
        return "https://localhost:" + secure.platform().port();
    }

    private static void isRefusedAsUsual(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(Json.decodeValue(answer.body())).isEqualTo("refreshToken: is required");
        assertThat(answer.headers().firstValue("X-Request-Id")).isPresent();
    }

    @Test
    void tlsNegotiatesEitherVersionOfHttp() throws Exception {
        for (HttpClient.Version version : HttpClient.Version.values()) {
            if (version == HttpClient.Version.HTTP_1_1 || version == HttpClient.Version.HTTP_2) {
                HttpResponse<String> answer = send(version, post(secureUrl() + "/auth/sessions/refresh"));
                isRefusedAsUsual(answer);
                assertThat(answer.version()).isEqualTo(version);
            }
        }
    }

    @Test
    void aConnectionInTheClearIsUpgradedToHttp2() throws Exception {
        try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build()) {
            // The upgrade of the JDK's client rides on its first request.
            HttpRequest jwks = HttpRequest.newBuilder(URI.create(plain.url() + "/auth/.well-known/jwks.json")).build();
            assertThat(client.send(jwks, HttpResponse.BodyHandlers.ofString()).version()).isEqualTo(HttpClient.Version.HTTP_2);
            HttpResponse<String> answer = client.send(post(plain.url() + "/auth/sessions/refresh").build(), HttpResponse.BodyHandlers.ofString());
            isRefusedAsUsual(answer);
            assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
        }
    }

    @Test
    void aClientThatKnowsBeforehandSpeaksHttp2AtOnce(Vertx vertx) {
        var client = vertx.createHttpClient(new HttpClientOptions().setProtocolVersion(HttpVersion.HTTP_2).setHttp2ClearTextUpgrade(false));
        var answer = client.request(HttpMethod.POST, plain.platform().port(), "localhost", "/auth/sessions/refresh")
                .compose(request -> request.putHeader("Content-Type", "application/json").send("{}"))
                .compose(response -> response.body().map(body -> response.version() + " " + response.statusCode() + " " + body))
                .await();
        client.close().await();
        assertThat(answer).isEqualTo("HTTP_2 400 \"refreshToken: is required\"");
    }

    /** A proxy sends the requests of many people on one connection. */
    @Test
    void aRequestThatIsRefusedBeforeRoutingEndsItsStreamAlone(Vertx vertx) {
        HttpClientAgent client = vertx.createHttpClient(new HttpClientOptions().setProtocolVersion(HttpVersion.HTTP_2).setHttp2ClearTextUpgrade(false));
        int port = plain.platform().port();
        HttpClientRequest inFlight = client.request(HttpMethod.POST, port, "localhost", "/auth/sessions/refresh").await();
        inFlight.putHeader("Content-Type", "application/json").setChunked(true).write("{").await();
        for (int refusals = 0; refusals < 2; refusals++) {
            HttpClientRequest malformed = client.request(HttpMethod.GET, port, "localhost", "/%zz").await();
            assertThat(malformed.connection()).isSameAs(inFlight.connection());
            String refused = malformed.send().compose(answer -> answer.body()
                    .map(body -> answer.statusCode() + " " + answer.getHeader("Connection") + " " + body)).await();
            assertThat(refused).isEqualTo("400 null \"request: malformed\"");
        }
        inFlight.end("}");
        assertThat(inFlight.response().compose(answer -> answer.body()).await().toString()).isEqualTo("\"refreshToken: is required\"");
        HttpClientRequest after = client.request(HttpMethod.GET, port, "localhost", "/auth/.well-known/jwks.json").await();
        assertThat(after.connection()).isSameAs(inFlight.connection());
        assertThat(after.send().await().statusCode()).isEqualTo(200);
        client.close().await();
    }

    @Test
    void oldTlsIsRefused() throws Exception {
        try (var socket = trusting.getSocketFactory().createSocket("localhost", secure.platform().port())) {
            var ssl = (javax.net.ssl.SSLSocket) socket;
            assertThatThrownBy(() -> {
                ssl.setEnabledProtocols(new String[] {"TLSv1.1"});
                ssl.startHandshake();
            }).isInstanceOf(IOException.class);
        }
    }

    @Test
    void plainHttpOnTheTlsPortIsNoHttp() throws Exception {
        try (Socket socket = new Socket("localhost", secure.platform().port())) {
            socket.setSoTimeout(5000);
            socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes());
            assertThat(new String(socket.getInputStream().readAllBytes())).doesNotContain("HTTP/", "Location");
        }
    }

    /** Whether a client that knows only these suites, or only these curves, comes to terms with the server. */
    private static boolean handshake(String protocol, String[] suites, String[] groups) throws Exception {
        try (SSLSocket socket = (SSLSocket) AnyCertificate.context().getSocketFactory().createSocket("localhost", secure.platform().port())) {
            socket.setSoTimeout(10_000);
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setProtocols(new String[] {protocol});
            parameters.setCipherSuites(suites == null ? parameters.getCipherSuites() : suites);
            if (groups != null) {
                parameters.setNamedGroups(groups);
            }
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            return true;
        } catch (SSLException refused) {
            return false;
        }
    }

    /** As Mozilla's intermediate configuration has it. */
    @ParameterizedTest
    @CsvSource({
            "TLSv1.3, TLS_AES_128_GCM_SHA256, x25519, true", "TLSv1.3, TLS_AES_256_GCM_SHA384, secp384r1, true",
            "TLSv1.3, TLS_CHACHA20_POLY1305_SHA256, secp256r1, true", "TLSv1.3, , secp521r1, false", "TLSv1.3, , x448, false", "TLSv1.3, , ffdhe2048, false",
            "TLSv1.2, TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, , true", "TLSv1.2, TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, , true",
            "TLSv1.2, TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256, , false", "TLSv1.2, TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384, , false",
            "TLSv1.2, TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA, , false", "TLSv1.2, TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA, , false"})
    void onlyAuthenticatedCiphersAndThreeCurvesAreSpoken(String protocol, String suite, String group, boolean spoken) throws Exception {
        assertThat(handshake(protocol, suite == null ? null : new String[] {suite}, group == null ? null : new String[] {group})).isEqualTo(spoken);
    }

    @Test
    void aLargeAnswerIsCompressedForWhoAccepts() throws Exception {
        RunningPlatform.Person person = plain.signIn("gzip@example.org", "G", "Zip");
        HttpRequest request = HttpRequest.newBuilder(URI.create(plain.url() + "/cases/schemas/list")).header("Authorization", "Bearer " + person.token())
                .header("Accept-Encoding", "gzip").POST(HttpRequest.BodyPublishers.noBody()).build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<byte[]> answer = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
            assertThat(answer.headers().firstValue("Content-Encoding")).contains("gzip");
            byte[] whole = new GZIPInputStream(new ByteArrayInputStream(answer.body())).readAllBytes();
            assertThat(whole.length).isGreaterThan(3 * answer.body().length);
            assertThat(new String(whole)).startsWith("{\"parties\":[");
        }
    }

    @Test
    void aTinyAnswerIsNotCompressed() {
        RunningPlatform.Answer answer = plain.post("/auth/sessions/refresh", "{}", null, "Accept-Encoding", "gzip");
        assertThat(answer.header("Content-Encoding")).isNull();
        assertThat(answer.sentence()).isEqualTo("refreshToken: is required");
    }

    @Test
    void aPageOfAConfiguredOriginMayCall() throws Exception {
        HttpRequest.Builder preflight = HttpRequest.newBuilder(URI.create(secureUrl() + "/auth/sessions/refresh"))
                .method("OPTIONS", HttpRequest.BodyPublishers.noBody()).header("Origin", "https://app.example.org")
                .header("Access-Control-Request-Method", "POST").header("Access-Control-Request-Headers", "authorization,content-type,idempotency-key");
        HttpResponse<String> allowed = send(HttpClient.Version.HTTP_2, preflight);
        assertThat(allowed.statusCode()).isEqualTo(204);
        assertThat(allowed.headers().firstValue("Access-Control-Allow-Origin")).contains("https://app.example.org");
        assertThat(allowed.headers().firstValue("Access-Control-Allow-Methods").orElse("")).contains("POST");
        assertThat(allowed.headers().firstValue("Access-Control-Allow-Headers").orElse("")).containsIgnoringCase("Idempotency-Key");

        HttpResponse<String> called = send(HttpClient.Version.HTTP_2, post(secureUrl() + "/auth/sessions/refresh").header("Origin", "http://localhost:3000"));
        isRefusedAsUsual(called);
        assertThat(called.headers().firstValue("Access-Control-Allow-Origin")).contains("http://localhost:3000");
        assertThat(called.headers().firstValue("Access-Control-Expose-Headers").orElse("")).contains("Error-Code", "X-Request-Id", "ETag");
    }

    @Test
    void aPageOfAnotherOriginGetsNoPermission() throws Exception {
        for (String origin : new String[] {"https://evil.example", "https://app.example.org.evil.example", "null", "http://app.example.org"}) {
            HttpResponse<String> called = send(HttpClient.Version.HTTP_2, post(secureUrl() + "/auth/sessions/refresh").header("Origin", origin));
            isRefusedAsUsual(called);
            assertThat(called.headers().map().keySet()).as(origin).noneMatch(name -> name.startsWith("access-control"));
        }
        RunningPlatform.Answer none = plain.post("/auth/sessions/refresh", "{}", null, "Origin", "https://app.example.org");
        assertThat(none.header("Access-Control-Allow-Origin")).isNull();
    }

    @Test
    void anAreaWithAHostNameIsFoundThereAlone(Vertx vertx) {
        assertThat(status(vertx, "cases.localhost", "/schemas/list")).isEqualTo(401);
        assertThat(status(vertx, "CASES.localhost", "/schemas/list")).isEqualTo(401);
        assertThat(status(vertx, "localhost", "/cases/schemas/list")).isEqualTo(404);
        assertThat(status(vertx, "cases.localhost", "/auth/sessions/refresh")).isEqualTo(404);
    }

    /** The status of a call to a host name that no name server needs to know. */
    private static int status(Vertx vertx, String host, String path) {
        int port = secure.platform().port();
        HttpClientOptions options = new HttpClientOptions().setProtocolVersion(HttpVersion.HTTP_2).setUseAlpn(true).setSsl(true)
                .setTrustOptions(new PemTrustOptions().addCertPath(folder.resolve("chain.pem").toString()));
        RequestOptions request = new RequestOptions().setMethod(HttpMethod.POST).setURI(path).setHost(host).setPort(port)
                .setServer(SocketAddress.inetSocketAddress(port, "127.0.0.1"));
        // Vert.x closes a client that nobody holds any more, at the next garbage collection.
        HttpClientAgent client = vertx.createHttpClient(options);
        int status = client.request(request).compose(sent -> sent.send()).map(response -> response.statusCode()).await();
        client.close().await();
        return status;
    }

    @Test
    void anAreaWithAPortIsFoundThereAlone() throws Exception {
        String own = "https://localhost:" + secure.platform().port("profiles").orElseThrow();
        // Often enough to meet the server of every event loop.
        for (int i = 0; i < 6; i++) {
            assertThat(send(HttpClient.Version.HTTP_1_1, post(own + "/users/public-profiles")).statusCode()).isEqualTo(401);
        }
        assertThat(send(HttpClient.Version.HTTP_2, post(own + "/sessions/refresh")).statusCode()).isEqualTo(404);
        assertThat(send(HttpClient.Version.HTTP_2, post(secureUrl() + "/profiles/users/public-profiles")).statusCode()).isEqualTo(404);
    }

    @Test
    void anAreaThatIsNotEnabledIsNotServed() throws Exception {
        assertThat(send(HttpClient.Version.HTTP_2, post(secureUrl() + "/api/filings/list")).statusCode()).isEqualTo(404);
    }

    /** A handshake costs the server more than its client, who could ask for one after the other on an open connection of TLS 1.2. */
    @Test
    void noClientBeginsASecondHandshake() throws Exception {
        try (SSLSocket socket = (SSLSocket) trusting.getSocketFactory().createSocket("localhost", secure.platform().port())) {
            socket.setEnabledProtocols(new String[] {"TLSv1.2"});
            socket.setSoTimeout(20_000);
            socket.startHandshake();
            assertThat(socket.getSession().getProtocol()).isEqualTo("TLSv1.2");
            assertThatThrownBy(() -> {
                socket.startHandshake();
                socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes());
                socket.getInputStream().read();
            }).isInstanceOf(IOException.class);
        }
    }
}
