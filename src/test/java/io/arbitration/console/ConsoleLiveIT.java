package io.arbitration.console;

import static io.arbitration.console.RunningConsole.done;
import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.Form;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform.Person;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What others do appears by itself, in every tab of a browser, which has one stream of events for all of them. */
class ConsoleLiveIT extends ConsoleScenario {

    /** More than a browser has connections to one host: with a stream each, the seventh would wait for ever. */
    private static final int TABS = 8;

    private static void letter(OpenCase open, String title) {
        open.docketed(new JsonObject().put("title", title));
    }

    @Test
    void eightTabsShareOneStreamAndEachShowsWhatOthersDo() {
        OpenCase open = OpenCase.on(platform);
        String path = "/console/cases/" + open.caseId();
        List<ConsolePage> tabs = new ArrayList<>(List.of(CONSOLE.signedIn(open.respondent(), path, "light")));
        tabs.getFirst().awaitText("Nothing is on the docket yet");
        while (tabs.size() < TABS) {
            ConsolePage tab = CONSOLE.tabBeside(tabs.getFirst(), path);
            tab.awaitText("Nothing is on the docket yet");
            tabs.add(tab);
        }
        letter(open, "Letter to eight tabs");
        tabs.getFirst().awaitText("New on the docket: No. 1, Letter to eight tabs");
        tabs.forEach(tab -> tab.awaitTrue("document.querySelector('.docket')?.innerText.includes('Letter to eight tabs')"));
        assertThat(tabs.stream().mapToLong(ConsolePage::streams).sum()).isEqualTo(1);
    }

    @Test
    void whenTheTabWithTheStreamIsClosedOrKilledAnotherTakesOverAndMissesNothing() {
        OpenCase open = OpenCase.on(platform);
        String path = "/console/cases/" + open.caseId();
        ConsolePage first = CONSOLE.signedIn(open.respondent(), path, "light");
        first.awaitText("Nothing is on the docket yet");
        ConsolePage second = CONSOLE.tabBeside(first, path);
        second.awaitText("Nothing is on the docket yet");
        ConsolePage day = CONSOLE.tabBeside(first, "/console");
        day.awaitText("wait");
        letter(open, "Letter to both");
        first.awaitText("Letter to both");
        second.awaitText("Letter to both");
        day.awaitText("Letter to both");
        assertThat(List.of(first.streams(), second.streams(), day.streams())).containsExactly(1L, 0L, 0L);

        CONSOLE.close(first);
        letter(open, "Letter after the first was closed");
        second.awaitText("Letter after the first was closed");
        day.awaitText("Letter after the first was closed");
        assertThat(second.streams() + day.streams()).isEqualTo(1);

        ConsolePage killed = second.streams() == 1 ? second : day;
        ConsolePage left = killed == second ? day : second;
        killed.kill();
        letter(open, "Letter after the second was killed");
        left.awaitText("Letter after the second was killed");
        assertThat(left.streams()).isEqualTo(1);
    }

    private static String inCase(OpenCase open, String path) {
        return "/console/cases/" + open.caseId() + path;
    }

    private static void hearing(OpenCase open, String title) {
        done(open.on("/cases/hearings/create", open.manager(), new JsonObject().put("title", title)
                .put("start", Instant.now().plus(20, ChronoUnit.DAYS).truncatedTo(ChronoUnit.HOURS).toString()).put("durationMinutes", 60).put("timeZone", "Europe/Berlin")));
    }

    @Test
    void exhibitsOfOthersAppearAndWhatIsWrittenBesideThemStays() {
        OpenCase open = OpenCase.on(platform);
        ConsolePage clara = CONSOLE.signedIn(open.claimant(), inCase(open, "/evidence"), "light");
        ConsolePage rolf = CONSOLE.signedIn(open.respondent(), inCase(open, "/evidence"), "light");
        clara.awaitText("There is no evidence that you may see");
        rolf.awaitText("There is no evidence that you may see");
        done(Form.of(open.caseId(), "correspondence", "Offer of cranes").file("offer.txt", "text/plain", "We offer two cranes.").post(platform, open.colleague().token()));
        clara.awaitText("Offer of cranes");
        // Of what one may not see yet nothing is heard: what comes afterwards is there, and it is not.
        done(Form.of(open.caseId(), "correspondence", "Answer to the offer").file("answer.txt", "text/plain", "No.").post(platform, open.respondent().token()));
        rolf.awaitText("Answer to the offer");
        assertThat(rolf.text()).doesNotContain("Offer of cranes");
        assertThat(clara.text()).doesNotContain("Answer to the offer");
    }

