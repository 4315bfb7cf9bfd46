package io.arbitration.mainapi.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.arbitration.Await;
import io.arbitration.Form;
import io.arbitration.OpenCase;
import io.arbitration.PlatformProcess;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.TestFolders;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What happens to evidence when something breaks: an upload is there whole or not at all, and nothing false is ever shown. */
class FaultsIT {

    private static final int BLOCK = 262_144;

    private final RunningPlatform platform = RunningPlatform.shared();

    private static byte[] content(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        System.arraycopy("%PDF-1.7\n".getBytes(StandardCharsets.US_ASCII), 0, bytes, 0, 9);
        return bytes;
    }

    private static Form form(OpenCase open) {
        return Form.of(open.caseId(), "contract", "");
    }

    private static JsonObject uploaded(OpenCase open, byte[] file) {
        Answer answer = form(open).file("a.pdf", "application/pdf", file).post(open.platform(), open.claimant().token());
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return new JsonObject().put("uploadID", answer.object().getString("uploadID"));
    }

    private static Answer download(OpenCase open, JsonObject upload, String... headers) {
        return open.platform().post("/api/evidence/uploads/download", upload.copy().put("caseID", open.caseId()), open.claimant().token(), headers);
    }

    private static int listed(OpenCase open, Person by) {
        return open.on("/api/evidence/uploads/list", by, new JsonObject()).object().getJsonArray("uploads").size();
    }

    private static List<List<String>> pending(RunningPlatform of) {
        return of.rows("select address from platform.pending_objects");
    }

    @Test
    void anUploadThatIsCutOffLeavesNothing() throws Exception {
        OpenCase open = OpenCase.on(platform);
        // What an earlier test removed may leave only now.
        List<Path> before = platform.objects();
        byte[] body = form(open).file("a.pdf", "application/pdf", content(6 * BLOCK)).bytes();
        for (int sent : new int[] {200, 600, BLOCK, 3 * BLOCK, body.length - 1}) {
            try (Socket socket = new Socket("127.0.0.1", URI.create(platform.url()).getPort())) {
                socket.getOutputStream().write(("POST " + Form.PATH + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + open.claimant().token()
                        + "\r\nContent-Type: " + Form.CONTENT_TYPE + "\r\nContent-Length: " + body.length + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
                socket.getOutputStream().write(body, 0, sent);
                socket.getOutputStream().flush();
                if (sent >= BLOCK) {
                    Await.until("the platform has begun to write", () -> !pending(platform).isEmpty());
                }
            }
            Await.until("the upload of %d bytes is gone".formatted(sent), () -> pending(platform).isEmpty() && before.containsAll(platform.objects()));
        }
        assertThat(listed(open, open.claimant())).isZero();
        JsonObject upload = uploaded(open, content(100));
        assertThat(open.on("/api/evidence/uploads/view", open.claimant(), upload).object().getString("exhibitNumber")).isEqualTo("C-1");
    }

    private Path object(JsonObject upload) {
        String address = platform.rows("select address from mainapi.uploads where upload_id = ?", Long.valueOf(upload.getString("uploadID"))).getFirst().getFirst();
        return platform.objects().stream().filter(file -> address.endsWith("/" + file.getFileName())).findFirst().orElseThrow();
    }

    private static void flip(Path file, long at) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[(int) at] ^= 1;
        Files.write(file, bytes);
    }

    private List<List<String>> downloads(OpenCase open) {
        return platform.rows("select 1 from platform.audit where case_id = ? and action = 'evidence.downloaded'", UUID.fromString(open.caseId()));
    }

    private static void isRefused(Answer answer, String code, String sentence) {
        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.header("Error-Code")).isEqualTo(code);
        assertThat(answer.sentence()).isEqualTo(sentence);
    }

    @Test
    void aFileThatIsMissingShorterLongerOrAlteredAtItsStartIsNotSent() throws Exception {
        OpenCase open = OpenCase.on(platform);
        byte[] file = content(2 * BLOCK + 100);
        JsonObject missing = uploaded(open, file);
        Files.delete(object(missing));
        isRefused(download(open, missing), "evidence.file-missing", "The stored file is missing.");

        JsonObject shorter = uploaded(open, file);
        Files.write(object(shorter), Arrays.copyOf(file, file.length - 1));
        isRefused(download(open, shorter), "evidence.file-altered", "The stored file is not what was uploaded.");

        JsonObject longer = uploaded(open, file);
        Files.write(object(longer), new byte[1], StandardOpenOption.APPEND);
        isRefused(download(open, longer), "evidence.file-altered", "The stored file is not what was uploaded.");

        JsonObject altered = uploaded(open, file);
        flip(object(altered), 5);
        isRefused(download(open, altered), "evidence.file-altered", "The stored file is not what was uploaded.");
        assertThat(downloads(open)).as("nobody has read anything").isEmpty();
        // It does not stop anybody from seeing that it was uploaded.
        assertThat(listed(open, open.claimant())).isEqualTo(4);
    }

