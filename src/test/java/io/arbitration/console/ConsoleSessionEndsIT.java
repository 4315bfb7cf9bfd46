package io.arbitration.console;

import static io.arbitration.console.RunningConsole.done;
import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.Form;
import io.arbitration.NextYear;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.ai.ModelServer;
import io.arbitration.mainapi.filings.Filed;
import io.arbitration.platform.reading.SamplePdfs;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** A session can end at any moment. What somebody was about to do then is done after the next sign-in, once, with every word of it. */
class ConsoleSessionEndsIT extends ConsoleScenario {

    private static final Path PDF = Path.of("src/main/resources/demo/statement-of-claim.pdf");

    /**
     * What somebody does.
     *
     * @param place where in the console
     * @param before what is typed and chosen first
     * @param act the last step, which sends the request
     * @param request during which the session ends
     * @param says what the page says when it was carried out
     * @param isDone whether the platform carried it out, with what was typed
     */
    private record Act(String name, Person person, String place, Consumer<ConsolePage> before, Consumer<ConsolePage> act, String request, String says, BooleanSupplier isDone) {}

    @TestFactory
    Stream<DynamicTest> eachActGoesOnAfterTheSignIn(@TempDir Path folder) throws IOException {
        OpenCase open = OpenCase.on(platform);
        return Stream.of(ofFilings(open), ofTheCase(open, folder), ofTheCourse(open), ofOthers(open)).flatMap(List::stream)
                .map(act -> DynamicTest.dynamicTest(act.name, () -> goesOn(act)));
    }

    private static void goesOn(Act act) {
        ConsolePage page = CONSOLE.signedIn(act.person, act.place, "light");
        act.before.accept(page);
        Runnable released = page.hold(act.request);
        act.act.accept(page);
        assertThat(page.evaluate("fetch('/auth/sessions/revoke', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{}'}).then(answer => answer.status)")).isEqualTo(200);
        released.run();
        page.awaitTrue("document.querySelector('dialog#again')?.open === true");
        assertThat(act.isDone.getAsBoolean()).as("nothing happens without a session").isFalse();
        page.signInElsewhere(act.person);
        page.awaitText(act.says);
        page.awaitTrue("!document.querySelector('dialog#again').open");
        Await.until(act.name, act.isDone::getAsBoolean);
        CONSOLE.close(page);
    }

    private static String inCase(OpenCase open, String more) {
        return "/console/cases/" + open.caseId() + more;
    }

    private static String submitted(OpenCase open) {
        String filingId = open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
        assertThat(open.document("submit", open.claimant(), filingId).status()).isEqualTo(200);
        return filingId;
    }

    private static boolean isIn(OpenCase open, String filingId, String state) {
        return open.view(open.claimant(), filingId).getString("state").equals(state);
    }

    private static List<Act> ofFilings(OpenCase open) {
        String begun = "/filings/new-" + OpenCase.APPROVED_DOCUMENT;
        String saved = open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
        String filled = open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
        String sent = open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
        String withdrawn = submitted(open);
        String approved = submitted(open);
        String rejected = submitted(open);
        Consumer<ConsolePage> isChecked = page -> page.awaitText("It can be submitted.");
        return List.of(
                new Act("a draft is begun", open.claimant(), inCase(open, begun), page -> page.awaitTrue("document.querySelector('#field-subject') !== null"),
                        page -> page.write("Subject", "Begun as the session ended"), "/api/filings/create", "Saved at",
                        () -> filings(open).contains("Begun as the session ended")),
                new Act("a draft is saved", open.claimant(), inCase(open, "/filings/" + saved), isChecked,
                        page -> page.write("Subject", "Written as the session ended"), "/api/filings/update", "Saved at",
                        () -> open.view(open.claimant(), saved).getJsonObject("fields").getString("subject").equals("Written as the session ended")),
                new Act("a file is uploaded", open.claimant(), inCase(open, "/filings/" + filled), isChecked,
                        page -> page.choose(PDF), "/api/filings/files/upload", "Rename",
                        () -> open.view(open.claimant(), filled).getJsonArray("files").size() == 1),
                new Act("a filing is submitted", open.claimant(), inCase(open, "/filings/" + sent), isChecked,
                        page -> page.click("Submit"), "/api/filings/documents/submit", "waits for approval", () -> isIn(open, sent, "submitted")),
                new Act("a filing is withdrawn", open.claimant(), inCase(open, "/filings/" + withdrawn), page -> {
                    page.click("Withdraw");
                    page.awaitTrue("document.querySelector('acp-ask-back dialog').open");
                }, page -> page.click("Withdraw"), "/api/filings/documents/withdraw", "Withdrawn.", () -> isIn(open, withdrawn, "withdrawn")),
                new Act("a filing is approved", open.manager(), inCase(open, "/filings/" + approved), page -> page.awaitText("Decide"),
                        page -> page.click("Approve"), "/api/filings/documents/approve", "This filing is on the docket.", () -> isIn(open, approved, "docketed")),
                new Act("a filing is rejected", open.manager(), inCase(open, "/filings/" + rejected), page -> page.write("Reason", "It names no date."),
                        page -> page.click("Reject"), "/api/filings/documents/reject", "It names no date.",
                        () -> "It names no date.".equals(open.view(open.claimant(), rejected).getString("reason"))));
    }

