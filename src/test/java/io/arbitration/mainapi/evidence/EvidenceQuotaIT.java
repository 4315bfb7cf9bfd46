package io.arbitration.mainapi.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.Form;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.mainapi.filings.Filed;
import io.arbitration.platform.server.RawConnection;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nobody fills the disk, the list or the case of others; and whoever is removed does not go on. */
class EvidenceQuotaIT {

    private static final long CASE_BYTES_MAX = 53_687_091_200L;
    private static final long PARTY_BYTES_MAX = 21_474_836_480L;
    private static final long USER_BYTES_MAX = 107_374_182_400L;

    private final RunningPlatform platform = RunningPlatform.shared();
    private final OpenCase open = OpenCase.on(platform);

    private Answer upload(OpenCase into, Person by, String content) {
        return Form.of(into.caseId(), "other", "").file("a.txt", "text/plain", content).post(platform, by.token());
    }

    private void execute(String sql) throws SQLException {
        try (Connection owner = platform.sql(); Statement statement = owner.createStatement()) {
            statement.execute(sql);
        }
    }

    private long counted(String table, String column, String id) {
        return platform.rows("select bytes from mainapi.%s where %s = ?::uuid".formatted(table, column), id).stream()
                .mapToLong(row -> Long.parseLong(row.getFirst())).findFirst().orElse(0);
    }

    @Test
    void everyByteIsCountedForItsCaseAndItsUser() {
        OpenCase other = open.another();
        upload(open, open.manager(), "12345");
        upload(open, open.claimant(), "123");
        upload(other, open.manager(), "1234567");
        assertThat(counted("case_evidence_bytes", "case_id", open.caseId())).isEqualTo(8);
        assertThat(counted("case_evidence_bytes", "case_id", other.caseId())).isEqualTo(7);
        assertThat(counted("user_evidence_bytes", "user_id", open.manager().id()) - counted("user_evidence_bytes", "user_id", open.claimant().id()))
                .as("the manager's two against the claimant's one").isGreaterThanOrEqualTo(9);
    }

    /** As it is for a node of the version before, while the counts are new and nobody has given it rights on them. */
    @Test
    void uploadsAreCountedAlsoForANodeThatMayNotWriteTheCounts() throws Exception {
        String first = upload(open, open.claimant(), "12345").object().getString("uploadID");
        try (Connection owner = platform.sql(); Statement sql = owner.createStatement()) {
            owner.setAutoCommit(false);
            sql.execute("revoke all on mainapi.case_evidence_bytes, mainapi.party_evidence_bytes, mainapi.user_evidence_bytes from platform_node");
            sql.execute("set local role platform_node");
            sql.execute("""
                    insert into mainapi.uploads (upload_id, case_id, party_id, exhibit, user_id, organization_id, phase_id, category_id,
                      description, content_type, file_name, bytes, sha256, block_hashes, address, created)
                    select nextval('mainapi.upload_id'), case_id, party_id, 2, user_id, organization_id, phase_id, category_id,
                      description, content_type, file_name, bytes, sha256, block_hashes, address || '-2', created
                    from mainapi.uploads where upload_id = %s
                    """.formatted(first));
            sql.execute("reset role");
            try (ResultSet counted = sql.executeQuery("select bytes from mainapi.case_evidence_bytes where case_id = '%s'".formatted(open.caseId()))) {
                assertThat(counted.next()).isTrue();
                assertThat(counted.getLong(1)).isEqualTo(10);
            }
            owner.rollback();
        }
    }

    /** A form whose file comes first, and of which no more than so many bytes of the file are sent. */
    private RawConnection fileFirst(Person by, int bytes) throws IOException {
        return begun(by, "", bytes);
    }

    /** A form that is not sent to its end. */
    private RawConnection begun(Person by, String fields, int bytes) throws IOException {
        RawConnection connection = new RawConnection(platform.platform().port());
        connection.send("POST /api/evidence/uploads/create HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + by.token()
                + "\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 90000000\r\n\r\n" + fields
                + "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\n");
        return connection.send("x".repeat(bytes));
    }

