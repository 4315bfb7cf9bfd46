package io.arbitration.console;

import static io.arbitration.console.RunningConsole.done;
import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.NextYear;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.platform.FreePort;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The web console in a real browser, as its people use it: by mouse and by keyboard, in both themes and both languages. */
class ConsoleIT extends ConsoleScenario {

    private static final String STRANGERS_TITLE = "Quarry <img src=x onerror=alert(1)> v. Cranes";
    @Test
    void theRootLeadsToSignInWhereEachPersonOfTheDemoIsOneKeyAway() {
        ConsolePage page = CONSOLE.page(1440, "light");
        page.go("/");
        page.awaitText("The people of the demo");
        assertThat((String) page.evaluate("location.pathname")).isEqualTo("/console");
        page.tabToAndEnter("Maya Manager");
        page.awaitText("You take part in no case yet.");
        page.awaitText("Maya Manager");

        page.tabToAndEnter("Account and settings");
        page.awaitTrue("document.querySelector('dialog.account').open");
        page.click("Dark");
        page.awaitTrue("getComputedStyle(document.body).backgroundColor === 'rgb(22, 24, 28)'");
        page.click("Deutsch");
        page.awaitText("Sie nehmen noch an keinem Verfahren teil.");
        page.click("Konto und Einstellungen");
        page.click("Abmelden");
        page.awaitText("Die Personen der Demo");
    }

    @Test
    void aClaimIsOpenedFiledWithItsPdfApprovedAndReadFromTheDocket() throws Exception {
        OpenCase others = OpenCase.on(platform);
        ConsolePage clara = CONSOLE.signedIn(others.claimant(), "/console/cases", "light");
        clara.click("Open a case");
        clara.awaitText("Commercial rules");
        clara.write("Title", STRANGERS_TITLE);
        clara.key("Enter", 13, "\r");
        clara.awaitText("Nothing is on the docket yet");
        clara.awaitText(STRANGERS_TITLE);
        String caseId = (String) clara.evaluate("location.pathname.split('/').at(-1)");
        Answer appointed = platform.post("/cases/cases/participants/add", new JsonObject().put("caseID", caseId).put("userID", others.manager().id())
                .put("partyID", "caseManager").put("isPrimary", true), platform.administrator().token());
        assertThat(appointed.status()).as(appointed.body()).isEqualTo(200);

        clara.click("Draft it");
        clara.write("Name of the claimant", "Claimant Shipping GmbH");
        clara.write("Relief sought", "Damages for two harbour cranes.");
        clara.write("Amount claimed", "a lot");
        clara.awaitText("An amount such as 1200.50");
        clara.awaitText("Not saved yet; kept in this browser.");
        // To press it leaves the field, below which it is then said what is wrong; the button stands still until it is released.
        clara.click("Submit");
        clara.awaitText("Check these fields");
        clara.write("Amount claimed", "125000.00");
        clara.awaitText("Saved at");
        clara.choose(Path.of("src/main/resources/demo/statement-of-claim.pdf"));
        clara.awaitTrue("document.querySelector('acp-filing').innerText.includes('Remove')");
        clara.awaitText("It can be submitted.");
        clara.picture("console-filing");
        clara.click("Submit");
        clara.awaitText("waits for approval");

        ConsolePage maya = CONSOLE.signedIn(others.manager(), "/console", "light");
        maya.awaitText("One thing waits for you");
        maya.tabToAndEnter("Read and decide");
        maya.awaitText("125,000.00");
        maya.tabToAndEnter("Approve");
        maya.awaitText("This filing is on the docket.");

        clara.go("/console/cases/" + caseId);
        clara.awaitText("Docket 1");
        clara.key("j", 74, "j");
        clara.awaitText("verified in your browser");
        clara.click("Receipt");
        clara.awaitText("The receipt holds");
        clara.awaitText("No. 1, Statement of claim");
        clara.awaitText("Clara Claimant");
        clara.click("What was filed");
        clara.awaitText("125,000.00");
        clara.picture("console-entry");

        // What others do appears by itself, beside what one has open.
        JsonObject notice = done(platform.post("/api/filings/create", new JsonObject().put("caseID", caseId).put("documentID", "noticeToParties")
                .put("title", "Notice while Clara reads").put("fields", OpenCase.completeFields("noticeToParties")), others.manager().token()));
        assertThat(platform.post("/api/filings/documents/submit", new JsonObject().put("caseID", caseId).put("filingID", notice.getString("filingID")),
                others.manager().token()).status()).isEqualTo(200);
        clara.awaitText("Notice while Clara reads");
        assertThat(clara.evaluate("document.querySelector('acp-entry details').open")).isEqualTo(true);

        clara.click("Reply");
        clara.awaitText("Answer No. 1 with");
        clara.click("Letter to the tribunal");
        clara.write("Subject", "About the claim");
        clara.awaitText("Saved at");
        clara.click("Read the entry that this answers");
        clara.awaitText("No. 1, Statement of claim");
        assertThat(clara.evaluate("document.querySelector('img[src=x]') === null")).isEqualTo(true);
    }

