package io.arbitration.console;

import static io.arbitration.console.RunningConsole.done;
import static io.arbitration.console.RunningConsole.look;
import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.Form;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.WholeDay;
import io.arbitration.ai.ModelServer;
import io.arbitration.mainapi.filings.Filed;
import io.arbitration.platform.reading.SamplePdfs;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDDocumentNameDictionary;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.PDPageContentStream.AppendMode;
import org.apache.pdfbox.pdmodel.common.filespecification.PDComplexFileSpecification;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The parts of a case beside its docket, in a real browser: evidence, notices, seals, people, its course from phase to phase, the award. */
class ConsoleCaseIT extends ConsoleScenario {

    private static final Path PDF = Path.of("src/main/resources/demo/statement-of-claim.pdf");
    private static String inCase(OpenCase open, String more) {
        return "/console/cases/" + open.caseId() + more;
    }

    @Test
    void evidenceIsDroppedDescribedRefusedAtTheFileAndReadByEachSideInItsTime(@TempDir Path folder) throws IOException {
        OpenCase open = OpenCase.on(platform);
        Path bill = Files.writeString(folder.resolve("bill.txt"), "Bill of lading, 3 March 2026\n");
        Path page = Files.writeString(folder.resolve("page.html"), "<h1>Offer</h1><img src=x onerror=alert(1)>");
        Path lie = Files.writeString(folder.resolve("scan.pdf"), "This is no PDF.");
        Path empty = Files.writeString(folder.resolve("empty.txt"), "");

        ConsolePage clara = CONSOLE.signedIn(open.claimant(), inCase(open, "/evidence"), "light");
        clara.awaitText("There is no evidence that you may see");
        clara.tabToAndEnter("Add evidence");
        clara.drop("acp-evidence .drop", bill, lie, empty);
        clara.awaitText("Upload 3 files");
        clara.awaitText("This file is empty.");
        clara.write("What it is: bill.txt", "Bill of lading");
        clara.pick("Kind of evidence: bill.txt", "Photograph");
        clara.awaitText("“Photograph” can be JPEG, PNG, WEBP, TIFF.");
        clara.pick("Kind of evidence: bill.txt", "Correspondence");
        assertThat(clara.barriers()).isEmpty();
        clara.picture("console-evidence-adding");
        clara.follow(inCase(open, "/dates"), "Deadlines");
        clara.follow(inCase(open, "/evidence"), "Upload 3 files");
        clara.tabToAndEnter("Upload 3 files");
        clara.awaitText("The exhibit is on the record of the case.");
        clara.awaitText("The file is declared as application/pdf, but its content is text/plain.");
        clara.tabToAndEnter("Remove");
        clara.awaitTrue("document.querySelectorAll('acp-evidence li.chosen').length === 1");
        clara.tabToAndEnter("Remove");
        clara.awaitTrue("document.querySelector('acp-evidence li.chosen') === null");
        clara.choose("#exhibits", page, PDF);
        clara.write("What it is: page.html", "Their offer <b>of May</b>");
        clara.write("What it is: statement-of-claim.pdf", "The contract");
        clara.tabToAndEnter("Upload 2 files");
        clara.awaitText("2 exhibits are on the record of the case.");
        clara.awaitText("Their offer <b>of May</b>");
        clara.click("Exhibit C-2, Their offer");
        clara.awaitText("C-2, Their offer");
        clara.awaitText("<img src=x onerror=alert(1)>");
        clara.awaitText("✓ verified in your browser");
        assertThat(clara.evaluate("document.querySelector('img[src=x]') === null")).isEqualTo(true);
        look(clara, "evidence", "light");
        clara.show(1440, 960, "dark");
        assertThat(clara.barriers()).isEmpty();

        ConsolePage rolf = CONSOLE.signedIn(open.respondent(), inCase(open, "/evidence"), "dark");
        rolf.awaitText("There is no evidence that you may see");
        open.advanceTo("evidenceExchange");
        rolf.awaitText("Bill of lading");
        rolf.tabToAndEnter("Exhibit C-1, Bill of lading");
        rolf.awaitText("Bill of lading, 3 March 2026");
        open.advanceTo("hearing");
        rolf.awaitText("In the phase “Hearing” evidence is added by the case manager alone.");
        ConsolePage olga = CONSOLE.signedIn(open.observer(), inCase(open, "/evidence"), "light");
        olga.awaitText("You take part as an observer, who reads and changes nothing.");
        olga.awaitText("The contract");
    }

