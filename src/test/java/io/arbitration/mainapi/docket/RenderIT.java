package io.arbitration.mainapi.docket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.font.PDFont;
import org.apache.pdfbox.text.PDFTextStripper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RenderIT {

    private static final String SCRIPTS = """
            English: "The price is due." — naïve, Straße, Łódź, e\u0301 (combining)
            Ελληνικά: Η τιμή οφείλεται.
            Русский: Цена подлежит оплате.
            العربية: يلتزم المدعى عليه بدفع الثمن وقدره 125000 دولار.
            עברית: המחיר עומד לתשלום (סעיף 12).
            हिन्दी: मूल्य देय है, क्षतिपूर्ति भी।
            ไทย: ราคาถึงกำหนดชำระ
            中文：价款已到期，应予支付。
            日本語：代金の支払期限が到来した。
            한국어: 대금의 지급기한이 도래하였다.
            Beyond the BMP: 𝒜""";

    private final OpenCase open = OpenCase.on(RunningPlatform.shared());

    @TempDir
    private Path folder;

    private Answer render(RunningPlatform.Person by, String entryId) {
        return open.on("/api/docket/entries/render", by, new JsonObject().put("entryID", entryId));
    }

    private String docketed(String title, String body) {
        return open.docketed(new JsonObject().put("title", title).put("fields", new JsonObject().put("subject", "Availability").put("body", body)));
    }

    private static byte[] pdf(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.header("Content-Type")).isEqualTo("application/pdf");
        return answer.response().body();
    }

    private static String text(byte[] pdf) throws IOException {
        try (PDDocument document = Loader.loadPDF(pdf)) {
            return new PDFTextStripper().getText(document);
        }
    }

    @Test
    void thePaperShowsTheFieldsInTheirOrderAndIsStamped() throws IOException {
        String entryId = docketed("A letter", "We are available in May.");
        byte[] pdf = pdf(render(open.respondent(), entryId));
        JsonObject entry = open.on("/api/docket/entries/view", open.claimant(), new JsonObject().put("entryID", entryId)).object();
        String text = text(pdf);
        assertThat(text).contains("A letter", "Docket entry No. 1", "Cranes v. Quarry", open.caseId(), entry.getString("hash"), "page 1 of 1");
        assertThat(text.indexOf("Availability")).isPositive().isLessThan(text.indexOf("We are available in May."));
        assertThat(text).doesNotContain("Superseded");
        try (PDDocument document = Loader.loadPDF(pdf)) {
            for (var name : document.getPage(0).getResources().getFontNames()) {
                PDFont font = document.getPage(0).getResources().getFont(name);
                assertThat(font.isEmbedded()).isTrue();
                assertThat(font.getName()).matches("[A-Z]{6}\\+.*");
            }
        }
    }

    @Test
    void theSameEntryGivesTheSameBytes() {
        String entryId = docketed("Twice", SCRIPTS);
        assertThat(pdf(render(open.claimant(), entryId))).isEqualTo(pdf(render(open.manager(), entryId)));
    }

    @Test
    void aSupersededEntrySaysSoAndByWhat() throws IOException {
        String first = docketed("First version", "Available in May.");
        String second = open.docketed(new JsonObject().put("title", "Second version").put("supersedes", first).put("parentEntryID", first));
        assertThat(text(pdf(render(open.claimant(), first)))).contains("Superseded by docket entry No. 2");
        assertThat(text(pdf(render(open.claimant(), second)))).contains("Supersedes").contains("In reply to").doesNotContain("Superseded by");
    }

    @Test
    void addressesMoneyDatesAndAnswersStandInTablesAsPeopleWriteThem() throws IOException {
        JsonObject fields = OpenCase.completeFields("statementOfClaim").mergeIn(new JsonObject()
                .put("claimantName", "Cranes & Søns A/S").put("claimantAddress", "Havnegade 12, 3. sal").put("claimantCity", "Århus")
                .put("claimantZipcode", "8000").put("claimAmount", "1250000.50 USD").put("agreementDate", "2025-02-03")
                .put("proposedArbitrators", 3).put("interestRate", "5.250").put("expeditedRequested", true)
                .put("legalGrounds", "Ground.\n".repeat(200)));
        String entryId = open.docketed(new JsonObject().put("documentID", "statementOfClaim").put("fields", fields));
        byte[] pdf = pdf(render(open.claimant(), entryId));
        Files.write(Path.of("target/claim.pdf"), pdf);
        String text = text(pdf);
        assertThat(text).containsSubsequence("Name of the claimant", "Cranes & Søns A/S", "Street address", "Havnegade 12, 3. sal", "City", "Århus",
                "Postal code", "8000", "Agreement to arbitrate", "Date of the agreement", "3 February 2025", "Proposed number of", "3",
                "Claim", "Amount claimed", "1,250,000.50 USD", "Legal grounds", "Ground.");
        assertThat(text).contains("5.250").containsPattern("Expedited procedure\\s+(requested\\s+)?Yes").contains("page 4 of ");
        assertThat(text).doesNotContain("Telephone").doesNotContain("Email, if known");
    }

    @Test
    void longTextGoesOnOverPagesAndNoneOfItIsLost() throws IOException {
        StringBuilder body = new StringBuilder();
        for (int i = 1; i <= 400; i++) {
            body.append("Sentence number ").append(i).append(" of the letter ends here. ");
        }
        body.append("unbroken".repeat(60));
        byte[] pdf = pdf(render(open.claimant(), docketed("Long", body.toString())));
        try (PDDocument document = Loader.loadPDF(pdf)) {
            assertThat(document.getNumberOfPages()).isGreaterThan(3);
        }
        String text = text(pdf).replaceAll("Case [^\n]*page \\d+ of \\d+", "").replaceAll("\\s+", "");
        assertThat(text).contains(body.toString().replaceAll("\\s+", ""));
    }

    @Test
    void textOfEveryScriptExtractsAsItWasFiled() throws Exception {
        assumeTrue(Files.exists(Path.of("/usr/bin/pdftotext")), "skipped: no pdftotext here");
        assumeTrue(Files.exists(Path.of("/usr/share/fonts/truetype/noto/NotoSansArabic-Regular.ttf")), "skipped: fonts-noto-core is not here");
        assumeTrue(Files.exists(Path.of("/usr/share/fonts/truetype/nanum/NanumGothic.ttf")), "skipped: fonts-nanum is not here");
        assumeTrue(Files.exists(Path.of("/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf")), "skipped: fonts-droid-fallback is not here");
        byte[] pdf = pdf(render(open.claimant(), docketed("Κείμενο · نص · 文字", SCRIPTS)));
        Path file = Files.write(folder.resolve("scripts.pdf"), pdf);
        Files.write(Path.of("target/scripts.pdf"), pdf);
        String text = new String(new ProcessBuilder("pdftotext", "-layout", file.toString(), "-").start().getInputStream().readAllBytes(),
                StandardCharsets.UTF_8);
        String plain = withoutDirectionMarks(text);
        for (String line : SCRIPTS.split("\n")) {
            for (String word : line.split("[\\s():\".]+")) {
                // Poppler reads the two letters of a right-to-left ligature in the wrong order.
                assertThat(List.of(word, word.replace("لا", "ال"))).as(word).anyMatch(plain::contains);
            }
        }
        assertThat(plain).doesNotContain("has no font");
    }

    @Test
    void aCharacterThatNoFontHasIsTold() throws IOException {
        assertThat(text(pdf(render(open.claimant(), docketed("Unknown", "Private: \uE123\uE124"))))).contains("has no font for 2 of the characters", "U+E123");
    }

    @Test
    void onlyParticipantsRenderAndOnlyEntriesOfTheirCase() {
        String entryId = docketed("Ours", "Text.");
        assertThat(render(open.outsider(), entryId).sentence()).isEqualTo("Not a participant in this case.");
        for (String unknown : List.of("0", "nothing", "999999999")) {
            assertThat(render(open.claimant(), unknown).sentence()).isEqualTo("docket entry not found");
        }
        OpenCase other = OpenCase.on(RunningPlatform.shared());
        assertThat(other.on("/api/docket/entries/render", other.claimant(), new JsonObject().put("entryID", entryId)).status()).isEqualTo(404);
    }

    private static String withoutDirectionMarks(String text) {
        return text.replaceAll("[\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]", "");
    }
}