    @Test
    void whatIsWrittenSurvivesSilenceAnothersEditAndTheEndOfTheSession() {
        OpenCase open = OpenCase.on(platform);
        String filingId = done(platform.post("/api/filings/create", new JsonObject().put("caseID", open.caseId()).put("documentID", "letterToTribunal")
                .put("fields", new JsonObject().put("subject", "Availability")), open.claimant().token())).getString("filingID");
        JsonObject named = new JsonObject().put("caseID", open.caseId()).put("filingID", filingId);
        ConsolePage page = CONSOLE.signedIn(open.claimant(), "/console/cases/%s/filings/%s".formatted(open.caseId(), filingId), "light");
        page.awaitText("Before you submit");

        page.offline(true);
        page.write("Subject", "Written without a connection");
        page.awaitText("Not saved yet; kept in this browser.");
        page.awaitText("There is no connection.");
        page.offline(false);
        page.awaitText("Saved at");
        assertThat(done(platform.post("/api/filings/view", named, open.claimant().token())).getJsonObject("fields").getString("subject")).isEqualTo("Written without a connection");

        // What a colleague writes appears at once: here it comes while what is written here is not saved.
        page.between("/api/filings/update", Integer.MAX_VALUE, 503, Map.of("Content-Type", "application/json"), "\"busy\"");
        page.write("Subject", "By me");
        done(platform.post("/api/filings/update", named.copy().put("fields", new JsonObject().put("subject", "By a colleague")), open.colleague().token()));
        page.awaitText("Somebody else has changed this draft");
        page.awaitText("By a colleague");
        page.awaitText("By me");
        page.between("/api/filings/update", 0, 503, Map.of(), "");
        page.click("Save mine over it");
        page.awaitText("Saved at");

        // Written first: the page may learn of the end by itself, and then asks for a sign-in before anything else.
        page.between("/api/filings/update", Integer.MAX_VALUE, 503, Map.of("Content-Type", "application/json"), "\"busy\"");
        page.write("Subject", "After the session ended");
        page.awaitText("Not saved yet; kept in this browser.");
        platform.post("/auth/sessions/revoke", new JsonObject().put("all", true), open.claimant().token());
        page.awaitTrue("document.querySelector('dialog#again').open");
        page.between("/api/filings/update", 0, 503, Map.of(), "");
        page.signInElsewhere(open.claimant());
        page.awaitText("Saved at");
        Person again = platform.signIn(open.claimant().email(), "Clara", "Claimant");
        assertThat(done(platform.post("/api/filings/view", named, again.token())).getJsonObject("fields").getString("subject")).isEqualTo("After the session ended");
    }