    @Test
    void aNoticeIsServedWithPicturesCutToTheirAreasAndProved(@TempDir Path folder) throws Exception {
        OpenCase open = OpenCase.on(platform);
        String entryId = open.docketed(new JsonObject().put("title", "Letter about the cranes"));
        String plain = open.draft(open.claimant(), OpenCase.UNAPPROVED_DOCUMENT);
        assertThat(open.document("submit", open.claimant(), plain).status()).isEqualTo(200);
        String unapproved = open.view(open.claimant(), plain).getString("entryID");
        Path picture = halves(folder.resolve("crane.png"), 2000, 1500);

        ConsolePage clara = CONSOLE.signedIn(open.claimant(), inCase(open, "/docket/" + entryId), "light");
        clara.awaitText("verified in your browser");
        clara.tabToAndEnter("Serve");
        clara.awaitText("What is served");
        clara.click("Notice of infringement");
        clara.choose("#picture-attachment", picture);
        clara.awaitText("The picture has 2,000 by 1,500 pixels; 2,000 by 1,500 of them are shown.");
        clara.focus("Zoom in");
        clara.key("End", 35, "");
        clara.awaitText("800 by 600 of them are shown.");
        clara.drag("acp-picture canvas", -30, -30);
        clara.awaitTrue("Number([...document.querySelectorAll('acp-picture input[type=range]')][1].value) > 0");
        clara.focus("Left or right");
        clara.key("End", 35, "");
        clara.choose("#picture-protectedMark", Path.of("src/main/console/index.html"));
        clara.awaitText("No picture can be read from index.html.");
        clara.write("Or the capture of a web page: Protected mark", platform.url() + "/push/demo");
        clara.key("Enter", 13, "\r");
        clara.awaitText("The picture has 800 by 600 pixels");
        clara.click("Serve it");
        clara.awaitText("Choose at least one recipient.");
        clara.click("Rolf Respondent");
        clara.write("Others, by email address", "legal@shop.example, nobody");
        clara.click("Serve it on 3 recipients");
        clara.awaitText("This is no email address: nobody");
        clara.write("Others, by email address", "legal@shop.example");
        assertThat(clara.barriers()).isEmpty();
        clara.picture("console-serve-bottom");
        clara.follow(inCase(open, "/dates"), "Deadlines");
        clara.follow(inCase(open, "/notices?entry=" + entryId), "Serve it on 2 recipients");
        look(clara, "serve", "light");
        clara.click("Serve it on 2 recipients");
        clara.awaitText("The service is under way");
        clara.awaitText("Proof of service");
        clara.awaitText(open.respondent().email());
        clara.awaitText("Notice of infringement");
        look(clara, "notices", "light");
        clara.saveDownloadsTo(folder);
        clara.click("Proof of service");
        Path proof = Await.value("the proof among the downloads", () -> {
            try (Stream<Path> all = Files.list(folder)) {
                return all.filter(file -> file.getFileName().toString().startsWith("proof-of-service-") && file.toString().endsWith(".pdf")).findFirst().orElse(null);
            } catch (IOException failed) {
                throw new IllegalStateException(failed);
            }
        });
        BufferedImage sent = attached(proof, "attachment.png");
        assertThat(List.of(sent.getWidth(), sent.getHeight())).containsExactly(800, 600);
        assertThat(new Color(sent.getRGB(0, 0))).isEqualTo(Color.BLUE);

        clara.follow(inCase(open, "/notices?entry=" + unapproved), "This document went onto the docket without an approval");
        assertThat(open.on("/api/docket/entries/seal", open.manager(), new JsonObject().put("entryID", entryId).put("visibleTo", new JsonArray()).put("reason", "Secret.")).status()).isEqualTo(200);
        clara.follow(inCase(open, "/notices"), "Serve a notice");
        clara.follow(inCase(open, "/notices?entry=" + entryId), "may not see this sealed entry");
        ConsolePage olga = CONSOLE.signedIn(open.observer(), inCase(open, "/notices"), "dark");
        olga.awaitText("You take part as an observer");
        olga.awaitText("Proof of service");
        assertThat(olga.barriers()).isEmpty();
    }

    /** The left half red, the right half blue. */
    private static Path halves(Path file, int width, int height) throws IOException {
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        graphics.setColor(Color.RED);
        graphics.fillRect(0, 0, width / 2, height);
        graphics.setColor(Color.BLUE);
        graphics.fillRect(width / 2, 0, width - width / 2, height);
        graphics.dispose();
        ImageIO.write(image, "png", file.toFile());
        return file;
    }

    private static BufferedImage attached(Path pdf, String name) throws IOException {
        try (PDDocument document = Loader.loadPDF(pdf.toFile())) {
            Map<String, PDComplexFileSpecification> files = new PDDocumentNameDictionary(document.getDocumentCatalog()).getEmbeddedFiles().getNames();
            return ImageIO.read(new ByteArrayInputStream(files.get(name).getEmbeddedFile().toByteArray()));
        }
    }

