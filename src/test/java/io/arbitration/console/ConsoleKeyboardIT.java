package io.arbitration.console;

import static io.arbitration.console.RunningConsole.done;
import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.Form;
import io.arbitration.NextYear;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.mainapi.filings.Filed;
import io.arbitration.platform.FreePort;
import io.arbitration.platform.reading.SamplePdfs;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The tasks of docs/console.md from start to end by keys alone. At each stop of Tab one sees where one is, and Tab goes through a page in the
 * order of its content ({@link ConsolePage#tabTo} holds both).
 */
class ConsoleKeyboardIT extends ConsoleScenario {

    @Test
    void claraFilesAClaimWithItsPdfAndMayaDecidesOfIt() {
        OpenCase others = OpenCase.on(platform);
        ConsolePage clara = CONSOLE.signedIn(others.claimant(), "/console/cases", "light");
        clara.awaitText("Open a case");
        clara.tabTo("Open a case").enter();
        clara.awaitText("Commercial rules");
        clara.tabToField("Title").insert("Quarry v. Cranes by keys");
        clara.enter();
        clara.awaitText("Nothing is on the docket yet");
        String caseId = (String) clara.evaluate("location.pathname.split('/').at(-1)");
        Answer appointed = platform.post("/cases/cases/participants/add", new JsonObject().put("caseID", caseId).put("userID", others.manager().id())
                .put("partyID", "caseManager").put("isPrimary", true), platform.administrator().token());
        assertThat(appointed.status()).as(appointed.body()).isEqualTo(200);

        clara.tabTo("Draft it").enter();
        clara.awaitText("Before you submit");
        clara.tabToField("Name of the claimant").insert("Claimant Shipping GmbH");
        clara.tabToField("Relief sought").insert("Damages for two harbour cranes.");
        clara.awaitText("It cannot be submitted yet:");
        clara.tabTo("Submit").enter();
        // What is missing is where one stands now, and its link leads to the field.
        clara.awaitTrue("document.activeElement.id === 'problems'");
        clara.tabTo("Amount claimed").enter();
        clara.awaitTrue("document.activeElement === document.querySelector('#field-claimAmount')");
        clara.insert("125000.00");
        clara.awaitText("Saved at");
        clara.choosesByKeys(Path.of("src/main/resources/demo/statement-of-claim.pdf"));
        clara.tabToField("Drop files here").space();
        clara.awaitTrue("document.querySelector('acp-filing').innerText.includes('Remove')");
        clara.awaitText("It can be submitted.");
        clara.tabTo("Submit").enter();
        clara.awaitText("waits for approval");

        ConsolePage maya = CONSOLE.signedIn(others.manager(), "/console", "dark");
        maya.awaitText("One thing waits for you");
        maya.tabTo("Read and decide").enter();
        maya.awaitText("125,000.00");
        maya.tabTo("Approve").enter();
        maya.awaitText("This filing is on the docket.");
        maya.tabTo("Read the entry").enter();
        maya.awaitText("verified in your browser");
        maya.tabTo("What was filed").enter();
        maya.awaitText("125,000.00");
        maya.tabTo("Receipt").enter();
        maya.awaitText("The receipt holds");
    }

    /** When the one open invitation of the case was sent last. */
    private static String renewed(OpenCase open) {
        JsonArray all = done(open.on("/cases/invitations/list", open.manager(), new JsonObject())).getJsonArray("invitations");
        assertThat(all).hasSize(1);
        return all.getJsonObject(0).getString("created");
    }

    @Test
    void rolfIsInvitedAndAnswersAndArnoGivesMoreTime() {
        OpenCase open = OpenCase.on(platform);
        String email = "rolf-" + UUID.randomUUID() + "@example.org";
        ConsolePage maya = CONSOLE.signedIn(open.manager(), "/console/cases/%s/people".formatted(open.caseId()), "light");
        maya.awaitText("Invite somebody");
        maya.tabToField("Email address").insert(email);
        maya.tabToField("As").letters("Respondent");
        maya.tabTo("Send the invitation").enter();
        maya.awaitText("The invitation to %s is sent.".formatted(email));
        String sent = renewed(open);
        maya.tabTo("Send it again").enter();
        Await.until("the invitation is sent once more", () -> !renewed(open).equals(sent));

        ConsolePage rolf = CONSOLE.page(1440, "light");
        rolf.go("/console");
        rolf.awaitText("The people of the demo");
        rolf.tabTo("Sign in as somebody else").enter();
        rolf.awaitTrue("document.querySelector('[name=login_hint]') !== null");
        rolf.insertInto("[name=login_hint]", email);
        rolf.enter();
        rolf.awaitText("invites you as the respondent");
        rolf.tabTo("Accept").enter();
        rolf.awaitText("You now take part in “Cranes v. Quarry”.");
        rolf.tabTo("Cases").enter();
        rolf.awaitText("opened ");
        rolf.tabTo("Cranes v. Quarry").enter();
        rolf.awaitText("you are");
        rolf.tabTo("Filings").enter();
        rolf.awaitText("What you may file now");
        rolf.tabTo("Notice of representation").enter();
        rolf.awaitText("Before you submit");
        rolf.tabToField("Name of counsel").insert("Lena Law");
        rolf.tabToField("Email for service").insert("lena@law.example");
        rolf.awaitText("It can be submitted.");
        rolf.tabTo("Submit").enter();
        rolf.awaitText("This filing is on the docket.");

        ConsolePage clara = CONSOLE.signedIn(open.claimant(), "/console/cases/%s/dates".formatted(open.caseId()), "light");
        clara.awaitText("Ask for more time");
        clara.tabTo("Ask for more time").enter();
        clara.tabToField("Until").letters(NextYear.keys("0606"));
        clara.tabToField("Reason").insert("The witness is abroad.");
        clara.tabTo("Send the request").enter();
        clara.awaitText("The request is sent.");

        ConsolePage arno = CONSOLE.signedIn(open.arbitrator(), "/console/cases/" + open.caseId(), "light");
        arno.awaitText("Docket 1");
        arno.key("j", 74, "j");
        arno.awaitText("verified in your browser");
        arno.tabTo("Dates").enter();
        arno.awaitText("The witness is abroad.");
        arno.tabToField("Reason for the decision").insert("The reason is good.");
        arno.tabTo("Grant").enter();
        arno.awaitText("Decided.");
        arno.awaitText("granted");
    }

    @Test
    void inesRegistersAUrlAndFindsHerWay() throws IOException {
        OpenCase open = OpenCase.on(platform);
        done(platform.post("/auth/organizations/create", new JsonObject().put("name", "Integrators Ltd"), open.claimant().token()));
        open.docketed(new JsonObject().put("title", "Letter about the lighthouse"));
        ConsolePage page = CONSOLE.signedIn(open.claimant(), "/console", "light");
        page.awaitText("See the filings");
        // The first stop leads past the places.
        page.tab();
        assertThat(page.evaluate("document.activeElement.innerText")).isEqualTo("Go to the content");
        page.enter();
        page.awaitTrue("document.activeElement.id === 'main'");
        page.tab();
        assertThat(page.evaluate("document.activeElement.closest('main') !== null")).isEqualTo(true);
        page.tabTo("Deliveries").enter();
        page.awaitText("Your organization has no URL yet.");
        page.tabToField("Register a URL").insert("http://127.0.0.1:%d/hook".formatted(FreePort.any()));
        page.enter();
        page.awaitText("whsec_");
        page.tabTo("I have kept it").enter();
        page.awaitTrue("!document.body.innerText.includes('whsec_')");
        page.tabTo("Send a test").enter();
        page.awaitText("Test event not delivered: the connection was refused.");

        page.key("/", 191, "/");
        page.awaitTrue("document.activeElement === document.querySelector('acp-search input')");
        page.insert("lighthouse");
        page.awaitText("1 result.");
        page.tabTo("Letter about the lighthouse").enter();
        page.awaitText("verified in your browser");
    }

    @Test
    void mayaLeadsACaseByKeysFromAHearingToItsEnd(@TempDir Path downloads) {
        OpenCase open = OpenCase.on(platform);
        open.docketed(new JsonObject().put("title", "Letter about the cranes"));
        String inCase = "/console/cases/" + open.caseId();
        ConsolePage maya = CONSOLE.signedIn(open.manager(), inCase + "/dates", "light");
        maya.awaitText("No hearing is scheduled.");
        maya.saveDownloadsTo(downloads);
        maya.tabTo("Schedule a hearing").enter();
        maya.tabToField("Title").insert("Hearing of the witnesses");
        maya.tabToField("Day").letters(NextYear.keys("0404"));
        maya.tabToField("Begins at").letters("0930A");
        maya.tabTo("Schedule a hearing").enter();
        maya.awaitText("The hearing is scheduled.");
        maya.tabTo("Move or change").enter();
        maya.awaitTrue("document.querySelector('#hearing-form').open");
        maya.tabToField("Day").letters(NextYear.keys("0505"));
        maya.tabTo("Save the change").enter();
        maya.awaitText("The hearing is changed.");
        maya.tabTo("Cancel it").enter();
        maya.awaitTrue("document.querySelector('#hearing-cancel').open");
        maya.tabToField("Reason").insert("The parties have settled.");
        maya.tabTo("Cancel it").enter();
        maya.awaitText("Cancelled: “The parties have settled.”");

        maya.tabTo("Docket").enter();
        maya.awaitText("Choose an entry");
        maya.letters("j");
        maya.awaitText("verified in your browser");
        maya.tabTo("Serve").enter();
        maya.tabToField("Others, by email address").insert("legal@shop.example");
        maya.tabTo("Serve it on one recipient").enter();
        maya.awaitText("The service is under way");
        maya.tabTo("Proof of service").enter();
        awaitDownload(downloads, "proof-of-service-");
        maya.tabTo("Docket").enter();
        maya.awaitText("Choose an entry");
        maya.letters("j");
        maya.tabTo("Seal…").enter();
        maya.awaitTrue("document.querySelector('#seal-dialog')?.open === true");
        maya.tabToField("Respondent").space();
        maya.tabToField("Reason").insert("It names a protected witness.");
        maya.tabTo("Seal").enter();
        maya.awaitText("Shown to the case manager, the arbitrators and: Claimant, Respondent.");

        maya.tabTo("People").enter();
        maya.tabTo("Withdraw the right to file: Carl Colleague").enter();
        maya.awaitText("Withdraw the right of Carl Colleague to file?");
        maya.tabTo("Withdraw the right to file").enter();
        maya.awaitText("Carl Colleague may not file any more.");
        maya.tabTo("Remove: Carl Colleague").enter();
        maya.awaitText("Remove Carl Colleague from this case?");
        maya.tabTo("Remove").enter();
        maya.awaitText("Carl Colleague takes no part any more.");
        maya.tabTo("Export this case").enter();
        maya.awaitTrue("document.querySelector('acp-export dialog').open");
        maya.tabTo("Export").enter();
        maya.awaitText("All of it has come");
        awaitDownload(downloads, "case-" + open.caseId());
        maya.key("Escape", 27, "");
        maya.tabTo("Record").enter();
        maya.tabToField("Next phase").letters("Response");
        maya.tabTo("Begin this phase").enter();
        maya.awaitText("and there is no way back.");
        maya.tabTo("Begin this phase").enter();
        maya.awaitText("The case is in the phase “Response”.");
        maya.tabTo("Verify the whole docket").enter();
        maya.awaitText("The one entry is as it was entered.");
        maya.tabTo("Close the case").enter();
        maya.awaitTrue("document.querySelector('#close-dialog')?.open === true");
        maya.tabToField("Reason").insert("The parties have settled.");
        maya.tabTo("Close the case").enter();
        maya.awaitText("The case is closed for good.");
    }

    private static void awaitDownload(Path folder, String begins) {
        Await.until(begins + " among the downloads", () -> {
            String[] names = folder.toFile().list((in, name) -> name.startsWith(begins) && !name.endsWith(".crdownload"));
            return names != null && names.length > 0;
        });
    }

    @Test
    void evidenceIsAddedAndTheAwardIsWrittenBesideItByKeys() {
        OpenCase open = OpenCase.on(platform);
        ConsolePage clara = CONSOLE.signedIn(open.claimant(), "/console/cases/%s/evidence".formatted(open.caseId()), "light");
        clara.choosesByKeys(Path.of("src/main/resources/demo/statement-of-claim.pdf"));
        clara.tabTo("Add evidence").enter();
        clara.tabToField("Drop files here").space();
        clara.awaitText("Upload it");
        clara.tabToField("What it is: statement-of-claim.pdf").insert("The contract");
        clara.tabTo("Upload it").enter();
        clara.awaitText("The exhibit is on the record of the case.");
        done(Form.of(open.caseId(), "correspondence", "Offer of cranes").file("offer.txt", "text/plain", "We offer two cranes.").post(platform, open.claimant().token()));
        open.docketed(new JsonObject().put("title", "Letter"));
        clara.awaitText("Offer of cranes");
        clara.tabTo("Exhibit C-1, The contract").enter();
        clara.awaitText("C-1, The contract");
        clara.awaitTrue("document.activeElement.matches('.docket [aria-current] a')");
        clara.tab();
        assertThat((String) clara.evaluate("document.activeElement.innerText")).isEqualTo("To exhibit C-1 beside the list");
        clara.enter();
        clara.awaitTrue("document.activeElement.matches('.beside')");
        clara.tab();
        assertThat((String) clara.evaluate("document.activeElement.innerText")).isEqualTo("To the list");
        clara.enter();
        clara.letters("j");
        clara.awaitText("C-2, Offer of cranes");
        clara.awaitTrue("document.activeElement.matches('.docket [aria-current] a') && document.activeElement.innerText.includes('Offer of cranes')");
        clara.letters("e");
        clara.awaitTrue("document.activeElement.matches('.beside')");
        clara.letters("k");
        clara.awaitTrue("document.activeElement.matches('.docket [aria-current] a') && document.activeElement.innerText.includes('The contract')");

        open.advanceTo("awardIssuance");
        ConsolePage arno = CONSOLE.signedIn(open.arbitrator(), "/console/cases/%s/award".formatted(open.caseId()), "dark");
        arno.tabTo("Begin the award").enter();
        arno.tabToField("Prevailing party").insert("Claimant");
        arno.tabToField("Disposition").insert("The respondent pays the price.");
        arno.tabToField("City").insert("Hull");
        arno.tabToField("Date of the award").letters(NextYear.keys("0505"));
        arno.tabToField("Reasons").insert("It was offered: ");
        arno.tabTo("C-1, The contract").enter();
        arno.awaitText("Cite [Exhibit C-1]");
        arno.tabTo("Cite [Exhibit C-1]").enter();
        arno.awaitTrue("document.querySelector('#field-reasons').value === 'It was offered: [Exhibit C-1]'");
        arno.awaitText("It can be submitted.");
        arno.tabTo("Submit").enter();
        arno.awaitText("waits for approval");
    }

    @Test
    void inesHasSentAgainWhatHerServerMissedAndAdministersHerOrganizationByKeys() throws IOException {
        OpenCase open = OpenCase.on(platform);
        Person ines = open.claimant();
        done(platform.post("/auth/organizations/create", new JsonObject().put("name", "Integrators Ltd"), ines.token()));
        OpenCase cases = open.another();
        try (AnsweringServer server = new AnsweringServer()) {
            done(platform.post("/webhooks/urls/create", new JsonObject().put("url", server.url()), ines.token()));
            server.status = 410;
            cases.docketed(new JsonObject());
            Await.until("the URL is disabled", () -> !done(platform.post("/webhooks/urls/view", new JsonObject().put("url", server.url()), ines.token())).getBoolean("enabled"));
            server.status = 200;
            server.bodies.clear();
            ConsolePage page = CONSOLE.signedIn(ines, "/console/deliveries", "light");
            page.awaitText("It answered 410 Gone.");
            page.tabTo("Enable").enter();
            page.awaitText("Send again what this URL missed");
            page.tabTo("Send them again").enter();
            page.awaitText("1 event is sent again.");
            Await.until("what it missed", () -> server.bodies.size() == 1);
            page.awaitTrue("document.querySelector('acp-deliveries .register .mark.good') !== null && document.querySelector('acp-ask-back') === null");
            page.tabTo("Send it again").enter();
            Await.until("the same again", () -> server.bodies.size() == 2);

            page.tabTo("Organization").enter();
            page.awaitText("Invite a member");
            page.tabToField("Email address").insert(open.outsider().email());
            page.tabTo("Send the invitation").enter();
            page.awaitText("Open invitations");
            page.tabTo("Programs").enter();
            page.awaitText("There is no program yet.");
            page.tabToField("Name").insert("Docket reader");
            page.tabTo("Make it").enter();
            page.awaitText("The secret of this program");
            page.tabTo("I have kept it").enter();
            page.awaitTrue("document.querySelector('acp-secret') === null");
            page.tabTo("End").enter();
            page.awaitText("Its tokens are refused at once");
            page.tabTo("End").enter();
            page.awaitText("Docket reader is ended.");
            page.tabTo("Account and settings").enter();
            page.tabTo("Alerts, calendars and sessions").enter();
            page.awaitText("No calendar program has them yet.");
            page.tabToField("Name").insert("Telephone");
            page.tabTo("Make an address").enter();
            page.awaitText("/cases/calendar/");
            page.tabTo("I have entered it").enter();
            page.tabTo("Sign out everywhere").enter();
            page.awaitText("The people of the demo");
        }
    }

    @Test
    void adaGivesACaseItsCaseManagerAndEndsALeaversAccessByKeys() {
        OpenCase open = OpenCase.on(platform);
        ConsolePage ada = CONSOLE.signedIn(platform.administrator(), "/console/cases", "light");
        ada.tabTo("Give a case its case manager").enter();
        ada.tabToField("Case").insert(open.caseId());
        ada.tabToField("Email address").insert(open.outsider().email());
        ada.tabTo("Add to the case").enter();
        ada.awaitText("takes part in the case.");
        ada.tabTo("Administration").enter();
        ada.awaitText("Find somebody");
        ada.tabToField("Email address").insert(open.outsider().email());
        ada.enter();
        ada.awaitText("Otto Outsider");
        ada.tabTo("End access").enter();
        ada.awaitText("End the access of Otto Outsider?");
        ada.tabToField("Reason").insert("He has left the firm.");
        ada.tabTo("End access").enter();
        ada.awaitText("The access of Otto Outsider is ended.");
    }

    @Test
    void aFileIsRedactedByKeys(@TempDir Path folder) throws IOException {
        OpenCase open = OpenCase.on(platform);
        String filingId = open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
        new Filed(open).taken(open.claimant(), filingId, "claim.pdf", SamplePdfs.saying("The witness is Nora of Hull."));
        open.document("submit", open.claimant(), filingId);
        open.document("approve", open.manager(), filingId);
        ConsolePage maya = CONSOLE.signedIn(open.manager(), "/console/cases/" + open.caseId(), "light");
        maya.awaitText("Docket 1");
        maya.letters("j");
        maya.awaitText("verified in your browser");
        maya.choosesByKeys(Files.write(folder.resolve("redacted.pdf"), SamplePdfs.saying("The witness is withheld.")));
        maya.tabTo("Redact a file…").enter();
        maya.awaitTrue("document.querySelector('#redact-dialog')?.open === true");
        maya.tabToField("Drop it here").space();
        maya.awaitText("redacted.pdf");
        maya.tabToField("Reason").insert("It names a protected witness.");
        maya.tabTo("Replace the file").enter();
        maya.awaitText("verified in your browser; a file was redacted");
    }

    @Test
    void adaGrantsPermissionsWritesPromptsReplacesFormsAndWithdrawsAKeyByKeys() {
        OpenCase open = OpenCase.on(platform);
        ConsolePage ada = CONSOLE.signedIn(platform.administrator(), "/console/administration/permissions", "light");
        ada.awaitText("Grant a permission");
        ada.tabToField("Email address").insert(open.outsider().email());
        ada.tabToField("Permission").letters("Send e");
        ada.tabTo("Grant it").enter();
        ada.awaitText("The permission is granted.");
        ada.tabTo("Revoke: Send emails, Otto Outsider").enter();
        ada.awaitText("Revoke “Send emails” of Otto Outsider?");
        ada.tabTo("Revoke").enter();
        ada.awaitText("The permission is revoked.");

        ada.tabTo("Prompts").enter();
        ada.tabTo("Write a prompt").enter();
        ada.tabToField("Prompt").insert("Say by keys what this letter asks for.");
        ada.tabToField("when a document is docketed").space();
        ada.tabTo("Create it").enter();
        ada.awaitText("The prompt is created.");

        ada.choosesByKeys(Path.of("conf/templates/pdf/noticeOfHearing.pdf"));
        ada.tabTo("Templates").enter();
        ada.awaitText("Replace a form, or add one");
        ada.tabToField("Document type").letters("Notice of hearing");
        ada.tabToField("PDF form").space();
        ada.awaitTrue("document.querySelector('acp-templates input[type=file]').files.length === 1");
        ada.tabTo("Upload").enter();
        ada.awaitText("Replace the form of “Notice of hearing”?");
        ada.tabTo("Replace it").enter();
        ada.awaitText("is in use.");

        ada.tabTo("Keys").enter();
        ada.awaitText("newest");
        ada.tabTo("Withdraw").enter();
        ada.awaitText("Withdraw this key?");
        ada.tabToField("Reason").insert("A backup with the keys was stolen.");
        ada.tabTo("Withdraw").enter();
        ada.awaitText("The key is withdrawn.");
    }

    @Test
    void dialogsTakeTheFocusAndGiveItBack() {
        OpenCase open = OpenCase.on(platform);
        ConsolePage page = CONSOLE.signedIn(open.arbitrator(), "/console/cases/%s/dates".formatted(open.caseId()), "light");
        page.awaitText("Schedule a hearing");
        for (String opener : new String[] {"Account and settings", "Export this case", "Schedule a hearing"}) {
            page.tabTo(opener).enter();
            page.awaitTrue("document.querySelector('dialog[open]')?.contains(document.activeElement)");
            for (int stop = 0; stop < 20; stop++) {
                page.tab();
                // Between its last and its first stop the browser's own controls are one.
                assertThat(page.evaluate("document.activeElement === document.body || document.activeElement.closest('dialog[open]') !== null")).isEqualTo(true);
            }
            page.key("Escape", 27, "");
            page.awaitTrue("document.querySelector('dialog[open]') === null");
            assertThat((String) page.evaluate("document.activeElement.innerText")).isEqualTo(opener);
        }
        page.key("?", 191, "?");
        page.awaitText("The next entry of the docket, or exhibit");
        page.key("Escape", 27, "");
        page.awaitTrue("document.querySelector('dialog[open]') === null");
        assertThat((String) page.evaluate("document.activeElement.innerText")).isEqualTo("Schedule a hearing");
    }

    /** Between an entry of a docket and what stands beside it there may be thousands of others. */
    @Test
    void theEntryBesideTheDocketIsOneStopAwayAndSoIsTheWayBack() {
        OpenCase open = OpenCase.on(platform);
        for (int number = 1; number <= 3; number++) {
            open.docketed(new JsonObject().put("title", "Letter " + number));
        }
        ConsolePage page = CONSOLE.signedIn(open.respondent(), "/console/cases/" + open.caseId(), "light");
        page.awaitText("Letter 3");
        page.tabTo("No. 3").enter();
        page.awaitText("verified in your browser");
        page.tab();
        assertThat((String) page.evaluate("document.activeElement.innerText")).isEqualTo("To No. 3 beside the docket");
        page.enter();
        page.awaitTrue("document.activeElement.matches('.beside')");
        page.tab();
        assertThat((String) page.evaluate("document.activeElement.innerText")).isEqualTo("Back to the docket");
        page.enter();
        page.awaitTrue("document.activeElement.closest('.docket li')?.innerText.includes('Letter 3') === true");
        page.letters("j");
        page.awaitTrue("document.activeElement.closest('.docket li')?.innerText.includes('Letter 2') === true");
        page.letters("e");
        page.awaitTrue("document.activeElement.matches('.beside')");
        page.letters("e");
        page.awaitTrue("document.activeElement.closest('.docket li')?.innerText.includes('Letter 2') === true");
    }
}
