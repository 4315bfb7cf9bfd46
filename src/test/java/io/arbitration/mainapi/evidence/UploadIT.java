package io.arbitration.mainapi.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Form;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What goes up comes down as it was, under the name and type it was given, and in the audit trail. */
class UploadIT {

    private static final int BLOCK = 262_144;

    private final RunningPlatform platform = RunningPlatform.shared();
    private final OpenCase open = OpenCase.on(platform);

    private static byte[] content(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        byte[] start = "%PDF-1.7\n".getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(start, 0, bytes, 0, Math.min(start.length, length));
        return bytes;
    }

    private static String sha256(byte[] bytes) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }

    private Form form() {
        return Form.of(open.caseId(), "contract", "The contract of sale.");
    }

    private JsonObject uploaded(Person by, Form form, String... headers) {
        Answer answer = form.post(platform, by.token(), headers);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.object();
    }

    private HttpResponse<byte[]> download(Person by, String uploadId, String... headers) {
        String[] with = Stream.concat(Stream.of("Authorization", "Bearer " + by.token(), "Content-Type", "application/json"), Arrays.stream(headers)).toArray(String[]::new);
        HttpRequest request = HttpRequest.newBuilder(URI.create(platform.url() + "/api/evidence/uploads/download")).headers(with)
                .POST(HttpRequest.BodyPublishers.ofString(new JsonObject().put("caseID", open.caseId()).put("uploadID", uploadId).encode())).build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request, HttpResponse.BodyHandlers.ofByteArray());
        } catch (IOException | InterruptedException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private JsonObject view(Person by, String uploadId) {
        return open.on("/api/evidence/uploads/view", by, new JsonObject().put("uploadID", uploadId)).object();
    }

    private List<JsonObject> list(Person by) {
        return open.on("/api/evidence/uploads/list", by, new JsonObject()).object().getJsonArray("uploads").stream().map(JsonObject.class::cast).toList();
    }

    @Test
    void anUploadIsListedViewedAndDownloadedAsItWas() throws Exception {
        byte[] file = content(3 * BLOCK + 17);
        JsonObject upload = uploaded(open.claimant(), form().file("contract of sale.pdf", "application/pdf", file));
        assertThat(upload.fieldNames()).containsExactly("created", "uploadID", "categoryID", "phaseID", "partyID", "userID", "organizationID",
                "description", "contentType");
        assertThat(upload.getString("uploadID")).matches("[0-9]+");
        assertThat(upload.getString("created")).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
        assertThat(upload.getMap()).containsAllEntriesOf(Map.of("categoryID", "contract", "phaseID", "caseInitiation", "partyID", "claimant",
                "userID", open.claimant().id(), "description", "The contract of sale.", "contentType", "application/pdf"));
        assertThat(list(open.claimant())).containsExactly(upload);

        String uploadId = upload.getString("uploadID");
        JsonObject view = view(open.manager(), uploadId);
        assertThat(view.getMap()).containsAllEntriesOf(upload.getMap()).containsAllEntriesOf(Map.of(
                "exhibitNumber", "C-1", "fileName", "contract of sale.pdf", "bytes", file.length, "sha256", sha256(file)));

        HttpResponse<byte[]> down = download(open.manager(), uploadId);
        assertThat(down.statusCode()).isEqualTo(200);
        assertThat(down.body()).isEqualTo(file);
        assertThat(down.headers().map()).containsAllEntriesOf(Map.of(
                "content-type", List.of("application/pdf"),
                "content-length", List.of(String.valueOf(file.length)),
                "etag", List.of("\"" + sha256(file) + "\""),
                "accept-ranges", List.of("bytes"),
                "content-disposition", List.of("attachment; filename=\"contract of sale.pdf\"; filename*=UTF-8''contract%20of%20sale.pdf"),
                "cache-control", List.of("private, no-store"),
                "x-content-type-options", List.of("nosniff")));
    }

    @Test
    void filesOfEveryLengthAroundABlockComeDownWhole() {
        for (int length : new int[] {9, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 2 * BLOCK + 1}) {
            byte[] file = content(length);
            String uploadId = uploaded(open.claimant(), form().file("a.pdf", "application/pdf", file)).getString("uploadID");
            assertThat(download(open.claimant(), uploadId).body()).as("%d bytes", length).isEqualTo(file);
        }
    }

    @Test
    void anyRangeComesDownAndPiecesMakeTheWhole() {
        byte[] file = content(2 * BLOCK + 100);
        String uploadId = uploaded(open.claimant(), form().file("a.pdf", "application/pdf", file)).getString("uploadID");
        int[][] ranges = {{0, 1}, {0, BLOCK}, {1, BLOCK + 1}, {BLOCK - 1, BLOCK + 1}, {BLOCK, 2 * BLOCK}, {BLOCK - 5, 2 * BLOCK + 5},
                {2 * BLOCK, 2 * BLOCK + 100}, {2 * BLOCK + 99, 2 * BLOCK + 100}, {0, 2 * BLOCK + 100}, {77, 77 + 1000}};
        for (int[] range : ranges) {
            HttpResponse<byte[]> part = download(open.claimant(), uploadId, "Range", "bytes=%d-%d".formatted(range[0], range[1] - 1));
            assertThat(part.statusCode()).isEqualTo(206);
            assertThat(part.headers().firstValue("content-range")).contains("bytes %d-%d/%d".formatted(range[0], range[1] - 1, file.length));
            assertThat(part.body()).as(Arrays.toString(range)).isEqualTo(Arrays.copyOfRange(file, range[0], range[1]));
        }
        assertThat(download(open.claimant(), uploadId, "Range", "bytes=-7").body()).isEqualTo(Arrays.copyOfRange(file, file.length - 7, file.length));
    }

    @Test
    void aRangeOutsideOfTheFileIsRefusedAndAStaleOneIsTheWholeFile() {
        byte[] file = content(100);
        String uploadId = uploaded(open.claimant(), form().file("a.pdf", "application/pdf", file)).getString("uploadID");
        HttpResponse<byte[]> outside = download(open.claimant(), uploadId, "Range", "bytes=100-");
        assertThat(outside.statusCode()).isEqualTo(416);
        assertThat(outside.headers().firstValue("content-range")).contains("bytes */100");
        assertThat(new String(outside.body(), StandardCharsets.UTF_8)).isEqualTo("\"The range lies outside of the file.\"");

        String tag = download(open.claimant(), uploadId).headers().firstValue("etag").orElseThrow();
        assertThat(download(open.claimant(), uploadId, "Range", "bytes=0-9", "If-Range", tag).body()).hasSize(10);
        for (String range : List.of("bytes=0-1,4-5", "bytes=9-1", "pages=1-2", "bytes=x")) {
            assertThat(download(open.claimant(), uploadId, "Range", range).statusCode()).as(range).isEqualTo(200);
        }
        HttpResponse<byte[]> stale = download(open.claimant(), uploadId, "Range", "bytes=0-9", "If-Range", "\"another\"");
        assertThat(stale.statusCode()).isEqualTo(200);
        assertThat(stale.body()).isEqualTo(file);
    }

    @Test
    void thePartsOfTheFormMayComeInAnyOrder() {
        byte[] file = content(BLOCK + 5);
        List<Form> orders = List.of(
                new Form().file("a.pdf", "application/pdf", file).field("description", "d").field("caseID", open.caseId()).field("categoryID", "contract"),
                new Form().field("categoryID", "contract").file("a.pdf", "application/pdf", file).field("caseID", open.caseId()).field("description", "d"),
                new Form().field("unknown", "ignored").field("caseID", open.caseId()).field("categoryID", "contract").field("description", "d")
                        .file("a.pdf", "application/pdf", file));
        for (Form order : orders) {
            String uploadId = uploaded(open.claimant(), order).getString("uploadID");
            assertThat(download(open.claimant(), uploadId).body()).isEqualTo(file);
        }
    }

    @Test
    void exhibitNumbersAreOfThePartyWithoutGapWhoeverUploadsAtOnce() {
        List<CompletableFuture<JsonObject>> uploading = new ArrayList<>();
        for (int i = 0; i < 24; i++) {
            Person by = List.of(open.claimant(), open.colleague(), open.respondent(), open.manager()).get(i % 4);
            uploading.add(CompletableFuture.supplyAsync(() -> uploaded(by, form().file("a.txt", "text/plain", "A")), Thread::startVirtualThread));
        }
        Set<String> numbers = new TreeSet<>(uploading.stream().map(CompletableFuture::join)
                .map(upload -> view(open.manager(), upload.getString("uploadID")).getString("exhibitNumber")).toList());
        assertThat(numbers).isEqualTo(new TreeSet<>(Stream.of(
                IntStream.rangeClosed(1, 12).mapToObj("C-%d"::formatted),
                IntStream.rangeClosed(1, 6).mapToObj("R-%d"::formatted),
                IntStream.rangeClosed(1, 6).mapToObj("M-%d"::formatted)).flatMap(all -> all).toList()));
    }

    @Test
    void aRefusedUploadTakesNoExhibitNumber() {
        uploaded(open.claimant(), form().file("a.txt", "text/plain", "A"));
        assertThat(form().file("a.txt", "text/plain", "").post(platform, open.claimant().token()).status()).isEqualTo(400);
        assertThat(form().file("a.png", "image/png", "no image").post(platform, open.claimant().token()).status()).isEqualTo(415);
        String next = uploaded(open.claimant(), form().file("a.txt", "text/plain", "B")).getString("uploadID");
        assertThat(view(open.claimant(), next).getString("exhibitNumber")).isEqualTo("C-2");
    }

    @Test
    void theSameUploadSentAgainWithItsKeyIsOneUpload() throws Exception {
        String key = UUID.randomUUID().toString();
        byte[] file = content(BLOCK + 1);
        int before = platform.objects().size();
        Form form = form().file("a.pdf", "application/pdf", file);
        JsonObject first = uploaded(open.claimant(), form, "Idempotency-Key", key);
        Answer again = form.post(platform, open.claimant().token(), "Idempotency-Key", key);
        assertThat(again.object()).isEqualTo(first);
        assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(list(open.claimant())).hasSize(1);
        platform.awaitObjects(before + 1);

        byte[] other = file.clone();
        other[file.length - 1]++;
        for (Form changed : List.of(form().file("a.pdf", "application/pdf", other), form().file("b.pdf", "application/pdf", file),
                Form.of(open.caseId(), "contract", "Another text.").file("a.pdf", "application/pdf", file))) {
            Answer refused = changed.post(platform, open.claimant().token(), "Idempotency-Key", key);
            assertThat(refused.status()).isEqualTo(422);
            assertThat(refused.sentence()).isEqualTo("Idempotency-Key was used with another body");
        }
        assertThat(list(open.claimant())).hasSize(1);
        platform.awaitObjects(before + 1);
        assertThat(pending()).isEmpty();
    }

    /** Addresses that are being written; other tests of this class write none at the same time. */
    private List<List<String>> pending() {
        return platform.rows("select address from platform.pending_objects");
    }

    @Test
    void everyReadLeavesALineAndARefusedOneLeavesNone() {
        String uploadId = uploaded(open.claimant(), form().file("a.txt", "text/plain", "Agreed.")).getString("uploadID");
        download(open.respondent(), uploadId);
        open.on("/api/evidence/uploads/view", open.respondent(), new JsonObject().put("uploadID", uploadId));
        list(open.respondent());
        download(open.claimant(), uploadId, "Range", "bytes=900-");
        list(open.outsider());
        assertThat(trail()).containsExactly(open.claimant().id() + " evidence.uploaded " + uploadId);

        list(open.manager());
        view(open.manager(), uploadId);
        download(open.manager(), uploadId);
        download(open.claimant(), uploadId, "Range", "bytes=0-1");
        assertThat(trail()).containsExactly(
                open.claimant().id() + " evidence.uploaded " + uploadId,
                open.manager().id() + " evidence.listed null",
                open.manager().id() + " evidence.viewed " + uploadId,
                open.manager().id() + " evidence.downloaded " + uploadId,
                open.claimant().id() + " evidence.downloaded " + uploadId);
    }

    private List<String> trail() {
        return platform.rows("select user_id, action, subject from platform.audit where case_id = ? and action like 'evidence.%' order by audit_id",
                UUID.fromString(open.caseId())).stream().map(row -> String.join(" ", row.get(0), row.get(1), String.valueOf(row.get(2)))).toList();
    }

    @Test
    void whatIsKnownBeforeTheFileIsToldBeforeTheFileIsRead() {
        open.close();
        int before = platform.objects().size();
        // 40 MB that nobody waits for: the answer comes while most of it is unsent, or it would take all of them.
        Answer answer = form().file("a.pdf", "application/pdf", content(40_000_000)).post(platform, open.claimant().token());
        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.sentence()).isEqualTo("case is closed");
        assertThat(answer.header("Error-Code")).isEqualTo("case.closed");
        assertThat(platform.objects()).hasSize(before);
    }

    @Test
    void uploadsAreRefusedInTheOrderOfTheSpecification() {
        byte[] file = "A".getBytes(StandardCharsets.US_ASCII);
        record Refused(Form form, Person by, int status, String sentence) {}
        List<Refused> refusals = List.of(
                new Refused(Form.of("x".repeat(37), "contract", ""), open.claimant(), 400, "caseID: at most 36 characters"),
                new Refused(new Form().field("caseID", open.caseId()).field("categoryID", "contract"), open.claimant(), 400, "description: is required"),
                new Refused(Form.of(open.caseId(), "contract", "d".repeat(2001)), open.claimant(), 400, "description: at most 2000 characters"),
                new Refused(Form.of("unknown", "contract", ""), open.claimant(), 404, "case not found"),
                new Refused(Form.of(UUID.randomUUID().toString(), "contract", ""), open.claimant(), 404, "case not found"),
                new Refused(Form.of(open.caseId(), "nonsense", ""), open.claimant(), 404, "evidence type not found"),
                new Refused(Form.of(open.caseId(), "contract", ""), open.outsider(), 403, "Not a participant in this case."),
                new Refused(Form.of(open.caseId(), "contract", ""), open.observer(), 403,
                        "You are registered as an observer and cannot upload evidence in this case"));
        for (Refused expected : refusals) {
            Answer before = expected.form.file("a.txt", "text/plain", file).post(platform, expected.by.token());
            assertThat(before.status()).as(before.body()).isEqualTo(expected.status);
            assertThat(before.sentence()).isEqualTo(expected.sentence);
        }
        Answer fileFirst = new Form().file("a.txt", "text/plain", file).field("caseID", open.caseId()).field("categoryID", "contract")
                .field("description", "").post(platform, open.outsider().token());
        assertThat(fileFirst.sentence()).isEqualTo("Not a participant in this case.");
        assertThat(list(open.manager())).isEmpty();
        assertThat(pending()).isEmpty();
    }
}