    @Test
    void anEntryIsSealedForSomeUnsealedAndAFileOfItRedacted(@TempDir Path folder) throws IOException {
        OpenCase open = OpenCase.on(platform);
        Filed filed = new Filed(open);
        String filingId = open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
        filed.taken(open.claimant(), filingId, "claim.pdf", SamplePdfs.saying("The witness is Nora of Hull."));
        open.document("submit", open.claimant(), filingId);
        open.document("approve", open.manager(), filingId);
        String entryId = open.view(open.claimant(), filingId).getString("entryID");
        Path boxed = Files.write(folder.resolve("boxed.pdf"), SamplePdfs.with(ConsoleCaseIT::boxed, "The witness is Nora of Hull."));
        Path redacted = Files.write(folder.resolve("redacted.pdf"), SamplePdfs.saying("The witness is withheld."));

        ConsolePage rolf = CONSOLE.signedIn(open.respondent(), inCase(open, "/docket/" + entryId), "dark");
        rolf.awaitText("verified in your browser");
        assertThat(rolf.text()).doesNotContain("Seal…");
        ConsolePage maya = CONSOLE.signedIn(open.manager(), inCase(open, "/docket/" + entryId), "light");
        maya.awaitText("verified in your browser");
        maya.tabToAndEnter("Seal…");
        isAskedForAReason(maya, "seal", "Seal", "It names a protected witness.");
        maya.picture("console-seal");
        maya.click("Seal");
        maya.awaitText("The entry is sealed.");
        maya.awaitText("Shown to the case manager, the arbitrators and: Claimant.");
        rolf.awaitText("This entry is sealed.");
        // A telephone shows the entry alone, without the docket that says which one it is.
        rolf.awaitTrue("document.querySelector('acp-entry h2').innerText === 'No. 1, Sealed document'");
        maya.tabToAndEnter("Change the seal…");
        maya.click("Respondent");
        maya.click("Seal");
        maya.awaitText("Shown to the case manager, the arbitrators and: Claimant, Respondent.");
        rolf.awaitText("It names a protected witness.");
        // A reason that this browser kept does not take their sight away when the seal is changed again.
        maya.evaluate("localStorage.setItem('acp.draft.%s.words.seal.%s', JSON.stringify({title: '', fields: {words: 'It names two witnesses.'}, etag: null, at: new Date().toISOString()}))"
                .formatted(open.manager().id(), entryId));
        maya.go(inCase(open, "/docket/" + entryId));
        maya.awaitText("verified in your browser");
        maya.tabToAndEnter("Change the seal…");
        maya.awaitTrue("document.querySelector('#seal-reason')?.value === 'It names two witnesses.'");
        maya.click("Seal");
        maya.awaitText("“It names two witnesses.”");
        maya.awaitText("Shown to the case manager, the arbitrators and: Claimant, Respondent.");
        maya.tabToAndEnter("Unseal…");
        maya.awaitTrue("document.querySelector('#unseal-dialog')?.open === true");
        maya.write("Reason", "The witness agrees to be named.");
        maya.click("Unseal");
        maya.awaitText("The entry is unsealed.");
        maya.awaitTrue("document.querySelector('acp-entry .mark.seal') === null");

        maya.tabToAndEnter("Redact a file…");
        maya.awaitTrue("document.querySelector('#redact-dialog')?.open === true");
        maya.write("Reason", "It names a protected witness.");
        maya.click("Replace the file");
        maya.awaitText("Choose the redacted file.");
        maya.drop("#redact-dialog .drop", boxed);
        maya.click("Replace the file");
        maya.awaitText("text remains under a black box on page 1");
        assertThat(maya.barriers()).isEmpty();
        maya.picture("console-redact");
        maya.choose("#redact-file", redacted);
        maya.click("Replace the file");
        maya.awaitText("The redacted file stands in its place.");
        maya.awaitText("verified in your browser; a file was redacted");
        maya.picture("console-redacted");
        rolf.go(inCase(open, "/docket/" + entryId));
        rolf.awaitText("verified in your browser; a file was redacted");
        ConsolePage arno = CONSOLE.signedIn(open.arbitrator(), inCase(open, "/docket/" + entryId), "light");
        arno.awaitText("Seal…");
        assertThat(arno.text()).doesNotContain("Redact a file…");
    }