    private static void endSessions(Person person) {
        Answer ended = platform.post("/auth/sessions/revoke", new JsonObject().put("userID", person.id()), platform.administrator().token());
        assertThat(ended.status()).as(ended.body()).isEqualTo(200);
    }

    @Test
    void anEndedSessionLeadsToTheSignInAndNothingIsTriedMeanwhile() {
        OpenCase open = OpenCase.on(platform);
        ConsolePage page = CONSOLE.signedIn(open.claimant(), "/console/cases/" + open.caseId(), "light");
        page.awaitText("Nothing is on the docket yet");
        endSessions(open.claimant());
        page.follow("/console/cases", "Your session has ended");
        for (int pressed = 0; pressed < 3; pressed++) {
            page.key("Escape", 27, "");
            page.awaitTrue("document.querySelector('dialog#again').open");
        }
        // The browser asks for the stream of events once more when it is ended, whatever the page does.
        Await.until("the stream is refused", () -> page.asked("/api/events/stream?changes=true") == 2);
        int before = page.asked();
        page.follow("/console/search", "Your session has ended");
        // Another window says that it has signed in, and has not.
        page.evaluate("new BroadcastChannel('acp.session').postMessage('signed-in')");
        Await.until("the page asks whether it is so", () -> page.asked() > before);
        page.awaitTrue("document.querySelector('dialog#again').open");
        assertThat(page.asked()).as("what waits is not tried meanwhile").isEqualTo(before + 1);

        page.signInElsewhere(open.respondent());
        page.awaitTrue("location.pathname === '/console' && document.querySelector('.who strong')?.innerText === 'Rolf Respondent'");
        page.awaitText("Nobody else has entered anything on a docket of yours.");
        endSessions(open.respondent());
        page.click("Account and settings");
        page.click("Sign out");
        page.awaitText("The people of the demo");

        page.go("/auth/login/demo?returnTo=/console&login_hint=" + open.claimant().email());
        page.awaitText("Clara Claimant");
        endSessions(open.claimant());
        page.follow("/console/cases", "Your session has ended");
        page.click("To the sign-in page");
        page.awaitText("The people of the demo");
    }

    @Test
    void anIntegratorSeesWhatItsServersAnsweredAndHasItSentAgain() throws IOException {
        OpenCase open = OpenCase.on(platform);
        done(platform.post("/auth/organizations/create", new JsonObject().put("name", "Integrators Ltd"), open.claimant().token()));
        try (AnsweringServer server = new AnsweringServer()) {
            ConsolePage page = CONSOLE.signedIn(open.claimant(), "/console", "light");
            page.tabToAndEnter("Deliveries");
            page.awaitText("Your organization has no URL yet.");
            for (String url : List.of(server.url(), "http://127.0.0.1:%d/hook".formatted(FreePort.any()))) {
                page.write("Register a URL", url);
                page.click("Register");
                page.awaitText("whsec_");
                page.click("I have kept it");
                page.awaitTrue("!document.body.innerText.includes('whsec_')");
            }
            file(open.another(), "noticeOfRepresentation", true);
            Await.until("an attempt at both servers", () -> done(platform.post("/webhooks/deliveries/list", new JsonObject(), open.claimant().token())).getJsonArray("deliveries").stream()
                    .filter(one -> !((JsonObject) one).getJsonArray("attempts").isEmpty()).count() == 2);
            page.go("/console/deliveries");
            page.awaitText("The server answered 200.");
            page.awaitText("It could not be delivered");
            page.awaitText("It is tried again");
            assertThat(page.barriers()).isEqualTo(new JsonArray());
            page.picture("console-deliveries");
            int before = server.bodies.size();
            page.click("Send it again");
            Await.until("the delivery again", () -> server.bodies.size() > before);
        }
    }

