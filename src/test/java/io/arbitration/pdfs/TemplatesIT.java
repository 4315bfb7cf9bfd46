package io.arbitration.pdfs;

import static io.arbitration.pdfs.FormMaker.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.Form;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.text.PDFTextStripper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Templates as clients see them: listed, filled, uploaded. */
class TemplatesIT {

    private static final RunningPlatform PLATFORM = RunningPlatform.shared();
    private static final String ADMINISTRATOR = PLATFORM.administrator().token();

    private final String documentId = "t" + UUID.randomUUID().toString().substring(0, 30);

    static Answer upload(RunningPlatform platform, String documentId, byte[] file, String... headers) {
        return new Form().field("documentID", documentId).file("form.pdf", "application/pdf", file).postTo(platform, "/pdfs/templates/upload", ADMINISTRATOR, headers);
    }

    private Answer fill(RunningPlatform platform, Object... placeholders) {
        JsonObject values = new JsonObject();
        for (int i = 0; i < placeholders.length; i += 2) {
            values.put((String) placeholders[i], placeholders[i + 1]);
        }
        return platform.post("/pdfs/templates/fill", new JsonObject().put("documentID", documentId).put("placeholders", values), null);
    }

    private static String text(Answer answer) throws IOException {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.header("Content-Type")).isEqualTo("application/pdf");
        try (PDDocument document = Loader.loadPDF(answer.response().body())) {
            assertThat(document.getDocumentCatalog().getAcroForm()).as("the form is gone").isNull();
            return new PDFTextStripper().getText(document);
        }
    }

    @Test
    void anUploadedTemplateIsListedAndFilledWithoutAToken() throws IOException {
        FormMaker maker = new FormMaker(2);
        FormMaker.with(maker.text("claimant.name", at(0, 50, 700, 200, 20), at(1, 50, 700, 200, 20)), "MaxLen", 40);
        maker.states(maker.field("agree", "Btn", 0, at(0, 50, 600, 14, 14)), "Yes");
        Answer uploaded = upload(PLATFORM, documentId, maker.bytes());
        assertThat(uploaded.status()).as(uploaded.body()).isEqualTo(200);
        JsonObject template = new JsonObject().put("documentID", documentId).put("placeholders", new JsonArray()
                .add(new JsonObject().put("name", "claimant.name").put("type", "text").put("maxLength", 40))
                .add(new JsonObject().put("name", "agree").put("type", "checkbox")));
        assertThat(uploaded.object()).isEqualTo(template);
        assertThat(PLATFORM.post("/pdfs/templates/list", (JsonObject) null, ADMINISTRATOR).object().getJsonArray("templates")).contains(template);
        assertThat(text(fill(PLATFORM, "claimant.name", "Łukasz Straße", "agree", "yes")).split("Łukasz Straße", -1)).as("on both pages").hasSize(3);
    }

    @Test
    void withoutPlaceholdersTheFormComesBlank() throws IOException {
        upload(PLATFORM, documentId, FormMaker.oneField());
        String blank = text(fill(PLATFORM));
        for (String body : List.of("{\"documentID\":\"%s\"}", "{\"documentID\":\"%s\",\"placeholders\":null}", "{\"documentID\":\"%s\",\"placeholders\":{\"name\":null}}")) {
            assertThat(text(PLATFORM.post("/pdfs/templates/fill", body.formatted(documentId), null))).isEqualTo(blank);
        }
    }

    @Test
    void everyUnknownPlaceholderIsNamedInTheOrderGiven() {
        upload(PLATFORM, documentId, FormMaker.oneField());
        Answer answer = fill(PLATFORM, "zeta", "1", "name", "N.", "alpha", "2", "with, comma", "3");
        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.sentence()).isEqualTo("unknown placeholders: zeta, alpha, with, comma");
        assertThat(answer.header("Error-Code")).isEqualTo("placeholders.unknown");
        assertThat(fill(PLATFORM, "zeta", "x".repeat(90_000)).sentence()).isEqualTo("unknown placeholders: zeta");
    }

    @Test
    void anUnknownTemplateIsNotFound() {
        Answer answer = fill(PLATFORM, "name", "N.");
        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.sentence()).isEqualTo("template not found");
    }

    @Test
    void whatIsNoTextIsRefused() {
        upload(PLATFORM, documentId, FormMaker.oneField());
        assertThat(fill(PLATFORM, "name", 7).sentence()).isEqualTo("placeholders/name: must be a string");
        assertThat(fill(PLATFORM, "name", "a\u0007b").sentence()).isEqualTo("placeholders/name: must not contain the control character U+0007");
        assertThat(fill(PLATFORM, "name", "x".repeat(100_001)).sentence()).isEqualTo("placeholders/name: at most 100000 characters");
        assertThat(fill(PLATFORM, "name", "x".repeat(1_048_576)).status()).isEqualTo(413);
    }

    @Test
    void aRefusedTemplateSaysWhyAndChangesNothing() throws IOException {
        upload(PLATFORM, documentId, FormMaker.oneField());
        Answer answer = upload(PLATFORM, documentId, "not a PDF at all".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.sentence()).isEqualTo("the template is not a PDF");
        assertThat(upload(PLATFORM, documentId, new byte[0]).sentence()).isEqualTo("file: must not be empty");
        assertThat(upload(PLATFORM, documentId, new byte[11 * 1024 * 1024]).status()).isEqualTo(413);
        assertThat(upload(PLATFORM, "../etc/passwd", FormMaker.oneField()).status()).isEqualTo(400);
        assertThat(text(fill(PLATFORM, "name", "Still here"))).contains("Still here");
    }

    @Test
    void everyUploadGivesBackItsRoom() {
        for (int i = 0; i < 5; i++) {
            assertThat(upload(PLATFORM, documentId, "nothing".getBytes(java.nio.charset.StandardCharsets.US_ASCII)).status()).isEqualTo(422);
            assertThat(new Form().file("form.pdf", "application/pdf", FormMaker.oneField()).postTo(PLATFORM, "/pdfs/templates/upload", ADMINISTRATOR).status()).isEqualTo(400);
        }
        assertThat(upload(PLATFORM, documentId, FormMaker.oneField()).status()).isEqualTo(200);
    }

    @Test
    void anotherNodeFillsWhatWasUploadedHereAlsoWhenItIsReplaced(@TempDir Path folder) throws IOException {
        upload(PLATFORM, documentId, FormMaker.oneField());
        try (RunningPlatform other = PLATFORM.sibling(folder)) {
            assertThat(text(fill(other, "name", "Seen at the start"))).contains("Seen at the start");
            FormMaker second = new FormMaker(1);
            second.text("other", at(0, 50, 700, 200, 20));
            upload(PLATFORM, documentId, second.bytes());
            Await.until(() -> fill(other, "other", "New").status() == 200);
            assertThat(fill(other, "name", "N.").sentence()).isEqualTo("unknown placeholders: name");
        }
    }

    @Test
    void theSameValuesGiveTheSameBytesWhateverTheirOrder() {
        FormMaker maker = new FormMaker(1);
        maker.text("a", at(0, 50, 700, 200, 20));
        maker.text("b", at(0, 50, 650, 200, 20));
        upload(PLATFORM, documentId, maker.bytes());
        byte[] one = fill(PLATFORM, "a", "Text", "b", "עברית").response().body();
        assertThat(fill(PLATFORM, "b", "עברית", "a", "Text").response().body()).isEqualTo(one);
        assertThat(List.of(fill(PLATFORM, "a", "Text", "b", "other").response().body())).doesNotContain(one);
    }

    @Test
    void theShippedTemplatesAreThere() throws IOException {
        JsonArray templates = PLATFORM.post("/pdfs/templates/list", (JsonObject) null, ADMINISTRATOR).object().getJsonArray("templates");
        assertThat(templates.stream().map(template -> ((JsonObject) template).getString("documentID")))
                .contains("answer", "award", "certificateOfService", "noticeOfHearing", "proceduralOrder", "statementOfClaim");
        Answer notice = PLATFORM.post("/pdfs/templates/fill", new JsonObject().put("documentID", "noticeOfHearing").put("placeholders", new JsonObject()
                .put("caseTitle", "Cranes v. Quarry").put("hearingDate", "2026-11-21").put("mode", "inPerson")), null);
        assertThat(notice.status()).as(notice.body()).isEqualTo(200);
        try (PDDocument document = Loader.loadPDF(notice.response().body())) {
            assertThat(new PDFTextStripper().getText(document)).contains("Cranes v. Quarry", "21 November 2026");
            assertThat(document.getDocumentCatalog().getAcroForm().getFields()).as("the signature").hasSize(1);
        }
    }

    @Test
    void moreThanTheQueueHoldsIsAnswered503AndTheRestIsFilled(@TempDir Path folder) throws Exception {
        try (RunningPlatform busy = RunningPlatform.start(folder, java.util.Map.of("ACP_PDFS_QUEUE_MAX", "2"));
                var threads = java.util.concurrent.Executors.newVirtualThreadPerTaskExecutor()) {
            JsonObject long1 = new JsonObject().put("documentID", "award").put("placeholders", new JsonObject().put("reasons", "نص طويل ".repeat(2000)));
            assertThat(busy.post("/pdfs/templates/fill", long1, null).status()).isEqualTo(200);
            List<java.util.concurrent.Future<Answer>> answers = java.util.stream.IntStream.range(0, 40)
                    .mapToObj(i -> threads.submit(() -> busy.post("/pdfs/templates/fill", long1, null))).toList();
            int filled = 0;
            for (java.util.concurrent.Future<Answer> one : answers) {
                Answer answer = one.get();
                if (answer.status() == 200) {
                    filled++;
                } else {
                    assertThat(answer.status()).isEqualTo(503);
                    assertThat(answer.sentence()).isEqualTo("Too many PDFs are being made, try again later.");
                    assertThat(answer.header("Retry-After")).isEqualTo("2");
                }
            }
            assertThat(filled).isBetween(3, 39);
            assertThat(busy.post("/pdfs/templates/fill", long1, null).status()).isEqualTo(200);
        }
    }

    /** Who fills in long texts is refused beyond a share of this node, with the figure; somebody else is not. */
    @Test
    void oneAddressFillsInOnlySoManyCharactersAtOnce(@TempDir Path folder) throws Exception {
        Map<String, String> settings = Map.of("ACP_HTTP_TRUSTED_PROXIES", "127.0.0.1/32");
        try (RunningPlatform busy = RunningPlatform.start(folder, settings); var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            JsonObject text = new JsonObject().put("documentID", "award").put("placeholders", new JsonObject().put("reasons", "نص طويل ".repeat(6_000)));
            List<java.util.concurrent.Future<Answer>> greedy = IntStream.range(0, 16)
                    .mapToObj(i -> threads.submit(() -> busy.post("/pdfs/templates/fill", text, null, "X-Forwarded-For", "192.0.2.1"))).toList();
            List<Answer> others = new ArrayList<>();
            JsonObject brief = new JsonObject().put("documentID", "award").put("placeholders", new JsonObject().put("reasons", "Short."));
            for (int i = 0; i < 5; i++) {
                others.add(busy.post("/pdfs/templates/fill", brief, null, "X-Forwarded-For", "198.51.100." + i));
            }
            List<Integer> statuses = new ArrayList<>();
            for (java.util.concurrent.Future<Answer> one : greedy) {
                Answer answer = one.get();
                statuses.add(answer.status());
                if (answer.status() != 200) {
                    assertThat(answer.sentence()).isEqualTo("At most 400000 characters of one caller are filled in at once; a short form counts as 3125.");
                    assertThat(answer.header("Retry-After")).isEqualTo("2");
                }
            }
            assertThat(statuses).contains(200, 429).containsOnly(200, 429);
            assertThat(others).allSatisfy(answer -> assertThat(answer.status()).isEqualTo(200));
        }
    }
}