    @Test
    void aFilingIsSealedFromTheStartItsFilesAreOrderedAndItsEntryIsReplaced(@TempDir Path folder) throws IOException {
        OpenCase open = OpenCase.on(platform);
        Path prices = Files.write(folder.resolve("prices.pdf"), SamplePdfs.saying("Our prices."));
        ConsolePage clara = CONSOLE.signedIn(open.claimant(), inCase(open, "/filings/new-letterToTribunal"), "light");
        clara.awaitText("File it under seal");
        clara.click("File it under seal");
        clara.write("Subject", "Prices");
        clara.awaitText("Not saved yet; kept in this browser.");
        clara.go(inCase(open, "/filings/new-letterToTribunal"));
        clara.awaitText("What you had written, and was not saved, is here again.");
        assertThat(clara.barriers()).isEmpty();
        clara.picture("console-under-seal");
        clara.click("Submit");
        clara.awaitText("This is required.");
        clara.write("Why it is sealed", "Trade secrets.");
        clara.awaitText("This will be sealed from its first moment on the docket.");
        clara.write("Text", "Our price list.");
        clara.choose("#files", PDF, prices);
        clara.tabToAndEnter("Rename: prices.pdf");
        clara.awaitTrue("document.activeElement.ariaLabel === 'Title of the file'");
        clara.evaluate("document.activeElement.select()");
        clara.type("Price list");
        clara.key("Enter", 13, "\r");
        clara.tabToAndEnter("Earlier: Price list");
        clara.awaitTrue("document.querySelector('acp-filing .files li').innerText.startsWith('Price list')");
        clara.awaitText("It can be submitted.");
        assertThat(clara.barriers()).isEmpty();
        clara.click("Submit");
        clara.awaitText("waits for approval");
        String filingId = (String) clara.evaluate("location.pathname.split('/').at(-1)");
        assertThat(open.view(open.claimant(), filingId).getJsonObject("sealed").getString("reason")).isEqualTo("Trade secrets.");
        assertThat(open.document("approve", open.manager(), filingId).status()).isEqualTo(200);
        String entryId = open.view(open.claimant(), filingId).getString("entryID");
        clara.follow(inCase(open, "/docket/" + entryId), "Trade secrets.");
        clara.tabToAndEnter("Replace…");
        clara.awaitText("Read the entry that this replaces");
        clara.write("Subject", "Prices, corrected");
        clara.awaitText("Saved at");
        String replacing = (String) clara.evaluate("location.pathname.split('/').at(-1)");
        assertThat(open.view(open.claimant(), replacing).getString("supersedes")).isEqualTo(entryId);
    }

    /** In a dialog, which is sent without one first. */
    private static void isAskedForAReason(ConsolePage page, String dialog, String act, String reason) {
        page.awaitTrue("document.querySelector('#%s-dialog')?.open === true".formatted(dialog));
        page.click(act);
        page.awaitText("This is required.");
        page.awaitTrue("document.activeElement.id === '%s-reason'".formatted(dialog));
        assertThat(page.barriers()).isEmpty();
        page.write("Reason", reason);
    }

    private static void boxed(PDDocument document) throws IOException {
        try (PDPageContentStream content = new PDPageContentStream(document, document.getPage(0), AppendMode.APPEND, true)) {
            content.setNonStrokingColor(Color.BLACK);
            content.addRect(70, 690, 400, 26);
            content.fill();
        }
    }

    @Test
    void theRightToFileIsTakenAndGivenBackAndSomebodyRemoved() throws IOException {
        OpenCase open = OpenCase.on(platform);
        ConsolePage maya = CONSOLE.signedIn(open.manager(), inCase(open, "/people"), "light");
        maya.awaitText("Somebody must always speak for the claimant.");
        maya.tabToAndEnter("Withdraw the right to file: Carl Colleague");
        maya.awaitText("Withdraw the right of Carl Colleague to file?");
        maya.tabToAndEnter("Withdraw the right to file");
        maya.awaitText("Carl Colleague may not file any more.");
        look(maya, "people", "light");
        ConsolePage carl = CONSOLE.signedIn(open.colleague(), inCase(open, "/evidence"), "dark");
        carl.awaitText("The case manager has withdrawn your right to file");
        maya.tabToAndEnter("Give the right to file back: Carl Colleague");
        maya.awaitText("Carl Colleague may file again.");
        maya.tabToAndEnter("Remove: Carl Colleague");
        maya.awaitText("Remove Carl Colleague from this case?");
        maya.tabToAndEnter("Remove");
        maya.awaitText("Carl Colleague takes no part any more.");
        carl.go(inCase(open, ""));
        carl.awaitText("Not a participant in this case.");
        ConsolePage ada = CONSOLE.signedIn(platform.administrator(), "/console/cases", "light");
        ada.tabToAndEnter("Give a case its case manager");
        ada.write("Case", platform.url() + inCase(open, "/people"));
        ada.write("Email address", open.outsider().email());
        ada.pick("As", "Arbitrator");
        assertThat(ada.barriers()).isEmpty();
        ada.click("Add to the case");
        ada.awaitText("takes part in the case.");
        maya.awaitText("Otto Outsider");
        ConsolePage rolf = CONSOLE.signedIn(open.respondent(), inCase(open, "/people"), "light");
        rolf.awaitText("The case manager invites people");
        assertThat(rolf.text()).doesNotContain("Withdraw the right to file", "Carl Colleague");
    }