    @Test
    void aFileThatIsAlteredFurtherOnIsSentUpToThereAndTheConnectionEnds() throws Exception {
        OpenCase open = OpenCase.on(platform);
        byte[] file = content(4 * BLOCK + 100);
        JsonObject upload = uploaded(open, file);
        flip(object(upload), 3 * BLOCK + 7);
        byte[] got = received(open, upload);
        assertThat(got.length).as("what is not proved is not sent").isLessThanOrEqualTo(3 * BLOCK);
        assertThat(got).isEqualTo(Arrays.copyOf(file, got.length));

        Answer before = download(open, upload, "Range", "bytes=0-" + (2 * BLOCK));
        assertThat(before.status()).isEqualTo(206);
        assertThat(before.response().body()).isEqualTo(Arrays.copyOf(file, 2 * BLOCK + 1));
        Answer behind = download(open, upload, "Range", "bytes=%d-".formatted(4 * BLOCK));
        assertThat(behind.response().body()).isEqualTo(Arrays.copyOfRange(file, 4 * BLOCK, file.length));
        isRefused(download(open, upload, "Range", "bytes=%d-%d".formatted(3 * BLOCK + 100, 3 * BLOCK + 101)), "evidence.file-altered",
                "The stored file is not what was uploaded.");
    }