    @Test
    void datesAndRequestsOfOthersAppearBesideWhatOneWrites() {
        OpenCase open = OpenCase.on(platform);
        ConsolePage clara = CONSOLE.signedIn(open.claimant(), inCase(open, "/dates"), "light");
        clara.click("Ask for more time");
        clara.write("Reason", "Our witness is");
        hearing(open, "Hearing of the crane driver");
        clara.awaitText("Hearing of the crane driver");
        assertThat(clara.evaluate("document.activeElement.value")).isEqualTo("Our witness is");
        clara.insert(" ill.");
        assertThat(clara.evaluate("document.activeElement.value")).isEqualTo("Our witness is ill.");

        ConsolePage maya = CONSOLE.signedIn(open.manager(), inCase(open, "/dates"), "light");
        maya.awaitText("Hearing of the crane driver");
        ConsolePage day = CONSOLE.signedIn(open.arbitrator(), "/console", "light");
        day.awaitText("for you");
        String extensionId = done(open.on("/cases/deadlines/extensions/request", open.colleague(), open.moreTime())).getString("extensionID");
        maya.awaitText("Our witness travels.");
        day.awaitText("Our witness travels.");
        maya.write("Reason", "They have a witness");
        assertThat(open.on("/cases/deadlines/extensions/withdraw", open.colleague(), new JsonObject().put("extensionID", extensionId)).status()).isEqualTo(200);
        clara.awaitText("withdrawn");
        maya.awaitText("withdrawn");
        maya.awaitText("They have a witness");
    }

    @Test
    void noticesAndTheirResultsAppearByThemselves() {
        OpenCase open = OpenCase.on(platform);
        String entryId = open.docketed(new JsonObject().put("title", "Letter about the cranes"));
        ConsolePage rolf = CONSOLE.signedIn(open.respondent(), inCase(open, "/notices"), "light");
        rolf.awaitText("No notice was served.");
        done(open.on("/api/service-of-notice/send", open.claimant(), new JsonObject().put("entryID", entryId).put("mailType", "docketNotice")
                .put("recipients", new JsonArray().add(new JsonObject().put("email", "legal@shop.example")))));
        rolf.awaitText("legal@shop.example");
        rolf.awaitText("no mail server is configured, the email is held");
        rolf.awaitTrue("document.querySelector('acp-notices').innerText.split('waits to be sent').length === 2");
    }

    @Test
    void invitationsMembersAndDeliveriesAppearByThemselves() throws IOException {
        Person founder = platform.signIn("founder-" + UUID.randomUUID() + "@example.org", "Fay", "Founder");
        Person joining = platform.signIn("joining-" + UUID.randomUUID() + "@example.org", "Jo", "Joining");
        String organizationId = done(platform.post("/auth/organizations/create", new JsonObject().put("name", "Cranes of Fay"), founder.token())).getString("organizationID");
        ConsolePage fay = CONSOLE.signedIn(founder, "/console/organization", "light");
        ConsolePage jo = CONSOLE.signedIn(joining, "/console", "light");
        fay.awaitText("You are its only administrator.");
        jo.awaitText("You take part in no case yet.");
        fay.write("Email address", "somebody@else.example");
        String invitationId = done(platform.post("/auth/organizations/invitations/create", new JsonObject().put("organizationID", organizationId).put("email", joining.email())
                .put("isAdministrator", true), founder.token())).getString("invitationID");
        jo.awaitText("Cranes of Fay");
        fay.awaitText(joining.email());
        assertThat(platform.post("/auth/organizations/invitations/accept", new JsonObject().put("invitationID", invitationId), joining.token()).status()).isEqualTo(200);
        fay.awaitText("Jo Joining");
        assertThat(fay.evaluate("document.querySelector('#member-email').value")).isEqualTo("somebody@else.example");
        fay.go("/console/organization");
        fay.awaitTrue("document.querySelector('#member-email')?.value === 'somebody@else.example'");

        fay.go("/console/deliveries");
        fay.awaitText("Your organization has no URL yet.");
        done(platform.post("/auth/sessions/organization", new JsonObject().put("organizationID", organizationId), joining.token()));
        try (AnsweringServer server = new AnsweringServer()) {
            server.status = 500;
            done(platform.post("/webhooks/urls/create", new JsonObject().put("url", server.url()).put("events", new JsonArray().add("case_created")), joining.token()));
            fay.awaitText(server.url());
            done(platform.post("/cases/cases/create", new JsonObject().put("title", "Cranes v. Harbour").put("ruleSet", "commercial"), founder.token()));
            fay.awaitText("The server answered 500.");
        }
    }

