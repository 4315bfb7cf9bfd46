package io.arbitration.mainapi.filings;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.Exported;
import io.arbitration.Form;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.mainapi.evidence.SampleFiles;
import io.arbitration.platform.reading.SamplePdfs;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.awt.Color;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.PDPageContentStream.AppendMode;
import org.apache.pdfbox.pdmodel.common.PDRectangle;
import org.apache.pdfbox.pdmodel.common.PDStream;
import org.junit.jupiter.api.Test;

class RedactionIT {

    private static final RunningPlatform PLATFORM = RunningPlatform.shared();

    private final OpenCase open = OpenCase.on(PLATFORM);
    private final Filed filed = new Filed(open);
    private final String name = "n" + UUID.randomUUID().toString().replace("-", "");
    private final byte[] original = SamplePdfs.saying("The witness is " + name + " of Hull.");
    private final byte[] redacted = SamplePdfs.saying("The witness is withheld.");
    private String filing;
    private String entry;
    private JsonObject file;

    private void docketed() {
        filing = open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
        file = filed.taken(open.claimant(), filing, "claim.pdf", original);
        open.document("submit", open.claimant(), filing);
        open.document("approve", open.manager(), filing);
        entry = open.view(open.claimant(), filing).getString("entryID");
    }

    private Answer redact(Person by, byte[] content, String... headers) {
        return redact(by, "application/pdf", content, headers);
    }

    private Answer redact(Person by, String type, byte[] content, String... headers) {
        return new Form().field("caseID", open.caseId()).field("entryID", entry).field("fileID", file.getString("fileID"))
                .field("reason", "It names a protected witness.").file("claim-redacted.pdf", type, content)
                .postTo(PLATFORM, "/api/docket/entries/redact", by.token(), headers);
    }

    private byte[] download(Person by, boolean ofOriginal, int status) {
        Answer answer = filed.on("download", by, filing, Filed.file(file.getString("fileID")).put("original", ofOriginal));
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        return answer.response().body();
    }

    private static byte[] boxed(String text) {
        return SamplePdfs.with(document -> {
            try (PDPageContentStream content = new PDPageContentStream(document, document.getPage(0), AppendMode.APPEND, true)) {
                content.setNonStrokingColor(Color.BLACK);
                content.addRect(70, 690, 400, 26);
                content.fill();
            }
        }, text);
    }

    @Test
    void theRedactedFileStandsInPublicAndTheOriginalStaysWithItsHashInTheChain() throws IOException {
        docketed();
        Answer answer = redact(open.manager(), redacted);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.object().getString("fileID")).isEqualTo(file.getString("fileID"));
        assertThat(answer.object().getString("title")).isEqualTo(file.getString("title"));
        assertThat(answer.object().getString("fileName")).isEqualTo("claim-redacted.pdf");
        String hash = answer.object().getString("sha256");
        for (Person reader : List.of(open.claimant(), open.respondent(), open.arbitrator(), open.manager())) {
            assertThat(download(reader, false, 200)).isEqualTo(redacted);
        }
        assertThat(download(open.manager(), true, 200)).isEqualTo(original);
        assertThat(new String(download(open.arbitrator(), true, 403))).contains("Only the case manager can read what a redaction replaced.");
        assertThat(open.on("/api/docket/verify", open.respondent(), new JsonObject()).object().getBoolean("valid")).isTrue();
        assertThat(PLATFORM.rows("select subject from platform.audit where case_id = ?::uuid and action = 'file.redacted'", open.caseId()))
                .containsExactly(List.of("%s %s %s".formatted(file.getString("fileID"), file.getString("sha256"), hash)));
        assertThat(PLATFORM.rows("select reason from mainapi.redactions where file_id = ?::bigint", file.getString("fileID")))
                .containsExactly(List.of("It names a protected witness."));

