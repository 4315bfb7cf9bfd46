package io.arbitration.console;

import static io.arbitration.console.RunningConsole.done;
import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Person;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When the platform is away, busy, slow or was faster, nothing that a person wrote is lost, and what happened is said in words. */
class ConsoleOutagesIT extends ConsoleScenario {

    private static final String UPDATE = "/api/filings/update";
    private static final String SUBMIT = "/api/filings/documents/submit";
    private static final Path PDF = Path.of("src/main/resources/demo/statement-of-claim.pdf");

    private static ConsolePage draft(OpenCase open, String filingId) {
        ConsolePage page = CONSOLE.signedIn(open.claimant(), "/console/cases/%s/filings/%s".formatted(open.caseId(), filingId), "light");
        // The check comes last, and moves what stands below it.
        page.awaitText("It can be submitted.");
        return page;
    }

    private static String letter(OpenCase open) {
        return open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
    }

    private static String subject(OpenCase open, String filingId) {
        return open.view(open.claimant(), filingId).getJsonObject("fields").getString("subject");
    }

    private static Object field(ConsolePage page) {
        return page.evaluate("document.querySelector('#field-subject').value");
    }

    @Test
    void aPlatformThatRestartsInTheMiddleOfADraftFindsWhatWasWrittenMeanwhile() {
        OpenCase open = OpenCase.on(platform);
        String filingId = letter(open);
        ConsolePage page = draft(open, filingId);
        ConsolePage other = CONSOLE.signedIn(open.claimant(), "/console", "light");
        other.awaitText("for you");
        withoutPlatform(() -> {
            page.write("Subject", "Written while the platform was away");
            page.awaitText("The platform does not answer; it is saved as soon as it does.");
            other.click("Cases");
            other.awaitText("The platform does not answer");
            other.awaitText("It is tried again as soon as there is a connection.");
            assertThat(field(page)).isEqualTo("Written while the platform was away");
            for (ConsolePage each : List.of(page, other)) {
                each.awaitTrue("document.querySelector('.offline[role=status]').innerText.startsWith('What others do has not appeared by itself since ')");
            }
        });
        page.awaitText("Saved at");
        page.awaitText("What others do appears by itself again.");
        for (ConsolePage each : List.of(page, other)) {
            each.awaitTrue("document.querySelector('.offline[role=status]').innerText === ''");
        }
        Await.until("what was written", () -> subject(open, filingId).equals("Written while the platform was away"));
        other.click("Try again");
        other.awaitText("Cranes v. Quarry");
    }

    @Test
    void aBusyPlatformIsAskedAgainWhateverStandsBeforeItSays() {
        OpenCase open = OpenCase.on(platform);
        String filingId = letter(open);
        ConsolePage page = draft(open, filingId);
        page.between(UPDATE, 1, 429, Map.of("Retry-After", "1", "Content-Type", "application/json", "Error-Code", "rate-limit.exceeded"), "\"too many requests\"");
        page.write("Subject", "Written too fast");
        page.awaitText("The platform is busy. It is asked again in a moment.");
        page.awaitText("Saved at");
        assertThat(subject(open, filingId)).isEqualTo("Written too fast");

        // A proxy that finds no platform answers with a page of its own, which is shown as the text that it is.
        page.between(UPDATE, Integer.MAX_VALUE, 503, Map.of("Retry-After", "1", "Content-Type", "text/html"), "<h1>Bad weather</h1><img src=x onerror=alert(1)>");
        page.write("Subject", "Written in bad weather");
        page.awaitText("The platform says: <h1>Bad weather</h1>");
        page.awaitText("Not saved yet; kept in this browser.");
        assertThat(field(page)).isEqualTo("Written in bad weather");
        page.between(UPDATE, 0, 503, Map.of(), "");
        page.awaitText("Saved at");
        page.awaitTrue("!document.body.innerText.includes('Bad weather')");
        assertThat(subject(open, filingId)).isEqualTo("Written in bad weather");
    }

