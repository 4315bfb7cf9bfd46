package io.arbitration.mainapi.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.Form;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.platform.FreePort;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A program that serves folders as buckets, and evidence that is kept in it while it goes away and changes its credentials. */
final class BucketProgram implements AutoCloseable {

    /** How the program is started: it serves the folders below a folder, to the user {@code platform} with this secret. */
    @FunctionalInterface
    interface Command {
        ProcessBuilder of(int port, String secret, Path folder);
    }

    private static final int PART = 5_242_880;
    private static final String SECRET = "the-secret-of-the-platform";

    private final Path folder;
    private final Path bucket;
    private final Command command;
    private final int port;
    private Process process;

    BucketProgram(Path folder, Command command) throws IOException {
        this.folder = folder;
        this.bucket = Files.createDirectories(folder.resolve("buckets/case-evidence"));
        this.command = command;
        this.port = FreePort.any();
    }

    private void start(String secret) throws IOException {
        Path log = folder.resolve("program.log");
        process = command.of(port, secret, folder.resolve("buckets")).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile())).start();
        HttpRequest anything = HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/".formatted(port))).timeout(Duration.ofSeconds(20)).build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            Await.despiteFailures("it refuses strangers, see " + log, Await.BOUND, () -> client.send(anything, HttpResponse.BodyHandlers.discarding()).statusCode() == 403);
        }
    }

    private void end() {
        process.destroy();
        process.onExit().orTimeout(60, TimeUnit.SECONDS).join();
    }

    @Override
    public void close() {
        if (process != null) {
            end();
        }
    }

    private static byte[] content(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        System.arraycopy("%PDF-1.7\n".getBytes(StandardCharsets.US_ASCII), 0, bytes, 0, 9);
        return bytes;
    }

    private static Answer upload(OpenCase open, byte[] file) {
        return Form.of(open.caseId(), "contract", "").file("a.pdf", "application/pdf", file).post(open.platform(), open.claimant().token());
    }

    private static Answer download(OpenCase open, String uploadId, String... headers) {
        return open.platform().post("/api/evidence/uploads/download", new JsonObject().put("caseID", open.caseId()).put("uploadID", uploadId), open.claimant().token(), headers);
    }

    /** Objects in the bucket: each is a file, or a folder of files. */
    private List<Path> objects() throws IOException {
        try (Stream<Path> files = Files.walk(bucket)) {
            return files.filter(Files::isRegularFile).map(file -> file.endsWith("xl.meta") ? file.getParent() : file)
                    .filter(file -> !file.getFileName().toString().startsWith("part.")).distinct().toList();
        }
    }

    private static void awaitObjects(RunningPlatform platform, String state) {
        Await.until("objects are " + state, () -> platform.health().getJsonObject("parts").getString("objects").equals(state));
    }

    void checkUploadsThroughOutagesAndChangedCredentials() throws Exception {
        start(SECRET);
        try (RunningPlatform platform = RunningPlatform.start(folder.resolve("data"), Map.of("ACP_OBJECTS_BUCKETS", "s3://case-evidence",
                "ACP_OBJECTS_S3_ENDPOINT", "http://127.0.0.1:" + port, "ACP_OBJECTS_S3_ACCESS_KEY_ID", "platform", "ACP_OBJECTS_S3_SECRET_ACCESS_KEY", SECRET))) {
            OpenCase open = OpenCase.on(platform);
            String last = "";
            for (int length : new int[] {9, PART - 1, PART, PART + 1, 2 * PART + 3}) {
                Answer uploaded = upload(open, content(length));
                assertThat(uploaded.status()).as(uploaded.body()).isEqualTo(200);
                last = uploaded.object().getString("uploadID");
                assertThat(download(open, last).response().body()).as("%d bytes", length).isEqualTo(content(length));
                Answer range = download(open, last, "Range", "bytes=3-%d".formatted(length - 2));
                assertThat(range.status()).isEqualTo(206);
                assertThat(range.response().body()).isEqualTo(Arrays.copyOfRange(content(length), 3, length - 1));
            }
            assertThat(objects()).hasSize(5);

            end();
            assertThat(upload(open, content(100)).status()).isEqualTo(503);
            awaitObjects(platform, "DOWN");
            start("rotated-and-not-told-the-platform");
            Answer refused = upload(open, content(100));
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.body() + platform.health().encode()).doesNotContain(SECRET);
            assertThat(download(open, last).status()).isEqualTo(503);
            awaitObjects(platform, "DOWN");
            end();
            start(SECRET);
            awaitObjects(platform, "UP");
            assertThat(upload(open, content(100)).status()).isEqualTo(200);
            assertThat(download(open, last).response().body()).isEqualTo(content(2 * PART + 3));
            assertThat(objects()).as("nothing is left of what was refused").hasSize(6);
        }
    }
}