    @Test
    void aCaseIsLedThroughItsPhasesToTheAwardBesideItsExhibitsAndClosed() throws Exception {
        OpenCase open = OpenCase.on(platform);
        for (Person party : List.of(open.claimant(), open.respondent())) {
            done(Form.of(open.caseId(), "correspondence", "Offer of " + party.email().substring(0, 5)).file("offer.txt", "text/plain", "We offer two cranes for 100.").post(platform, party.token()));
        }
        open.docketed(new JsonObject().put("title", "Letter on availability"));
        ConsolePage maya = CONSOLE.signedIn(open.manager(), inCase(open, "/record"), "light");
        maya.awaitText("Required in it, and not on the docket yet: Statement of claim");
        maya.pick("Next phase", "Issuance of the award");
        maya.click("Begin this phase");
        maya.awaitText("and there is no way back.");
        maya.tabToAndEnter("Begin this phase");
        maya.awaitText("The case is in the phase “Issuance of the award”.");
        maya.awaitText("This is the last phase.");
        maya.tabToAndEnter("Verify the whole docket");
        maya.awaitText("The one entry is as it was entered.");
        maya.awaitText("began the phase Issuance of the award");
        maya.awaitText("approved filing");
        look(maya, "record", "light");

        CONSOLE.model().does(ModelServer.saying(ModelServer.award("The claimant prevails.", "Both sides wrote of it [Exhibit R-1].")));
        ConsolePage arno = CONSOLE.signedIn(open.arbitrator(), inCase(open, "/award"), "dark");
        arno.tabToAndEnter("Begin the award");
        arno.write("Prevailing party", "Claimant");
        arno.write("Disposition", "The respondent pays the price.");
        arno.write("City", "Hull");
        arno.type("Date of the award", "05052027");
        arno.write("Reasons", "It was offered: ");
        arno.click("C-1, Offer of clara");
        arno.awaitText("We offer two cranes for 100.");
        arno.click("Cite [Exhibit C-1]");
        arno.awaitTrue("document.querySelector('#field-reasons').value === 'It was offered: [Exhibit C-1]'");
        arno.awaitText("Cited in the reasons");
        arno.tabToAndEnter("Back to the list");
        arno.click("Ask a model for a draft");
        arno.awaitText("Both sides wrote of it");
        arno.click("Put it into the award: Reasons");
        arno.awaitTrue("document.querySelector('#field-reasons').value === 'It was offered: [Exhibit C-1]Both sides wrote of it [Exhibit R-1].'");
        arno.write("Disposition", "The respondent pays the price [Exhibit X-9].");
        arno.awaitText("X-9 is no exhibit that you see");
        arno.write("Disposition", "The respondent pays the price.");
        arno.click("R-1");
        arno.awaitText("R-1, Offer of rolf-");
        arno.awaitText("Saved at");
        look(arno, "award", "dark");
        arno.click("Submit");
        arno.awaitText("waits for approval");
        assertThat(CONSOLE.model().asked().getFirst().words()).contains("We offer two cranes for 100.");

        maya.follow("/console", "One thing waits for you");
        maya.tabToAndEnter("Read and decide");
        maya.tabToAndEnter("Approve");
        maya.awaitText("This filing is on the docket.");
        maya.follow(inCase(open, "/record"), "Close the case");
        maya.tabToAndEnter("Close the case");
        isAskedForAReason(maya, "close", "Close the case", "The award is issued.");
        maya.click("Close the case");
        maya.awaitText("The case is closed for good.");
        maya.awaitText("closed the case");
        arno.awaitText("closed");
        arno.follow(inCase(open, "/evidence"), "This case is closed: nothing is filed");
        ConsolePage clara = CONSOLE.signedIn(open.claimant(), inCase(open, "/record"), "light");
        clara.awaitText("The case manager reads it.");
        assertThat(clara.text()).doesNotContain("Award\n");
    }