    @Test
    void whoeverComesTooLateReadsWhatAnotherDid() {
        OpenCase open = OpenCase.on(platform);
        String filingId = letter(open);
        ConsolePage page = draft(open, filingId);
        page.between(UPDATE, Integer.MAX_VALUE, 503, Map.of("Content-Type", "application/json"), "\"busy\"");
        page.write("Subject", "Written too late");
        page.awaitText("Not saved yet; kept in this browser.");
        assertThat(open.document("submit", open.colleague(), filingId).status()).isEqualTo(200);
        ConsolePage maya = CONSOLE.signedIn(open.manager(), "/console/cases/%s/filings/%s".formatted(open.caseId(), filingId), "light");
        maya.awaitText("Decide");
        page.awaitText("It is no draft any more: waits for approval");
        assertThat(field(page)).isEqualTo("Written too late");
        page.go("/console/cases/%s/filings/%s".formatted(open.caseId(), filingId));
        page.awaitText("What you wrote last, and was not saved");
        page.awaitText("Written too late");
        page.click("I do not need it");
        page.awaitTrue("!document.body.innerText.includes('Written too late')");

        maya.write("Reason", "It names no date.");
        maya.between("/api/filings/documents/reject", 1, 409, Map.of("Content-Type", "application/json", "Error-Code", "filing.wrong-state"), "\"not waiting for approval\"");
        maya.click("Reject");
        maya.awaitText("This was refused");
        assertThat(maya.evaluate("document.querySelector('#reject-reason').value")).isEqualTo("It names no date.");
        assertThat(open.document("withdraw", open.claimant(), filingId).status()).isEqualTo(200);
        maya.awaitText("This filing was withdrawn.");
        maya.awaitText("It names no date.");
    }

    /** The page submits, the platform refuses once, and the page says so. */
    private static void isRefused(ConsolePage page, String button, String code, String sentence, String says) {
        page.between(SUBMIT, 1, 409, Map.of("Content-Type", "application/json", "Error-Code", code), '"' + sentence + '"');
        page.click(button);
        page.awaitText(says);
    }

    private static void readIn(ConsolePage page, String language, OpenCase open, String filingId, String awaited) {
        page.evaluate("localStorage.setItem('acp.language', '%s')".formatted(language));
        page.go("/console/cases/%s/filings/%s".formatted(open.caseId(), filingId));
        page.awaitText(awaited);
    }

    @Test
    void aSubmissionIsTriedAgainAfterARefusalAndCarriedOutOnceAfterALostAnswer() {
        OpenCase open = OpenCase.on(platform);
        String filingId = letter(open);
        ConsolePage page = draft(open, filingId);
        isRefused(page, "Submit", "case.closed", "not just now", "The platform says: not just now");
        readIn(page, "de", open, filingId, "Es kann eingereicht werden.");
        isRefused(page, "Einreichen", "case.closed", "case is closed", "Das Verfahren ist abgeschlossen.");
        assertThat(page.text()).doesNotContain("case is closed");
        isRefused(page, "Einreichen", "a.new-error", "not known to this page", "Die Plattform sagt: not known to this page");
        // Without events, and as a tab that nobody looks at, the page does not learn that it was submitted.
        page.before("Object.defineProperty(document, 'visibilityState', {get: () => 'hidden'})");
        page.loseAnswers(SUBMIT, 1, "/api/events/stream*");
        readIn(page, "en", open, filingId, "It can be submitted.");
        page.click("Submit");
        page.awaitText("The platform does not answer");
        assertThat(open.view(open.claimant(), filingId).getString("state")).isEqualTo("submitted");
        page.click("Submit");
        page.awaitText("waits for approval");
        assertThat(page.text()).doesNotContain("This was refused");
    }

    @Test
    void aSubmissionWhoseAnswerIsLostIsSeenByItsEventAndNotAskedForOnceMore() {
        OpenCase open = OpenCase.on(platform);
        ConsolePage page = draft(open, letter(open));
        page.loseAnswers(SUBMIT, 1);
        page.click("Submit");
        page.awaitText("waits for approval");
        page.awaitTrue("!document.querySelector('main').innerText.includes('The platform does not answer')");
    }