    @Test
    void whatWasEnteredSinceTheLastVisitLeadsToItsEntryWhoseSealIsShownAndTheCaseIsTakenAlong(@TempDir Path downloads) throws Exception {
        OpenCase open = OpenCase.on(platform);
        String entryId = open.docketed(new JsonObject().put("title", "Letter about the witness"));
        JsonObject entry = new JsonObject().put("entryID", entryId).put("reason", "It names a protected witness.");
        assertThat(open.on("/api/docket/entries/seal", open.manager(), entry.copy().put("visibleTo", new JsonArray())).status()).isEqualTo(200);

        ConsolePage maya = CONSOLE.signedIn(open.manager(), "/console", "light");
        maya.awaitText("In the last 7 days");
        maya.awaitText("Letter about the witness");
        maya.go("/console/account");
        maya.awaitText("Calendars");
        maya.evaluate(visits(open.manager(), "new Date(Date.now() + 3_600_000).toISOString()", "new Date().toISOString()"));
        maya.follow("/console", "Nobody else has entered anything on a docket of yours.");
        maya.evaluate(visits(open.manager(), "null", "'2026-01-02T12:00:00.000Z'"));
        maya.go("/console");
        maya.awaitText("Since your last visit, 2 January");
        maya.awaitText("Letter about the witness");
        maya.picture("console-day-since");
        maya.tabToAndEnter("Read it");
        maya.awaitText("It names a protected witness.");
        maya.awaitText("Shown to the case manager, the arbitrators and: Claimant.");
        maya.awaitTrue("document.querySelector('.docket .mark.seal') !== null");
        assertThat(maya.barriers()).isEqualTo(new JsonArray());
        maya.picture("console-sealed");

        ConsolePage rolf = CONSOLE.signedIn(open.respondent(), "/console/cases/" + open.caseId(), "dark");
        rolf.awaitText("Sealed document");
        rolf.awaitTrue("document.querySelector('.docket .mark.seal') !== null");
        rolf.key("j", 74, "j");
        rolf.awaitText("This entry is sealed.");
        assertThat(open.on("/api/docket/entries/unseal", open.manager(), entry).status()).isEqualTo(200);
        rolf.awaitText("verified in your browser");
        rolf.awaitText("Letter about the witness");
        rolf.awaitTrue("document.querySelector('.mark.seal') === null");

        maya.saveDownloadsTo(downloads);
        maya.tabToAndEnter("Export this case");
        maya.awaitTrue("document.querySelector('acp-export dialog').open");
        assertThat(maya.barriers()).isEqualTo(new JsonArray());
        maya.click("Export");
        maya.awaitText("All of it has come");
        maya.picture("console-export");
        Path archive = downloads.resolve("case-%s.zip".formatted(open.caseId()));
        Await.until("the archive among the downloads", () -> Files.exists(archive));
        // The browser makes the file under its name before it fills it.
        Await.despiteFailures("the archive is whole", Await.BOUND, () -> {
            try (ZipFile whole = new ZipFile(archive.toFile())) {
                return whole.size() > 0;
            }
        });
        try (ZipFile zip = new ZipFile(archive.toFile())) {
            assertThat(zip.getEntry("manifest.jws")).isNotNull();
            assertThat(new String(zip.getInputStream(zip.getEntry("docket/entries/000001.json")).readAllBytes(), StandardCharsets.UTF_8)).contains("Letter about the witness");
        }
    }

    /** As the browser keeps them: when the visit before this one ended, and when the day was last looked at. */
    private static String visits(Person person, String before, String last) {
        return "localStorage.setItem('acp.visit.%s', JSON.stringify({before: %s, last: %s}))".formatted(person.id(), before, last);
    }