    private static String filings(OpenCase open) {
        return done(open.on("/api/filings/list", open.claimant(), new JsonObject().put("limit", 200))).encode();
    }

    private static List<Act> ofTheCase(OpenCase open, Path folder) throws IOException {
        String letter = open.docketed(new JsonObject().put("title", "Letter about the cranes"));
        Filed filed = new Filed(open);
        String claim = open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
        filed.taken(open.claimant(), claim, "claim.pdf", SamplePdfs.saying("The witness is Nora of Hull."));
        open.document("submit", open.claimant(), claim);
        open.document("approve", open.manager(), claim);
        String redacted = open.view(open.claimant(), claim).getString("entryID");
        Path withheld = Files.write(folder.resolve("redacted.pdf"), SamplePdfs.saying("The witness is withheld."));
        String invited = "invited-" + UUID.randomUUID() + "@example.org";
        return List.of(
                new Act("an entry is sealed", open.manager(), inCase(open, "/docket/" + letter), page -> {
                    page.awaitText("verified in your browser");
                    page.tabToAndEnter("Seal…");
                    page.awaitTrue("document.querySelector('#seal-dialog')?.open === true");
                    page.write("Reason", "It names a protected witness.");
                }, page -> page.click("Seal"), "/api/docket/entries/seal", "The entry is sealed.",
                        () -> done(open.on("/api/docket/entries/view", open.manager(), new JsonObject().put("entryID", letter))).encode().contains("It names a protected witness.")),
                new Act("a file is redacted", open.manager(), inCase(open, "/docket/" + redacted), page -> {
                    page.awaitText("verified in your browser");
                    page.tabToAndEnter("Redact a file…");
                    page.awaitTrue("document.querySelector('#redact-dialog')?.open === true");
                    page.write("Reason", "It names a protected witness.");
                    page.choose("#redact-file", withheld);
                }, page -> page.click("Replace the file"), "/api/docket/entries/redact", "The redacted file stands in its place.",
                        () -> platform.rows("select reason from mainapi.redactions r join mainapi.files f using (file_id) where f.filing_id = ?::bigint", claim)
                                .equals(List.of(List.of("It names a protected witness.")))),
                new Act("evidence is uploaded", open.claimant(), inCase(open, "/evidence"), page -> {
                    page.click("Add evidence");
                    page.choose("#exhibits", PDF);
                    page.write("What it is: statement-of-claim.pdf", "The contract of May");
                }, page -> page.click("Upload"), "/api/evidence/uploads/create", "The exhibit is on the record of the case.",
                        () -> done(open.on("/api/evidence/uploads/list", open.claimant(), new JsonObject())).encode().contains("The contract of May")),
                new Act("a notice is served", open.claimant(), inCase(open, "/notices?entry=" + redacted), page -> {
                    page.click("Rolf Respondent");
                    page.awaitText("Serve it on one recipient");
                }, page -> page.click("Serve it on one recipient"), "/api/service-of-notice/send", "The service is under way",
                        () -> done(open.on("/api/service-of-notice/list", open.claimant(), new JsonObject())).getJsonArray("notices").size() == 1),
                new Act("somebody is invited", open.manager(), inCase(open, "/people"), page -> page.write("Email address", invited),
                        page -> page.click("Send the invitation"), "/cases/invitations/create", invited,
                        () -> done(open.on("/cases/invitations/list", open.manager(), new JsonObject())).encode().contains(invited)),
                new Act("a participant is restricted", open.manager(), inCase(open, "/people"), page -> {
                    page.click("Withdraw the right to file: Carl Colleague");
                    page.awaitTrue("document.querySelector('acp-ask-back dialog').open");
                }, page -> page.click("Withdraw the right to file"), "/cases/cases/participants/restrict", "Carl Colleague may not file any more.",
                        () -> done(open.on("/cases/cases/participants/list", open.manager(), new JsonObject().put("limit", 200))).getJsonArray("participants").stream().map(JsonObject.class::cast)
                                .anyMatch(one -> one.getString("userID").equals(open.colleague().id()) && !one.getBoolean("mayFile"))));
    }