    @Test
    void whatAnotherAdministratorChangesAppearsByItselfAndNothingTypedIsLost() {
        Person other = platform.administrator();
        Person selma = platform.signIn("selma-" + UUID.randomUUID() + "@example.org", "Selma", "Sender");
        ConsolePage ada = CONSOLE.signedIn(platform.administrator(), "/console/administration/permissions", "light");
        ConsolePage hers = CONSOLE.signedIn(selma, "/console", "light");
        hers.awaitText("You take part in no case yet.");
        ada.write("Email address", "somebody@else.example");
        JsonObject permission = new JsonObject().put("userID", selma.id()).put("permission", "admin.platform.super");
        assertThat(platform.post("/auth/permissions/grant", permission, other.token()).status()).isEqualTo(200);
        ada.awaitText("Selma Sender");
        hers.awaitText("Administration");
        assertThat(ada.evaluate("document.querySelector('#grant-email').value")).isEqualTo("somebody@else.example");
        ada.go("/console/administration/permissions");
        ada.awaitTrue("document.querySelector('#grant-email')?.value === 'somebody@else.example'");

        ada.click("Selma Sender");
        ada.awaitText("Administer the platform");
        assertThat(platform.post("/auth/permissions/revoke", permission, other.token()).status()).isEqualTo(200);
        ada.awaitText("They hold no permission.");
        hers.awaitTrue("!document.querySelector('nav').innerText.includes('Administration')");
        hers.go("/console/account");
        hers.awaitText("Where you are signed in");
        String sessions = "document.querySelectorAll('acp-%s li:has(button[aria-label^=\"%s\"])').length";
        // She is signed in with her browser, which she does not end from there, and with the token of this test.
        ada.awaitTrue(sessions.formatted("users", "End") + " === 2");
        hers.awaitTrue(sessions.formatted("account", "End") + " === 1");
        platform.signIn(selma.email(), "Selma", "Sender");
        ada.awaitTrue(sessions.formatted("users", "End") + " === 3");
        hers.awaitTrue(sessions.formatted("account", "End") + " === 2");

        ada.go("/console/administration/programs");
        ada.write("Name", "Of Ada");
        done(platform.post("/auth/clients/create", new JsonObject().put("name", "Program of another").put("permissions", new JsonArray()), other.token()));
        ada.awaitText("Program of another");
        assertThat(ada.evaluate("document.querySelector('#program-name').value")).isEqualTo("Of Ada");

        ada.go("/console/administration/prompts");
        ada.click("Write a prompt");
        ada.write("Prompt", "What I write meanwhile.");
        done(platform.post("/ai/prompts/create", new JsonObject().put("documentID", OpenCase.APPROVED_DOCUMENT).put("ruleSet", "commercial").put("prompt", "Prompt of another.").put("active", false)
                .put("triggerOnDocket", false).put("triggerOnDraft", false).put("includeEvidence", false).put("includeFullCase", false), other.token()));
        ada.awaitText("Prompt of another.");
        assertThat(ada.evaluate("document.querySelector('#prompt-text').value")).isEqualTo("What I write meanwhile.");
    }

    @Test
    void casesAppearInTheListOfWhoeverIsAddedToThem() {
        OpenCase open = OpenCase.on(platform);
        ConsolePage otto = CONSOLE.signedIn(open.outsider(), "/console/cases", "light");
        otto.awaitText("open");
        open.add(open.manager(), open.outsider(), "respondent", true);
        otto.awaitText("Cranes v. Quarry");
        assertThat(open.on("/cases/cases/participants/remove", open.manager(), new JsonObject().put("userID", open.outsider().id())).status()).isEqualTo(200);
        otto.awaitTrue("!document.body.innerText.includes('Cranes v. Quarry')");
    }

    /** What came while the stream was away was told by no hint: the page reads anew when it is back. */
    @Test
    void whatCameWhileThePlatformWasAwayIsReadWhenItIsBack() {
        OpenCase open = OpenCase.on(platform);
        letter(open, "Letter before");
        ConsolePage clara = CONSOLE.signedIn(open.claimant(), inCase(open, "/evidence"), "light");
        clara.awaitText("There is no evidence that you may see");
        withoutPlatform(() -> clara.awaitText("has not appeared by itself since"));
        done(Form.of(open.caseId(), "correspondence", "Offer of cranes").file("offer.txt", "text/plain", "We offer two cranes.").post(platform, open.colleague().token()));
        clara.awaitText("Offer of cranes");
    }