    /** The body as far as it comes; the connection must end before the length that the head tells. */
    private byte[] received(OpenCase open, JsonObject upload) throws IOException {
        byte[] body = upload.copy().put("caseID", open.caseId()).encode().getBytes(StandardCharsets.UTF_8);
        try (Socket socket = new Socket("127.0.0.1", URI.create(platform.url()).getPort())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(("POST /api/evidence/uploads/download HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                    + open.claimant().token() + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write(body);
            InputStream in = socket.getInputStream();
            StringBuilder head = new StringBuilder();
            while (!head.toString().endsWith("\r\n\r\n")) {
                head.append((char) in.read());
            }
            assertThat(head.toString()).startsWith("HTTP/1.1 200").containsIgnoringCase("content-length: " + (4 * BLOCK + 100));
            return in.readAllBytes();
        } catch (java.net.SocketException reset) {
            return new byte[0];
        }
    }

    @Test
    void aClientThatGoesAwayLetsGoOfItsDownload() throws Exception {
        OpenCase open = OpenCase.on(platform);
        JsonObject upload = uploaded(open, content(40 * BLOCK));
        byte[] body = upload.copy().put("caseID", open.caseId()).encode().getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < 20; i++) {
            try (Socket socket = new Socket("127.0.0.1", URI.create(platform.url()).getPort())) {
                socket.getOutputStream().write(("POST /api/evidence/uploads/download HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                        + open.claimant().token() + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
                socket.getOutputStream().write(body);
                assertThat(socket.getInputStream().readNBytes(1000)).hasSize(1000);
            }
        }
        // More than a caller may have at once: those that went away count no more.
        Await.until("a transfer is free", () -> download(open, upload).status() == 200);
    }

    @Test
    void transfersOverTheBoundAreRefusedAndNotRecordedAsRead() throws Exception {
        try (RunningPlatform small = RunningPlatform.start(TestFolders.create("transfers-"),
                Map.of("ACP_EVIDENCE_TRANSFERS_PER_CALLER", "1", "ACP_EVIDENCE_TRANSFERS_MAX", "2"))) {
            OpenCase open = OpenCase.on(small);
            JsonObject upload = uploaded(open, content(100));
            try (Socket first = begun(open, open.claimant()); Socket second = begun(open, open.colleague())) {
                Await.until("both are under way", () -> pending(small).size() == 2);
                Answer own = download(open, upload);
                assertThat(own.status()).isEqualTo(429);
                assertThat(own.sentence()).isEqualTo("At most 1 uploads and downloads at once.");
                assertThat(own.header("Retry-After")).isNotNull();
                Answer others = small.post("/api/evidence/uploads/download", upload.copy().put("caseID", open.caseId()), open.manager().token());
                assertThat(others.status()).isEqualTo(503);
                assertThat(small.rows("select 1 from platform.audit where action = 'evidence.downloaded'")).isEmpty();
                assertThat(first.isConnected() && second.isConnected()).isTrue();
            }
            Await.until("they have ended", () -> download(open, upload).status() == 200);
        }
    }

    /** An upload of which more than the first block is sent, so that this block is written. */
    private static Socket begun(OpenCase open, Person by) throws IOException {
        Socket socket = new Socket("127.0.0.1", URI.create(open.platform().url()).getPort());
        byte[] body = form(open).file("a.pdf", "application/pdf", content(3 * BLOCK)).bytes();
        socket.getOutputStream().write(("POST " + Form.PATH + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + by.token()
                + "\r\nContent-Type: " + Form.CONTENT_TYPE + "\r\nContent-Length: " + body.length + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().write(body, 0, 2 * BLOCK);
        socket.getOutputStream().flush();
        return socket;
    }

    @Test
    void aFullDiskRefusesTheUploadAndTakesTheNextThatFits() throws Exception {
        Path folder = Files.createTempDirectory("acp-full-");
        Path objects = Files.createDirectories(folder.resolve("objects"));
        boolean mounted = runs("mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", objects.toString());
        if (!mounted) {
            System.out.println("skipped: a small disk cannot be mounted here (needs root)");
        }
        assumeTrue(mounted, "a small disk cannot be mounted here");
        try (RunningPlatform full = RunningPlatform.start(folder, Map.of())) {
            OpenCase open = OpenCase.on(full);
            Answer refused = form(open).file("a.pdf", "application/pdf", content(20_000_000)).post(full, open.claimant().token());
            assertThat(refused.status()).as(refused.body()).isEqualTo(503);
            assertThat(refused.sentence()).isEqualTo("The object store is not available.");
            assertThat(refused.header("Retry-After")).isNotNull();
            Await.until("what was written is gone", () -> full.objects().isEmpty() && pending(full).isEmpty());
            assertThat(listed(open, open.claimant())).isZero();
            byte[] fits = content(5_000_000);
            assertThat(download(open, uploaded(open, fits)).response().body()).isEqualTo(fits);
        } finally {
            // A process that read a file of it may still be ending.
            Await.until("it is not used any more", () -> runs("umount", objects.toString()));
        }
    }

    private static boolean runs(String... command) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
            return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException notThere) {
            return false;
        }
    }

    @Test
    void aKillBetweenObjectAndRowLeavesNothingToSeeAndTheSweeperTakesTheRest() throws Exception {
        Path folder = TestFolders.create("kill-");
        PlatformProcess process = PlatformProcess.start(folder);
        String caseId;
        try (Connection sql = process.sql()) {
            OpenCase open = OpenCase.on(process.platform());
            caseId = open.caseId();
            uploaded(open, content(100));
            // The row has to wait, while its object is finished already.
            sql.setAutoCommit(false);
            sql.createStatement().execute("lock table mainapi.uploads in exclusive mode");
            CompletableFuture<Void> uploading = CompletableFuture.runAsync(() -> uploaded(open, content(3 * BLOCK)), Thread::startVirtualThread);
            Await.until("the object stands at its place", () -> finished(folder).size() == 2);
            process.kill();
            process.awaitEnd();
            assertThat(uploading.handle((done, cut) -> cut != null).get(60, TimeUnit.SECONDS)).as("no answer came").isTrue();
        }
        // Half of one more: a kill while the file comes in.
        process = PlatformProcess.start(folder);
        OpenCase again = OpenCase.on(process.platform());
        try (Socket half = begun(again, again.claimant())) {
            Await.until("the file is being written", () -> Files.walk(folder.resolve("objects")).filter(Files::isRegularFile).count() == 3);
            process.kill();
            process.awaitEnd();
            assertThat(half.isConnected()).isTrue();
        }
        try (RunningPlatform back = RunningPlatform.start(folder, Map.of())) {
            assertThat(back.rows("select exhibit from mainapi.uploads where case_id = ?", UUID.fromString(caseId))).containsExactly(List.of("1"));
            assertThat(pending(back)).hasSize(2);
            assertThat(back.sweepObjects()).as("an upload may still be under way on another node").isZero();
            try (Connection sql = back.sql()) {
                sql.createStatement().execute("update platform.pending_objects set touched = now() - interval '61 minutes'");
            }
            assertThat(back.sweepObjects()).isEqualTo(2);
            assertThat(back.objects()).as("the object that has a row").hasSize(1);
            assertThat(pending(back)).isEmpty();
            assertThat(back.sweepObjects()).isZero();
        }
    }

    private static List<Path> finished(Path folder) throws IOException {
        Path uploads = folder.resolve("objects/evidence/uploads");
        if (!Files.isDirectory(uploads)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(uploads)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    @Test
    void anUploadWhoseObjectWasSweptAwayGetsNoRow() throws Exception {
        OpenCase open = OpenCase.on(platform);
        // What an earlier test removed may leave only now.
        Await.until("what earlier tests have begun has ended", () -> pending(platform).isEmpty());
        int before = platform.objects().size();
        try (Connection sql = platform.sql()) {
            sql.setAutoCommit(false);
            sql.createStatement().execute("lock table mainapi.uploads in exclusive mode");
            CompletableFuture<Answer> uploading = CompletableFuture.supplyAsync(
                    () -> form(open).file("a.pdf", "application/pdf", content(BLOCK)).post(platform, open.claimant().token()), Thread::startVirtualThread);
            Await.until("the object is written", () -> platform.objects().stream().filter(file -> !file.toString().contains(".incoming")).count() == before + 1);
            try (Connection other = platform.sql()) {
                other.createStatement().execute("update platform.pending_objects set touched = now() - interval '61 minutes'");
            }
            assertThat(platform.sweepObjects()).isEqualTo(1);
            sql.rollback();
            assertThat(uploading.get(60, TimeUnit.SECONDS).status()).isEqualTo(503);
        }
        assertThat(listed(open, open.claimant())).isZero();
        assertThat(platform.objects()).hasSize(before);
        assertThat(pending(platform)).isEmpty();
    }
}
