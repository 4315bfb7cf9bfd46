package io.arbitration.mainapi.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.mainapi.filings.Filed;
import io.arbitration.platform.reading.SamplePdfs;
import io.arbitration.Await;
import io.arbitration.Form;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.poi.xwpf.usermodel.XWPFDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SearchIT {

    private final RunningPlatform platform = RunningPlatform.shared();
    private final OpenCase open = OpenCase.on(platform);
    /** A word that no other test writes. */
    private final String word = "w" + UUID.randomUUID().toString().replace("-", "");

    private List<JsonObject> found(Person reader, JsonObject more) {
        Answer answer = platform.post("/api/search", new JsonObject().put("query", word).mergeIn(more), reader.token());
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.object().getJsonArray("results").stream().map(JsonObject.class::cast).toList();
    }

    private List<JsonObject> found(Person reader, String query) {
        return found(reader, new JsonObject().put("query", query));
    }

    private List<String> kinds(Person reader, String query) {
        return found(reader, query).stream().map(result -> result.getString("kind")).toList();
    }

    private void awaitIndexed() {
        Await.until(() -> platform.rows("""
                select 1 from search.sources where indexed < wanted
                union all select 1 from platform.event_consumers c, platform.events e
                where c.consumer = 'search' and (e.sequence > c.read_up_to or e.sequence <@ (c.missing + c.missing_longer)) limit 1""").isEmpty());
    }

    private String docketed(String title, String body) {
        return open.docketed(new JsonObject().put("title", title)
                .put("fields", new JsonObject().put("subject", "Availability").put("body", body)));
    }

    private void seal(String entry) {
        assertThat(open.on("/api/docket/entries/seal", open.manager(), new JsonObject().put("entryID", entry).put("visibleTo", new JsonArray())
                .put("reason", "x")).status()).isEqualTo(200);
    }

    @Test
    void whatIsOnTheDocketIsFoundByEachOfItsWordsAndSnippetsShowWhere() {
        String entry = docketed("Letter about cranes", "Nothing happened. ".repeat(60) + "The " + word + " broke in May. " + "Then nothing. ".repeat(60));
        awaitIndexed();
        JsonObject result = found(open.respondent(), word).getFirst();
        assertThat(result.fieldNames()).containsExactly("kind", "caseID", "entryID", "filingID", "title", "snippet", "at");
        assertThat(result.getString("kind")).isEqualTo("entry");
        assertThat(result.getString("entryID")).isEqualTo(entry);
        assertThat(result.getString("title")).isEqualTo("Letter about cranes");
        assertThat(result.getString("snippet")).startsWith("… ").contains("The " + word + " broke in May.").hasSizeLessThan(260);
        for (String query : List.of(word.toUpperCase() + " CRANES", "\"" + word + " broke in may\"", word + " -excavator", word + " \"letter about\"", "availability " + word,
                word + " the in", "\"the " + word + " broke in", word + " \"letter \"about \"cranes")) {
            assertThat(kinds(open.claimant(), query)).as(query).containsExactly("entry");
        }
        for (String query : List.of(word + " excavator", "\"" + word + " in May\"", word + " -broke", word + " -\"in may\"", word + " of and", "\"the " + word + " in", "\"cranes nothing\" " + word)) {
            assertThat(kinds(open.claimant(), query)).as(query).isEmpty();
        }
        assertThat(found(open.outsider(), word)).isEmpty();
        assertThat(found(platform.administrator(), word)).isEmpty();
    }

    @Test
    void aDraftIsFoundByItsSideASubmittedFilingByItsApproverADocketedOneByAll() {
        String filing = open.on("/api/filings/create", open.claimant(), new JsonObject().put("documentID", OpenCase.APPROVED_DOCUMENT)
                .put("title", "On " + word).put("fields", OpenCase.completeFields(OpenCase.APPROVED_DOCUMENT))).object().getString("filingID");
        awaitIndexed();
        assertThat(kinds(open.observer(), word)).containsExactly("filing");
        assertThat(kinds(open.manager(), word)).isEmpty();
        assertThat(kinds(open.respondent(), word)).isEmpty();
        open.document("submit", open.claimant(), filing);
        assertThat(kinds(open.manager(), word)).containsExactly("filing");
        assertThat(kinds(open.respondent(), word)).isEmpty();
        open.document("approve", open.manager(), filing);
        assertThat(kinds(open.respondent(), word)).containsExactly("entry");
        assertThat(found(open.respondent(), new JsonObject().put("kinds", new JsonArray().add("filing")))).isEmpty();
        assertThat(found(open.respondent(), new JsonObject().put("kinds", new JsonArray().add("entry").add("case")))).hasSize(1);
    }

    @Test
    void whatWasRemovedFromADraftIsNotFoundByOthersWhileTheIndexIsBehind() throws SQLException {
        String removed = word + "removed";
        JsonObject content = new JsonObject().put("documentID", OpenCase.APPROVED_DOCUMENT).put("title", "On " + word)
                .put("fields", OpenCase.completeFields(OpenCase.APPROVED_DOCUMENT));
        String filing = open.on("/api/filings/create", open.claimant(), content.copy().put("title", "On " + removed)).object().getString("filingID");
        awaitIndexed();
        assertThat(kinds(open.claimant(), removed)).containsExactly("filing");
        try (Connection holding = platform.sql()) {
            // Whoever indexes waits for this lock until the transaction ends.
            holding.setAutoCommit(false);
            holding.createStatement().execute("lock table search.pieces in share mode");
            assertThat(open.on("/api/filings/update", open.claimant(), new JsonObject().put("filingID", filing).put("title", "On " + word)).status()).isEqualTo(200);
            assertThat(open.document("submit", open.claimant(), filing).status()).isEqualTo(200);
            assertThat(found(open.manager(), removed)).isEmpty();
            assertThat(open.document("approve", open.manager(), filing).status()).isEqualTo(200);
            assertThat(found(open.respondent(), removed)).isEmpty();
            holding.rollback();
        }
        awaitIndexed();
        assertThat(found(open.claimant(), removed)).isEmpty();
        assertThat(kinds(open.manager(), word)).containsExactly("entry");
        assertThat(kinds(open.respondent(), word)).containsExactly("entry");
    }

    @Test
    void aSealHidesWhatIsInTheIndexAtOnceAndItsEndShowsIt() {
        String entry = docketed("Protected", "The witness is " + word + ".");
        awaitIndexed();
        assertThat(kinds(open.respondent(), word)).containsExactly("entry");
        seal(entry);
        assertThat(found(open.respondent(), word)).isEmpty();
        assertThat(kinds(open.arbitrator(), word)).containsExactly("entry");
        assertThat(open.on("/api/docket/entries/unseal", open.manager(), new JsonObject().put("entryID", entry).put("reason", "x")).status()).isEqualTo(200);
        assertThat(kinds(open.respondent(), word)).containsExactly("entry");
        assertThat(open.platform().post("/cases/cases/participants/remove", new JsonObject().put("caseID", open.caseId()).put("userID", open.respondent().id()),
                open.manager().token()).status()).isEqualTo(200);
        assertThat(found(open.respondent(), word)).isEmpty();
    }

    @Test
    void anExhibitIsFoundByTheTextOfItsFileOnceTheReaderMaySeeIt() {
        Answer uploaded = Form.of(open.caseId(), "other", "A diary.").file("diary.txt", "text/plain", "On Monday the " + word + " came.").post(platform, open.claimant().token());
        assertThat(uploaded.status()).isEqualTo(200);
        awaitIndexed();
        JsonObject result = found(open.claimant(), "\"the " + word + " came\"").getFirst();
        assertThat(result.getString("kind")).isEqualTo("exhibit");
        assertThat(result.getString("uploadID")).isEqualTo(uploaded.object().getString("uploadID"));
        assertThat(result.getString("title")).endsWith("diary.txt");
        assertThat(result.getString("snippet")).isEqualTo("A diary. On Monday the " + word + " came.");
        assertThat(kinds(open.manager(), word)).containsExactly("exhibit");
        assertThat(found(open.respondent(), word)).isEmpty();
        open.advanceTo("evidenceExchange");
        assertThat(kinds(open.respondent(), word)).containsExactly("exhibit");
    }

    @Test
    void aFileOfAFilingIsFoundByItsTextAsLongAsItIsThere() {
        Filed filed = new Filed(open);
        String filing = open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
        JsonObject file = filed.taken(open.claimant(), filing, "claim.pdf", SamplePdfs.saying("The crane " + word + " fell."));
        awaitIndexed();
        JsonObject result = found(open.claimant(), "\"crane " + word + " fell\"").getFirst();
        assertThat(result.getString("kind")).isEqualTo("file");
        assertThat(result.getString("fileID")).isEqualTo(file.getString("fileID"));
        assertThat(result.getString("filingID")).isEqualTo(filing);
        assertThat(result.getString("snippet")).contains("The crane " + word + " fell.");
        assertThat(found(open.respondent(), word)).isEmpty();
        JsonObject other = filed.taken(open.claimant(), filing, "other.pdf", SamplePdfs.saying("Also " + word + "."));
        awaitIndexed();
        assertThat(kinds(open.claimant(), word)).containsExactly("file", "file");
        assertThat(filed.on("remove", open.claimant(), filing, Filed.file(other.getString("fileID"))).status()).isEqualTo(200);
        assertThat(kinds(open.claimant(), word)).containsExactly("file");
        open.document("submit", open.claimant(), filing);
        open.document("approve", open.manager(), filing);
        assertThat(kinds(open.respondent(), word)).containsExactly("file");
        seal(found(open.respondent(), word).getFirst().getString("entryID"));
        assertThat(found(open.respondent(), word)).isEmpty();
        assertThat(kinds(open.manager(), word)).containsExactly("file");
    }

    @Test
    void aFileWithoutTextSaysSo() {
        byte[] png = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0, 0, 0, 13, 'I', 'H', 'D', 'R', 0, 0, 0, 1, 0, 0, 0, 1, 8, 6, 0, 0, 0, 0x1f, 0x15, (byte) 0xc4, (byte) 0x89};
        Answer uploaded = Form.of(open.caseId(), "photograph", "The " + word + ".").file("scan.png", "image/png", png).post(platform, open.claimant().token());
        assertThat(uploaded.status()).as(uploaded.body()).isEqualTo(200);
        Answer scanned = Form.of(open.caseId(), "contract", "The " + word + ".").file("scan.pdf", "application/pdf", SamplePdfs.scan()).post(platform, open.claimant().token());
        assertThat(scanned.status()).as(scanned.body()).isEqualTo(200);
        awaitIndexed();
        assertThat(found(open.claimant(), word)).hasSize(2)
                .allSatisfy(result -> assertThat(result.getString("snippet")).isEqualTo("This file has no text that can be read."));
    }

    @Test
    void theTextOfAPdfAWordDocumentAWebPageAndAPlainFileIsFound() throws IOException {
        ByteArrayOutputStream contract = new ByteArrayOutputStream();
        try (XWPFDocument document = new XWPFDocument()) {
            document.createParagraph().createRun().setText("Clause 4 of the " + word + ".");
            document.write(contract);
        }
        Map<String, Form> files = new TreeMap<>(Map.of(
                "a.pdf", Form.of(open.caseId(), "contract", "").file("a.pdf", "application/pdf", SamplePdfs.saying("The " + word + " was signed.")),
                "b.docx", Form.of(open.caseId(), "contract", "").file("b.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", contract.toByteArray()),
                "c.html", Form.of(open.caseId(), "correspondence", "").file("c.html", "text/html", "<html><body><p>Of the <b>" + word + "</b>.</p></body></html>"),
                "d.txt", Form.of(open.caseId(), "other", "").file("d.txt", "text/plain", "A note on the " + word + ".")));
        files.forEach((name, form) -> {
            Answer uploaded = form.post(platform, open.claimant().token());
            assertThat(uploaded.status()).as(uploaded.body()).isEqualTo(200);
        });
        awaitIndexed();
        assertThat(found(open.claimant(), word)).extracting(result -> result.getString("title").replaceFirst(".* ", ""))
                .containsExactlyInAnyOrderElementsOf(files.keySet());
    }

    @Test
    void scriptsWithoutSpacesAndOtherScriptsAreFound() {
        String entry = docketed("仲裁判断の取消し", "東京地方裁判所は申立てを棄却した。 ผู้คัดค้านยื่นคำร้อง Решение суда Übergabe " + word);
        awaitIndexed();
        for (String query : List.of("裁判所", "棄却", "判断の取", "คำร้อง", "решение", "ubergabe", "所")) {
            assertThat(found(open.respondent(), new JsonObject().put("query", query + " " + word)).stream().map(result -> result.getString("entryID")))
                    .as(query).containsExactly(entry);
        }
        assertThat(found(open.respondent(), "裁所 " + word)).isEmpty();
    }

    @Test
    void pagesGoOnWhereTheyEndedAndTheNewestComesFirst() {
        List<String> entered = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            entered.addFirst(docketed("Letter " + i, word));
        }
        awaitIndexed();
        List<String> read = new ArrayList<>();
        JsonObject page = new JsonObject();
        do {
            Answer answer = platform.post("/api/search", new JsonObject().put("query", word).put("caseID", open.caseId()).put("limit", 2)
                    .put("cursor", page.getString("nextCursor")), open.respondent().token());
            page = answer.object();
            page.getJsonArray("results").forEach(result -> read.add(((JsonObject) result).getString("entryID")));
        } while (page.getString("nextCursor") != null);
        assertThat(read).isEqualTo(entered);
    }

    @Test
    void aCaseIsFoundByItsTitleAndASearchInACaseIsForItsParticipants() {
        String caseId = platform.post("/cases/cases/create", new JsonObject().put("title", "Quarry v. " + word).put("ruleSet", "commercial"),
                open.claimant().token()).object().getString("caseID");
        awaitIndexed();
        assertThat(kinds(open.claimant(), word)).containsExactly("case");
        Answer refused = platform.post("/api/search", new JsonObject().put("query", word).put("caseID", caseId), open.respondent().token());
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.sentence()).isEqualTo("Not a participant in this case.");
        assertThat(platform.post("/api/search", new JsonObject().put("query", word).put("caseID", UUID.randomUUID().toString()), open.respondent().token()).sentence())
                .isEqualTo("case not found");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-", "- - -", "\"", "...", "😀", "-nothing"})
    void whatHasNoWordToFindIsRefused(String query) {
        for (String text : List.of(query, query.repeat(200 / query.codePointCount(0, query.length())))) {
            Answer answer = platform.post("/api/search", new JsonObject().put("query", text), open.claimant().token());
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.sentence()).isEqualTo("query: has no word to search for");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"the of and", "\"late delivery", "it's 'quoted' \\ back", "a:* & b | !c", "<->", "c:00000000", "𠀀𠀁𠀂", "x' :: y", "%_%"})
    void whateverIsWrittenIsNoFault(String query) {
        int status = platform.post("/api/search", new JsonObject().put("query", query), open.claimant().token()).status();
        assertThat(status).isIn(200, 400);
        assertThat(platform.post("/api/search", new JsonObject().put("query", query.repeat(200 / query.codePointCount(0, query.length()))), open.claimant().token()).status())
                .isIn(200, 400);
    }

    @Test
    void twoHundredCharactersBeyondTheBasicPlaneAreAQueryOrNone() {
        String entry = docketed("On " + word, "𠀀𠀁".repeat(100) + " 𝒶𝒷𝒸");
        awaitIndexed();
        assertThat(found(open.respondent(), "𠀀𠀁".repeat(100)).stream().map(result -> result.getString("entryID"))).containsExactly(entry);
        assertThat(found(open.respondent(), "𠀁𠀀".repeat(100))).as("one more than is there").isEmpty();
        Answer none = platform.post("/api/search", new JsonObject().put("query", "😀".repeat(200)), open.respondent().token());
        assertThat(none.status()).isEqualTo(400);
        assertThat(none.sentence()).isEqualTo("query: has no word to search for");
        assertThat(platform.post("/api/search", new JsonObject().put("query", "𠀀".repeat(201)), open.respondent().token()).sentence()).isEqualTo("query: at most 200 characters");
    }

    @Test
    void badCursorsAndKindsAreNamed() {
        for (String cursor : List.of("x", "!!", "AAAA", "_".repeat(32))) {
            Answer answer = platform.post("/api/search", new JsonObject().put("query", "x").put("cursor", cursor), open.claimant().token());
            assertThat(answer.status()).as(cursor).isEqualTo(400);
            assertThat(answer.sentence()).isEqualTo("cursor: must be the nextCursor of a page before");
        }
        assertThat(platform.post("/api/search", new JsonObject().put("query", "x").put("kinds", new JsonArray().add("poem")), open.claimant().token()).status())
                .isEqualTo(400);
        assertThat(platform.post("/api/search", new JsonObject().put("query", "x".repeat(201)), open.claimant().token()).status()).isEqualTo(400);
    }
}