    @Test
    void datesAreThoseOfTheCaseWhereverTheyAreReadAndMoreTimeEndsWithItsDay() {
        OpenCase open = OpenCase.on(platform);
        ZoneId zone = ZoneId.of(done(open.on("/cases/cases/view", open.claimant(), new JsonObject())).getJsonObject("timetable").getString("timeZone"));
        JsonObject due = done(open.on("/cases/deadlines/list", open.claimant(), new JsonObject())).getJsonArray("deadlines").getJsonObject(0);
        // Clocks change between the two where they do at all; in Tokyo the next day has begun when a day ends there.
        LocalDate day = LocalDate.parse(due.getString("rolledDate")).plusMonths(6);
        String said = day.format(DateTimeFormatter.ofPattern("d MMMM yyyy", Locale.UK)).replace(' ', '\u00a0');
        Instant end = day.plusDays(1).atStartOfDay(zone).toInstant().minusMillis(1);

        ConsolePage clara = inTokyo(open.claimant(), inCase(open, "/dates"));
        clara.click("Ask for more time");
        clara.awaitTrue("document.querySelector('#until') !== null");
        clara.evaluate("document.querySelector('#until').value = '%s'".formatted(day));
        clara.write("Reason", "The witness is abroad.");
        clara.click("Send the request");
        clara.awaitText(", until " + said);
        JsonObject asked = done(open.on("/cases/deadlines/extensions/list", open.claimant(), new JsonObject())).getJsonArray("extensions").getJsonObject(0);
        assertThat(Instant.parse(asked.getString("until"))).isEqualTo(end);

        ConsolePage maya = inTokyo(open.manager(), "/console");
        maya.awaitText("until " + said);
        maya.follow(inCase(open, "/dates"), ", until " + said);
        maya.write("Reason for the decision", "It is a long way.");
        maya.click("Grant");
        maya.awaitText("to " + said + ".");
        clara.awaitText("to " + said + ".");
        assertThat(Instant.parse(done(open.on("/cases/deadlines/list", open.claimant(), new JsonObject())).getJsonArray("deadlines").stream().map(JsonObject.class::cast)
                .filter(one -> one.getString("deadlineID").equals(asked.getString("deadlineID"))).findFirst().orElseThrow().getString("date"))).isEqualTo(end);

        String seated = done(platform.post("/cases/cases/create", new JsonObject().put("title", "Kräne gegen Steinbruch").put("ruleSet", "commercial").put("seat", "DE-BY"), open.claimant().token()))
                .getString("caseID");
        clara.evaluate("localStorage.setItem('acp.language', 'de')");
        clara.go("/console/cases/%s/dates".formatted(seated));
        clara.awaitText("; Arbeitstage von DE-BY, ");
        assertThat(clara.text()).doesNotContain("days from");
    }

    @Test
    void aDeadlineIsLateWhenThePlatformSaysSoAndItsDaysAreThoseOfItsCase() {
        OpenCase open = OpenCase.on(platform);
        JsonObject one = done(open.on("/cases/cases/view", open.claimant(), new JsonObject()));
        ZoneId zone = ZoneId.of(one.getJsonObject("timetable").getString("timeZone"));
        WholeDay.in(zone);
        // Of these two zones at least one has another day than the case.
        String far = Stream.of("Pacific/Kiritimati", "Pacific/Pago_Pago").filter(id -> !LocalDate.now(ZoneId.of(id)).equals(LocalDate.now(zone))).findFirst().orElseThrow();
        JsonObject due = done(open.on("/cases/deadlines/list", open.claimant(), new JsonObject())).getJsonArray("deadlines").stream().map(JsonObject.class::cast)
                .filter(each -> each.getString("partyID").equals("claimant")).findFirst().orElseThrow();
        ConsolePage clara = CONSOLE.page(1440, "light");
        clara.timeZone(far);
        deadline(clara, due, zone, 0, "open");
        clara.go("/auth/login/demo?returnTo=/console&login_hint=" + open.claimant().email());
        clara.awaitTrue("document.querySelector('.lines time.near')?.innerText.toLowerCase() === 'today'");
        clara.awaitText("It ends on ");
        deadline(clara, due, zone, -1, "open");
        clara.go("/console");
        clara.awaitTrue("document.querySelector('.lines time.near') !== null");
        assertThat(clara.evaluate("document.querySelector('.lines time.late') === null")).isEqualTo(true);
        deadline(clara, due, zone, 0, "missed");
        clara.go("/console");
        clara.awaitTrue("document.querySelector('.lines time.late')?.innerText.toLowerCase() === 'late'");
        deadline(clara, due, zone, -200, "missed");
        clara.go("/console");
        clara.awaitTrue("document.querySelector('.lines time.late')?.innerText.toLowerCase() === '200 days late'");
        JsonObject asked = clara.requests().stream().filter(request -> request.getString("url").endsWith("/cases/deadlines/list")).reduce((first, last) -> last).orElseThrow();
        assertThat(new JsonObject(asked.getString("postData")).containsKey("from")).as("what was missed long ago is asked for").isFalse();
    }