    private static List<Act> ofTheCourse(OpenCase first) {
        OpenCase open = first.another();
        OpenCase closed = first.another();
        OpenCase last = first.another();
        done(Form.of(last.caseId(), "correspondence", "Offer of cranes").file("offer.txt", "text/plain", "We offer two cranes for 100.").post(platform, last.claimant().token()));
        last.advanceTo("awardIssuance");
        String asked = done(open.on("/cases/deadlines/extensions/request", open.claimant(), open.moreTime())).getString("extensionID");
        CONSOLE.model().does(ModelServer.saying(ModelServer.award("The claimant prevails.", "Nothing was answered.")));
        return List.of(
                new Act("more time is granted", open.arbitrator(), inCase(open, "/dates"), page -> page.write("Reason for the decision", "It is a long way."),
                        page -> page.click("Grant"), "/cases/deadlines/extensions/decide", "granted",
                        () -> done(open.on("/cases/deadlines/extensions/list", open.manager(), new JsonObject())).getJsonArray("extensions").stream().map(JsonObject.class::cast)
                                .anyMatch(one -> one.getString("extensionID").equals(asked) && one.getString("state").equals("granted") && one.encode().contains("It is a long way."))),
                new Act("a hearing is scheduled", open.arbitrator(), inCase(open, "/dates"), page -> {
                    page.click("Schedule a hearing");
                    page.awaitTrue("document.querySelector('#hearing-form')?.open === true");
                    page.write("Title", "Hearing of the witnesses");
                    page.type("Day", NextYear.keys("0606"));
                    page.type("Begins at", "0930A");
                }, page -> page.click("Schedule a hearing"), "/cases/hearings/create", "The hearing is scheduled.",
                        () -> done(open.on("/cases/hearings/list", open.manager(), new JsonObject())).encode().contains("Hearing of the witnesses")),
                new Act("the next phase begins", open.manager(), inCase(open, "/record"), page -> {
                    page.click("Begin this phase");
                    page.awaitText("and there is no way back.");
                }, page -> page.click("Begin this phase"), "/cases/cases/phases/advance", "The case is in the phase “Case filing”.",
                        () -> done(open.on("/cases/cases/view", open.manager(), new JsonObject())).getString("phaseID").equals("caseFiling")),
                new Act("a case is closed", closed.manager(), inCase(closed, "/record"), page -> {
                    page.click("Close the case");
                    page.awaitTrue("document.querySelector('#close-dialog')?.open === true");
                    page.write("Reason", "The parties have settled.");
                }, page -> page.click("Close the case"), "/cases/cases/close", "The case is closed for good.",
                        () -> done(closed.on("/cases/cases/view", closed.manager(), new JsonObject())).getString("status").equals("closed")),
                new Act("an award is drafted with a model", last.arbitrator(), inCase(last, "/award"), page -> {
                    page.click("Begin the award");
                    page.write("Disposition", "The respondent pays the price.");
                    page.awaitText("Saved at");
                }, page -> page.click("Ask a model for a draft"), "/ai/generate-award", "Nothing was answered.",
                        () -> !CONSOLE.model().asked().isEmpty() && done(last.on("/api/filings/list", last.arbitrator(), new JsonObject())).encode().contains("The respondent pays the price.")));
    }

    private static List<Act> ofOthers(OpenCase open) {
        Person founder = platform.signIn("founder-" + UUID.randomUUID() + "@example.org", "Fay", "Founder");
        String organizationId = done(platform.post("/auth/organizations/create", new JsonObject().put("name", "Cranes of Fay"), founder.token())).getString("organizationID");
        String title = "Cranes v. Mill " + UUID.randomUUID();
        String member = "member-" + UUID.randomUUID() + "@example.org";
        JsonObject named = new JsonObject().put("organizationID", organizationId);
        return List.of(
                new Act("a case is opened", founder, "/console/cases", page -> {
                    page.click("Open a case");
                    page.awaitTrue("document.querySelector('dialog input[name=ruleSet]:checked') !== null");
                    page.write("Title", title);
                }, page -> page.click("Open a case"), "/cases/cases/create", "Nothing is on the docket yet",
                        () -> done(platform.post("/cases/cases/list", new JsonObject(), founder.token())).getJsonArray("cases").stream().filter(one -> ((JsonObject) one).getString("title").equals(title)).count() == 1),
                new Act("a member is invited", founder, "/console/organization", page -> page.write("Email address", member),
                        page -> page.click("Send the invitation"), "/auth/organizations/invitations/create", member,
                        () -> done(platform.post("/auth/organizations/invitations/list", named, founder.token())).encode().contains(member)),
                new Act("a calendar feed is made", founder, "/console/account", page -> page.write("Name", "Telephone"),
                        page -> page.click("Make an address"), "/cases/calendar/feeds/create", "I have entered it",
                        () -> done(platform.post("/cases/calendar/feeds/list", new JsonObject(), founder.token())).encode().contains("Telephone")),
                new Act("a case gets its case manager", platform.administrator(), "/console/cases", page -> {
                    page.click("Give a case its case manager");
                    page.write("Case", open.caseId());
                    page.write("Email address", open.outsider().email());
                }, page -> page.click("Add to the case"), "/cases/cases/participants/add", "takes part in the case.",
                        () -> done(open.on("/cases/cases/participants/list", open.manager(), new JsonObject())).encode().contains(open.outsider().id())));
    }
}