    private static void assertRefused(RawConnection connection, int status, String code) throws IOException {
        RawConnection.Answer answer = connection.read();
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.headers().get("error-code")).isEqualTo(code);
    }

    @Test
    void nothingIsStagedForSomebodyWithoutAPartInACase() throws Exception {
        Person stranger = platform.signIn("stella-%s@example.org".formatted(UUID.randomUUID()), "Stella", "Stranger");
        try (RawConnection first = fileFirst(stranger, 1000)) {
            assertRefused(first, 403, "case.not-a-participant");
        }
    }

    @Test
    void aFileThatComesBeforeItsFieldsIsRefusedAsSoonAsItsUserHasNoBytesLeft() throws Exception {
        execute("insert into mainapi.user_evidence_bytes values ('%s', %d)".formatted(open.claimant().id(), USER_BYTES_MAX - 100_000));
        try (RawConnection first = fileFirst(open.claimant(), 600_000)) {
            assertRefused(first, 409, "evidence.bytes-of-user");
        }
    }

    /** Each alone would fit. */
    @Test
    void filesThatAreUnderWayAtOnceCountTogether() throws Exception {
        execute("insert into mainapi.user_evidence_bytes values ('%s', %d)".formatted(open.respondent().id(), USER_BYTES_MAX - 400_000));
        String fields = Map.of("caseID", open.caseId(), "categoryID", "other", "description", "A text").entrySet().stream()
                .map(field -> "--b\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\n%s\r\n".formatted(field.getKey(), field.getValue())).collect(Collectors.joining());
        try (RawConnection first = begun(open.respondent(), fields, 300_000); RawConnection second = begun(open.respondent(), fields, 300_000)) {
            Await.until("one is refused", () -> first.hasAnswer() || second.hasAnswer());
            assertThat(first.hasAnswer() && second.hasAnswer()).as("both refused").isFalse();
            assertRefused(first.hasAnswer() ? first : second, 409, "evidence.bytes-of-user");
        }
        execute("update mainapi.user_evidence_bytes set bytes = bytes - 400000 where user_id = '%s'".formatted(open.respondent().id()));
        assertThat(upload(open, open.respondent(), "123").status()).as("what was given up counts no more").isEqualTo(200);
    }

    @Test
    void aCaseTakesNoMoreBytesThanItsQuotaAndAllThatFit() throws Exception {
        execute("insert into mainapi.case_evidence_bytes values ('%s', %d)".formatted(open.caseId(), CASE_BYTES_MAX - 10));
        Answer refused = upload(open, open.claimant(), "12345678901");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.header("Error-Code")).isEqualTo("evidence.bytes-of-case");
        assertThat(refused.sentence()).isEqualTo("the exhibits and the files of filings of a case are at most 53687091200 bytes together");
        assertThat(upload(open, open.respondent(), "1234567890").status()).isEqualTo(200);
        assertThat(upload(open, open.claimant(), "1").status()).isEqualTo(409);
        assertThat(upload(open.another(), open.claimant(), "1").status()).as("of another case").isEqualTo(200);
    }

    @Test
    void aUserUploadsNoMoreBytesThanItsQuotaInAllCasesTogether() throws Exception {
        Person greedy = open.colleague();
        execute("""
                insert into mainapi.user_evidence_bytes values ('%s', %d) on conflict (user_id) do update set bytes = excluded.bytes
                """.formatted(greedy.id(), USER_BYTES_MAX - 10));
        Answer refused = upload(open, greedy, "12345678901");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.header("Error-Code")).isEqualTo("evidence.bytes-of-user");
        assertThat(refused.sentence()).isEqualTo("the exhibits and the files of filings that one user has uploaded are at most 107374182400 bytes together");
        assertThat(upload(open, open.claimant(), "12345678901").status()).as("by another user").isEqualTo(200);
        assertThat(upload(open, greedy, "1234567890").status()).isEqualTo(200);
    }

    /** The fields may come after the file: then the quota is found to be passed only at the end. */
    @Test
    void aFileThatComesBeforeItsFieldsIsCountedAsWell() throws Exception {
        execute("insert into mainapi.case_evidence_bytes values ('%s', %d)".formatted(open.caseId(), CASE_BYTES_MAX - 10));
        Answer refused = new Form().file("a.txt", "text/plain", "12345678901").field("caseID", open.caseId())
                .field("categoryID", "other").field("description", "").post(platform, open.claimant().token());
        assertThat(refused.header("Error-Code")).isEqualTo("evidence.bytes-of-case");
        assertThat(platform.rows("select 1 from mainapi.uploads where case_id = ?::uuid", open.caseId())).isEmpty();
    }

    @Test
    void uploadsAtOnceDoNotPassTheQuotaTogether() throws Exception {
        execute("insert into mainapi.case_evidence_bytes values ('%s', %d)".formatted(open.caseId(), CASE_BYTES_MAX - 30));
        List<Person> uploaders = List.of(open.claimant(), open.colleague(), open.respondent(), open.manager());
        List<CompletableFuture<Integer>> answers = IntStream.range(0, 8).mapToObj(i -> CompletableFuture.supplyAsync(
                () -> upload(open, uploaders.get(i % 4), "1234567890").status(), Thread::startVirtualThread)).toList();
        assertThat(answers.stream().map(CompletableFuture::join)).containsOnly(200, 409).filteredOn(status -> status == 200).hasSize(3);
        assertThat(counted("case_evidence_bytes", "case_id", open.caseId())).isEqualTo(CASE_BYTES_MAX);
    }

    private void counted(String partyId, long bytes) throws SQLException {
        execute("""
                insert into mainapi.party_evidence_bytes values ('%s', '%s', %d) on conflict (case_id, party_id) do update set bytes = excluded.bytes
                """.formatted(open.caseId(), partyId, bytes));
    }

    private long countedOf(String partyId) {
        return platform.rows("select bytes from mainapi.party_evidence_bytes where case_id = ?::uuid and party_id = ?", open.caseId(), partyId).stream()
                .mapToLong(row -> Long.parseLong(row.getFirst())).sum();
    }

    @Test
    void oneSideUsesUpItsShareOfTheCaseAndTheOtherStillUploads() throws Exception {
        counted("claimant", PARTY_BYTES_MAX - 10);
        execute("insert into mainapi.case_evidence_bytes values ('%s', %d)".formatted(open.caseId(), PARTY_BYTES_MAX - 10));
        for (Person ofTheSide : List.of(open.claimant(), open.colleague())) {
            Answer refused = upload(open, ofTheSide, "12345678901");
            assertThat(refused.status()).isEqualTo(409);
            assertThat(refused.header("Error-Code")).isEqualTo("evidence.bytes-of-party");
            assertThat(refused.sentence()).isEqualTo("the exhibits and the files of filings of one party in a case are at most 21474836480 bytes together");
        }
        assertThat(upload(open, open.respondent(), "12345678901").status()).as("the other side").isEqualTo(200);
        assertThat(upload(open, open.manager(), "12345678901").status()).as("the case manager").isEqualTo(200);
        assertThat(upload(open, open.claimant(), "1234567890").status()).as("what just fits").isEqualTo(200);
        Answer late = new Form().file("a.txt", "text/plain", "1").field("caseID", open.caseId()).field("categoryID", "other").field("description", "")
                .post(platform, open.colleague().token());
        assertThat(late.header("Error-Code")).as("also where the fields come after the file").isEqualTo("evidence.bytes-of-party");
        assertThat(upload(open.another(), open.claimant(), "1").status()).as("in another case").isEqualTo(200);
        assertThat(countedOf("claimant")).isEqualTo(PARTY_BYTES_MAX);
    }

    @Test
    void uploadsOfAllPartiesAtOnceStayWithinTheirShares() throws Exception {
        counted("claimant", PARTY_BYTES_MAX - 30);
        counted("arbitrator", PARTY_BYTES_MAX - 10);
        List<Person> uploaders = List.of(open.claimant(), open.respondent(), open.colleague(), open.manager(), open.arbitrator());
        Map<Person, List<CompletableFuture<Integer>>> answers = uploaders.stream().collect(Collectors.toMap(by -> by, by -> IntStream.range(0, 4)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> upload(open, by, "1234567890").status(), Thread::startVirtualThread)).toList()));
        Map<Person, List<Integer>> statuses = answers.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey,
                each -> each.getValue().stream().map(CompletableFuture::join).toList()));
        assertThat(statuses.get(open.respondent())).containsOnly(200);
        assertThat(statuses.get(open.manager())).containsOnly(200);
        assertThat(statuses.get(open.arbitrator())).containsOnly(200, 409).filteredOn(status -> status == 200).hasSize(1);
        assertThat(Stream.of(open.claimant(), open.colleague()).flatMap(by -> statuses.get(by).stream())).containsOnly(200, 409)
                .filteredOn(status -> status == 200).hasSize(3);
        assertThat(countedOf("claimant")).isEqualTo(PARTY_BYTES_MAX);
        assertThat(countedOf("arbitrator")).isEqualTo(PARTY_BYTES_MAX);
        assertThat(countedOf("respondent")).isEqualTo(40);
        assertThat(countedOf("caseManager")).isEqualTo(40);
        assertThat(counted("case_evidence_bytes", "case_id", open.caseId())).isEqualTo(40 + 40 + 30 + 10);
    }

    /** The migration runs again where there are exhibits, a filed file and a redacted one, and is undone. */
    @Test
    void whatWasUploadedBeforeTheSharesCountsForItsParty() throws Exception {
        upload(open, open.claimant(), "12345");
        upload(open, open.respondent(), "123");
        String draft = open.draft(open.colleague(), OpenCase.APPROVED_DOCUMENT);
        String insert = """
                insert into mainapi.files (file_id, filing_id, case_id, position, title, file_name, content_type, bytes, sha256, block_hashes, address, user_id, created,
                  original_file_name, original_content_type, original_bytes, original_sha256, original_block_hashes, original_address)
                values (nextval('mainapi.file_id'), %s, '%s', %d, 'A file', 'a.txt', 'text/plain', %d, repeat('0', 64), '\\x00', 'file://evidence/' || gen_random_uuid(), '%s', now(), %s)
                """;
        try (Connection owner = platform.sql(); Statement sql = owner.createStatement()) {
            owner.setAutoCommit(false);
            sql.execute(insert.formatted(draft, open.caseId(), 1, 7, open.colleague().id(), "null, null, null, null, null, null"));
            sql.execute(insert.formatted(draft, open.caseId(), 2, 100, open.colleague().id(),
                    "'b.txt', 'text/plain', 20, repeat('1', 64), '\\x00', 'file://evidence/' || gen_random_uuid()"));
            String parties = "select party_id, bytes from mainapi.party_evidence_bytes where case_id = '%s' order by party_id".formatted(open.caseId());
            String user = "select 'colleague', bytes from mainapi.user_evidence_bytes where user_id = '%s'".formatted(open.colleague().id());
            List<String> expected = List.of("claimant 32", "respondent 3");
            assertThat(read(sql, parties)).as("as the triggers count").isEqualTo(expected);
            assertThat(read(sql, user)).containsExactly("colleague 27");
            sql.execute("drop table mainapi.party_evidence_bytes");
            // As the release before had counted: the redacted version for its filer, too.
            sql.execute("update mainapi.user_evidence_bytes set bytes = bytes + 100 where user_id = '%s'".formatted(open.colleague().id()));
            sql.execute(Files.readString(Path.of("src/main/resources/db/migration/V086__bytes_of_parties.sql")));
            assertThat(read(sql, parties)).as("as the migration counts").isEqualTo(expected);
            assertThat(read(sql, user)).containsExactly("colleague 27");
            owner.rollback();
        }
    }

    private static List<String> read(Statement sql, String query) throws SQLException {
        try (ResultSet rows = sql.executeQuery(query)) {
            List<String> read = new ArrayList<>();
            while (rows.next()) {
                read.add(rows.getString(1) + " " + rows.getLong(2));
            }
            return read;
        }
    }

    @Test
    void somebodyWhoIsRemovedWhileAnUploadWaitsForTheCaseDoesNotUpload() throws Exception {
        try (Connection removing = platform.sql(); Statement sql = removing.createStatement()) {
            removing.setAutoCommit(false);
            sql.execute("select 1 from cases.cases where case_id = '%s' for update".formatted(open.caseId()));
            CompletableFuture<Answer> uploading = CompletableFuture.supplyAsync(
                    () -> upload(open, open.colleague(), "A"), Thread::startVirtualThread);
            Await.until("the upload waits for the case", () -> !platform.rows("""
                    select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%cases_api.cases%for share%'
                    """).isEmpty());
            sql.execute("delete from cases.participants where case_id = '%s' and user_id = '%s'".formatted(open.caseId(), open.colleague().id()));
            removing.commit();
            assertThat(uploading.get().status()).isEqualTo(403);
            assertThat(uploading.get().sentence()).isEqualTo("Not a participant in this case.");
        }
        assertThat(platform.rows("select 1 from mainapi.uploads where case_id = ?::uuid", open.caseId())).isEmpty();
    }

    @Test
    void aListOfUploadsIsBoundedInBytesAndItsPagesAreTheWhole() throws Exception {
        String first = upload(open, open.claimant(), "A").object().getString("uploadID");
        execute("""
                insert into mainapi.uploads (upload_id, case_id, party_id, exhibit, user_id, organization_id, phase_id, category_id,
                  description, content_type, file_name, bytes, sha256, block_hashes, address, created)
                select nextval('mainapi.upload_id'), case_id, party_id, n, user_id, organization_id, phase_id, category_id,
                  repeat('x', 2000), content_type, file_name, bytes, sha256, block_hashes, address || '-' || n, created
                from mainapi.uploads, generate_series(2, 3000) n where upload_id = %s
                """.formatted(first));
        List<String> listed = new ArrayList<>();
        JsonObject body = new JsonObject();
        int pages = 0;
        for (JsonArray uploads = null; uploads == null || !uploads.isEmpty(); pages++) {
            Answer answer = open.on("/api/evidence/uploads/list", open.claimant(), body);
            assertThat(answer.response().body().length).isLessThan(4 * 1024 * 1024);
            assertThat(answer.object().fieldNames()).containsExactly("uploads");
            uploads = answer.object().getJsonArray("uploads");
            uploads.forEach(upload -> listed.add(((JsonObject) upload).getString("uploadID")));
            body = new JsonObject().put("afterUploadID", listed.getLast());
        }
        assertThat(pages).isGreaterThan(2);
        assertThat(listed).hasSize(3000).doesNotHaveDuplicates().startsWith(first);
        assertThat(open.on("/api/evidence/uploads/list", open.claimant(), new JsonObject().put("afterUploadID", first).put("limit", 7)).object()
                .getJsonArray("uploads").stream().map(upload -> ((JsonObject) upload).getString("uploadID")))
                .containsExactlyElementsOf(listed.subList(1, 8));
        for (String unknown : List.of("x", "999999999", "0")) {
            JsonObject after = new JsonObject().put("afterUploadID", unknown);
            assertThat(open.on("/api/evidence/uploads/list", open.claimant(), after).sentence()).isEqualTo("upload not found");
            assertThat(open.on("/api/evidence/uploads/list", open.outsider(), after).object().getJsonArray("uploads")).isEmpty();
        }
    }

    /** A file that was filed while there was room; its entry. */
    private static String docketedWithAFileOfBefore(RunningPlatform full, OpenCase there) throws SQLException {
        String draft = there.draft(there.claimant(), OpenCase.APPROVED_DOCUMENT);
        try (Connection owner = full.sql(); Statement statement = owner.createStatement()) {
            statement.execute("""
                    insert into mainapi.files (file_id, filing_id, case_id, position, title, file_name, content_type, bytes, sha256, block_hashes, address, user_id, created)
                    values (1, %s, '%s', 1, 'A file', 'a.txt', 'text/plain', 1, repeat('0', 64), '\\x00', 'file://evidence/a', '%s', now())
                    """.formatted(draft, there.caseId(), there.claimant().id()));
        }
        there.document("submit", there.claimant(), draft);
        there.document("approve", there.manager(), draft);
        return there.view(there.claimant(), draft).getString("entryID");
    }

    @Test
    void aNodeWhoseDiskIsNearlyFullTakesNoFilesAndDoesTheRest(@TempDir Path folder) throws Exception {
        try (RunningPlatform full = RunningPlatform.start(folder, Map.of("ACP_MANAGEMENT_DISK_FREE_BYTES_MIN", String.valueOf(1L << 50)))) {
            OpenCase there = OpenCase.on(full);
            Answer refused = Form.of(there.caseId(), "other", "").file("a.txt", "text/plain", "A").post(full, there.claimant().token());
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.header("Error-Code")).isEqualTo("evidence.disk-low");
            assertThat(refused.header("Retry-After")).isEqualTo("60");
            assertThat(refused.sentence()).isEqualTo("The disk has less than 1125899906842624 bytes free; no files are taken until it has more.");
            Filed filed = new Filed(there);
            String draft = there.create(there.claimant(), OpenCase.APPROVED_DOCUMENT, new JsonObject()).object().getString("filingID");
            Answer ofFiling = filed.upload(there.claimant(), draft, "claim.pdf", "%PDF-1.7".getBytes());
            assertThat(ofFiling.status()).isEqualTo(503);
            assertThat(ofFiling.header("Error-Code")).isEqualTo("evidence.disk-low");
            assertThat(filed.list(there.claimant(), draft)).isEmpty();
            String docketed = docketedWithAFileOfBefore(full, there);
            Answer redaction = new Form().field("caseID", there.caseId()).field("entryID", docketed).field("fileID", "1").field("reason", "A name.")
                    .file("redacted.txt", "text/plain", "B").postTo(full, "/api/docket/entries/redact", there.manager().token());
            assertThat(redaction.status()).as(redaction.body()).isEqualTo(503);
            assertThat(redaction.header("Error-Code")).isEqualTo("evidence.disk-low");
            assertThat(full.rows("select 1 from mainapi.redactions")).isEmpty();
            Answer template = new Form().field("documentID", "notice").file("notice.pdf", "application/pdf", "%PDF-1.7")
                    .postTo(full, "/pdfs/templates/upload", full.administrator().token());
            assertThat(template.status()).isEqualTo(503);
            assertThat(template.header("Error-Code")).isEqualTo("templates.disk-low");
            assertThat(template.header("Retry-After")).isEqualTo("60");
            assertThat(template.sentence()).isEqualTo("The disk has less than 1125899906842624 bytes free; no templates are taken until it has more.");
            JsonObject notice = new JsonObject().put("caseID", there.caseId()).put("entryID", there.docketed(new JsonObject())).put("mailType", "docketNotice")
                    .put("recipients", new JsonArray().add(new JsonObject().put("email", there.respondent().email())));
            Answer ofNotice = full.post("/api/service-of-notice/send", notice, there.claimant().token());
            assertThat(ofNotice.status()).as(ofNotice.body()).isEqualTo(503);
            assertThat(ofNotice.header("Error-Code")).isEqualTo("evidence.disk-low");
            assertThat(ofNotice.header("Retry-After")).isEqualTo("60");
            assertThat(ofNotice.sentence()).isEqualTo("The disk has less than 1125899906842624 bytes free; no files are taken until it has more.");
            assertThat(there.on("/api/service-of-notice/list", there.claimant(), new JsonObject()).object().getJsonArray("notices")).isEmpty();
        }
    }
}