    /** Until its first stream is open, no hint tells a page of a change: it reads anew when it is, and so does each tab that came meanwhile. */
    @Test
    void whatChangesBetweenTheFirstReadingAndTheFirstStreamAppearsInEachTab() {
        OpenCase open = OpenCase.on(platform);
        ConsolePage clara = CONSOLE.page(1440, "light");
        Runnable released = clara.hold("/api/events/stream*");
        clara.go("/auth/login/demo?returnTo=%s&login_hint=%s".formatted(inCase(open, "/evidence"), open.claimant().email()));
        clara.awaitText("There is no evidence that you may see");
        ConsolePage second = CONSOLE.tabBeside(clara, inCase(open, "/evidence"));
        second.awaitText("There is no evidence that you may see");
        done(Form.of(open.caseId(), "correspondence", "Offer of cranes").file("offer.txt", "text/plain", "We offer two cranes.").post(platform, open.colleague().token()));
        assertThat(clara.text() + second.text()).doesNotContain("Offer of cranes");
        released.run();
        clara.awaitText("Offer of cranes");
        second.awaitText("Offer of cranes");
        assertThat(clara.streams() + second.streams()).isEqualTo(1);
    }

    @Test
    void aFilingFollowsWhatOthersDoAndKeepsWhatIsWritten() {
        OpenCase open = OpenCase.on(platform);
        String filingId = open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
        String path = "/console/cases/%s/filings/%s".formatted(open.caseId(), filingId);
        ConsolePage clara = CONSOLE.signedIn(open.claimant(), path, "light");
        clara.awaitText("Before you submit");
        JsonObject fields = open.view(open.claimant(), filingId).getJsonObject("fields");
        done(open.update(open.colleague(), filingId, new JsonObject().put("fields", fields.copy().put("body", "Written by the colleague"))));
        clara.awaitTrue("document.querySelector('#field-body').value === 'Written by the colleague'");
        clara.awaitText("Somebody else has changed this draft. You see it as it is now.");

        clara.between("/api/filings/update", Integer.MAX_VALUE, 503, Map.of("Content-Type", "application/json"), "\"busy\"");
        clara.write("Subject", "Written beside the colleague");
        done(open.update(open.colleague(), filingId, new JsonObject().put("fields", fields.copy().put("subject", "By the colleague"))));
        clara.awaitText("Somebody else has changed this draft");
        clara.awaitText("Their version is beside yours.");
        assertThat(clara.evaluate("document.querySelector('#field-subject').value")).isEqualTo("Written beside the colleague");
        clara.click("Take theirs");
        clara.awaitTrue("document.querySelector('#field-subject').value === 'By the colleague'");
        clara.awaitText("What you wrote, and another version stands in its place");
        ConsolePage day = CONSOLE.tabBeside(clara, "/console");
        day.awaitText("What you typed and have not sent");
        day.click("Go on there");
        day.awaitText("What you wrote, and another version stands in its place");
        day.click("I do not need it");
        day.awaitTrue("!document.body.innerText.includes('Written beside the colleague')");
        CONSOLE.close(day);

        ConsolePage maya = CONSOLE.signedIn(open.manager(), path, "light");
        ConsolePage carl = CONSOLE.signedIn(open.colleague(), path, "light");
        carl.awaitText("Before you submit");
        carl.tabTo("Submit").enter();
        carl.awaitText("waits for approval");
        clara.awaitText("waits for approval");
        maya.awaitText("Decide");
        clara.between("/api/filings/update", 0, 503, Map.of(), "");
        // What is written after a rejection is saved at once, upon the revision that was rejected.
        String conflicts = "performance.getEntriesByType('resource').filter(one => one.responseStatus === 409).length";
        Object before = clara.evaluate(conflicts);
        assertThat(open.reject(open.manager(), filingId, "It names no place.").status()).isEqualTo(200);
        clara.awaitText("It names no place.");
        clara.write("Subject", "Written after the rejection");
        clara.awaitText("Saved at");
        carl.awaitTrue("document.querySelector('#field-subject')?.value === 'Written after the rejection'");
        assertThat(clara.evaluate(conflicts)).isEqualTo(before);
        clara.tabTo("Submit").enter();
        clara.awaitText("waits for approval");
        maya.awaitText("Decide");
        maya.write("Reason", "It names no date.");
        assertThat(open.document("withdraw", open.claimant(), filingId).status()).isEqualTo(200);
        maya.awaitText("This filing was withdrawn.");
        maya.awaitText("It names no date.");
        clara.awaitText("This filing was withdrawn.");
        carl.awaitText("This filing was withdrawn.");
    }