    @Test
    void anArbitratorSchedulesMovesAndCancelsAHearingByTheClocksOfThoseWhoCome() throws IOException {
        OpenCase open = OpenCase.on(platform);
        ConsolePage arno = CONSOLE.page(1440, "light");
        arno.timeZone("America/New_York");
        arno.go("/auth/login/demo?returnTo=/console/cases/%s/dates&login_hint=%s".formatted(open.caseId(), open.arbitrator().email()));
        arno.awaitText("No hearing is scheduled.");
        arno.tabToAndEnter("Schedule a hearing");
        arno.awaitTrue("document.querySelector('#hearing-form').open");
        arno.click("Schedule a hearing");
        arno.awaitText("This is required.");
        arno.awaitTrue("document.activeElement.id === 'hearing-title'");
        arno.write("Title", "Hearing of the witnesses");
        // A day that reads the same in any order of day and month, on which the clocks of New York went from 02:00 to 03:00.
        arno.type("Day", "04042004");
        arno.type("Begins at", "0230A");
        arno.write("Link", "ftp://meet.example.org/4");
        arno.click("Schedule a hearing");
        arno.awaitText("The clocks of this time zone skip this time on that day.");
        arno.awaitText("A web address that begins with https://.");
        assertThat(arno.barriers()).isEqualTo(new JsonArray());
        arno.type("Day", NextYear.keys("0404"));
        arno.write("Link", "https://meet.example.org/4");
        arno.write("Minutes", "90");
        arno.awaitText(NextYear.words("04-04") + ", 02:30");
        assertThat(arno.evaluate("document.querySelector('#hearing-form .wrong') === null")).isEqualTo(true);
        arno.go("/console/cases/%s/dates".formatted(open.caseId()));
        arno.tabToAndEnter("Schedule a hearing");
        arno.awaitText(NextYear.words("04-04") + ", 02:30");
        assertThat(arno.evaluate("document.querySelector('#hearing-title').value")).isEqualTo("Hearing of the witnesses");
        arno.show(1440, 960, "dark");
        assertThat(arno.barriers()).isEqualTo(new JsonArray());
        arno.picture("console-hearing-dark");
        arno.show(320, 844, "light");
        arno.awaitTrue("document.documentElement.scrollWidth <= innerWidth");
        arno.picture("console-hearing-320");
        arno.show(1440, 960, "light");
        arno.click("Schedule a hearing");
        arno.awaitText("The hearing is scheduled.");
        arno.awaitText("90 minutes");
        JsonObject made = hearing(open);
        assertThat(made.getString("start")).isEqualTo(NextYear.at("04-04T06:30:00.000Z"));
        assertThat(made.getString("timeZone")).isEqualTo("America/New_York");

        done(open.on("/cases/hearings/update", open.manager(), new JsonObject().put("hearingID", made.getString("hearingID")).put("timeZone", "Europe/Stockholm")));
        arno.awaitText(NextYear.words("04-04") + ", 08:30");
        arno.tabToAndEnter("Move or change");
        arno.awaitText("Where you are: " + NextYear.words("04-04") + ", 02:30");
        arno.type("Day", NextYear.keys("0505"));
        done(open.on("/cases/hearings/update", open.manager(), new JsonObject().put("hearingID", made.getString("hearingID")).put("title", "Hearing of the experts").put("start", NextYear.at("06-06T06:30:00.000Z"))));
        arno.click("Save the change");
        arno.awaitText("Somebody else has changed this hearing");
        arno.awaitText("Hearing of the witnesses");
        String version = "document.querySelector('.conflict input[name=version-%s]:checked')?.value ?? 'none'";
        assertThat(List.of(arno.evaluate(version.formatted("title")), arno.evaluate(version.formatted("day")))).containsExactly("theirs", "none");
        assertThat(arno.barriers()).isEqualTo(new JsonArray());
        arno.picture("console-hearing-versions");
        arno.click("Save as chosen");
        assertThat(hearing(open).getString("start")).isEqualTo(NextYear.at("06-06T06:30:00.000Z"));
        arno.evaluate("document.querySelector('.conflict input[name=version-day]').focus()");
        arno.key("ArrowDown", 40, "");
        arno.click("Save as chosen");
        arno.awaitText("The hearing is changed.");
        arno.awaitText(NextYear.words("05-05") + ", 08:30");
        assertThat(hearing(open)).contains(Map.entry("start", NextYear.at("05-05T06:30:00.000Z")), Map.entry("title", "Hearing of the experts"));

        arno.tabToAndEnter("Cancel it");
        arno.awaitTrue("document.querySelector('#hearing-cancel').open");
        arno.click("Cancel it");
        arno.awaitText("This is required.");
        assertThat(arno.barriers()).isEqualTo(new JsonArray());
        arno.write("Reason", "The parties have settled.");
        arno.click("Cancel it");
        arno.awaitText("Cancelled: “The parties have settled.”");
        arno.picture("console-hearing-cancelled");
        assertThat(hearing(open).getString("status")).isEqualTo("cancelled");
    }

