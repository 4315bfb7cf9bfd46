package io.arbitration.platform.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.RunningPlatform;
import io.micrometer.core.instrument.search.Search;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is the same for everybody is compressed once; what is made for one answer, with that answer. */
class CompressionIT {

    private static final String SCRIPT = "/docs/swagger-ui-bundle.js";
    private static final int VISITORS = 16;

    @TempDir
    private static Path folder;

    private static RunningPlatform platform;

    @BeforeAll
    static void start() {
        platform = RunningPlatform.start(folder, Map.of());
    }

    @AfterAll
    static void stop() {
        platform.close();
    }

    private static HttpClient client(HttpClient.Version version) {
        return HttpClient.newBuilder().version(version).build();
    }

    private static HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(platform.url() + path));
    }

    private static byte[] plain(HttpResponse<byte[]> answer) throws IOException {
        if (answer.headers().firstValue("Content-Encoding").isEmpty()) {
            return answer.body();
        }
        assertThat(answer.headers().firstValue("Content-Encoding")).contains("gzip");
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(answer.body()))) {
            return in.readAllBytes();
        }
    }

    /** Answers that were compressed while they were sent. */
    private static double compressions() {
        return Search.in(platform.services().meters()).name("acp.http.compressed").counters().stream().mapToDouble(counter -> counter.count()).sum();
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void theReferenceIsCompressedOnceHoweverManyFetchIt(HttpClient.Version version) throws Exception {
        try (HttpClient client = client(version)) {
            byte[] script = client.send(request(SCRIPT).build(), HttpResponse.BodyHandlers.ofByteArray()).body();
            double before = compressions();
            List<CompletableFuture<HttpResponse<byte[]>>> fetched = new ArrayList<>();
            for (int i = 0; i < VISITORS; i++) {
                fetched.add(client.sendAsync(request(SCRIPT).header("Accept-Encoding", "br;q=0.5, gzip").build(), HttpResponse.BodyHandlers.ofByteArray()));
            }
            for (CompletableFuture<HttpResponse<byte[]>> one : fetched) {
                HttpResponse<byte[]> answer = one.join();
                assertThat(answer.version()).isEqualTo(version);
                assertThat(answer.headers().firstValue("Content-Encoding")).contains("gzip");
                assertThat(answer.headers().allValues("Vary").stream().map(String::toLowerCase)).contains("accept-encoding");
                assertThat(answer.headers().firstValueAsLong("Content-Length")).hasValue(answer.body().length);
                assertThat(answer.body().length).isLessThan(script.length / 2);
                assertThat(plain(answer)).isEqualTo(script);
            }
            assertThat(compressions()).isEqualTo(before);
        }
    }

    /** A compressed copy must not be taken for the plain one by a cache, nor the other way round. */
    @Test
    void bothFormsOfAFileHaveAnEntityTagAndAreNotSentAgain() throws Exception {
        try (HttpClient client = client(HttpClient.Version.HTTP_1_1)) {
            HttpResponse<byte[]> whole = client.send(request("/docs").build(), HttpResponse.BodyHandlers.ofByteArray());
            HttpResponse<byte[]> zipped = client.send(request("/docs").header("Accept-Encoding", "gzip").build(), HttpResponse.BodyHandlers.ofByteArray());
            String tag = whole.headers().firstValue("ETag").orElseThrow();
            String zippedTag = zipped.headers().firstValue("ETag").orElseThrow();
            assertThat(zippedTag).isNotEqualTo(tag);
            for (String known : List.of(tag, zippedTag, "\"other\", W/" + tag, "*")) {
                HttpResponse<byte[]> again = client.send(request("/docs").header("If-None-Match", known).header("Accept-Encoding", "gzip").build(),
                        HttpResponse.BodyHandlers.ofByteArray());
                assertThat(again.statusCode()).as(known).isEqualTo(304);
                assertThat(again.body()).isEmpty();
                assertThat(again.headers().firstValue("ETag")).isPresent();
            }
            assertThat(client.send(request("/docs").header("If-None-Match", "\"other\"").build(), HttpResponse.BodyHandlers.ofByteArray()).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void theDemoPageIsKeptToo() throws Exception {
        try (HttpClient client = client(HttpClient.Version.HTTP_1_1)) {
            double before = compressions();
            HttpResponse<byte[]> script = client.send(request("/push/demo.js").header("Accept-Encoding", "gzip").build(), HttpResponse.BodyHandlers.ofByteArray());
            assertThat(script.statusCode()).isEqualTo(200);
            assertThat(script.headers().firstValue("Content-Encoding")).contains("gzip");
            assertThat(compressions()).isEqualTo(before);
            assertThat(client.send(request("/push/demo.js").header("If-None-Match", script.headers().firstValue("ETag").orElseThrow()).build(),
                    HttpResponse.BodyHandlers.ofByteArray()).statusCode()).isEqualTo(304);
        }
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void clientsThatDoNotTakeGzipGetTheBytesAsTheyAre(HttpClient.Version version) throws Exception {
        try (HttpClient client = client(version)) {
            for (String accepted : List.of("identity", "gzip;q=0", "br", "*;q=0")) {
                HttpResponse<byte[]> answer = client.send(request("/docs").header("Accept-Encoding", accepted).build(), HttpResponse.BodyHandlers.ofByteArray());
                assertThat(answer.headers().firstValue("Content-Encoding")).as(accepted).isEmpty();
                assertThat(new String(answer.body())).contains("<html");
            }
        }
    }

    /** On one connection of HTTP/2, an answer that is not compressed must not change what becomes of the next. */
    @Test
    void compressedAndPlainAnswersMixOnOneConnection() throws Exception {
        try (HttpClient client = client(HttpClient.Version.HTTP_2)) {
            byte[] contract = platform.get("/openapi/main.json").response().body();
            for (int i = 0; i < 3; i++) {
                HttpResponse<byte[]> icon = client.send(request("/docs/favicon-32x32.png").header("Accept-Encoding", "gzip").build(), HttpResponse.BodyHandlers.ofByteArray());
                assertThat(icon.headers().firstValue("Content-Encoding")).isEmpty();
                HttpResponse<byte[]> json = client.send(request("/openapi/main.json").header("Accept-Encoding", "gzip").build(), HttpResponse.BodyHandlers.ofByteArray());
                assertThat(plain(json)).isEqualTo(contract);
                String token = platform.signIn("mixed@example.org", "M", "Ixed").token();
                HttpResponse<byte[]> large = client.send(request("/cases/schemas/list").header("Accept-Encoding", "gzip")
                        .header("Authorization", "Bearer " + token).header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString("{}")).build(), HttpResponse.BodyHandlers.ofByteArray());
                assertThat(large.statusCode()).as(new String(large.body())).isIn(200, 400);
                assertThat(new String(plain(large))).matches("(?s)[\\[{\"].*");
            }
        }
    }

    @Test
    void whatIsMadeForOneAnswerIsCompressedWithIt() throws Exception {
        String token = platform.signIn("large@example.org", "L", "Arge").token();
        for (int i = 0; i < 40; i++) {
            assertThat(platform.post("/cases/cases/create", "{\"title\":\"Case %d\",\"ruleSet\":\"commercial\"}".formatted(i), token).status()).isEqualTo(200);
        }
        for (HttpClient.Version version : HttpClient.Version.values()) {
            double before = compressions();
            try (HttpClient client = client(version)) {
                HttpRequest.Builder list = request("/cases/cases/list").header("Authorization", "Bearer " + token).header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString("{\"limit\":40}"));
                HttpResponse<byte[]> whole = client.send(list.build(), HttpResponse.BodyHandlers.ofByteArray());
                HttpResponse<byte[]> zipped = client.send(list.header("Accept-Encoding", "gzip").build(), HttpResponse.BodyHandlers.ofByteArray());
                assertThat(zipped.headers().firstValue("Content-Encoding")).contains("gzip");
                assertThat(zipped.body().length).isLessThan(whole.body().length / 2);
                assertThat(plain(zipped)).isEqualTo(whole.body());
            }
            Await.until("one compression is counted", () -> compressions() == before + 1);
        }
    }
}