        byte[] more = SamplePdfs.saying("All is withheld.");
        assertThat(redact(open.manager(), more).status()).isEqualTo(200);
        assertThat(download(open.respondent(), false, 200)).isEqualTo(more);
        assertThat(download(open.manager(), true, 200)).isEqualTo(original);
        assertThat(open.on("/api/docket/verify", open.respondent(), new JsonObject()).object().getBoolean("valid")).isTrue();
    }

    /** The subject of the redaction, as this person reads it in the audit trail. */
    private String inAuditTrail(Person reader) {
        return open.on("/cases/cases/audit/list", reader, new JsonObject().put("limit", 200)).object().getJsonArray("entries").stream().map(JsonObject.class::cast)
                .filter(line -> line.getString("action").equals("file.redacted")).map(line -> line.getString("subject")).findFirst().orElseThrow();
    }

    private String inExport(Person reader) {
        return Exported.of(open, reader).text("audit.jsonl").lines().map(JsonObject::new)
                .filter(line -> line.getString("action").equals("file.redacted")).map(line -> line.getString("subject")).findFirst().orElseThrow();
    }

    @Test
    void hashesOfAFileOfASealedEntryAreShownInTheAuditTrailOnlyToThoseWhoMaySeeTheEntry() {
        docketed();
        String hash = redact(open.manager(), redacted).object().getString("sha256");
        String both = "%s %s %s".formatted(file.getString("fileID"), file.getString("sha256"), hash);
        Person administrator = PLATFORM.administrator();
        assertThat(List.of(inAuditTrail(open.manager()), inAuditTrail(administrator), inExport(administrator))).containsOnly(both);

        JsonObject seal = new JsonObject().put("entryID", entry).put("reason", "It names a protected witness.");
        assertThat(open.on("/api/docket/entries/seal", open.manager(), seal.copy().put("visibleTo", List.of())).status()).isEqualTo(200);
        assertThat(List.of(inAuditTrail(open.manager()), inExport(open.manager()))).containsOnly(both);
        assertThat(List.of(inAuditTrail(administrator), inExport(administrator))).containsOnly(file.getString("fileID"));

        assertThat(open.on("/api/docket/entries/unseal", open.manager(), seal).status()).isEqualTo(200);
        assertThat(List.of(inAuditTrail(administrator), inExport(administrator))).containsOnly(both);
    }

    /** The quota of whoever filed it is used up: that must not keep the case manager from redacting. */
    @Test
    void aRedactionCountsForItsCaseAndIsNotRefusedForTheQuotaOfTheFiler() throws Exception {
        docketed();
        long used = used("mainapi.case_evidence_bytes where case_id", open.caseId());
        set("mainapi.case_evidence_bytes set bytes = 53687091200 - %d where case_id = '%s'".formatted(redacted.length - 1, open.caseId()));
        Answer refused = redact(open.manager(), redacted);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.header("Error-Code")).isEqualTo("file.bytes-of-case");
        assertThat(refused.sentence()).isEqualTo("the exhibits and the files of filings of a case are at most 53687091200 bytes together");
        // The fields may come behind the file: then the quota is found to be passed at the end.
        Answer refusedLate = new Form().file("claim-redacted.pdf", "application/pdf", redacted).field("caseID", open.caseId()).field("entryID", entry)
                .field("fileID", file.getString("fileID")).field("reason", "It names a protected witness.")
                .postTo(PLATFORM, "/api/docket/entries/redact", open.manager().token());
        assertThat(refusedLate.header("Error-Code")).isEqualTo("file.bytes-of-case");
        assertThat(download(open.respondent(), false, 200)).isEqualTo(original);
        set("mainapi.case_evidence_bytes set bytes = %d where case_id = '%s'".formatted(used, open.caseId()));
        long ofFiler = used("mainapi.user_evidence_bytes where user_id", open.claimant().id());
        set("mainapi.user_evidence_bytes set bytes = 107374182400 where user_id = '%s'".formatted(open.claimant().id()));
        Answer taken = redact(open.manager(), redacted);
        set("mainapi.user_evidence_bytes set bytes = %d where user_id = '%s'".formatted(ofFiler, open.claimant().id()));
        assertThat(taken.status()).as(taken.body()).isEqualTo(200);
        assertThat(used("mainapi.case_evidence_bytes where case_id", open.caseId())).isEqualTo(used + redacted.length);
    }

    @Test
    void aRedactionCountsNeitherForTheUserNorForThePartyOfTheFiler() {
        docketed();
        String ofParty = "mainapi.party_evidence_bytes where party_id = 'claimant' and case_id";
        String ofUser = "mainapi.user_evidence_bytes where user_id";
        assertThat(used(ofParty, open.caseId())).isEqualTo(original.length);
        assertThat(redact(open.manager(), redacted).status()).isEqualTo(200);
        assertThat(redact(open.manager(), SamplePdfs.saying("All is withheld.")).status()).isEqualTo(200);
        assertThat(used(ofParty, open.caseId())).isEqualTo(original.length);
        assertThat(used(ofUser, open.claimant().id())).isEqualTo(original.length);
    }

    private static long used(String where, String id) {
        return Long.parseLong(PLATFORM.rows("select bytes from %s = ?::uuid".formatted(where), id).getFirst().getFirst());
    }

    private static void set(String update) throws SQLException {
        try (Connection sql = PLATFORM.sql(); Statement statement = sql.createStatement()) {
            statement.execute("update " + update);
        }
    }

    @Test
    void aRedactionIsAWriteToTheFiling() throws IOException {
        docketed();
        JsonObject named = new JsonObject().put("filingID", filing);
        String seen = open.on("/api/filings/view", open.manager(), named.copy()).header("ETag");
        Answer first = redact(open.manager(), redacted, "If-Match", seen);
        assertThat(first.status()).as(first.body()).isEqualTo(200);
        assertThat(first.header("ETag")).isNotEqualTo(seen).isEqualTo(open.on("/api/filings/view", open.manager(), named.copy()).header("ETag"));
        Answer stale = redact(open.manager(), SamplePdfs.saying("All is withheld."), "If-Match", seen);
        assertThat(stale.status()).isEqualTo(409);
        assertThat(stale.header("Error-Code")).isEqualTo("filing.stale");
        assertThat(download(open.respondent(), false, 200)).isEqualTo(redacted);
    }

    @Test
    void searchFindsTheRedactedTextAlone() {
        docketed();
        Await.until("the file is indexed", () -> found(open.respondent()) == 1);
        assertThat(redact(open.manager(), redacted).status()).isEqualTo(200);
        assertThat(found(open.respondent())).isZero();
        assertThat(found(open.manager())).isZero();
    }

    private int found(Person reader) {
        return PLATFORM.post("/api/search", new JsonObject().put("query", name), reader.token()).object().getJsonArray("results").size();
    }

    @Test
    void aBlackBoxOverLivingTextIsRefusedWithItsPlaceAndLeavesEverythingAsItWas() throws IOException {
        docketed();
        Answer refused = redact(open.manager(), boxed("The witness is " + name + "."));
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.sentence()).matches("file: text remains under a black box on page 1, 2[5-6] mm from the left and 3[0-4] mm from the top");
        assertThat(refused.header("Error-Code")).isEqualTo("file.text-remains");
        assertThat(download(open.respondent(), false, 200)).isEqualTo(original);
        assertThat(redact(open.manager(), SamplePdfs.encrypted("")).status()).isEqualTo(422);
        assertThat(redact(open.manager(), "text/plain", "x".getBytes(java.nio.charset.StandardCharsets.UTF_8)).status()).isEqualTo(415);
        assertThat(redact(open.manager(), new byte[0]).status()).isEqualTo(400);
        assertThat(download(open.respondent(), false, 200)).isEqualTo(original);
    }

    @Test
    void aFileThatStillHoldsWhatItsPagesNoLongerShowIsRefused() throws IOException {
        docketed();
        byte[] changed;
        try (PDDocument document = Loader.loadPDF(original); ByteArrayOutputStream out = new ByteArrayOutputStream()) {
            document.getPage(0).setContents(new PDStream(document));
            Stream.of(document.getPage(0).getCOSObject(), document.getDocumentCatalog().getPages().getCOSObject(), document.getDocumentCatalog().getCOSObject())
                    .forEach(object -> object.setNeedToBeUpdated(true));
            document.saveIncremental(out);
            changed = out.toByteArray();
        }
        assertThat(new String(redact(open.manager(), changed).response().body()))
                .contains("file: still holds text or pictures of an earlier version; save it as a new file, without what is not used");
        assertThat(redact(open.manager(), SamplePdfs.withEmbedded("claim.txt", original)).sentence())
                .isEqualTo("file: holds another file as an attachment; remove it, as nobody can look whether it is redacted");
        assertThat(redact(open.manager(), SamplePdfs.with(document -> document.getPage(0).setCropBox(new PDRectangle(0, 0, 400, 500)), "The witness is withheld.")).sentence())
                .isEqualTo("file: holds text beside the part of a page that is shown; remove it");
        assertThat(redact(open.manager(), SamplePdfs.with(document -> document.getDocumentInformation().setTitle("Witness " + name), "The witness is withheld.")).sentence()).isEqualTo(
                "file: holds words that were removed from its pages in its title, author, keywords, bookmarks, comments, fields or alternative texts; remove these");
        assertThat(redact(open.manager(), original).sentence()).isEqualTo("file: is the file as it was filed; nothing of it is removed");
        assertThat(download(open.respondent(), false, 200)).isEqualTo(original);
        assertThat(PLATFORM.rows("select 1 from mainapi.redactions where file_id = ?::bigint", file.getString("fileID"))).isEmpty();
    }

    @Test
    void aFileOfAnotherTypeIsRedactedByAPdfAlone() throws IOException {
        String docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
        byte[] list = SampleFiles.named("docx");
        open.advanceTo("evidenceSubmissions");
        filing = open.draft(open.claimant(), "exhibitList");
        file = filed.post(open.claimant(), filed.form(filing).file("list.docx", docx, list)).object();
        open.document("submit", open.claimant(), filing);
        open.document("approve", open.manager(), filing);
        entry = open.view(open.claimant(), filing).getString("entryID");
        Answer refused = redact(open.manager(), docx, list);
        assertThat(refused.status()).isEqualTo(415);
        assertThat(refused.sentence()).isEqualTo("A file of this document cannot be %s, only application/pdf.".formatted(docx));
        JsonObject taken = redact(open.manager(), redacted).object();
        assertThat(taken.getString("contentType")).isEqualTo("application/pdf");
        assertThat(taken.getInteger("pages")).isEqualTo(1);
        assertThat(download(open.respondent(), false, 200)).isEqualTo(redacted);
        assertThat(download(open.manager(), true, 200)).isEqualTo(list);
    }

    private void mayFile(Person person, boolean mayFile) {
        Answer answer = open.on("/cases/cases/participants/restrict", open.manager(), new JsonObject().put("userID", person.id()).put("mayFile", mayFile));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    }

    @Test
    void onlyTheCaseManagerRedactsAlsoInAClosedCase() {
        docketed();
        mayFile(open.manager(), false);
        assertThat(redact(open.manager(), redacted).sentence()).isEqualTo("You may not file documents in this case.");
        mayFile(open.manager(), true);
        open.close();
        assertThat(redact(open.arbitrator(), redacted).sentence()).isEqualTo("Only the case manager can do this in this case.");
        assertThat(redact(open.claimant(), redacted).status()).isEqualTo(403);
        assertThat(redact(open.observer(), redacted).sentence()).isEqualTo("You are registered as an observer and cannot change this case");
        assertThat(redact(open.outsider(), redacted).sentence()).isEqualTo("Not a participant in this case.");
        assertThat(redact(open.manager(), redacted, "Idempotency-Key", "redact-" + entry).status()).isEqualTo(200);
        assertThat(redact(open.manager(), redacted, "Idempotency-Key", "redact-" + entry).header("Idempotent-Replayed")).isEqualTo("true");
        file.put("fileID", "123456789");
        assertThat(redact(open.manager(), redacted).sentence()).isEqualTo("file not found");
        entry = "123456789";
        assertThat(redact(open.manager(), redacted).sentence()).isEqualTo("docket entry not found");
    }
}
