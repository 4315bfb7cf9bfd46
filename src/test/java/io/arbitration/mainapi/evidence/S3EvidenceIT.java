package io.arbitration.mainapi.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.arbitration.Await;
import io.arbitration.FaultyLine;
import io.arbitration.FaultyLine.State;
import io.arbitration.Form;
import io.arbitration.OpenCase;
import io.arbitration.OtherRuntimes;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.TestFolders;
import io.arbitration.mainapi.filings.Filed;
import io.arbitration.platform.objects.MotoServer;
import io.arbitration.platform.reading.SamplePdfs;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.sql.Connection;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Evidence in a bucket behind the S3 protocol, on a server that checks signatures; under its own scheme and under Google's. */
class S3EvidenceIT {

    private static final int PART = 5_242_880;
    private static final String BUCKET = "case-evidence";
    private static final String GOOGLE_BUCKET = "case.evidence_of_google";

    private static Optional<MotoServer> found;
    private static MotoServer s3;

    @BeforeAll
    static void startServer() throws Exception {
        found = MotoServer.start(BUCKET, GOOGLE_BUCKET);
        Assumptions.assumeTrue(found.isPresent(), "no S3 server");
        s3 = found.orElseThrow();
    }

    @AfterAll
    static void stopServer() {
        found.ifPresent(MotoServer::close);
    }

    private static RunningPlatform platform(String bucket, Map<String, String> more) throws IOException {
        String scheme = bucket.startsWith("gs") ? "GS" : "S3";
        Map<String, String> settings = new HashMap<>(Map.of(
                "ACP_OBJECTS_BUCKETS", bucket,
                "ACP_OBJECTS_%s_ENDPOINT".formatted(scheme), s3.endpoint(),
                "ACP_OBJECTS_%s_ACCESS_KEY_ID".formatted(scheme), s3.accessKeyId(),
                "ACP_OBJECTS_%s_SECRET_ACCESS_KEY".formatted(scheme), s3.secretAccessKey()));
        settings.putAll(more);
        return RunningPlatform.start(TestFolders.create("s3-"), settings);
    }

    private static byte[] content(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        System.arraycopy("%PDF-1.7\n".getBytes(StandardCharsets.US_ASCII), 0, bytes, 0, 9);
        return bytes;
    }