    private static JsonObject hearing(OpenCase open) {
        return done(open.on("/cases/hearings/list", open.claimant(), new JsonObject())).getJsonArray("hearings").getJsonObject(0);
    }

    @Test
    void anAddressForACalendarProgramIsShownOnceAndRevoked() throws IOException {
        ConsolePage page = CONSOLE.signedIn(OpenCase.on(platform).claimant(), "/console/account", "light");
        page.awaitText("No calendar program has them yet.");
        page.write("Name", "Telephone");
        page.tabToAndEnter("Make an address");
        page.awaitText("/cases/calendar/");
        String address = (String) page.evaluate("document.querySelector('acp-account .notice .mono').innerText");
        assertThat(platform.get(URI.create(address).getPath()).body()).startsWith("BEGIN:VCALENDAR");
        assertThat(page.barriers()).isEqualTo(new JsonArray());
        page.picture("console-calendar");
        // Another address that is revoked leaves the one that is shown.
        page.write("Name", "Computer");
        page.click("Make an address");
        page.awaitTrue("document.querySelector('acp-account .notice .mono').innerText !== '%s'".formatted(address));
        page.click("Revoke: Telephone");
        page.awaitText("Revoke “Telephone”?");
        page.click("Revoke");
        page.awaitText("The address works no longer.");
        page.awaitTrue("!document.body.innerText.includes('Telephone')");
        assertThat(page.text()).contains("/cases/calendar/");
        page.click("I have entered it");
        page.awaitTrue("!document.body.innerText.includes('/cases/calendar/')");
        page.click("Revoke: Computer");
        page.awaitText("Revoke “Computer”?");
        page.click("Revoke");
        page.awaitText("No calendar program has them yet.");
        assertThat(platform.get(URI.create(address).getPath()).status()).isEqualTo(404);

        page.between("/alerts/preferences/update", 1, 500, Map.of("Content-Type", "application/json"), "\"an internal error\"");
        page.click("Deadlines that come near");
        page.awaitText("an internal error");
        assertThat(page.evaluate("[...document.querySelectorAll('acp-account .choice')].find(one => one.innerText.includes('Deadlines that come near')).querySelector('input').checked")).isEqualTo(true);
    }

    private static String file(OpenCase open, String documentId, boolean submitted) {
        JsonObject made = done(platform.post("/api/filings/create", new JsonObject().put("caseID", open.caseId()).put("documentID", documentId)
                .put("fields", OpenCase.completeFields(documentId)), open.claimant().token()));
        if (submitted) {
            assertThat(platform.post("/api/filings/documents/submit", new JsonObject().put("caseID", open.caseId()).put("filingID", made.getString("filingID")),
                    open.claimant().token()).status()).isEqualTo(200);
        }
        return made.getString("filingID");
    }

    /** A type of field, a value that is none of it, one that is, and the kind of control. */
    private record Typed(String field, String control, String wrong, String right) {}

