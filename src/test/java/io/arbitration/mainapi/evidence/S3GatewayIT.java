package io.arbitration.mainapi.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.arbitration.Await;
import io.arbitration.Form;
import io.arbitration.OpenCase;
import io.arbitration.OtherRuntimes;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.platform.FreePort;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Evidence in a bucket of a server that others use in production: Versity's gateway, which keeps objects as files of a folder. */
class S3GatewayIT {

    private static final String GATEWAY = "github.com/versity/versitygw/cmd/versitygw@v1.8.0";
    private static final int PART = 5_242_880;
    private static final String SECRET = "the-secret-of-the-platform";

    @TempDir
    private Path folder;

    private Process gateway;

    @AfterEach
    void stop() {
        if (gateway != null) {
            end();
        }
    }

    private void end() {
        gateway.destroy();
        gateway.onExit().orTimeout(60, TimeUnit.SECONDS).join();
    }

    private void start(Path program, int port, String secret) throws IOException {
        Path log = folder.resolve("gateway.log");
        gateway = new ProcessBuilder(program.toString(), "--access", "platform", "--secret", secret, "--port", "127.0.0.1:" + port, "posix", folder.resolve("buckets").toString())
                .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile())).start();
        Await.despiteFailures("the gateway listens, see " + log, Await.BOUND, () -> {
            try (Socket connected = new Socket("127.0.0.1", port)) {
                return connected.isConnected();
            }
        });
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

    private List<Path> objects() throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("buckets/case-evidence"))) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    private static void awaitObjects(RunningPlatform platform, String state) {
        Await.until("objects are " + state, () -> platform.health().getJsonObject("parts").getString("objects").equals(state));
    }

    @Test
    void filesGoUpAndDownAndTheStoreMayGoAwayAndChangeItsCredentials() throws Exception {
        assumeTrue(OtherRuntimes.counterparts("Versity's S3 gateway"), "left to ./acp counterparts");
        Optional<Path> program = OtherRuntimes.go(GATEWAY);
        assumeTrue(program.isPresent(), "no versitygw");
        Files.createDirectories(folder.resolve("buckets/case-evidence"));
        int port = FreePort.any();
        start(program.get(), port, SECRET);
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
            assertThat(objects()).hasSize(5).anySatisfy(object -> assertThat(Files.readAllBytes(object)).isEqualTo(content(2 * PART + 3)));

            end();
            assertThat(upload(open, content(100)).status()).isEqualTo(503);
            awaitObjects(platform, "DOWN");
            start(program.get(), port, "rotated-and-not-told-the-platform");
            Answer refused = upload(open, content(100));
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.body() + platform.health().encode()).doesNotContain(SECRET);
            assertThat(download(open, last).status()).isEqualTo(503);
            awaitObjects(platform, "DOWN");
            end();
            start(program.get(), port, SECRET);
            awaitObjects(platform, "UP");
            assertThat(upload(open, content(100)).status()).isEqualTo(200);
            assertThat(download(open, last).response().body()).isEqualTo(content(2 * PART + 3));
            assertThat(objects()).as("nothing is left of what was refused").hasSize(6);
        }
    }
}