    @Test
    void whatAColleagueWroteIsNeitherOverwrittenAfterAFileNorHiddenWhenItIsTheTitleAlone() {
        OpenCase open = OpenCase.on(platform);
        String filingId = letter(open);
        ConsolePage page = draft(open, filingId);
        JsonObject fields = open.view(open.claimant(), filingId).getJsonObject("fields");
        done(open.update(open.colleague(), filingId, new JsonObject().put("fields", fields.copy().put("body", "Written by the colleague"))));
        page.choose(PDF);
        page.awaitTrue("document.querySelector('#field-body').value === 'Written by the colleague'");
        page.write("Subject", "Written after the file");
        page.awaitText("Saved at");
        assertThat(open.view(open.claimant(), filingId).getJsonObject("fields")).isEqualTo(fields.copy().put("body", "Written by the colleague").put("subject", "Written after the file"));

        // What the colleague writes appears at once: here it comes while what is written here is not saved.
        page.between(UPDATE, Integer.MAX_VALUE, 503, Map.of("Content-Type", "application/json"), "\"busy\"");
        page.write("Subject", "Written beside another title");
        done(open.update(open.colleague(), filingId, new JsonObject().put("title", "Called by the colleague")));
        page.awaitText("Somebody else has changed this draft");
        page.awaitText("Called by the colleague");
        page.between(UPDATE, 0, 503, Map.of(), "");
        page.choose(PDF);
        Await.until("the second file", () -> open.view(open.claimant(), filingId).getJsonArray("files").size() == 2);
        page.awaitTrue("document.querySelectorAll('acp-filing progress').length === 0");
        page.awaitText("Somebody else has changed this draft");
        page.click("Save mine over it");
        page.awaitText("Saved at");
        assertThat(subject(open, filingId)).isEqualTo("Written beside another title");
        assertThat(open.view(open.claimant(), filingId).getString("title")).isNotEqualTo("Called by the colleague");
    }

    @Test
    void anInvalidFieldKeepsNeitherTheOthersNorFilesFromThePlatformAndIsNotForgottenUnasked(@TempDir Path folder) throws IOException {
        OpenCase open = OpenCase.on(platform);
        Path lie = Files.writeString(folder.resolve("scan.pdf"), "This is no PDF.");
        ConsolePage page = CONSOLE.page(1440, "light");
        page.before("localStorage.setItem('acp.language', 'de')");
        page.go("/auth/login/demo?returnTo=/console/cases/%s/filings/new-statementOfClaim&login_hint=%s".formatted(open.caseId(), open.claimant().email()));
        page.awaitTrue("document.querySelector('#field-claimAmount') !== null");
        page.insertInto("#field-claimAmount", "1200,50");
        page.awaitTrue("!location.pathname.includes('new-')");
        String filingId = (String) page.evaluate("location.pathname.split('/').at(-1)");
        assertThat(open.view(open.claimant(), filingId).getJsonObject("fields").getString("claimAmount")).isEqualTo("1200.50");

        page.evaluate("document.querySelector('#field-claimAmount').select()");
        page.insert("viel");
        page.insertInto("#field-reliefSought", "Zahlung");
        Await.until("the other field", () -> "Zahlung".equals(open.view(open.claimant(), filingId).getJsonObject("fields").getString("reliefSought")));
        assertThat(open.view(open.claimant(), filingId).getJsonObject("fields").getString("claimAmount")).isEqualTo("1200.50");
        page.choose("#files", lie, PDF);
        Await.until("the file", () -> open.view(open.claimant(), filingId).getJsonArray("files").size() == 1);
        page.awaitTrue("document.querySelector('li.refused').innerText.includes('scan.pdf')");
        page.awaitTrue("document.querySelectorAll('acp-filing progress').length === 0");
        assertThat(page.barriers()).isEmpty();
        page.picture("console-file-refused");
        page.click("Entfernen: scan.pdf");
        page.awaitTrue("document.querySelector('li.refused') === null");

        page.evaluate("localStorage.setItem('acp.draft.another.1', '{}')");
        page.click("Konto");
        page.click("Abmelden");
        page.awaitTrue("document.querySelector('acp-ask-back dialog').open");
        page.picture("console-sign-out");
        page.click("Abbrechen");
        assertThat(page.evaluate("Object.keys(localStorage).filter(one => one.startsWith('acp.draft.')).length")).isEqualTo(2);
        page.click("Abmelden");
        page.click("Ich brauche es nicht");
        page.awaitTrue("document.querySelector('acp-sign-in') !== null");
        page.awaitTrue("Object.keys(localStorage).filter(one => one.startsWith('acp.draft.')).join() === 'acp.draft.another.1'");
    }