    /** What only one of both changed is chosen already; of a field that both changed, nothing is overwritten before it is chosen whose version stands. */
    @Test
    void twoVersionsOfADraftAreChosenBetweenFieldByField() {
        OpenCase open = OpenCase.on(platform);
        String filingId = open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
        JsonObject fields = open.view(open.claimant(), filingId).getJsonObject("fields");
        ConsolePage clara = CONSOLE.signedIn(open.claimant(), "/console/cases/%s/filings/%s".formatted(open.caseId(), filingId), "light");
        clara.awaitText("It can be submitted.");
        clara.between("/api/filings/update", Integer.MAX_VALUE, 503, Map.of("Content-Type", "application/json"), "\"busy\"");
        clara.write("Subject", "Subject of mine");
        clara.write("Title on the docket", "Title of mine");
        done(open.update(open.colleague(), filingId, new JsonObject().put("fields", fields.copy().put("subject", "Subject of theirs").put("body", "Body of theirs"))));
        clara.awaitText("Somebody else has changed this draft");
        clara.awaitText(fields.getString("subject"));
        clara.between("/api/filings/update", 0, 503, Map.of(), "");
        String version = "document.querySelector('.conflict input[name=\"version-%s\"]:checked')?.value ?? 'none'";
        assertThat(clara.evaluate(version.formatted("body"))).isEqualTo("theirs");
        assertThat(clara.evaluate(version.formatted(""))).isEqualTo("mine");
        assertThat(clara.evaluate(version.formatted("subject"))).isEqualTo("none");
        clara.click("Save as chosen");
        assertThat(open.view(open.claimant(), filingId).getJsonObject("fields").getString("subject")).isEqualTo("Subject of theirs");
        clara.evaluate("document.querySelector('.conflict input[name=version-subject]').focus()");
        clara.key("ArrowDown", 40, "");
        clara.awaitTrue("document.querySelector('.conflict input[name=version-subject]:checked')?.value === 'mine'");
        clara.click("Save as chosen");
        clara.awaitText("Saved at");
        JsonObject saved = open.view(open.claimant(), filingId);
        assertThat(saved.getString("title")).isEqualTo("Title of mine");
        assertThat(saved.getJsonObject("fields")).isEqualTo(fields.copy().put("subject", "Subject of mine").put("body", "Body of theirs"));
    }

    /** A page learns of a sign-in, and of another organization, with another tab only afterwards: what it asks until then is refused by the platform. */
    @Test
    void noRequestOfATabIsThatOfAUserOrAnOrganizationChosenWithAnother() {
        OpenCase open = OpenCase.on(platform);
        ConsolePage clara = CONSOLE.signedIn(open.claimant(), "/console/cases", "light");
        clara.click("Open a case");
        clara.write("Title", "A case of Clara alone");
        ConsolePage other = CONSOLE.tabBeside(clara, "/console");
        other.awaitText("for you");
        assertThat(other.evaluate("fetch('/auth/organizations/create', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{\"name\": \"Cranes of Clara\"}'}).then(answer => answer.status)")).isEqualTo(200);
        clara.enter();
        clara.awaitTrue(acting("Cranes of Clara"));
        clara.click("Open a case");
        clara.write("Title", "A case of Clara alone");
        // Without a page of the console afterwards, which would tell the other tabs at once.
        assertThat(other.evaluate("fetch('/auth/login/demo?returnTo=/console&login_hint=%s').then(answer => answer.status)".formatted(open.manager().email()))).isEqualTo(200);
        clara.enter();
        clara.awaitTrue(acting("Maya"));
        for (Person person : List.of(open.manager(), open.claimant())) {
            assertThat(done(platform.post("/cases/cases/list", new JsonObject(), person.token())).encode()).doesNotContain("A case of Clara alone");
        }
    }

    private static String acting(String name) {
        return "document.querySelector('.who')?.innerText.includes('%s') === true".formatted(name);
    }