    @Test
    void eachOfTheSixteenTypesOfFieldHasItsOwnControlItsOwnErrorAndIsKept() {
        OpenCase open = OpenCase.on(platform);
        ConsolePage clara = CONSOLE.signedIn(open.claimant(), "/console/cases/%s/filings/new-statementOfClaim".formatted(open.caseId()), "light");
        clara.awaitText("Before you submit");
        JsonObject kept = written(clara, List.of(new Typed("claimantName", "text", "", "Cranes Ltd"), new Typed("claimantAddress", "textarea", "1", "1 Quay Street"), new Typed("claimantCity", "text", "", "Hull"),
                new Typed("claimantState", "text", "Y", "Yorkshire"), new Typed("claimantZipcode", "text", "!!!", "HU1 1AA"), new Typed("claimantEmail", "email", "nobody", "clara@cranes.example"),
                new Typed("claimantPhone", "tel", "call me", "+44 1482 555 010"), new Typed("claimantWebsite", "url", "cranes.example", "https://cranes.example"), new Typed("agreementDate", "date", "", "2025-04-04"),
                new Typed("arbitrationClause", "textarea", "short", "All disputes are settled by arbitration."), new Typed("proposedArbitrators", "text", "1.5", "3"), new Typed("claimAmount", "text", "a lot", "125000.00 USD"),
                new Typed("disputeYear", "text", "24", "2024"), new Typed("firstUnpaidMonth", "text", "13", "2024-07"), new Typed("interestRate", "text", "some", "4.5"), new Typed("expeditedRequested", "radio", "", "true")));
        saved(open, open.claimant(), clara, kept);

        open.advanceTo("hearing");
        ConsolePage maya = CONSOLE.signedIn(open.manager(), "/console/cases/%s/filings/new-noticeOfHearing".formatted(open.caseId()), "light");
        maya.awaitText("Before you submit");
        saved(open, open.manager(), maya, written(maya, List.of(new Typed("hearingTime", "time", "", "14:30"))));
    }

    /** Writes into each of these fields, first what is wrong, where its control lets one; answers what is to be kept. */
    private static JsonObject written(ConsolePage page, List<Typed> fields) {
        JsonObject kept = new JsonObject();
        for (Typed one : fields) {
            String element = "document.querySelector('#field-%s')".formatted(one.field);
            assertThat(page.evaluate("(one => one.type === 'fieldset' ? one.querySelector('input').type : one.type)(%s)".formatted(element))).as(one.field).isEqualTo(one.control);
            page.evaluate("(one => { one.scrollIntoView({block: 'center'}); (one.querySelector('input') ?? one).focus(); })(%s)".formatted(element));
            if (!one.wrong.isEmpty()) {
                page.insert(one.wrong);
                page.key("Tab", 9, "");
                page.awaitTrue("%s.getAttribute('aria-invalid') === 'true' && document.querySelector('#field-%s-wrong').innerText !== ''".formatted(element, one.field));
                page.evaluate("(one => { one.focus(); one.select(); })(%s)".formatted(element));
            }
            switch (one.control) {
                case "radio" -> page.space();
                case "date" -> page.letters("04042025");
                case "time" -> page.letters("0230P");
                default -> page.insert(one.right);
            }
            page.key("Tab", 9, "");
            page.awaitTrue("%s.getAttribute('aria-invalid') !== 'true'".formatted(element));
            kept.put(one.field, one.right);
        }
        page.awaitText("Saved at");
        return kept;
    }

    private static void saved(OpenCase open, Person writer, ConsolePage page, JsonObject kept) {
        String filingId = (String) page.evaluate("location.pathname.split('/').at(-1)");
        Await.until(() -> "%s; kept are %s".formatted(kept, open.view(writer, filingId).getJsonObject("fields")), Await.BOUND, () -> {
            JsonObject fields = open.view(writer, filingId).getJsonObject("fields");
            return fields.fieldNames().equals(kept.fieldNames()) && fields.fieldNames().stream().allMatch(name -> String.valueOf(fields.getValue(name)).equals(kept.getString(name)));
        });
    }

