package io.arbitration.mainapi.filings;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.Exported;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.RunningPlatform;
import io.arbitration.TestFolders;
import io.arbitration.command.ArbitrationCommand;
import io.arbitration.domain.hash.Sha256;
import io.arbitration.platform.reading.SamplePdfs;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.text.PDFTextStripper;
import org.junit.jupiter.api.Test;

/** A filing carries documents: taken, arranged, shown to whoever sees the filing, fixed by its submission and proved by its docket entry. */
class FilesIT {

    private static final byte[] CLAIM = SamplePdfs.saying("The cranes were late.", "They were not paid.");
    private static final byte[] ANNEX = SamplePdfs.saying("Annex.");

    private final RunningPlatform platform = RunningPlatform.shared();
    private final OpenCase open = OpenCase.on(platform);
    private final Filed filed = new Filed(open);

    private String draft() {
        return open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
    }

    private static List<String> titles(JsonArray files) {
        return files.stream().map(file -> ((JsonObject) file).getString("title")).toList();
    }

    private static void isRefused(Answer answer, int status, String sentence) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.sentence()).isEqualTo(sentence);
        assertThat(answer.header("Error-Code")).isNotEmpty();
    }

    private HttpResponse<byte[]> download(Person by, String filingId, String fileId, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(platform.url() + "/api/filings/files/download"))
                .header("Authorization", "Bearer " + by.token()).header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(Filed.file(fileId).put("caseID", open.caseId()).put("filingID", filingId).encode()));
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        }
    }

    @Test
    void aFileIsTakenShownAndGivenBackByteForByte() throws Exception {
        String filing = draft();
        Answer taken = filed.post(open.claimant(), filed.form(filing).field("title", "Our claim").file("claim.pdf", Filed.PDF, CLAIM));
        assertThat(taken.status()).as(taken.body()).isEqualTo(200);
        assertThat(taken.header("ETag")).isEqualTo("\"2\"");
        JsonObject record = taken.object();
        assertThat(record.getMap()).containsEntry("title", "Our claim").containsEntry("fileName", "claim.pdf").containsEntry("contentType", Filed.PDF)
                .containsEntry("bytes", CLAIM.length).containsEntry("sha256", Sha256.hex(CLAIM)).containsEntry("pages", 2);
        assertThat(record.getString("gsUrl")).startsWith("file://evidence/filings/");
        assertThat(record.fieldNames()).containsExactly("fileID", "title", "fileName", "contentType", "bytes", "sha256", "pages", "gsUrl");
        assertThat(filed.list(open.colleague(), filing)).containsExactly(record);
        assertThat(open.view(open.observer(), filing).getJsonArray("files")).containsExactly(record);
        JsonObject listed = open.on("/api/filings/list", open.claimant(), new JsonObject()).object().getJsonArray("filings").getJsonObject(0);
        assertThat(listed.getJsonArray("files")).containsExactly(record);

        HttpResponse<byte[]> whole = download(open.claimant(), filing, record.getString("fileID"));
        assertThat(whole.statusCode()).isEqualTo(200);
        assertThat(whole.body()).isEqualTo(CLAIM);
        assertThat(whole.headers().firstValue("ETag")).contains('"' + Sha256.hex(CLAIM) + '"');
        assertThat(whole.headers().firstValue("Content-Disposition").orElseThrow()).contains("claim.pdf");
        HttpResponse<byte[]> part = download(open.claimant(), filing, record.getString("fileID"), "Range", "bytes=10-19");
        assertThat(part.statusCode()).isEqualTo(206);
        assertThat(part.body()).isEqualTo(java.util.Arrays.copyOfRange(CLAIM, 10, 20));
        assertThat(download(open.claimant(), filing, record.getString("fileID"), "Range", "bytes=999999999-").statusCode()).isEqualTo(416);
        List<String> actions = platform.rows("select action from platform.audit where case_id = ?::uuid and action like 'file.%' order by audit_id", open.caseId())
                .stream().map(List::getFirst).toList();
        assertThat(actions).startsWith("file.uploaded", "file.downloaded");
    }

    @Test
    void filesAreTitledArrangedAndRemovedAndTheFilingsRevisionGrows() {
        String filing = draft();
        String first = filed.taken(open.claimant(), filing, "a.pdf", CLAIM).getString("fileID");
        JsonObject doomed = filed.taken(open.claimant(), filing, "b.pdf", ANNEX);
        String second = doomed.getString("fileID");
        filed.taken(open.colleague(), filing, "c.pdf", ANNEX);
        assertThat(titles(filed.list(open.claimant(), filing))).containsExactly("a.pdf", "b.pdf", "c.pdf");
        Answer moved = filed.on("update", open.claimant(), filing, Filed.file(first).put("position", 3).put("title", "Last"));
        assertThat(moved.object().getString("title")).isEqualTo("Last");
        assertThat(moved.header("ETag")).isEqualTo("\"5\"");
        assertThat(titles(filed.list(open.claimant(), filing))).containsExactly("b.pdf", "c.pdf", "Last");
        assertThat(filed.on("update", open.claimant(), filing, Filed.file(first).put("position", 1).putNull("title")).status()).isEqualTo(200);
        assertThat(titles(filed.list(open.claimant(), filing))).containsExactly("Last", "b.pdf", "c.pdf");
        isRefused(filed.on("update", open.claimant(), filing, Filed.file(first).put("position", 4)), 400, "position: from 1 to 3");
        assertThat(platform.objectFile(doomed.getString("gsUrl"))).exists();
        Answer removed = filed.on("remove", open.claimant(), filing, Filed.file(second));
        assertThat(removed.sentence()).isEqualTo("File removed.");
        assertThat(removed.header("ETag")).isEqualTo("\"7\"");
        assertThat(titles(filed.list(open.claimant(), filing))).containsExactly("Last", "c.pdf");
        isRefused(filed.on("remove", open.claimant(), filing, Filed.file(second)), 404, "file not found");
        Await.until("its bytes go, too", () -> !Files.exists(platform.objectFile(doomed.getString("gsUrl"))));
        // A file belongs to one filing.
        String other = draft();
        isRefused(filed.on("update", open.claimant(), other, Filed.file(first).put("title", "x")), 404, "file not found");
        isRefused(filed.on("remove", open.claimant(), other, Filed.file("none")), 404, "file not found");
        isRefused(filed.on("download", open.claimant(), other, Filed.file(first)), 404, "file not found");
        isRefused(filed.on("download", open.claimant(), filing, Filed.file(first).put("original", true)), 403, "Only the case manager can read what a redaction replaced.");
    }

    @Test
    void aStaleRevisionIsRefusedAndARepeatedKeyAnsweredAsTheFirstTime() {
        String filing = draft();
        isRefused(filed.upload(open.claimant(), filing, "a.pdf", ANNEX, "If-Match", "\"7\""), 409, "If-Match does not match the current revision");
        Answer first = filed.upload(open.claimant(), filing, "a.pdf", ANNEX, "If-Match", "\"1\"", "Idempotency-Key", "file-" + filing);
        assertThat(first.status()).isEqualTo(200);
        Answer again = filed.upload(open.claimant(), filing, "a.pdf", ANNEX, "If-Match", "\"1\"", "Idempotency-Key", "file-" + filing);
        assertThat(again.object()).isEqualTo(first.object());
        assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(filed.upload(open.claimant(), filing, "a.pdf", CLAIM, "Idempotency-Key", "file-" + filing).status()).isEqualTo(422);
        assertThat(filed.list(open.claimant(), filing)).hasSize(1);
        String file = first.object().getString("fileID");
        isRefused(filed.on("remove", open.claimant(), filing, Filed.file(file), "If-Match", "\"1\""), 409, "If-Match does not match the current revision");
        isRefused(filed.on("update", open.claimant(), filing, Filed.file(file).put("title", "x"), "If-Match", "\"1\""), 409, "If-Match does not match the current revision");
        assertThat(platform.rows("select address from platform.pending_objects")).isEmpty();
    }

    @Test
    void onlyTheFilersSideChangesFilesAndWhoSeesTheFilingReadsThem() throws Exception {
        String filing = draft();
        String file = filed.taken(open.claimant(), filing, "a.pdf", CLAIM).getString("fileID");
        for (Person by : List.of(open.respondent(), open.manager(), open.arbitrator())) {
            isRefused(filed.upload(by, filing, "a.pdf", ANNEX), 404, "document not found");
            isRefused(filed.on("list", by, filing, new JsonObject()), 404, "document not found");
            isRefused(filed.on("download", by, filing, Filed.file(file)), 404, "document not found");
            isRefused(filed.on("remove", by, filing, Filed.file(file)), 404, "document not found");
        }
        isRefused(filed.upload(open.outsider(), filing, "a.pdf", ANNEX), 403, "Not a participant in this case.");
        String observer = "You are registered as an observer and cannot file documents in this case";
        isRefused(filed.upload(open.observer(), filing, "a.pdf", ANNEX), 403, observer);
        isRefused(filed.on("update", open.observer(), filing, Filed.file(file).put("title", "x")), 403, observer);
        isRefused(filed.on("remove", open.observer(), filing, Filed.file(file)), 403, observer);
        assertThat(download(open.observer(), filing, file).body()).isEqualTo(CLAIM);
        assertThat(open.document("submit", open.claimant(), filing).status()).isEqualTo(200);
        // Who approves sees it now, and changes nothing.
        assertThat(download(open.manager(), filing, file).body()).isEqualTo(CLAIM);
        isRefused(filed.upload(open.manager(), filing, "a.pdf", ANNEX), 403, "Only the side that made this document can change it.");
        isRefused(filed.upload(open.claimant(), filing, "a.pdf", ANNEX), 409, "document is already submitted for approval");
        isRefused(filed.on("remove", open.claimant(), filing, Filed.file(file)), 409, "document is already submitted for approval");
        assertThat(open.document("approve", open.manager(), filing).status()).isEqualTo(200);
        assertThat(download(open.respondent(), filing, file).body()).isEqualTo(CLAIM);
        String docketed = "document cannot be changed because it's already been added to the docket";
        isRefused(filed.upload(open.claimant(), filing, "a.pdf", ANNEX), 409, docketed);
        isRefused(filed.on("update", open.claimant(), filing, Filed.file(file).put("title", "x")), 409, docketed);
        isRefused(filed.on("remove", open.claimant(), filing, Filed.file(file)), 409, docketed);
        isRefused(filed.on("download", open.manager(), filing, Filed.file(file).put("original", true)), 404, "file not found");
        isRefused(filed.post(open.claimant(), filed.form("x").file("a.pdf", Filed.PDF, ANNEX)), 404, "document not found");
    }

    @Test
    void aRejectedFilingTakesFilesAndIsADraftAgainAndAWithdrawnOrClosedOneTakesNone() {
        String filing = draft();
        open.document("submit", open.claimant(), filing);
        open.reject(open.manager(), filing, "Where is the document?");
        filed.taken(open.claimant(), filing, "a.pdf", ANNEX);
        assertThat(open.view(open.claimant(), filing).getString("state")).isEqualTo("draft");
        open.document("withdraw", open.claimant(), filing);
        isRefused(filed.upload(open.claimant(), filing, "b.pdf", ANNEX), 409, "document is already withdrawn");
        String another = draft();
        open.close();
        isRefused(filed.upload(open.claimant(), another, "b.pdf", ANNEX), 409, "case is closed");
    }

    @Test
    void theDocketProvesTheFilesInTheirOrder() {
        String filing = draft();
        String first = filed.taken(open.claimant(), filing, "a.pdf", CLAIM).getString("fileID");
        filed.taken(open.claimant(), filing, "b.pdf", ANNEX);
        filed.on("update", open.claimant(), filing, Filed.file(first).put("position", 2));
        open.document("submit", open.claimant(), filing);
        open.document("approve", open.manager(), filing);
        String entryId = open.view(open.claimant(), filing).getString("entryID");
        JsonObject entry = open.on("/api/docket/entries/view", open.respondent(), new JsonObject().put("entryID", entryId)).object();
        assertThat(titles(entry.getJsonArray("files"))).containsExactly("b.pdf", "a.pdf");
        assertThat(platform.rows("select array_to_string(file_hashes, ' ') from mainapi.entries where entry_id = ?::bigint", entryId))
                .containsExactly(List.of(Sha256.hex(ANNEX) + " " + Sha256.hex(CLAIM)));
        assertThat(open.on("/api/docket/verify", open.respondent(), new JsonObject()).object().getBoolean("valid")).isTrue();
    }

    private String docketed(byte[]... pdfs) {
        String filing = draft();
        for (int i = 0; i < pdfs.length; i++) {
            filed.taken(open.claimant(), filing, "file %d.pdf".formatted(i + 1), pdfs[i]);
        }
        open.document("submit", open.claimant(), filing);
        open.document("approve", open.manager(), filing);
        return filing;
    }

    @Test
    void thePaperOfAnEntryListsItsFilesWithWhatProvesThem() throws Exception {
        String entryId = open.view(open.claimant(), docketed(CLAIM, ANNEX)).getString("entryID");
        HttpRequest request = HttpRequest.newBuilder(URI.create(platform.url() + "/api/docket/entries/render"))
                .header("Authorization", "Bearer " + open.respondent().token()).header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(new JsonObject().put("caseID", open.caseId()).put("entryID", entryId).encode())).build();
        try (HttpClient client = HttpClient.newHttpClient();
                PDDocument paper = Loader.loadPDF(client.send(request, HttpResponse.BodyHandlers.ofByteArray()).body())) {
            String text = new PDFTextStripper().getText(paper).replaceAll("\\s+", " ");
            assertThat(text).contains("1. file 1.pdf", "2 pages", Sha256.hex(CLAIM), "2. file 2.pdf", "1 page,", Sha256.hex(ANNEX));
        }
    }

    @Test
    void anExportHoldsTheFilesAndProvesThemAndAReceiptNamesThem() throws Exception {
        String filing = docketed(CLAIM, ANNEX);
        docketed();
        Exported exported = Exported.of(open, open.respondent());
        assertThat(exported.files().get("docket/files/000001-001 file 1.pdf")).isEqualTo(CLAIM);
        assertThat(exported.files().get("docket/files/000001-002 file 2.pdf")).isEqualTo(ANNEX);
        Path folder = TestFolders.create("files-");
        String keys = Files.writeString(folder.resolve("keys.json"), platform.get("/auth/.well-known/jwks.json").body()).toString();
        String zip = Files.write(folder.resolve("export.zip"), exported.zip()).toString();
        assertThat(ArbitrationCommand.execute("verify-export", zip, "--keys", keys)).isZero();

        JsonObject view = open.view(open.respondent(), filing);
        String receipt = open.on("/api/filings/receipt", open.respondent(), new JsonObject().put("filingID", filing)).object().getString("receipt");
        JsonObject payload = new JsonObject(new String(java.util.Base64.getUrlDecoder().decode(receipt.split("\\.")[1]), java.nio.charset.StandardCharsets.UTF_8));
        assertThat(payload.getJsonArray("files")).containsExactly(Sha256.hex(CLAIM), Sha256.hex(ANNEX));
        String kept = Files.writeString(folder.resolve("receipt.jws"), receipt).toString();
        String viewed = Files.writeString(folder.resolve("filing.json"), view.encode()).toString();
        assertThat(ArbitrationCommand.execute("verify-receipt", kept, "--keys", keys, "--filing", viewed)).isZero();
        view.getJsonArray("files").remove(1);
        String fewer = Files.writeString(folder.resolve("fewer.json"), view.encode()).toString();
        assertThat(ArbitrationCommand.execute("verify-receipt", kept, "--keys", keys, "--filing", fewer)).isEqualTo(1);
    }

    @Test
    void aDocumentHasAtMostTwentyFilesAlsoWhenManyComeAtOnce() {
        String filing = draft();
        List<CompletableFuture<Integer>> answers = IntStream.range(0, 24).mapToObj(i -> CompletableFuture.supplyAsync(
                () -> filed.upload(i % 2 == 0 ? open.claimant() : open.colleague(), filing, i + ".pdf", ANNEX).status(), Thread::startVirtualThread)).toList();
        Map<Integer, Long> statuses = answers.stream().map(CompletableFuture::join).collect(java.util.stream.Collectors.groupingBy(one -> one, java.util.stream.Collectors.counting()));
        while (filed.list(open.claimant(), filing).size() < 20) {
            // Those that were refused because too many were under way at once are sent again.
            assertThat(statuses.keySet()).isSubsetOf(200, 409, 429);
            filed.taken(open.claimant(), filing, "more.pdf", ANNEX);
        }
        isRefused(filed.upload(open.claimant(), filing, "one more.pdf", ANNEX), 409, "a document of this type has at most 20 files");
        assertThat(filed.list(open.claimant(), filing)).hasSize(20);
        assertThat(platform.rows("select position from mainapi.files where filing_id = ?::bigint order by position", filing))
                .extracting(row -> Integer.parseInt(row.getFirst())).containsExactlyElementsOf(IntStream.rangeClosed(1, 20).boxed().toList());
        assertThat(platform.rows("select address from platform.pending_objects")).isEmpty();
    }

    @Test
    void anExpertReportIsSubmittedWithAFileOnly() {
        JsonObject body = new JsonObject().put("caseID", open.caseId()).put("documentID", "expertReport").put("fields", new JsonObject());
        String filing = platform.post("/api/filings/create", body, open.claimant().token()).object().getString("filingID");
        String sentence = "files: at least one is required";
        assertThat(open.document("check", open.claimant(), filing).object().getJsonArray("problems")).contains(sentence);
        filed.taken(open.claimant(), filing, "report.pdf", CLAIM);
        assertThat(open.document("check", open.claimant(), filing).object().getJsonArray("problems")).doesNotContain(sentence);
    }

    @Test
    void somebodyWhoIsRemovedWhileAFileWaitsForTheCaseDoesNotAddIt() throws Exception {
        String filing = open.draft(open.colleague(), OpenCase.APPROVED_DOCUMENT);
        try (Connection removing = platform.sql(); Statement sql = removing.createStatement()) {
            removing.setAutoCommit(false);
            sql.execute("select 1 from mainapi.heads where case_id = '%s' for update".formatted(open.caseId()));
            CompletableFuture<Answer> uploading = CompletableFuture.supplyAsync(() -> filed.upload(open.colleague(), filing, "a.pdf", CLAIM), Thread::startVirtualThread);
            Await.until("the file waits for the case", () -> !platform.rows("""
                    select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%mainapi.heads%for no key update%'
                    """).isEmpty());
            sql.execute("delete from cases.participants where case_id = '%s' and user_id = '%s'".formatted(open.caseId(), open.colleague().id()));
            removing.commit();
            isRefused(uploading.get(), 403, "Not a participant in this case.");
        }
        assertThat(filed.list(open.claimant(), filing)).isEmpty();
        assertThat(platform.rows("select 1 from mainapi.files where case_id = ?::uuid", open.caseId())).isEmpty();
    }

    @Test
    void bytesOfFilesCountForThePartyWithItsExhibitsAndAreGivenBackByRemoval() throws Exception {
        String filing = draft();
        String file = filed.taken(open.claimant(), filing, "a.pdf", CLAIM).getString("fileID");
        String counted = "select party_id, bytes from mainapi.party_evidence_bytes where case_id = ?::uuid and party_id = 'claimant'";
        assertThat(platform.rows(counted, open.caseId())).containsExactly(List.of("claimant", String.valueOf(CLAIM.length)));
        filed.on("remove", open.claimant(), filing, Filed.file(file));
        assertThat(platform.rows(counted, open.caseId())).containsExactly(List.of("claimant", "0"));
        try (var sql = platform.sql(); var statement = sql.createStatement()) {
            statement.execute("update mainapi.party_evidence_bytes set bytes = 21474836480 - %d where case_id = '%s'".formatted(ANNEX.length, open.caseId()));
        }
        isRefused(filed.upload(open.colleague(), filing, "a.pdf", CLAIM), 409,
                "the exhibits and the files of filings of one party in a case are at most 21474836480 bytes together");
        filed.taken(open.claimant(), filing, "b.pdf", ANNEX);
        isRefused(filed.upload(open.claimant(), filing, "c.pdf", ANNEX), 409,
                "the exhibits and the files of filings of one party in a case are at most 21474836480 bytes together");
        String answer = open.draft(open.respondent(), OpenCase.APPROVED_DOCUMENT);
        filed.taken(open.respondent(), answer, "d.pdf", CLAIM);
        assertThat(filed.list(open.claimant(), filing)).hasSize(1);
    }

    @Test
    void bytesOfFilesCountForCaseAndUserAndAreGivenBackByRemoval() throws Exception {
        String filing = draft();
        String file = filed.taken(open.claimant(), filing, "a.pdf", CLAIM).getString("fileID");
        String counted = "select bytes from mainapi.case_evidence_bytes where case_id = ?::uuid";
        assertThat(platform.rows(counted, open.caseId())).containsExactly(List.of(String.valueOf(CLAIM.length)));
        filed.on("remove", open.claimant(), filing, Filed.file(file));
        assertThat(platform.rows(counted, open.caseId())).containsExactly(List.of("0"));
        try (var sql = platform.sql(); var statement = sql.createStatement()) {
            statement.execute("update mainapi.case_evidence_bytes set bytes = 53687091200 - %d where case_id = '%s'".formatted(ANNEX.length, open.caseId()));
        }
        isRefused(filed.upload(open.claimant(), filing, "a.pdf", CLAIM), 409, "the exhibits and the files of filings of a case are at most 53687091200 bytes together");
        filed.taken(open.claimant(), filing, "b.pdf", ANNEX);
        try (var sql = platform.sql(); var statement = sql.createStatement()) {
            statement.execute("update mainapi.user_evidence_bytes set bytes = 107374182400 where user_id = '%s'".formatted(open.claimant().id()));
            statement.execute("update mainapi.case_evidence_bytes set bytes = 0 where case_id = '%s'".formatted(open.caseId()));
        }
        isRefused(filed.upload(open.claimant(), filing, "c.pdf", ANNEX), 409, "the exhibits and the files of filings that one user has uploaded are at most 107374182400 bytes together");
        assertThat(filed.list(open.claimant(), filing)).hasSize(1);
    }
}