    /** A sign-in, an organization and a sign-out are those of the whole browser: no tab goes on as somebody else than it names. */
    @Test
    void eachTabNamesForWhomTheBrowserActs() {
        OpenCase open = OpenCase.on(platform);
        String filingId = open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
        ConsolePage first = CONSOLE.signedIn(open.claimant(), "/console/cases/%s/filings/%s".formatted(open.caseId(), filingId), "light");
        first.awaitText("Before you submit");
        first.between("/api/filings/update", Integer.MAX_VALUE, 503, Map.of("Content-Type", "application/json"), "\"busy\"");
        first.write("Subject", "Written by Clara");
        first.awaitText("Not saved yet; kept in this browser.");
        ConsolePage second = CONSOLE.tabBeside(first, "/auth/login/demo?returnTo=/console&login_hint=" + open.manager().email());
        first.awaitTrue(acting("Maya"));
        assertThat((String) first.evaluate("Object.keys(localStorage).filter(one => one.startsWith('acp.draft.')).join()")).isEqualTo("acp.draft.%s.%s".formatted(open.claimant().id(), filingId));

        String organizationId = done(platform.post("/auth/organizations/create", new JsonObject().put("name", "Institution of two tabs"), open.manager().token())).getString("organizationID");
        second.go("/console");
        second.click("Account and settings");
        second.offline(true);
        second.click("Institution of two tabs");
        second.awaitTrue("document.querySelector('dialog.account').innerText.includes('The platform does not answer')");
        second.awaitTrue("!document.querySelector('dialog.account label:has(input[name=organization])').querySelector('input').checked");
        second.offline(false);
        second.click("Institution of two tabs");
        second.awaitTrue(acting("Institution of two tabs"));
        first.awaitTrue(acting("Institution of two tabs"));
        assertThat(organizationId).isNotEmpty();

        second.click("Account and settings");
        second.between("/auth/logout", 1, 503, Map.of("Content-Type", "application/json"), "\"too busy to sign out\"");
        second.click("Sign out");
        second.awaitTrue("document.querySelector('dialog.account').innerText.includes('too busy to sign out')");
        second.click("Sign out");
        second.awaitText("The people of the demo");
        first.awaitText("The people of the demo");
    }

    @Test
    void aLongDocketShowsOfEachEntryWhatItAnswersItsFilesAndItsSeal() {
        OpenCase open = OpenCase.on(platform);
        letter(open, "Letter about the cranes");
        String entryId = open.docket(open.claimant()).getJsonObject(0).getString("entryID");
        open.docketed(new JsonObject().put("title", "Reply of long ago").put("parentEntryID", entryId));
        for (int i = 0; i < 25; i++) {
            letter(open, "Letter " + i);
        }
        ConsolePage page = CONSOLE.signedIn(open.respondent(), "/console/cases/" + open.caseId(), "light");
        page.awaitText("Docket 27");
        page.awaitText("answers No. 1");
        assertThat(page.requests().stream().filter(request -> request.getString("url").endsWith("/api/docket/entries/view"))).isEmpty();
        assertThat(open.on("/api/docket/entries/seal", open.manager(), new JsonObject().put("entryID", entryId).put("reason", "A witness.").put("visibleTo", new JsonArray())).status()).isEqualTo(200);
        page.awaitText("Sealed document");
        page.awaitTrue("document.querySelectorAll('.docket .mark.seal').length === 1");
        Await.until("the reply still says what it answers", () -> page.text().contains("answers No. 1"));
    }

    @Test
    void theFocusStaysWithAPersonWhileAnotherIsRemoved() {
        OpenCase open = OpenCase.on(platform);
        ConsolePage maya = CONSOLE.signedIn(open.manager(), "/console/cases/" + open.caseId() + "/people", "light");
        maya.awaitTrue("document.querySelector('[aria-label=\"Remove: Olga Observer\"]') !== null");
        maya.evaluate("document.querySelector('[aria-label=\"Remove: Olga Observer\"]').focus()");
        assertThat(platform.post("/cases/cases/participants/remove", new JsonObject().put("caseID", open.caseId()).put("userID", open.colleague().id()).put("partyID", "claimant"),
                open.manager().token()).status()).isEqualTo(200);
        maya.awaitTrue("document.querySelector('[aria-label=\"Remove: Carl Colleague\"]') === null");
        assertThat(maya.evaluate("document.activeElement.getAttribute('aria-label')")).isEqualTo("Remove: Olga Observer");
    }
}