    @Test
    void aDocketOfMoreThanAPageIsInThePageWholeAndReachedByNumber() throws Exception {
        OpenCase open = OpenCase.on(platform);
        open.docketed(new JsonObject().put("title", "Letter 1 of many"));
        open.copyFirstEntry(1050, "'Letter ' || n || ' of many'", "fields");
        ConsolePage page = CONSOLE.signedIn(open.claimant(), "/console/cases/" + open.caseId(), "light");
        page.awaitText("Docket 1050");
        page.awaitTrue("document.querySelectorAll('.docket li').length === 1050");
        // Two pages; a page of the console whose stream opens late asks once more, for what came after the last entry.
        assertThat(page.requests().stream().filter(request -> request.getString("url").endsWith("/api/docket/entries/list"))).hasSizeBetween(2, 3);
        // As the browser's own search finds it, out of sight as it is.
        assertThat(page.evaluate("window.find('Letter 17 of many')")).isEqualTo(true);
        page.tabToField("Go to No.").insert("23");
        page.enter();
        page.awaitText("No. 23, Letter 23 of many");
        page.awaitTrue("document.activeElement === document.querySelector('.docket [aria-current] a')");
        page.awaitTrue("(() => { const box = document.activeElement.getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight; })()");
        page.key("k", 75, "k");
        page.awaitText("No. 24, Letter 24 of many");
    }

    @Test
    void filesAreKeptForGoodAndThePageRunsNothingButThem() throws Exception {
        HttpClient client = HttpClient.newHttpClient();
        HttpResponse<String> root = client.send(HttpRequest.newBuilder(URI.create(platform.url() + "/?invitation=7")).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(root.statusCode()).isEqualTo(302);
        assertThat(root.headers().firstValue("Location")).contains("/console?invitation=7");
        for (String path : List.of("/console", "/console/cases/7", "/console?invitation=7")) {
            Answer page = platform.get(path);
            assertThat(page.status()).isEqualTo(200);
            assertThat(page.header("Content-Security-Policy")).startsWith("default-src 'none'; script-src 'self'; style-src 'self';").contains("require-trusted-types-for 'script'", "frame-ancestors 'none'")
                    .doesNotContain("unsafe");
            assertThat(page.header("Cross-Origin-Opener-Policy")).isEqualTo("same-origin");
            assertThat(page.header("Cache-Control")).isEqualTo("no-cache");
            assertThat(page.body()).doesNotContain("<style", " style=", " onclick", "<script>");
            assertThat(platform.get(path, "If-None-Match", page.header("ETag")).status()).isEqualTo(304);
        }
        JsonObject assets = new JsonObject(Files.readString(Path.of("target/classes/console/assets.json")));
        for (Object name : assets.getJsonArray("files")) {
            Answer asset = platform.get("/console/assets/" + name);
            assertThat(asset.status()).as(name.toString()).isEqualTo(200);
            assertThat(asset.header("Cache-Control")).isEqualTo("public, max-age=31536000, immutable");
            assertThat(asset.header("X-Content-Type-Options")).isEqualTo("nosniff");
        }
        String script = assets.getString("script");
        HttpResponse<byte[]> compressed = client.send(HttpRequest.newBuilder(URI.create(platform.url() + "/console/assets/" + script)).header("Accept-Encoding", "gzip, br").build(),
                HttpResponse.BodyHandlers.ofByteArray());
        assertThat(compressed.headers().firstValue("Content-Encoding")).contains("gzip");
        assertThat(new GZIPInputStream(new ByteArrayInputStream(compressed.body())).readAllBytes()).isEqualTo(Files.readAllBytes(Path.of("target/classes/console/assets", script)));
        assertThat(platform.get("/console/assets/assets.json").status()).isEqualTo(404);
        assertThat(platform.get("/console/assets/..%2findex.html").status()).isEqualTo(404);
        assertThat(platform.get("/console/licence-of-lit.txt").body()).contains("BSD 3-Clause License");
    }
}