    @Test
    void aDraftWhoseFirstAnswerIsLostIsBegunOnceAndWordsForOneEntryStayWithIt() {
        OpenCase open = OpenCase.on(platform);
        String path = "/console/cases/%s/filings/new-%s".formatted(open.caseId(), OpenCase.APPROVED_DOCUMENT);
        ConsolePage page = CONSOLE.signedIn(open.claimant(), path, "light");
        page.awaitTrue("document.querySelector('#field-subject') !== null");
        // Each attempt, as the page makes another one before long.
        page.loseAnswers("/api/filings/create", Integer.MAX_VALUE);
        page.write("Subject", "Sent before the answer was lost");
        page.awaitText("The platform does not answer; it is saved as soon as it does.");
        page.go(path);
        page.awaitTrue("document.querySelector('#field-subject')?.value === 'Sent before the answer was lost'");
        page.loseAnswers("/api/filings/create", 0);
        page.write("Subject", "Written after it");
        page.awaitTrue("!location.pathname.includes('new-')");
        String filingId = (String) page.evaluate("location.pathname.split('/').at(-1)");
        Await.until("the words after it", () -> subject(open, filingId).equals("Written after it"));
        assertThat(done(open.on("/api/filings/list", open.claimant(), new JsonObject().put("state", "draft"))).getJsonArray("filings")).hasSize(1);

        page.between("/api/filings/create", Integer.MAX_VALUE, 503, Map.of("Content-Type", "application/json"), "\"busy\"");
        page.go(path + "?replyTo=1");
        page.write("Subject", "To the first entry");
        page.awaitText("Not saved yet; kept in this browser.");
        page.go(path + "?replyTo=5");
        page.awaitTrue("document.querySelector('#field-subject')?.value === ''");
        page.go(path + "?replyTo=1");
        page.awaitTrue("document.querySelector('#field-subject')?.value === 'To the first entry'");
    }

    @Test
    void aPartWhoseScriptDoesNotComeIsTriedAgainAndAnAddressWithABrokenEscapeIsNoPlace() {
        OpenCase open = OpenCase.on(platform);
        ConsolePage page = CONSOLE.signedIn(open.claimant(), "/console/cases/" + open.caseId(), "light");
        page.awaitText("Nothing is on the docket yet");
        page.between("/people-*.js", 1, 503, Map.of("Content-Type", "text/plain"), "no");
        page.follow("/console/cases/%s/people".formatted(open.caseId()), "The platform does not answer");
        page.click("Try again");
        page.awaitText("Rolf Respondent");
        page.between("/evidence-*.js", 1, 404, Map.of("Content-Type", "text/plain"), "no");
        page.evaluate("document.querySelector('script[type=module]').remove()");
        page.follow("/console/cases/%s/evidence".formatted(open.caseId()), "There is a new version of this page");
        page.click("Load the page anew");
        page.awaitTrue("document.querySelector('acp-evidence')?.innerText.length > 0");
        page.go("/console/cases/%E0");
        page.awaitTrue("document.querySelector('main h1') !== null");
    }

    /** Whatever makes the page render meanwhile must not give the screen that is left the names of the next address. */
    @Test
    void whileTheScriptOfTheNextScreenIsReadTheOneThatIsLeftStaysAsItIs() {
        OpenCase open = OpenCase.on(platform);
        String entryId = open.docketed(new JsonObject().put("title", "Letter about the script"));
        String filingId = letter(open);
        ConsolePage page = draft(open, filingId);
        Runnable script = page.hold("/case-*.js");
        page.evaluate("(() => { history.pushState(null, '', '/console/cases/%s/docket/%s'); dispatchEvent(new Event('acp-route')); dispatchEvent(new Event('acp-session')); })()".formatted(open.caseId(), entryId));
        assertThat(page.evaluate("document.querySelector('acp-console').updateComplete.then(() => document.querySelector('acp-filing').filingID)")).isEqualTo(filingId);
        script.run();
        page.awaitText("No. 1, Letter about the script");
    }

