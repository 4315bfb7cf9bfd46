package io.arbitration.mainapi.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.Exported;
import io.arbitration.Form;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.domain.CaseId;
import io.arbitration.domain.docket.EntryHash;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ExportIT {

    private static final String PDF = "%PDF-1.4\n1 0 obj\n<</Type/Catalog>>\nendobj\ntrailer<</Root 1 0 R>>\n%%EOF\n";

    private final RunningPlatform platform = RunningPlatform.shared();
    private final OpenCase open = OpenCase.on(platform);

    private String uploaded(Person by, String name, String contentType, String content) {
        Answer answer = Form.of(open.caseId(), "other", "About " + name).file(name, contentType, content).post(platform, by.token());
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.object().getString("uploadID");
    }

    private Answer export(Person by) {
        return open.on("/cases/cases/export", by, new JsonObject());
    }

    private static List<String> exhibits(Exported exported) {
        return exported.json("exhibits/index.json").getJsonArray("exhibits").stream()
                .map(exhibit -> ((JsonObject) exhibit).getString("exhibitNumber")).toList();
    }

    @Test
    void theArchiveHoldsTheDocketAsTheOperationsShowIt() {
        String first = open.docketed(new JsonObject().put("title", "First — Ἀρχή"));
        String second = open.docketed(new JsonObject().put("title", "Second").put("supersedes", first).put("parentEntryID", first));
        Answer answer = export(open.respondent());
        assertThat(answer.header("Content-Type")).isEqualTo("application/zip");
        assertThat(answer.header("Content-Disposition")).contains("attachment", "case-" + open.caseId() + ".zip");
        Exported exported = Exported.of(answer.response().body());
        assertThat(exported.files().keySet()).containsExactly("README.txt", "case.json", "people.json", "docket/index.json", "docket/index.pdf",
                "docket/entries/000001.json", "docket/entries/000001.pdf", "docket/entries/000001.receipt.jws",
                "docket/entries/000002.json", "docket/entries/000002.pdf", "docket/entries/000002.receipt.jws",
                "exhibits/index.json", "manifest.json", "manifest.jws");
        assertThat(exported.json("case.json")).isEqualTo(open.on("/cases/cases/view", open.respondent(), new JsonObject()).object());
        JsonArray lines = exported.json("docket/index.json").getJsonArray("entries");
        JsonArray listed = open.docket(open.respondent());
        for (int i = 0; i < 2; i++) {
            JsonObject line = lines.getJsonObject(i);
            assertThat(line.getMap()).containsAllEntriesOf(listed.getJsonObject(i).getMap());
            JsonObject entry = exported.json(line.getJsonObject("files").getString("content"));
            JsonObject viewed = open.on("/api/docket/entries/view", open.respondent(), new JsonObject().put("entryID", line.getString("entryID"))).object();
            assertThat(entry.getMap()).containsAllEntriesOf(viewed.getMap()).containsEntry("caseID", open.caseId());
            assertThat(EntryHash.of(entry.getMap())).isEqualTo(viewed.getString("hash"));
            assertThat(exported.files().get(line.getJsonObject("files").getString("rendered"))).isEqualTo(
                    open.on("/api/docket/entries/render", open.respondent(), new JsonObject().put("entryID", line.getString("entryID"))).response().body());
        }
        assertThat(lines.getJsonObject(0).getString("supersededBy")).isEqualTo(second);
        assertThat(exported.json("people.json").getJsonArray("users").stream().map(user -> ((JsonObject) user).getString("id")))
                .contains(open.claimant().id(), open.respondent().id(), open.manager().id());
    }

    @Test
    void exhibitsComeAsTheyWereUploadedUnderTheirNumber() {
        uploaded(open.claimant(), "contract.pdf", "application/pdf", PDF);
        uploaded(open.claimant(), "../../etc/passwd.txt", "text/plain", "not a path");
        uploaded(open.respondent(), "contract.pdf", "application/pdf", PDF + "%second\n");
        Exported exported = Exported.of(open, open.manager());
        assertThat(exported.text("exhibits/C-1 contract.pdf")).isEqualTo(PDF);
        assertThat(exported.text("exhibits/C-2 passwd.txt")).isEqualTo("not a path");
        assertThat(exported.text("exhibits/R-1 contract.pdf")).isEqualTo(PDF + "%second\n");
        JsonObject line = exported.json("exhibits/index.json").getJsonArray("exhibits").getJsonObject(0);
        JsonObject viewed = open.on("/api/evidence/uploads/view", open.manager(), line).object();
        assertThat(viewed.remove("gsUrl")).asString().startsWith("file://evidence/");
        assertThat(line.getMap()).as("where it was stored means nothing elsewhere").doesNotContainKey("gsUrl").containsAllEntriesOf(viewed.getMap()).containsEntry("file", "exhibits/C-1 contract.pdf");
    }

    @Test
    void everyoneGetsTheExhibitsThatTheListShowsAndOnlySomeTheAudit() {
        uploaded(open.claimant(), "a.txt", "text/plain", "A");
        uploaded(open.respondent(), "b.txt", "text/plain", "B");
        Person administrator = platform.administrator();
        assertThat(views(administrator)).isEqualTo("""
                claimant [C-1] -
                colleague [C-1] -
                observer [C-1] -
                respondent [R-1] -
                manager [C-1, R-1] audit
                arbitrator [] -
                administrator [C-1, R-1] audit""");
        open.advanceTo("evidenceExchange");
        open.close();
        assertThat(views(administrator)).isEqualTo("""
                claimant [C-1, R-1] -
                colleague [C-1, R-1] -
                observer [C-1, R-1] -
                respondent [C-1, R-1] -
                manager [C-1, R-1] audit
                arbitrator [C-1, R-1] -
                administrator [C-1, R-1] audit""");
        assertThat(export(open.outsider()).sentence()).isEqualTo("Not a participant in this case.");
        assertThat(export(open.outsider()).status()).isEqualTo(403);
        assertThat(platform.post("/cases/cases/export", new JsonObject().put("caseID", "nothing"), open.claimant().token()).status()).isEqualTo(404);
    }

    private String views(Person administrator) {
        return Stream.of("claimant", "colleague", "observer", "respondent", "manager", "arbitrator", "administrator").map(who -> {
            Person by = switch (who) {
                case "claimant" -> open.claimant();
                case "colleague" -> open.colleague();
                case "observer" -> open.observer();
                case "respondent" -> open.respondent();
                case "manager" -> open.manager();
                case "arbitrator" -> open.arbitrator();
                default -> administrator;
            };
            Exported exported = Exported.of(open, by);
            JsonObject manifest = exported.json("manifest.json");
            boolean audit = exported.files().containsKey("audit.jsonl");
            assertThat(manifest.getValue("auditLines") != null).isEqualTo(audit);
            return "%s %s %s".formatted(who, exhibits(exported), audit ? "audit" : "-");
        }).collect(Collectors.joining("\n"));
    }

    @Test
    void theAuditTrailIsWholeAndTellsOfExportsAndTheEvidenceInThem() {
        open.docketed(new JsonObject());
        String upload = uploaded(open.claimant(), "a.txt", "text/plain", "A");
        Exported.of(open, open.claimant());
        Exported exported = Exported.of(open, open.manager());
        List<JsonObject> lines = exported.text("audit.jsonl").lines().map(JsonObject::new).toList();
        List<JsonObject> listed = open.on("/cases/cases/audit/list", open.manager(), new JsonObject().put("limit", 200)).object()
                .getJsonArray("entries").stream().map(JsonObject.class::cast).toList().reversed();
        // The export that is being read is not in its own trail.
        assertThat(lines).isEqualTo(listed.subList(0, lines.size()));
        assertThat(listed.subList(lines.size(), listed.size())).extracting(line -> line.getString("action"))
                .containsExactly("case.exported", "evidence.exported");
        assertThat(lines).anySatisfy(line -> assertThat(line.getMap()).containsEntry("action", "evidence.exported")
                .containsEntry("subject", upload).containsEntry("userID", open.claimant().id()));
        assertThat(exported.json("manifest.json").getInteger("auditLines")).isEqualTo(lines.size());
    }

    @Test
    void draftsAndWhatWasNotDocketedAreInNoExport() {
        open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
        String submitted = open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
        open.document("submit", open.claimant(), submitted);
        for (Person by : List.of(open.claimant(), open.manager())) {
            Exported exported = Exported.of(open, by);
            assertThat(exported.json("manifest.json").getJsonObject("docket").getInteger("entries")).isZero();
            assertThat(exported.files().keySet()).noneMatch(path -> path.startsWith("docket/entries/"));
        }
    }

    @Test
    void anExportThatIsReadSlowlyIsOfTheMomentAtWhichItBegan() throws Exception {
        IntStream.range(0, 3).forEach(i -> open.docketed(new JsonObject()));
        uploaded(open.claimant(), "big.pdf", "application/pdf", PDF + noise(4_000_000));
        try (SlowExport slow = SlowExport.begin(platform, open.caseId(), open.manager().token())) {
            open.docketed(new JsonObject());
            uploaded(open.claimant(), "later.txt", "text/plain", "later");
            open.advanceTo("caseFiling");
            Exported exported = Exported.of(slow.rest());
            assertThat(exported.json("manifest.json").getJsonObject("docket").getInteger("entries")).isEqualTo(3);
            assertThat(exhibits(exported)).containsExactly("C-1");
            assertThat(exported.json("case.json").getString("phaseID")).isEqualTo("caseInitiation");
            assertThat(exported.text("audit.jsonl")).doesNotContain("phase.advanced");
        }
    }

    /** Letters in an order that does not compress much. */
    private static String noise(int length) {
        Random random = new Random(1);
        return random.ints(length, ' ', 0x7f).collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString();
    }

    @Test
    void anExhibitThatWasAlteredCutsTheExportOffAndTheAuditTellsWhich() throws Exception {
        uploaded(open.claimant(), "a.pdf", "application/pdf", PDF + noise(3_000_000));
        String address = platform.rows("select address from mainapi.uploads where case_id = ?::uuid", open.caseId()).getFirst().getFirst();
        Path stored = platform.objectFile(address);
        byte[] content = Files.readAllBytes(stored);
        content[content.length - 5] ^= 1;
        Files.write(stored, content);
        try (SlowExport slow = SlowExport.begin(platform, open.caseId(), open.manager().token())) {
            assertThat(slow.isCut()).isTrue();
        }
        Await.until("the audit trail tells of the failure", () -> !failures().isEmpty());
        assertThat(failures()).containsExactly(List.of("exhibits/C-1 a.pdf"));
    }

    @Test
    void anExportEndsWhenItsReaderIsRemovedFromTheCase() throws Exception {
        uploaded(open.claimant(), "big.pdf", "application/pdf", PDF + noise(8_000_000));
        try (SlowExport removed = SlowExport.begin(platform, open.caseId(), open.colleague().token());
                SlowExport staying = SlowExport.begin(platform, open.caseId(), open.claimant().token())) {
            assertThat(open.on("/cases/cases/participants/remove", open.manager(),
                    new JsonObject().put("userID", open.colleague().id()).put("partyID", "claimant")).status()).isEqualTo(200);
            Await.until("the audit trail tells that the export was broken off", () -> !platform.rows("""
                    select 1 from platform.audit where case_id = ?::uuid and user_id = ?::uuid and action = 'case.export-failed'
                    """, open.caseId(), open.colleague().id()).isEmpty());
            assertThat(removed.isCut()).isTrue();
            assertThat(exhibits(Exported.of(staying.rest()))).containsExactly("C-1");
        }
    }

    /** The texts of a page of entries are held in memory together, so their bytes are bounded and not only their number. */
    @Test
    void aPageOfLargeEntriesHasFewOfThem() throws Exception {
        open.docketed(new JsonObject());
        open.copyFirstEntry(60, "title", "repeat('x', 800000)");
        ExportRepository repository = new ExportRepository(platform.database());
        CaseId caseId = CaseId.of(open.caseId()).orElseThrow();
        assertThat(Await.result(repository.lastWithin(caseId, 0, 60, 50, 2 * 1024 * 1024))).isEqualTo(3);
        assertThat(Await.result(repository.lastWithin(caseId, 3, 60, 50, 2 * 1024 * 1024))).isEqualTo(5);
        assertThat(Await.result(repository.lastWithin(caseId, 5, 60, 50, 1000))).as("one is always read").isEqualTo(6);
        assertThat(Await.result(repository.lastWithin(caseId, 5, 60, 50, 1_000_000_000))).as("so many at most").isEqualTo(55);
        assertThat(Await.result(repository.lastWithin(caseId, 50, 55, 50, 1_000_000_000))).as("up to that number").isEqualTo(55);
    }

    @Test
    void aCallerHasOneExportAtATimeAndGivesItsPlaceBackWhenItStopsReading() throws Exception {
        uploaded(open.claimant(), "big.pdf", "application/pdf", PDF + noise(8_000_000));
        try (SlowExport slow = SlowExport.begin(platform, open.caseId(), open.manager().token())) {
            Answer second = export(open.manager());
            assertThat(second.status()).isEqualTo(429);
            assertThat(second.header("Error-Code")).isEqualTo("export.caller-busy");
            assertThat(second.header("Retry-After")).isNotNull();
            assertThat(export(open.claimant()).status()).isEqualTo(200);
        }
        Await.until("the place is free again", () -> export(open.manager()).status() == 200);
    }

    private List<List<String>> failures() {
        return platform.rows("select subject from platform.audit where case_id = ?::uuid and action = 'case.export-failed'", open.caseId());
    }
}