    /** The lists of deadlines that this page reads have this one alone, so many days from today in its case. */
    private static void deadline(ConsolePage page, JsonObject one, ZoneId zone, int days, String status) {
        LocalDate day = LocalDate.now(zone).plusDays(days);
        JsonObject changed = one.copy().put("status", status).put("rolledDate", day.toString()).put("rawDate", day.toString()).put("date", day.plusDays(1).atStartOfDay(zone).toInstant().minusMillis(1).toString());
        page.between("/cases/deadlines/list", Integer.MAX_VALUE, 200, Map.of("Content-Type", "application/json"),
                new JsonObject().put("deadlines", new JsonArray().add(changed)).putNull("nextCursor").encode());
    }

    @Test
    void anEntryOrAReceiptThatDoesNotHoldIsSaidAndOneThatCouldNotBeCheckedIsCheckedAgain() {
        OpenCase open = OpenCase.on(platform);
        String entryId = open.docketed(new JsonObject().put("title", "Letter about the cranes"));
        JsonObject entry = done(open.on("/api/docket/entries/view", open.respondent(), new JsonObject().put("entryID", entryId)));
        JsonObject receipt = done(open.on("/api/filings/receipt", open.claimant(), new JsonObject().put("filingID", entry.getString("filingID"))));
        ConsolePage clara = CONSOLE.signedIn(open.claimant(), "/console", "light");
        clara.awaitText("for you");
        Map<String, String> json = Map.of("Content-Type", "application/json");
        clara.between("/api/docket/entries/view", Integer.MAX_VALUE, 200, json, entry.copy().put("title", "Letter about the quarry").encode());
        clara.follow(inCase(open, "/docket/" + entryId), "the hash does not fit what is shown here");
        clara.tabToAndEnter("Receipt");
        clara.awaitText("The receipt does not belong to what is shown here");

        // A file in the place of none: the receipt, which names none, tells that it holds.
        JsonObject file = new JsonObject().put("fileID", entryId).put("title", "Redacted").put("fileName", "redacted.pdf").put("contentType", "application/pdf").put("bytes", 9).put("sha256", "0".repeat(64));
        clara.between("/api/docket/entries/view", Integer.MAX_VALUE, 200, json, entry.copy().put("files", new JsonArray().add(file)).encode());
        clara.go(inCase(open, "/docket/" + entryId));
        clara.awaitText("verified in your browser; a file was redacted");
        clara.betweenBoth("/api/docket/entries/view", entry.copy().put("files", new JsonArray().add(file)).encode(), "/api/filings/receipt", 500, "\"an internal error\"");
        clara.go(inCase(open, "/docket/" + entryId));
        clara.awaitText("could not be checked now");
        clara.click("Try again");
        clara.awaitText("verified in your browser; a file was redacted");

        String[] parts = receipt.getString("receipt").split("\\.");
        String forged = parts[0] + '.' + parts[1] + '.' + (parts[2].startsWith("A") ? 'B' : 'A') + parts[2].substring(1);
        clara.between("/api/filings/receipt", Integer.MAX_VALUE, 200, json, new JsonObject().put("receipt", forged).encode());
        clara.go(inCase(open, "/docket/" + entryId));
        clara.awaitText("verified in your browser");
        clara.tabToAndEnter("Receipt");
        clara.awaitText("its signature does not fit");
        clara.between("/api/filings/receipt", Integer.MAX_VALUE, 200, json, new JsonObject().put("receipt", "no receipt").encode());
        clara.go(inCase(open, "/docket/" + entryId));
        clara.awaitText("verified in your browser");
        clara.tabToAndEnter("Receipt");
        clara.awaitText("The receipt cannot be checked");
    }

    private static ConsolePage inTokyo(Person person, String path) {
        ConsolePage page = CONSOLE.page(1440, "light");
        page.timeZone("Asia/Tokyo");
        page.go("/auth/login/demo?returnTo=%s&login_hint=%s".formatted(path, person.email()));
        return page;
    }