    /** Nothing is sent while somebody thinks about a reason: that the session has ended is learnt from the stream of events. */
    @Test
    void aSessionThatIsEndedElsewhereIsSaidWhileOneWritesAndEveryWordStays() {
        OpenCase open = OpenCase.on(platform);
        String filingId = letter(open);
        assertThat(open.document("submit", open.claimant(), filingId).status()).isEqualTo(200);
        ConsolePage maya = CONSOLE.signedIn(open.manager(), "/console/cases/%s/filings/%s".formatted(open.caseId(), filingId), "light");
        maya.awaitText("Decide");
        maya.write("Reason", "It names no");
        assertThat(platform.post("/auth/sessions/revoke", new JsonObject().put("userID", open.manager().id()), platform.administrator().token()).status()).isEqualTo(200);
        maya.awaitTrue("document.querySelector('dialog#again')?.open === true");
        maya.awaitText("Your session has ended");
        maya.signInElsewhere(open.manager());
        maya.awaitTrue("!document.querySelector('dialog#again')?.open");
        maya.awaitTrue("document.activeElement === document.querySelector('#reject-reason')");
        maya.insert(" date.");
        maya.click("Reject");
        Await.until("it is rejected", () -> open.view(open.claimant(), filingId).getString("state").equals("rejected"));
        assertThat(open.view(open.claimant(), filingId).getString("reason")).isEqualTo("It names no date.");
    }

    @Test
    void aFileThatIsChosenWhenTheSessionHasEndedArrivesAfterTheNextSignIn() {
        OpenCase open = OpenCase.on(platform);
        String filingId = letter(open);
        ConsolePage page = draft(open, filingId);
        platform.post("/auth/sessions/revoke", new JsonObject().put("all", true), open.claimant().token());
        page.choose(PDF);
        page.awaitTrue("document.querySelector('dialog#again').open");
        page.click("Sign in with demo");
        page.awaitTrue("document.querySelector('acp-filing').innerText.includes('Remove')");
        Person again = platform.signIn(open.claimant().email(), "Clara", "Claimant");
        assertThat(open.view(again, filingId).getJsonArray("files")).hasSize(1);
    }

    @Test
    void onASlowLineThePageSaysThatItWaitsAndTakesWhatIsWrittenWhileItSaves() {
        OpenCase open = OpenCase.on(platform);
        String filingId = letter(open);
        ConsolePage page = draft(open, filingId);
        page.slowLine(200, 20_000);
        Runnable saved = page.hold(UPDATE);
        page.write("Subject", "First");
        page.awaitText("Being saved.");
        page.write("Subject", "Second");
        saved.run();
        Await.until("the second", () -> subject(open, filingId).equals("Second"));
        page.awaitText("Saved at");
        assertThat(field(page)).isEqualTo("Second");
        Runnable listed = page.hold("/cases/cases/list");
        page.click("Cases");
        page.awaitTrue("document.querySelector('main .waiting') !== null");
        listed.run();
        page.awaitText("Cranes v. Quarry");

        page.offline(true);
        page.click("Account and settings");
        page.click("Alerts, calendars and sessions");
        page.awaitText("The platform does not answer");
        page.awaitText("There is no connection.");
        page.offline(false);
        page.awaitText("Sign out everywhere");
    }

