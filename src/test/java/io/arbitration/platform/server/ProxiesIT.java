package io.arbitration.platform.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.arbitration.Await;
import io.arbitration.Form;
import io.arbitration.OpenCase;
import io.arbitration.OtherRuntimes;
import io.arbitration.RunningPlatform;
import io.arbitration.platform.FreePort;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shipped configurations of nginx and HAProxy, with TLS and HTTP/2 to clients, before one node that answers and two that do not. */
class ProxiesIT {

    /** A client with an address that is not the proxy's. */
    private static final String CLIENT = "127.0.0.2";

    @TempDir
    private static Path folder;

    private static ServerCertificate certificate;
    private static RunningPlatform node;

    @BeforeAll
    static void start() throws Exception {
        certificate = ServerCertificate.in(Files.createDirectories(folder.resolve("certificate")));
        node = RunningPlatform.shared().sibling(folder.resolve("node"), Map.of("ACP_HTTP_TRUSTED_PROXIES", "127.0.0.1/32"));
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    /** A configuration of {@code deploy} with the addresses of this test. */
    private static String shipped(String name) throws IOException {
        return Files.readString(Path.of("deploy", name)).replace("node1:8080", "127.0.0.3:" + FreePort.any())
                .replace("node2:8080", "127.0.0.1:" + node.platform().port()).replace("node3:8080", "127.0.0.4:" + FreePort.any());
    }

    @Test
    void nginxSpeaksHttp2ToClientsAndFindsTheNodeThatAnswers() throws Exception {
        Path home = Files.createDirectories(folder.resolve("nginx"));
        int port = FreePort.any();
        String tls = "listen 127.0.0.1:%d ssl http2;%n    ssl_certificate %s;%n    ssl_certificate_key %s;".formatted(
                port, folder.resolve("certificate/chain.pem"), folder.resolve("certificate/key.pem"));
        String configuration = shipped("nginx.conf").replace("listen 8080;", tls).replace("/tmp/", home + "/");
        assertThat(configuration).contains(tls);
        // Where root runs it, the folder of the test is root's.
        Path file = Files.writeString(home.resolve("nginx.conf"), (System.getProperty("user.name").equals("root") ? "user root;\n" : "") + "daemon off;\n" + configuration);
        isServedThrough(OtherRuntimes.program("nginx", "-c", file.toString(), "-e", home.resolve("error.log").toString()), home, port, List.of());
    }

    @Test
    void haproxySpeaksHttp2ToClientsAndToTheNodeThatAnswers() throws Exception {
        Path home = Files.createDirectories(folder.resolve("haproxy"));
        int port = FreePort.any();
        Files.writeString(home.resolve("platform.pem"), Files.readString(folder.resolve("certificate/chain.pem")) + Files.readString(folder.resolve("certificate/key.pem")));
        String configuration = shipped("haproxy.cfg").replace("bind :8443", "bind 127.0.0.1:" + port).replace("/etc/haproxy/platform.pem", home.resolve("platform.pem").toString())
                .replace("port 8081", "port " + node.platform().managementPort());
        Path file = Files.writeString(home.resolve("haproxy.cfg"), configuration);
        isServedThrough(OtherRuntimes.program("haproxy", "-db", "-f", file.toString()), home, port, List.of("node1 is DOWN", "node3 is DOWN"));
    }

    /** @param said what the proxy writes to its log before it is asked */
    private static void isServedThrough(Optional<ProcessBuilder> proxy, Path home, int port, List<String> said) throws Exception {
        assumeTrue(proxy.isPresent(), "no such proxy");
        Path log = home.resolve("log");
        Process process = proxy.get().redirectErrorStream(true).redirectOutput(log.toFile()).start();
        try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).sslContext(certificate.trusting())
                .localAddress(InetAddress.getByName(CLIENT)).build()) {
            Await.despiteFailures("the proxy listens, see " + log, Await.BOUND, () -> {
                try (Socket connected = new Socket("127.0.0.1", port)) {
                    return connected.isConnected();
                }
            });
            Await.until("the proxy has looked, see " + log, () -> said.stream().allMatch(Files.readString(log)::contains));
            play(client, "https://localhost:" + port);
        } catch (AssertionError failed) {
            throw new AssertionError("the proxy says: " + Files.readString(log), failed);
        } finally {
            process.destroy();
            process.onExit().orTimeout(60, TimeUnit.SECONDS).join();
        }
    }

    private static HttpRequest.Builder to(String url, String token) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
        return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
    }

    private static HttpResponse<byte[]> sent(HttpClient client, HttpRequest.Builder request) throws Exception {
        HttpResponse<byte[]> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
        return answer;
    }

    private static JsonObject posted(HttpClient client, String url, String token, JsonObject body) throws Exception {
        HttpResponse<byte[]> answer = sent(client, to(url, token).header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(body.encode())));
        String text = new String(answer.body(), StandardCharsets.UTF_8);
        assertThat(answer.statusCode()).as("%s: %s", url, text).isEqualTo(200);
        return text.startsWith("{") ? new JsonObject(text) : new JsonObject();
    }

    private static void play(HttpClient client, String url) throws Exception {
        // nginx sends some of them to the two nodes that do not answer first; HAProxy has seen that they do not.
        List<CompletableFuture<Integer>> atOnce = Stream.generate(() -> client.sendAsync(to(url + "/auth/.well-known/jwks.json", "").build(), HttpResponse.BodyHandlers.discarding())
                .thenApply(HttpResponse::statusCode)).limit(20).toList();
        assertThat(atOnce).extracting(CompletableFuture::join).containsOnly(200);
        OpenCase open = OpenCase.on(node);
        JsonObject demo = new JsonObject().put("email", "proxied@example.org").put("first_name", "P").put("last_name", "P");
        String idToken = posted(client, url + "/auth/demo/id-token", "", demo).getString("idToken");
        String token = posted(client, url + "/auth/authenticate/demo", "", new JsonObject().put("idToken", idToken)).getString("accessToken");
        JsonArray sessions = posted(client, url + "/auth/sessions/list", token, new JsonObject()).getJsonArray("sessions");
        assertThat(sessions.getJsonObject(0).getString("address")).as("the client's address, not the proxy's").isEqualTo(CLIENT);

        byte[] file = new byte[3_000_000];
        new Random(1).nextBytes(file);
        System.arraycopy("%PDF-1.7\n".getBytes(StandardCharsets.US_ASCII), 0, file, 0, 9);
        String uploadId = uploaded(client, url, open, file);
        HttpResponse<byte[]> downloaded = sent(client, to(url + "/api/evidence/uploads/download", open.claimant().token()).header("Content-Type", "application/json")
                .header("Range", "bytes=1000000-").POST(HttpRequest.BodyPublishers.ofString(new JsonObject().put("caseID", open.caseId()).put("uploadID", uploadId).encode())));
        assertThat(downloaded.statusCode()).isEqualTo(206);
        assertThat(downloaded.body()).isEqualTo(Arrays.copyOfRange(file, 1_000_000, file.length));

        // A stream passes line by line, not when a buffer is full.
        HttpResponse<Stream<String>> stream = client.send(to(url + "/api/events/stream?caseID=" + open.caseId(), open.claimant().token()).build(),
                HttpResponse.BodyHandlers.ofLines());
        assertThat(stream.statusCode()).isEqualTo(200);
        try (Stream<String> lines = stream.body()) {
            CompletableFuture<Optional<String>> told = CompletableFuture.supplyAsync(() -> lines.filter(line -> line.contains("docket_filing")).findFirst(), Thread::startVirtualThread);
            open.docketed(new JsonObject());
            assertThat(told.get(60, TimeUnit.SECONDS)).isPresent();
        }
    }

    private static String uploaded(HttpClient client, String url, OpenCase open, byte[] file) throws Exception {
        byte[] body = Form.of(open.caseId(), "contract", "").file("a.pdf", "application/pdf", file).bytes();
        HttpResponse<byte[]> answer = sent(client, to(url + Form.PATH, open.claimant().token()).header("Content-Type", Form.CONTENT_TYPE)
                .POST(HttpRequest.BodyPublishers.ofByteArray(body)));
        String text = new String(answer.body(), StandardCharsets.UTF_8);
        assertThat(answer.statusCode()).as(text).isEqualTo(200);
        return new JsonObject(text).getString("uploadID");
    }
}
