package io.arbitration.console;

import static io.arbitration.console.RunningConsole.done;
import static io.arbitration.console.RunningConsole.look;
import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.platform.FreePort;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Organizations, what is sent to their servers, and the administration of the platform, in the console as people use it. */
class ConsoleOrganizationIT extends ConsoleScenario {

    private static Person person(String first, String last) {
        return platform.signIn(first.toLowerCase() + "-" + UUID.randomUUID() + "@example.org", first, last);
    }

    private static String found(Person founder, String name) {
        return done(platform.post("/auth/organizations/create", new JsonObject().put("name", name), founder.token())).getString("organizationID");
    }

    private static int status(String path, JsonObject body, Person caller) {
        return platform.post(path, body, caller.token()).status();
    }

    /** What is kept in the browser. */
    private static String storage(ConsolePage page) {
        return (String) page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])");
    }

    @Test
    void anOrganizationIsFoundedAndItsMembersAreInvitedMadeAdministratorsAndRemovedUntilItsFounderLeaves() throws IOException {
        Person clara = person("Clara", "Founder");
        Person carl = person("Carl", "Colleague");
        String name = "Harbour <b>Counsel</b>";
        ConsolePage founder = CONSOLE.signedIn(clara, "/console", "light");
        founder.tabToAndEnter("Organization");
        founder.awaitText("You act for yourself, for no organization.");
        founder.write("Create an organization", name);
        founder.key("Enter", 13, "\r");
        founder.awaitText("You are an administrator of this organization.");
        founder.awaitText("You are its only administrator.");
        founder.awaitText(name);
        assertThat(founder.evaluate("document.querySelector('acp-organization b') === null")).isEqualTo(true);

        founder.write("Email address", carl.email());
        founder.click("Send the invitation");
        founder.awaitText("Open invitations");
        founder.awaitText(carl.email());
        look(founder, "organization", "light");

        ConsolePage colleague = CONSOLE.signedIn(carl, "/console", "dark");
        colleague.awaitText("Clara Founder invites you to become a member.");
        colleague.tabToAndEnter("Accept");
        colleague.awaitTrue("document.querySelector('.who').innerText.includes('Harbour')");
        colleague.tabToAndEnter("Organization");
        colleague.awaitText("You are a member of this organization.");
        colleague.awaitText("Leave");
        assertThat(colleague.text()).doesNotContain("Invite a member", "Programs", "Remove");

        founder.go("/console/organization");
        founder.awaitText("Carl Colleague");
        founder.tabToAndEnter("Make an administrator");
        founder.awaitText("Carl Colleague is an administrator now.");
        founder.awaitText("Make a plain member");
        founder.click("Remove");
        founder.awaitText("Remove Carl Colleague?");
        founder.awaitText("stop acting for " + name);
        founder.awaitText("Cases, filings and uploads stay as they are.");
        assertThat(founder.barriers()).isEqualTo(new JsonArray());
        founder.picture("console-organization-remove");
        founder.key("Escape", 27, "");
        founder.awaitTrue("document.querySelector('acp-ask-back') === null");
        String organizationId = done(platform.post("/auth/organizations/list", new JsonObject(), clara.token())).getJsonArray("organizations").getJsonObject(0).getString("organizationID");
        assertThat(members(organizationId, clara)).hasSize(2);
        founder.click("Remove");
        founder.awaitTrue("document.querySelector('acp-ask-back dialog').open");
        founder.click("Remove");
        founder.awaitText("is a member no more.");
        assertThat(members(organizationId, clara)).hasSize(1);
        colleague.go("/console/organization");
        colleague.awaitText("You belong to no organization.");

        platform.join(organizationId, clara, carl, true);
        founder.go("/console/organization");
        founder.awaitText("Leave");
        founder.tabToAndEnter("Leave");
        founder.awaitText("To come back, you have to be invited.");
        founder.click("Leave");
        founder.awaitText("You act for yourself, for no organization.");
        assertThat(status("/auth/organizations/members/list", new JsonObject().put("organizationID", organizationId), clara)).isEqualTo(403);

        colleague.go("/console/organization");
        colleague.awaitText("Your organizations");
        colleague.tabToAndEnter("Act for it");
        colleague.awaitText("You are its only administrator.");
    }

    private static JsonArray members(String organizationId, Person member) {
        return done(platform.post("/auth/organizations/members/list", new JsonObject().put("organizationID", organizationId), member.token())).getJsonArray("members");
    }

    @Test
    void aProgramOfAnOrganizationIsMadeItsSecretShownOnceAndReplacedAndItIsEnded() throws IOException {
        Person ines = person("Ines", "Integrator");
        found(ines, "Integrators Ltd");
        ConsolePage page = CONSOLE.signedIn(ines, "/console/organization", "light");
        page.tabToAndEnter("Programs");
        page.awaitText("There is no program yet.");
        page.write("Name", "Docket reader");
        page.click("Make it");
        page.awaitText("The secret of this program");
        JsonObject client = new JsonObject().put("clientID", secret(page, 0)).put("clientSecret", secret(page, 1));
        assertThat(page.barriers()).isEqualTo(new JsonArray());
        page.picture("console-program-secret");
        page.click("Copy");
        // What is outside of a dialog is neither seen well nor read aloud while it is open.
        page.awaitTrue("document.querySelector('acp-secret dialog > .said') !== null");
        assertThat(storage(page)).doesNotContain(client.getString("clientSecret"));
        for (int pressed = 0; pressed < 3; pressed++) {
            page.key("Escape", 27, "");
            page.awaitTrue("document.querySelector('acp-secret dialog').open");
        }
        page.click("I have kept it");
        page.awaitTrue("document.querySelector('acp-secret') === null && !document.body.innerText.includes('acp_')");
        Answer signedIn = platform.post("/auth/clients/token", client, null);
        assertThat(signedIn.status()).isEqualTo(200);
        page.go("/console/organization/programs");
        page.awaitText("Docket reader");
        page.awaitText("last signed in");
        look(page, "programs", "light");

        page.tabToAndEnter("New secret");
        page.awaitText("stays good for as long as you choose");
        page.click("New secret");
        page.awaitText("acp_");
        JsonObject renewed = client.copy().put("clientSecret", secret(page, 0));
        page.click("I have kept it");
        assertThat(platform.post("/auth/clients/token", client, null).status()).isEqualTo(401);
        String token = done(platform.post("/auth/clients/token", renewed, null)).getString("accessToken");

        page.click("End");
        page.awaitText("Its tokens are refused at once");
        page.click("End");
        page.awaitText("Docket reader is ended.");
        assertThat(platform.post("/webhooks/urls/list", new JsonObject(), token).status()).isEqualTo(401);
        page.tabToAndEnter("Enable again");
        page.awaitText("Docket reader may sign in again.");
        assertThat(platform.post("/auth/clients/token", renewed, null).status()).isEqualTo(200);
    }

    private static String secret(ConsolePage page, int place) {
        return (String) page.evaluate("document.querySelectorAll('acp-secret .mono')[%d].innerText".formatted(place));
    }

    @Test
    void inesFindsOutWhyDeliveriesToHerServerStoppedAndSendsThemAgain() throws Exception {
        OpenCase open = OpenCase.on(platform);
        Person ines = open.claimant();
        found(ines, "Integrators Ltd");
        OpenCase cases = open.another();
        try (AnsweringServer server = new AnsweringServer()) {
            done(platform.post("/webhooks/urls/create", new JsonObject().put("url", server.url()), ines.token()));
            cases.docketed(new JsonObject());
            Await.until("the first delivery", () -> server.bodies.size() == 1);
            server.status = 410;
            cases.docketed(new JsonObject().put("title", "Letter that was refused"));
            Await.until("the URL is disabled", () -> !done(platform.post("/webhooks/urls/view", new JsonObject().put("url", server.url()), ines.token())).getBoolean("enabled"));
            cases.docketed(new JsonObject().put("title", "Letter that was not sent"));
            server.status = 200;
            server.bodies.clear();

            ConsolePage page = CONSOLE.signedIn(ines, "/console", "light");
            page.tabToAndEnter("Deliveries");
            page.awaitText("Nothing has been sent to it since");
            page.awaitText("It answered 410 Gone.");
            look(page, "deliveries-stopped", "light");
            page.tabToAndEnter("Enable");
            page.awaitText("Send again what this URL missed");
            assertThat(page.barriers()).isEqualTo(new JsonArray());
            page.picture("console-deliveries-missed");
            page.click("Send them again");
            page.awaitText("2 events are sent again.");
            Await.until("both that it missed", () -> server.bodies.size() == 2);
            page.awaitTrue("document.querySelectorAll('acp-deliveries .register .mark.good').length === 4");

            page.click("What was sent");
            page.awaitTrue("document.querySelector('acp-deliveries details[open] pre') !== null");
            JsonObject shown = new JsonObject((String) page.evaluate("document.querySelector('acp-deliveries details[open] pre').textContent"));
            assertThat(shown.getString("event")).isEqualTo("docket_filing");
            page.tabToAndEnter("Send a test");
            page.awaitText("Test event delivered: the URL answered 200");
            page.awaitText("A sample, in the shape of a new docket entry.");

            page.click("Change the kinds");
            page.awaitText("It is sent these kinds of events from now on:");
            page.click("Case closed");
            page.click("Save");
            page.awaitText("The kinds are changed.");
            assertThat(done(platform.post("/webhooks/urls/view", new JsonObject().put("url", server.url()), ines.token())).getJsonArray("events"))
                    .containsExactlyInAnyOrder("docket_filing", "case_closed");
            page.click("New secret");
            page.awaitText("For 24 hours the old secret signs beside the new one");
            page.click("New secret");
            page.awaitText("whsec_");
            assertThat(storage(page)).doesNotContain("whsec_");
            page.click("I have kept it");

            page.tabToAndEnter("Event log");
            page.awaitText("New docket entry");
            page.awaitText("Cranes v. Quarry");
            look(page, "events", "light");
            page.evaluate("(() => { const one = document.querySelector('#kind'); one.value = 'participant_added'; one.dispatchEvent(new Event('change', {bubbles: true})); })()");
            page.awaitTrue("[...document.querySelectorAll('.log strong')].length > 0 && [...document.querySelectorAll('.log strong')].every(one => one.innerText === 'Participant added')");
            page.click("Read the event");
            page.awaitText("\"event\": \"participant_added\"");
        }
    }

    @Test
    void aMemberWhoAdministersNothingSeesTheDeliveriesAndNoActThatWouldBeRefused() throws IOException {
        Person ines = person("Ines", "Integrator");
        Person carl = person("Carl", "Colleague");
        platform.join(found(ines, "Integrators Ltd"), ines, carl, false);
        String hook = "http://127.0.0.1:%d/hook".formatted(FreePort.any());
        done(platform.post("/webhooks/urls/create", new JsonObject().put("url", hook), ines.token()));
        ConsolePage page = CONSOLE.signedIn(carl, "/console/deliveries", "light");
        page.awaitText("Administrators of the organization register, test and change URLs.");
        page.awaitText(hook);
        assertThat(page.text()).doesNotContain("Send a test", "New secret", "Delete", "Register");
        page.go("/console/administration");
        page.awaitText("Only those who administer the platform see this.");
        assertThat(page.requests()).noneMatch(one -> one.getString("url").endsWith("/auth/permissions/list"));
    }

    @Test
    void adaEndsALeaversAccess() throws IOException {
        Person leaver = person("Lena", "Leaver");
        ConsolePage ada = CONSOLE.signedIn(platform.administrator(), "/console", "light");
        ada.tabToAndEnter("Administration");
        ada.write("Email address", "nobody-" + UUID.randomUUID() + "@example.org");
        ada.key("Enter", 13, "\r");
        ada.awaitText("Nobody has signed in with");
        ada.write("Email address", leaver.email());
        ada.key("Enter", 13, "\r");
        ada.awaitText("Lena Leaver");
        ada.awaitText("Where they are signed in");
        ada.awaitText("with demo,");
        look(ada, "user", "light");
        ada.tabToAndEnter("End access");
        ada.awaitText("End the access of Lena Leaver?");
        ada.awaitText("The one session ends within a second");
        ada.click("End access");
        assertThat(ada.evaluate("document.querySelector('#ask-back-reason').matches(':invalid')")).isEqualTo(true);
        ada.write("Reason", "She has left the firm.");
        assertThat(ada.barriers()).isEqualTo(new JsonArray());
        ada.picture("console-user-disable");
        ada.click("End access");
        ada.awaitText("The access of Lena Leaver is ended.");
        ada.awaitText("They are signed in nowhere.");
        Await.until("her token is refused", () -> status("/auth/users/me", new JsonObject(), leaver) == 401);
        assertThat(platform.rows("select disabled_reason from identity.users where user_id = ?::uuid", leaver.id())).containsExactly(List.of("She has left the firm."));
        ada.click("Give access again");
        ada.awaitText("Lena Leaver may sign in again.");
        assertThat(platform.signIn(leaver.email(), "Lena", "Leaver").id()).isEqualTo(leaver.id());
    }

    @Test
    void permissionsAreGrantedAndRevokedAndProgramsOfThePlatformAreMade() throws IOException {
        Person sender = person("Sven", "Sender");
        ConsolePage ada = CONSOLE.signedIn(platform.administrator(), "/console/administration/permissions", "light");
        ada.write("Email address", sender.email());
        ada.evaluate("document.querySelector('#grant-permission').value = 'emails.email.sender'");
        Runnable find = ada.hold("/auth/users/find");
        ada.doubleClick("Grant it");
        ada.click("Grant it");
        find.run();
        ada.awaitText("The permission is granted.");
        ada.awaitText("Sven Sender");
        assertThat(List.of(ada.asked("/auth/users/find"), ada.asked("/auth/permissions/grant"))).containsExactly(1, 1);
        look(ada, "permissions", "light");
        ada.click("Sven Sender");
        ada.awaitText("Find somebody else");
        ada.awaitText("Send emails");
        ada.tabToAndEnter("Revoke");
        ada.awaitText("Revoke “Send emails” of Sven Sender?");
        ada.click("Revoke");
        ada.awaitText("They hold no permission.");
        assertThat(platform.rows("select 1 from identity.permissions where user_id = ?::uuid", sender.id())).isEmpty();

        ada.follow("/console/administration/programs", "All programs that sign in");
        ada.write("Name", "Reminders");
        ada.click("Send emails");
        ada.click("Make it");
        ada.awaitText("The secret of this program");
        JsonObject client = new JsonObject().put("clientID", secret(ada, 0)).put("clientSecret", secret(ada, 1));
        ada.click("I have kept it");
        assertThat(platform.post("/auth/clients/token", client, null).status()).isEqualTo(200);
        ada.awaitText("1 permission");
        look(ada, "administration-programs", "light");
    }

    @Test
    void aPromptIsWrittenKeptWhileUnsavedAndShownBesideWhatAnotherSavedMeanwhile() throws IOException {
        Person administrator = platform.administrator();
        ConsolePage ada = CONSOLE.signedIn(administrator, "/console/administration/prompts", "light");
        ada.click("Write a prompt");
        ada.write("Prompt", "Say in three sentences what this letter asks for.");
        ada.awaitText("Kept in this browser until you save it.");
        ada.go("/console/administration/prompts");
        ada.click("Write a prompt");
        ada.awaitText("What you had written, and was not saved, is here again.");
        assertThat(ada.evaluate("document.querySelector('#prompt-text').value")).isEqualTo("Say in three sentences what this letter asks for.");
        ada.click("Create it");
        ada.awaitText("The prompt is created.");
        JsonArray all = (JsonArray) platform.post("/ai/prompts/list", new JsonObject(), administrator.token()).json();
        JsonObject made = all.stream().map(JsonObject.class::cast).filter(one -> one.getString("prompt").startsWith("Say in three")).findFirst().orElseThrow();

        // Other tests write prompts, too, and they may stand below this one.
        String itsButton = "[...document.querySelectorAll('acp-prompts li')].find(one => one.innerText.includes('Say in three'))?.querySelector('button')";
        ada.awaitTrue("(%s) !== undefined".formatted(itsButton));
        ada.evaluate(itsButton + ".focus()");
        ada.enter();
        ada.write("Prompt", "Say in one sentence what this letter asks for.");
        done(platform.post("/ai/prompts/update", new JsonObject().put("id", made.getLong("id")).put("prompt", "Theirs <i>meanwhile</i>."), administrator.token()));
        ada.awaitText("Somebody else has changed this prompt");
        ada.awaitText("Theirs <i>meanwhile</i>.");
        assertThat(ada.evaluate("document.querySelector('#prompt-text').value")).isEqualTo("Say in one sentence what this letter asks for.");
        look(ada, "prompt-conflict", "light");
        ada.click("Save mine over it");
        ada.awaitText("The prompt is saved.");
        ada.awaitText("Say in one sentence");
        assertThat(storage(ada)).doesNotContain("prompt-");
    }

    @Test
    void aTemplateIsLookedAtAndTheKeysAreShownAndWithdrawnWithAReason(@TempDir Path downloads) throws IOException {
        ConsolePage ada = CONSOLE.signedIn(platform.administrator(), "/console/administration/templates", "light");
        ada.awaitText("Statement of claim");
        ada.saveDownloadsTo(downloads);
        ada.tabToAndEnter("Preview");
        if (Boolean.TRUE.equals(ada.evaluate("navigator.pdfViewerEnabled"))) {
            ada.awaitTrue("document.querySelector('acp-templates iframe')?.src.startsWith('blob:')");
        } else {
            Await.until("a form among the downloads", () -> downloads.toFile().list((folder, name) -> name.endsWith(".pdf")).length == 1);
        }
        look(ada, "templates", "light");
        ada.evaluate("document.querySelector('#template-document').value = 'noticeOfHearing'");
        ada.choose(Path.of("conf/templates/pdf/noticeOfHearing.pdf"));
        ada.click("Upload");
        ada.awaitText("Replace the form of");
        ada.click("Replace it");
        ada.awaitText("is in use.");
        ada.follow("/console/administration/keys", "Signing keys");
        ada.awaitText("newest");
        look(ada, "keys", "light");
        String withdrawn = (String) ada.evaluate("document.querySelector('acp-keys .mono').innerText");
        ada.tabToAndEnter("Withdraw");
        ada.awaitText("Withdraw this key?");
        ada.write("Reason", "A backup with the keys was stolen.");
        assertThat(ada.barriers()).isEqualTo(new JsonArray());
        ada.picture("console-key-withdraw");
        ada.click("Withdraw");
        ada.awaitText("The key is withdrawn.");
        ada.awaitTrue("!document.querySelector('acp-keys').innerText.includes('%s')".formatted(withdrawn));
        assertThat(platform.get("/auth/.well-known/jwks.json").body()).doesNotContain(withdrawn);
    }

    /** In place of the vendor's push service: a subscription as it gives them. */
    private static final String SUBSCRIBED = """
            (() => {
              let subscribed = null;
              const text = bytes => btoa(String.fromCharCode(...new Uint8Array(bytes))).replace(/\\+/g, '-').replace(/\\//g, '_').replace(/=+$/, '');
              PushManager.prototype.getSubscription = async () => subscribed;
              PushManager.prototype.subscribe = async () => {
                const pair = await crypto.subtle.generateKey({name: 'ECDH', namedCurve: 'P-256'}, true, ['deriveBits']);
                const endpoint = 'https://fcm.googleapis.com/fcm/send/' + crypto.randomUUID();
                const keys = {p256dh: text(await crypto.subtle.exportKey('raw', pair.publicKey)), auth: text(crypto.getRandomValues(new Uint8Array(16)))};
                subscribed = {endpoint, toJSON: () => ({endpoint, expirationTime: null, keys}), unsubscribe: async () => { subscribed = null; return true; }};
                return subscribed;
              };
            })()""";

    @Test
    void pushIsTurnedOnWhereTheBrowserReachesAPushServiceElseItIsSaidWhyNot() throws IOException {
        Person petra = person("Petra", "Phone");
        ConsolePage page = CONSOLE.signedIn(petra, "/console/account", "light");
        page.awaitText("Push in this browser");
        page.awaitText("Allow them in its settings for this site.");
        // A browser without a window allows no notification, whatever it is told; what follows is the browser's own.
        page.before("Object.defineProperty(Notification, 'permission', {get: () => 'granted'}); Notification.requestPermission = async () => 'granted';");
        page.go("/console/account");
        page.tabToAndEnter("Turn it on");
        page.awaitTrue("['Notifications were not allowed.', 'This browser has no push service that it can reach'].some(why => document.querySelector('acp-push').innerText.includes(why))");
        page.awaitTrue("navigator.serviceWorker.getRegistration('/console/').then(one => one?.active != null)");
        assertThat(page.barriers()).isEqualTo(new JsonArray());
        page.picture("console-push");

        page.complaints.removeIf(complaint -> complaint.contains("Push API in incognito mode"));
        page.before(SUBSCRIBED);
        page.go("/console/account");
        page.awaitText("It is off.");
        page.tabToAndEnter("Turn it on");
        page.awaitText("It goes on when you sign out.");
        assertThat(platform.rows("select 1 from push.subscriptions where user_id = ?::uuid", petra.id())).hasSize(1);
        page.tabToAndEnter("Turn it off");
        page.awaitText("It is off.");
        assertThat(platform.rows("select 1 from push.subscriptions where user_id = ?::uuid", petra.id())).isEmpty();
    }
}