    private static String sha256(byte[] bytes) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }

    private static Answer upload(OpenCase open, byte[] file) {
        return Form.of(open.caseId(), "contract", "").file("a.pdf", "application/pdf", file).post(open.platform(), open.claimant().token());
    }

    private static JsonObject uploaded(OpenCase open, byte[] file) {
        Answer answer = upload(open, file);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return new JsonObject().put("uploadID", answer.object().getString("uploadID"));
    }

    private static Answer download(OpenCase open, JsonObject upload, String... headers) {
        return open.platform().post("/api/evidence/uploads/download", upload.copy().put("caseID", open.caseId()), open.claimant().token(), headers);
    }

    private static String key(OpenCase open, JsonObject upload) {
        String address = open.platform().rows("select address from mainapi.uploads where upload_id = ?", Long.valueOf(upload.getString("uploadID")))
                .getFirst().getFirst();
        return URI.create(address.replace("_", "")).getPath().substring(1);
    }

    /** Objects and unfinished uploads of a bucket, as another client sees them. */
    private static String held(String bucket) {
        return s3.boto("""
                print(s3.list_objects_v2(Bucket=sys.argv[1])['KeyCount'], len(s3.list_multipart_uploads(Bucket=sys.argv[1]).get('Uploads', [])))
                """, bucket);
    }

    private static void empty(String bucket) {
        s3.boto("for o in s3.list_objects_v2(Bucket=sys.argv[1]).get('Contents', []): s3.delete_object(Bucket=sys.argv[1], Key=o['Key'])", bucket);
    }

    private static void roundTrip(String scheme, String bucket) throws Exception {
        empty(bucket);
        try (RunningPlatform platform = platform(scheme + "://" + bucket, Map.of())) {
            OpenCase open = OpenCase.on(platform);
            int uploads = 0;
            for (int length : new int[] {9, 300_000, PART - 1, PART, PART + 1, 2 * PART, 12_345_678}) {
                byte[] file = content(length);
                JsonObject upload = uploaded(open, file);
                uploads++;
                assertThat(download(open, upload).response().body()).as("%d bytes", length).isEqualTo(file);
                assertThat(s3.boto("import hashlib; print(hashlib.sha256(s3.get_object(Bucket=sys.argv[1], Key=sys.argv[2])['Body'].read()).hexdigest())",
                        bucket, key(open, upload))).as("as another client reads it").isEqualTo(sha256(file));
                int from = length / 3;
                int to = Math.min(length, from + 600_000);
                Answer range = download(open, upload, "Range", "bytes=%d-%d".formatted(from, to - 1));
                assertThat(range.status()).isEqualTo(206);
                assertThat(range.response().body()).isEqualTo(Arrays.copyOfRange(file, from, to));
            }
            assertThat(held(bucket)).isEqualTo(uploads + " 0");
            assertThat(platform.objects()).as("nothing in the folder").isEmpty();
        }
    }

    @Test
    void filesOfEveryLengthAroundAPartGoUpAndDown() throws Exception {
        roundTrip("s3", BUCKET);
    }

    @Test
    void aBucketOfGoogleIsReachedByItsInterfaceOfTheSameKind() throws Exception {
        roundTrip("gs", GOOGLE_BUCKET);
    }

    /** The PDFs of filings are looked through as copies of what is in the bucket, which go again whatever is found. */
    @Test
    void filesOfFilingsAreLookedThroughRedactedAndGivenBackFromTheBucket() throws Exception {
        empty(BUCKET);
        try (RunningPlatform platform = platform("s3://" + BUCKET, Map.of())) {
            OpenCase open = OpenCase.on(platform);
            Filed filed = new Filed(open);
            String filing = open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
            byte[] claim = SamplePdfs.saying("The cranes were late.", "They were not paid.");
            byte[] large = SamplePdfs.withEmbedded("a.bin", content(2 * PART));
            for (byte[] pdf : List.of(claim, large)) {
                JsonObject file = filed.taken(open.claimant(), filing, "claim.pdf", pdf);
                assertThat(file.getString("gsUrl")).startsWith("s3://" + BUCKET + "/filings/");
                assertThat(file.getInteger("pages")).isEqualTo(pdf == claim ? 2 : 1);
                assertThat(filed.on("download", open.claimant(), filing, Filed.file(file.getString("fileID"))).response().body()).isEqualTo(pdf);
            }
            assertThat(held(BUCKET)).isEqualTo("2 0");
            Map.of("is encrypted; file it without a password and without restrictions", SamplePdfs.encrypted("secret"), "contains JavaScript", SamplePdfs.withScriptAtOpening(),
                    "is damaged or incomplete", SamplePdfs.truncated(), "unpacks to much more than its size explains", SamplePdfs.bomb()).forEach((fault, pdf) -> {
                        Answer refused = filed.upload(open.claimant(), filing, "bad.pdf", pdf);
                        assertThat(refused.status()).as(refused.body()).isEqualTo(422);
                        assertThat(refused.sentence()).isEqualTo("file: " + fault);
                    });
            assertThat(held(BUCKET)).as("nothing of what was refused").isEqualTo("2 0");

            assertThat(open.document("submit", open.claimant(), filing).status()).isEqualTo(200);
            assertThat(open.document("approve", open.manager(), filing).status()).isEqualTo(200);
            String fileId = filed.list(open.manager(), filing).getJsonObject(0).getString("fileID");
            byte[] redacted = SamplePdfs.saying("The cranes were late.");
            Answer answer = new Form().field("caseID", open.caseId()).field("entryID", open.view(open.manager(), filing).getString("entryID")).field("fileID", fileId)
                    .field("reason", "A price.").file("claim.pdf", Filed.PDF, redacted).postTo(platform, "/api/docket/entries/redact", open.manager().token());
            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            assertThat(filed.on("download", open.respondent(), filing, Filed.file(fileId)).response().body()).isEqualTo(redacted);
            assertThat(filed.on("download", open.manager(), filing, Filed.file(fileId).put("original", true)).response().body()).isEqualTo(claim);
            assertThat(held(BUCKET)).isEqualTo("3 0");
        }
    }

    @Test
    void aFileThatIsMissingOrAlteredInTheBucketIsNotSent() throws Exception {
        try (RunningPlatform platform = platform("s3://" + BUCKET, Map.of())) {
            OpenCase open = OpenCase.on(platform);
            byte[] file = content(700_000);
            JsonObject missing = uploaded(open, file);
            s3.boto("s3.delete_object(Bucket=sys.argv[1], Key=sys.argv[2])", BUCKET, key(open, missing));
            assertThat(download(open, missing).sentence()).isEqualTo("The stored file is missing.");

            JsonObject shorter = uploaded(open, file);
            s3.boto("s3.put_object(Bucket=sys.argv[1], Key=sys.argv[2], Body=b'short')", BUCKET, key(open, shorter));
            assertThat(download(open, shorter).sentence()).isEqualTo("The stored file is not what was uploaded.");

            JsonObject altered = uploaded(open, file);
            s3.boto("""
                    b = bytearray(s3.get_object(Bucket=sys.argv[1], Key=sys.argv[2])['Body'].read()); b[100] ^= 1
                    s3.put_object(Bucket=sys.argv[1], Key=sys.argv[2], Body=bytes(b))
                    """, BUCKET, key(open, altered));
            assertThat(download(open, altered).sentence()).isEqualTo("The stored file is not what was uploaded.");
            assertThat(download(open, altered, "Range", "bytes=600000-").response().body()).isEqualTo(Arrays.copyOfRange(file, 600_000, 700_000));
        }
    }

    @Test
    void anUploadThatIsCutOffLeavesNoPartsInTheBucketAndTheSweeperTakesThoseOfADeadNode() throws Exception {
        empty(BUCKET);
        try (RunningPlatform platform = platform("s3://" + BUCKET, Map.of())) {
            OpenCase open = OpenCase.on(platform);
            byte[] body = Form.of(open.caseId(), "contract", "").file("a.pdf", "application/pdf", content(3 * PART)).bytes();
            try (Socket socket = new Socket("127.0.0.1", URI.create(platform.url()).getPort())) {
                socket.getOutputStream().write(("POST " + Form.PATH + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + open.claimant().token()
                        + "\r\nContent-Type: " + Form.CONTENT_TYPE + "\r\nContent-Length: " + body.length + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
                socket.getOutputStream().write(body, 0, 2 * PART);
                socket.getOutputStream().flush();
                await("parts are there", "0 1");
            }
            await("they are gone", "0 0");

            // What a node that died has left behind: a line, an unfinished upload and, in the worst case, an object.
            s3.boto("s3.create_multipart_upload(Bucket=sys.argv[1], Key='uploads/aa/dead'); s3.put_object(Bucket=sys.argv[1], Key='uploads/aa/dead', Body=b'x')", BUCKET);
            try (Connection sql = platform.sql()) {
                sql.createStatement().execute("insert into platform.pending_objects (address, touched) values ('s3://%s/uploads/aa/dead', now() - interval '2 hours')"
                        .formatted(BUCKET));
            }
            assertThat(held(BUCKET)).isEqualTo("1 1");
            assertThat(platform.sweepObjects()).isEqualTo(1);
            assertThat(held(BUCKET)).isEqualTo("0 0");
            assertThat(platform.rows("select 1 from platform.pending_objects")).isEmpty();
        }
    }

    private static void await(String what, String held) {
        Await.until(() -> "%s: %s".formatted(what, held(BUCKET)), Await.BOUND, () -> held(BUCKET).equals(held));
    }

    @Test
    void aStoreThatRefusesOrDoesNotAnswerIsTheStoresTrouble() throws Exception {
        for (Map<String, String> trouble : new Map[] {Map.of("ACP_OBJECTS_S3_SECRET_ACCESS_KEY", "wrong"), Map.of("ACP_OBJECTS_BUCKETS", "s3://no-such-bucket"),
                Map.of("ACP_OBJECTS_S3_ENDPOINT", "http://127.0.0.1:1")}) {
            try (RunningPlatform platform = platform("s3://" + BUCKET, trouble)) {
                OpenCase open = OpenCase.on(platform);
                Answer refused = upload(open, content(1000));
                assertThat(refused.status()).as("%s: %s", trouble, refused.body()).isEqualTo(503);
                assertThat(refused.sentence()).as(trouble.toString()).isEqualTo("The object store is not available.");
                assertThat(open.on("/api/evidence/uploads/list", open.claimant(), new JsonObject()).object().getJsonArray("uploads")).isEmpty();
            }
        }
    }

    private static JsonObject healthWithObjects(RunningPlatform platform, String word) {
        return Await.value("objects are " + word, () -> {
            JsonObject health = platform.health();
            return health.getJsonObject("parts").getString("objects").equals(word) ? health : null;
        });
    }

    @Test
    void aStoreThatIsAwayAtTheStartSaysNothingOrAnswersNonsenseIsNamedAndUsedWhenItIsBack() throws Exception {
        Assumptions.assumeTrue(OtherRuntimes.counterparts("an object store that says nothing, which is given up after 30 s"), "left to ./acp counterparts");
        try (FaultyLine line = new FaultyLine(URI.create(s3.endpoint()).getPort(), State.AWAY);
                RunningPlatform platform = platform("s3://" + BUCKET, Map.of("ACP_OBJECTS_S3_ENDPOINT", "http://127.0.0.1:" + line.port()))) {
            OpenCase open = OpenCase.on(platform);
            for (State state : List.of(State.AWAY, State.SILENT, State.NONSENSE)) {
                line.become(state);
                Answer refused = upload(open, content(1000));
                assertThat(refused.status()).as("%s: %s", state, refused.body()).isEqualTo(503);
                assertThat(healthWithObjects(platform, "DOWN").getJsonObject("troubles").getString("objects")).as("%s", state).isNotBlank();
                line.become(State.WORKS);
                healthWithObjects(platform, "UP");
                JsonObject upload = uploaded(open, content(1000));
                assertThat(download(open, upload).response().body()).isEqualTo(content(1000));
            }
            assertThat(open.on("/api/evidence/uploads/list", open.claimant(), new JsonObject()).object().getJsonArray("uploads")).hasSize(3);
        }
    }

    /** Answers as MinIO gives them, with its disk full, and with a clock that is too far from the node's for a signature (a quarter of an hour). */
    @Test
    void aStoreWithoutSpaceOrWithAnotherTimeTakesNothingAndIsNamed() throws Exception {
        AtomicInteger status = new AtomicInteger();
        HttpServer store = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        store.createContext("/", exchange -> {
            byte[] why = "<Error><Code>%s</Code></Error>".formatted(status.get() == 507 ? "XMinioStorageFull" : "RequestTimeTooSkewed").getBytes(StandardCharsets.UTF_8);
            boolean head = exchange.getRequestMethod().equals("HEAD");
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(status.get(), head ? -1 : why.length);
            if (!head) {
                exchange.getResponseBody().write(why);
            }
            exchange.close();
        });
        store.start();
        try (RunningPlatform platform = platform("s3://" + BUCKET, Map.of("ACP_OBJECTS_S3_ENDPOINT", "http://127.0.0.1:" + store.getAddress().getPort()))) {
            OpenCase open = OpenCase.on(platform);
            for (int answer : new int[] {507, 403}) {
                status.set(answer);
                Answer refused = upload(open, content(1000));
                assertThat(refused.status()).as("%d: %s", answer, refused.body()).isEqualTo(503);
                Await.until("the reason is named", () -> platform.health().getJsonObject("troubles", new JsonObject()).getString("objects", "").contains(String.valueOf(answer)));
            }
            assertThat(open.on("/api/evidence/uploads/list", open.claimant(), new JsonObject()).object().getJsonArray("uploads")).isEmpty();
        } finally {
            store.stop(0);
        }
    }
}
