package io.arbitration.console;

import static io.arbitration.console.RunningConsole.done;
import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Person;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** When the platform is away, busy, slow or was faster, nothing that a person wrote is lost, and what happened is said in words. */
class ConsoleWeatherIT extends ConsoleScenario {

    private static final String UPDATE = "/api/filings/update";
    private static ConsolePage draft(OpenCase open, String filingId) {
        ConsolePage page = CONSOLE.signedIn(open.claimant(), "/console/cases/%s/filings/%s".formatted(open.caseId(), filingId), "light");
        page.awaitText("Before you submit");
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
        CONSOLE.without(() -> {
            page.write("Subject", "Written while the platform was away");
            page.awaitText("The platform does not answer; it is saved as soon as it does.");
            other.click("Cases");
            other.awaitText("The platform does not answer");
            other.awaitText("It is tried again as soon as there is a connection.");
            assertThat(field(page)).isEqualTo("Written while the platform was away");
        });
        platform = CONSOLE.platform();
        page.awaitText("Saved at");
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
        page.between(UPDATE, 4, 503, Map.of("Retry-After", "1", "Content-Type", "text/html"), "<h1>Bad weather</h1><img src=x onerror=alert(1)>");
        page.write("Subject", "Written in bad weather");
        page.awaitText("The platform says: <h1>Bad weather</h1>");
        page.awaitText("Not saved yet; kept in this browser.");
        assertThat(field(page)).isEqualTo("Written in bad weather");
        page.awaitText("Saved at");
        page.awaitTrue("!document.body.innerText.includes('Bad weather')");
        assertThat(subject(open, filingId)).isEqualTo("Written in bad weather");
    }

    @Test
    void whoeverComesTooLateReadsWhatAnotherDid() {
        OpenCase open = OpenCase.on(platform);
        String filingId = letter(open);
        ConsolePage page = draft(open, filingId);
        assertThat(open.document("submit", open.colleague(), filingId).status()).isEqualTo(200);
        ConsolePage maya = CONSOLE.signedIn(open.manager(), "/console/cases/%s/filings/%s".formatted(open.caseId(), filingId), "light");
        maya.awaitText("Decide");
        page.write("Subject", "Written too late");
        page.awaitText("It is no draft any more: waits for approval");
        assertThat(field(page)).isEqualTo("Written too late");
        page.go("/console/cases/%s/filings/%s".formatted(open.caseId(), filingId));
        page.awaitText("What you wrote last, and was not saved");
        assertThat(page.text()).contains("Written too late");
        page.click("I do not need it");
        page.awaitTrue("!document.body.innerText.includes('Written too late')");

        assertThat(open.document("withdraw", open.claimant(), filingId).status()).isEqualTo(200);
        maya.click("Approve");
        maya.awaitText("This was refused");
        maya.awaitText("This filing was withdrawn.");
    }

    @Test
    void aFileThatIsChosenWhenTheSessionHasEndedArrivesAfterTheNextSignIn() {
        OpenCase open = OpenCase.on(platform);
        String filingId = letter(open);
        ConsolePage page = draft(open, filingId);
        platform.post("/auth/sessions/revoke", new JsonObject().put("all", true), open.claimant().token());
        page.choose(Path.of("src/main/resources/demo/statement-of-claim.pdf"));
        page.awaitTrue("document.querySelector('dialog#again').open");
        page.signInElsewhere(open.claimant());
        page.awaitTrue("document.querySelector('acp-filing').innerText.includes('Remove')");
        Person again = platform.signIn(open.claimant().email(), "Clara", "Claimant");
        assertThat(open.view(again, filingId).getJsonArray("files")).hasSize(1);
    }

    @Test
    void onASlowLineThePageSaysThatItWaitsAndTakesWhatIsWrittenWhileItSaves() {
        OpenCase open = OpenCase.on(platform);
        String filingId = letter(open);
        ConsolePage page = draft(open, filingId);
        page.slowLine(1000, 20_000);
        page.write("Subject", "First");
        page.awaitText("Being saved.");
        page.write("Subject", "Second");
        page.awaitText("Saved at");
        assertThat(field(page)).isEqualTo("Second");
        Await.until("the second", () -> subject(open, filingId).equals("Second"));
        page.click("Cases");
        page.awaitTrue("document.querySelector('main .waiting') !== null");
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
    void aRequestThatIsRefusedStaysInItsForm() {
        OpenCase open = OpenCase.on(platform);
        ConsolePage page = CONSOLE.signedIn(open.claimant(), "/console/cases/%s/dates".formatted(open.caseId()), "light");
        page.click("Ask for more time");
        page.type("Until", "12122099");
        page.write("Reason", "The witness is abroad.");
        page.between("/cases/deadlines/extensions/request", 1, 409, Map.of("Content-Type", "application/json", "X-Request-Id", "7f3a"), "\"the case has been closed\"");
        page.click("Send the request");
        page.awaitText("The platform says: the case has been closed");
        page.awaitText("7f3a");
        assertThat(page.evaluate("document.querySelector('#reason').value")).isEqualTo("The witness is abroad.");
        done(open.on("/cases/deadlines/list", open.claimant(), new JsonObject()));
    }
}