    @Test
    void anEntryThatCannotBeShownIsSaidAndKeysAreTurnedOffAndTheDayHearsOfOthers() {
        OpenCase open = OpenCase.on(platform);
        String entryId = open.docketed(new JsonObject().put("title", "Letter about the cranes"));
        ConsolePage rolf = CONSOLE.page(1440, "light");
        rolf.before("Object.defineProperty(navigator, 'pdfViewerEnabled', {get: () => true})");
        rolf.go("/auth/login/demo?returnTo=/console&login_hint=" + open.respondent().email());
        rolf.awaitText("Letter about the cranes");
        open.docketed(new JsonObject().put("title", "Letter about the quarry"));
        rolf.awaitText("Letter about the quarry");

        rolf.between("/api/docket/entries/render", 1, 422, Map.of("Content-Type", "application/json", "X-Request-Id", "7f3a"), "\"the document is being made\"");
        rolf.follow(inCase(open, "/docket/" + entryId), "The document cannot be shown now.");
        rolf.awaitText("The platform says: the document is being made");
        rolf.awaitText("verified in your browser");
        assertThat(rolf.barriers()).isEmpty();
        rolf.click("Try again");
        rolf.awaitTrue("document.querySelector('.sheet iframe') !== null");
        rolf.show(1440, 500, "light");
        assertThat(rolf.evaluate("(beside => beside.clientHeight <= innerHeight && beside.scrollHeight > beside.clientHeight)(document.querySelector('.beside'))"))
                .as("a long entry is read to its end beside the docket").isEqualTo(true);
        rolf.show(1440, 960, "light");

        rolf.evaluate("void (window.open = () => null)");
        rolf.click("Open the PDF");
        rolf.awaitText("The browser did not open a tab by itself.");
        rolf.evaluate("void (window.open = address => { window.opened = address; return {}; })");
        rolf.click("Open it");
        rolf.awaitTrue("window.opened?.startsWith('blob:') && document.querySelector('acp-ask-back') === null");

        rolf.click("Account and settings");
        rolf.click("Single keys lead through the console");
        rolf.click("Close");
        rolf.awaitTrue("!document.querySelector('.account').open");
        rolf.key("k", 75, "k");
        rolf.key("/", 191, "/");
        assertThat(rolf.evaluate("location.pathname")).isEqualTo(inCase(open, "/docket/" + entryId));
        rolf.click("Account and settings");
        rolf.click("Single keys lead through the console");
        rolf.click("Close");
        rolf.awaitTrue("!document.querySelector('.account').open");
        rolf.key("/", 191, "/");
        rolf.awaitTrue("location.pathname === '/console/search'");
    }

    @Test
    void onANarrowPageThePartThatIsShownIsInSight() {
        OpenCase open = OpenCase.on(platform);
        ConsolePage page = CONSOLE.signedIn(open.claimant(), inCase(open, "/record"), "light");
        page.awaitText("Audit trail");
        String isInSight = """
                (() => {
                  const tab = document.querySelector('main nav.tabs [aria-current]');
                  const box = tab?.getBoundingClientRect();
                  return tab?.innerText.startsWith('%s') && box.left >= 0 && box.right <= innerWidth;
                })()""";
        page.show(390, 844, "light");
        page.awaitTrue(isInSight.formatted("Record"));
        page.go(inCase(open, "/notices"));
        page.awaitTrue(isInSight.formatted("Notices"));
        page.follow(inCase(open, ""), "Nothing is on the docket yet");
        page.awaitTrue(isInSight.formatted("Docket"));
        page.follow(inCase(open, "/record"), "Audit trail");
        page.awaitTrue(isInSight.formatted("Record"));
        ConsolePage ada = CONSOLE.signedIn(platform.administrator(), "/console/administration", "light");
        ada.awaitText("Find");
        ada.show(390, 844, "light");
        ada.go("/console/administration/keys");
        ada.awaitTrue(isInSight.formatted("Keys"));
    }

    @Test
    void aSearchSaysThatThereIsMoreThanItShowsAndShowsIt() {
        OpenCase open = OpenCase.on(platform);
        for (int drafts = 0; drafts < 51; drafts++) {
            done(open.create(open.claimant(), OpenCase.UNAPPROVED_DOCUMENT, new JsonObject().put("counselName", "Zacharias Quillfeather").put("counselEmail", "zq@law.example")));
        }
        Await.until("the index knows all of them", () -> done(platform.post("/api/search", new JsonObject().put("query", "Quillfeather").put("limit", 100), open.claimant().token()))
                .getJsonArray("results").size() == 51);
        ConsolePage clara = CONSOLE.signedIn(open.claimant(), "/console/search?q=Quillfeather", "light");
        clara.awaitText("The first 50 results. There are more.");
        clara.click("Show more");
        clara.awaitTrue("document.querySelectorAll('acp-search .register > li').length === 51");
        clara.awaitText("51 results.");
    }
}
