package io.arbitration.console;

import static io.arbitration.console.RunningConsole.done;
import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.platform.FreePort;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The tasks of docs/console.md from start to end by keys alone. At each stop of Tab one sees where one is, and Tab goes through a page in the
 * order of its content ({@link ConsolePage#tabTo} holds both).
 */
class ConsoleKeyboardIT {

    @RegisterExtension
    static final RunningConsole CONSOLE = new RunningConsole();
    private static RunningPlatform platform;

    @BeforeAll
    static void start() {
        platform = CONSOLE.platform();
    }

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
        maya.awaitText("125000.00");
        maya.tabTo("Approve").enter();
        maya.awaitText("This filing is on the docket.");
        maya.tabTo("Read the entry").enter();
        maya.awaitText("verified in your browser");
        maya.tabTo("What was filed").enter();
        maya.awaitText("125000.00");
        maya.tabTo("Receipt").enter();
        maya.awaitText("The receipt holds");
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

        ConsolePage rolf = CONSOLE.page(1440, "light");
        rolf.go("/console");
        rolf.awaitText("The people of the demo");
        rolf.tabTo("Sign in as somebody else").enter();
        rolf.awaitTrue("document.querySelector('[name=login_hint]') !== null");
        rolf.insertInto("[name=login_hint]", email);
        rolf.enter();
        rolf.awaitText("invites you as the respondent");
        rolf.tabTo("Accept").enter();
        rolf.awaitText("You now take part in Cranes v. Quarry.");
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
        clara.tabToField("Until").letters("0606%d".formatted(LocalDate.now(ZoneOffset.UTC).getYear() + 1));
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
        page.awaitText("Read it");
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
        page.awaitText("The next entry of the docket");
        page.key("Escape", 27, "");
        page.awaitTrue("document.querySelector('dialog[open]') === null");
        assertThat((String) page.evaluate("document.activeElement.innerText")).isEqualTo("Schedule a hearing");
    }
}