    @Test
    void aRequestThatIsRefusedStaysInItsFormAndInTheBrowserUntilItIsSent() {
        OpenCase open = OpenCase.on(platform);
        String dates = "/console/cases/%s/dates".formatted(open.caseId());
        ConsolePage page = CONSOLE.signedIn(open.claimant(), dates, "light");
        page.click("Ask for more time");
        int year = LocalDate.now(ZoneOffset.UTC).getYear() + 1;
        page.type("Until", "0606" + year);
        page.write("Reason", "The witness is abroad.");
        page.between("/cases/deadlines/extensions/request", 1, 409, Map.of("Content-Type", "application/json", "X-Request-Id", "7f3a"), "\"the case has been closed\"");
        page.click("Send the request");
        page.awaitText("The platform says: the case has been closed");
        page.awaitText("7f3a");
        assertThat(page.evaluate("document.querySelector('#reason').value")).isEqualTo("The witness is abroad.");
        for (int status : new int[] {429, 503}) {
            int before = page.asked("/cases/deadlines/extensions/request");
            page.between("/cases/deadlines/extensions/request", 4, status, Map.of("Content-Type", "application/json", "Retry-After", "1"), "\"too much\"");
            page.click("Send the request");
            page.awaitText("The platform is busy. It is asked again in a moment.");
            Await.until("it was asked four times", () -> page.asked("/cases/deadlines/extensions/request") == before + 4);
            page.awaitText("The platform says: too much");
            assertThat(page.evaluate("document.querySelector('#reason').value")).isEqualTo("The witness is abroad.");
        }
        // What others do meanwhile neither takes it away nor puts it elsewhere.
        open.docketed(new JsonObject().put("title", "Letter meanwhile"));
        page.awaitText("Docket 1");
        assertThat(page.evaluate("document.querySelector('#reason').value")).isEqualTo("The witness is abroad.");

        page.go(dates);
        page.click("Ask for more time");
        page.awaitTrue("document.querySelector('#reason').value === 'The witness is abroad.' && document.querySelector('#until').value === '%d-06-06'".formatted(year));
        // Pressed first: the page may learn by itself that the session has ended, and then asks for a sign-in before anything else.
        Runnable sent = page.hold("/cases/deadlines/extensions/request");
        int before = page.asked("/cases/deadlines/extensions/request");
        page.click("Send the request");
        Await.until("the request is on its way", () -> page.asked("/cases/deadlines/extensions/request") > before);
        platform.post("/auth/sessions/revoke", new JsonObject().put("all", true), open.claimant().token());
        sent.run();
        page.awaitTrue("document.querySelector('dialog#again').open");
        page.signInElsewhere(open.claimant());
        page.awaitText("The request is sent.");
        page.awaitTrue("Object.keys(localStorage).filter(one => one.startsWith('acp.draft.')).length === 0");

        ConsolePage arno = CONSOLE.signedIn(open.arbitrator(), dates, "light");
        arno.write("Reason for the decision", "It is reasonable.");
        arno.between("/cases/deadlines/extensions/decide", 1, 409, Map.of("Content-Type", "application/json"), "\"not just now\"");
        arno.click("Grant");
        arno.awaitText("The platform says: not just now");
        arno.go(dates);
        arno.awaitTrue("document.querySelector('acp-case-rest textarea')?.value === 'It is reasonable.'");
        String extensionId = done(open.on("/cases/deadlines/extensions/list", open.manager(), new JsonObject())).getJsonArray("extensions").getJsonObject(0).getString("extensionID");
        assertThat(open.on("/cases/deadlines/extensions/decide", open.manager(), new JsonObject().put("extensionID", extensionId).put("granted", true).put("reason", "Granted.")).status()).isEqualTo(200);
        arno.awaitText("What you wrote last, and was not saved");
        arno.awaitText("It is reasonable.");
        arno.click("I do not need it");
        arno.awaitTrue("!document.body.innerText.includes('It is reasonable.')");
    }

    @Test
    void myDayAndTheSearchShowWhatComesWhileAnotherListIsLateOrFails() {
        OpenCase open = OpenCase.on(platform);
        open.docketed(new JsonObject().put("title", "Letter about the lighthouse"));
        ConsolePage page = CONSOLE.page(1440, "light");
        Runnable release = page.hold("/cases/hearings/list");
        page.go("/auth/login/demo?returnTo=/console&login_hint=" + open.colleague().email());
        page.awaitText("Statement of claim");
        page.awaitText("Letter about the lighthouse");
        page.awaitText("Not loaded yet.");
        page.awaitText("Not everything has been loaded yet.");
        release.run();
        page.awaitText("for you");
        page.awaitTrue("!document.body.innerText.includes('Not loaded yet.')");

        page.between("/cases/hearings/list", Integer.MAX_VALUE, 500, Map.of("Content-Type", "application/json", "X-Request-Id", "7f3b"), "\"an internal error\"");
        page.go("/console");
        page.awaitText("7f3b");
        page.awaitText("Statement of claim");
        page.awaitText("Not loaded yet.");
        assertThat(page.barriers()).isEmpty();

        Runnable found = page.hold("/cases/cases/list");
        page.follow("/console/search", "Words");
        page.insert("lighthouse");
        page.awaitText("1 result.");
        assertThat(page.text()).doesNotContain("Cranes v. Quarry");
        found.run();
        page.awaitText("Cranes v. Quarry");
        page.between("/cases/cases/list", Integer.MAX_VALUE, 500, Map.of("Content-Type", "application/json"), "\"an internal error\"");
        page.go("/console/search?q=lighthouse");
        page.awaitText("1 result.");
        page.follow("/console/cases", "an internal error");
    }
}
