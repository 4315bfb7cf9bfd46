package io.arbitration.console;

import static io.arbitration.console.RunningConsole.done;
import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform.Person;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A case that has no case manager yet: the parties read that nobody decides, and administrators find it. */
class ConsoleUnmanagedCaseIT extends ConsoleScenario {

    private static String opened(Person claimant, String title) {
        return done(platform.post("/cases/cases/create", new JsonObject().put("title", title).put("ruleSet", "commercial"), claimant.token())).getString("caseID");
    }

    @Test
    void whoFilesReadsThatNobodyDecidesUntilAnAdministratorHasNamedTheCaseManager() {
        Person clara = platform.signIn("clara-" + UUID.randomUUID() + "@example.org", "Clara", "Claimant");
        Person maya = platform.signIn("maya-" + UUID.randomUUID() + "@example.org", "Maya", "Manager");
        ConsolePage ada = CONSOLE.signedIn(platform.administrator(), "/console", "light");
        ada.awaitTrue("document.querySelector('acp-day h1') !== null");
        String title = "Cranes v. Mill " + UUID.randomUUID();
        String caseId = opened(clara, title);
        String filingId = done(platform.post("/api/filings/create", new JsonObject().put("caseID", caseId).put("documentID", OpenCase.APPROVED_DOCUMENT)
                .put("fields", OpenCase.completeFields(OpenCase.APPROVED_DOCUMENT)), clara.token())).getString("filingID");
        ConsolePage hers = CONSOLE.signedIn(clara, "/console/cases/" + caseId, "light");
        hers.awaitText("no case manager yet");
        hers.follow("/console/cases/%s/filings/%s".formatted(caseId, filingId), "It can be submitted.");
        hers.awaitText("The case has no case manager yet.");
        assertThat(hers.barriers()).isEqualTo(new JsonArray());
        hers.click("Submit");
        hers.awaitText("waits for approval");
        hers.awaitText("The case has no case manager yet.");

        // It is on the open page of the administrator.
        ada.awaitText(title);
        assertThat(ada.barriers()).isEqualTo(new JsonArray());
        // The words for screen readers alone are a line of their own in innerText.
        ada.click("Give it a case manager : " + title);
        ada.awaitTrue("document.activeElement?.id === 'appoint-email'");
        assertThat(ada.evaluate("document.querySelector('#appoint-case').value")).isEqualTo(caseId);
        assertThat(ada.barriers()).isEqualTo(new JsonArray());
        ada.insert(maya.email());
        ada.click("Add to the case");
        ada.awaitText("takes part in the case.");
        ada.awaitTrue("!document.querySelector('acp-cases').innerText.includes('%s')".formatted(title));
        hers.awaitTrue("!document.querySelector('main').innerText.includes('no case manager')");
        ConsolePage day = CONSOLE.signedIn(maya, "/console", "light");
        day.awaitText("Read and decide");
    }
}
