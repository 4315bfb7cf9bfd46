package io.arbitration.console;

import static io.arbitration.console.RunningConsole.done;
import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.Form;
import io.arbitration.NextYear;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.mainapi.filings.Filed;
import io.arbitration.platform.reading.SamplePdfs;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * What holds on every screen, each with something on it: in both languages and both themes nothing on it keeps anybody from using it, by
 * axe-core; it fits a phone, 200 % and 400 %, from left to right and from right to left; and what strangers wrote is a text there.
 */
class ConsoleScreensIT extends ConsoleScenario {

    private static final String MARKUP = "<img src=x onerror=alert(1)>";
    /** What is folded is read, too. */
    private static final String OPEN_ALL = "void document.querySelectorAll('main details').forEach(one => { one.open = true; })";
    /** No act of the audit trail is called by its code, such as {@code invitation.revoked}. */
    private static final String EACH_ACT_IN_WORDS = "[...document.querySelectorAll('.trail li p:first-child')].every(one => !/[a-z][.][a-z]/.test(one.innerText))";
    private static final String NO_OVERFLOW = "document.documentElement.scrollWidth <= innerWidth";
    private static final String BESIDE = "Math.sign(document.querySelector('main').getBoundingClientRect().x - document.querySelector('.side').getBoundingClientRect().x) === %d";
    /**
     * @param ready a condition in the page that is true when all of it is there, in any language
     * @param written words before the markup of a stranger that stands on it
     */
    private record Screen(String name, String path, String ready, String... written) {}

    private static String there(String selector) {
        return "document.querySelector('%s') !== null".formatted(selector);
    }

    @Test
    void everyScreenIsFreeOfBarriersFitsAnyWidthAndShowsWhatStrangersWroteAsText() throws IOException {
        String unique = UUID.randomUUID().toString();
        Person clara = platform.signIn("clara-" + unique + "@example.org", "Clara " + MARKUP, "Claimant");
        String organizationId = done(platform.post("/auth/organizations/create", new JsonObject().put("name", "Firm " + MARKUP), clara.token())).getString("organizationID");
        OpenCase people = OpenCase.on(platform);
        platform.join(organizationId, clara, people.colleague(), false);
        AnsweringServer server = new AnsweringServer();
        server.status = 500;
        server.says = "Server " + MARKUP;
        try (server) {
            everyScreen(clara, people, server);
        }
    }

    private void everyScreen(Person clara, OpenCase people, AnsweringServer server) throws IOException {
        OpenCase open = lived(clara, people, server.url() + "?" + "long=".repeat(20));
        Map<Person, List<Screen>> all = new LinkedHashMap<>();
        all.put(clara, ofAParty(open));
        all.put(open.manager(), ofTheCaseManager(open));
        all.put(open.arbitrator(), ofTheArbitrator(open));
        all.put(platform.administrator(), ofTheAdministrator(open));
        List<String> moved = new ArrayList<>();
        for (String language : List.of("en", "de")) {
            ConsolePage page = CONSOLE.page(1440, "light");
            page.answersNewestFirst();
            page.go("/console");
            page.awaitTrue(there("acp-sign-in h1"));
            page.evaluate("localStorage.setItem('acp.language', '%s')".formatted(language));
            page.go("/console");
            page.awaitTrue("document.documentElement?.lang === '%s' && %s".formatted(language, there("acp-sign-in h1")));
            look(page, new Screen("sign-in", "/console", ""), language);
            for (Map.Entry<Person, List<Screen>> one : all.entrySet()) {
                page.go("/auth/login/demo?returnTo=/console&login_hint=" + one.getKey().email());
                page.awaitTrue(there("acp-day .lines, acp-day .notice"));
                for (Screen screen : one.getValue()) {
                    // Whoever goes to a form above a list expects the list to move.
                    page.evaluate("(() => { history.pushState(null, '', '%s'); dispatchEvent(new Event('acp-route')); watch(true); })()".formatted(screen.path));
                    page.awaitShown(screen.path);
                    page.awaitTrue("document.querySelector('main h1') !== null && !document.querySelector('main .waiting') && " + screen.ready);
                    page.moved().forEach(each -> moved.add("%s: %s".formatted(screen.name, each)));
                    page.evaluate("watch(false)");
                    page.evaluate(OPEN_ALL);
                    for (String word : screen.written) {
                        page.awaitText(word + " " + MARKUP);
                    }
                    look(page, screen, language);
                    page.evaluate("watch(true)");
                }
            }
        }
        assertThat(moved).as("what moved away from under the hand").isEmpty();
    }

    /** @param openers what its dialogs are opened by, in German */
    private record Dialogs(String path, String ready, String... openers) {}

    @Test
    void everyDialogInGermanIsFreeOfBarriersInBothThemes() throws IOException {
        Person clara = platform.signIn("clara-" + UUID.randomUUID() + "@example.org", "Clara", "Claimant");
        String organizationId = done(platform.post("/auth/organizations/create", new JsonObject().put("name", "Firm"), clara.token())).getString("organizationID");
        OpenCase people = OpenCase.on(platform);
        platform.join(organizationId, clara, people.colleague(), false);
        try (AnsweringServer server = new AnsweringServer()) {
            OpenCase open = lived(clara, people, server.url());
            String inCase = "/console/cases/" + open.caseId();
            String filingId = open.draft(clara, OpenCase.APPROVED_DOCUMENT);
            new Filed(open).taken(clara, filingId, "claim.pdf", SamplePdfs.saying("The witness is Nora."));
            answered(open.document("submit", clara, filingId));
            answered(open.document("approve", open.manager(), filingId));
            String sealed = open.view(clara, filingId).getString("entryID");
            answered(open.on("/api/docket/entries/seal", open.manager(), new JsonObject().put("entryID", sealed).put("reason", "A witness.").put("visibleTo", new JsonArray())));
            dialogs(clara, List.of(new Dialogs("/console", there(".lines .act"), "Konto und Einstellungen"),
                    new Dialogs("/console/cases", there("acp-cases .register"), "Verfahren eröffnen"),
                    new Dialogs(inCase, there(".docket li"), "Verfahren exportieren"),
                    new Dialogs("/console/organization", there("acp-organization .register"), "Entfernen"),
                    new Dialogs("/console/organization/programs", there("acp-programs .register"), "Neues Geheimnis", "Beenden"),
                    new Dialogs("/console/deliveries", there("acp-deliveries .register"), "Arten ändern", "Neues Geheimnis", "Ausschalten", "Löschen", "Verpasstes senden")));
            dialogs(open.manager(), List.of(new Dialogs(inCase + "/docket/" + sealed, there("acp-entry .seal-terms"), "Siegel ändern…", "Entsiegeln…", "Datei schwärzen…"),
                    new Dialogs(inCase + "/dates", there("acp-case-rest textarea"), "Verhandlung ansetzen", "Verlegen oder ändern", "Absagen"),
                    new Dialogs(inCase + "/record", there("acp-record .trail li"), "Verfahren abschließen")));
            platform.signIn(clara.email(), "Clara", "Claimant");
            answered(platform.post("/auth/permissions/grant", new JsonObject().put("userID", clara.id()).put("permission", "emails.email.sender"), platform.administrator().token()));
            dialogs(platform.administrator(), List.of(new Dialogs("/console/administration/people/" + clara.id(), there("acp-users .register"), "Zugang beenden", "Alle Sitzungen beenden", "Entziehen"),
                    new Dialogs("/console/administration/keys", there("acp-keys .mono"), "Zurückziehen")));
        }
    }

    private static void dialogs(Person person, List<Dialogs> all) throws IOException {
        ConsolePage page = CONSOLE.page(1440, "light");
        page.before("localStorage.setItem('acp.language', 'de')");
        page.go("/auth/login/demo?returnTo=/console&login_hint=" + person.email());
        page.awaitTrue(there("acp-day .lines, acp-day .notice"));
        for (Dialogs screen : all) {
            page.goTo(screen.path);
            page.awaitTrue(screen.ready);
            for (String opener : screen.openers) {
                page.click(opener);
                free(page, opener);
            }
        }
        page.key("?", 191, "?");
        free(page, "?");
        answered(platform.post("/auth/sessions/revoke", new JsonObject().put("userID", person.id()), platform.administrator().token()));
        page.goTo("/console/cases");
        page.awaitTrue("document.querySelector('dialog#again').open");
        for (String theme : List.of("light", "dark")) {
            page.show(1440, 960, theme);
            assertThat(barriers(page, theme)).as("Ihre Sitzung ist zu Ende, " + theme).isEqualTo(new JsonArray());
        }
    }

    /** What is wrong in one theme but for its colours is wrong in the light one, which comes first. */
    private static JsonArray barriers(ConsolePage page, String theme) {
        return theme.equals("light") ? page.barriers() : page.barriersOfColours();
    }

    private static void free(ConsolePage page, String opener) throws IOException {
        page.awaitTrue(there("dialog[open]"));
        for (String theme : List.of("light", "dark")) {
            page.show(1440, 960, theme);
            assertThat(barriers(page, theme)).as("%s, %s".formatted(opener, theme)).isEqualTo(new JsonArray());
        }
        page.show(320, 844, "light");
        fits(page, opener);
        page.picture("dialog-de-" + opener.replaceAll("[^A-Za-z]", ""));
        page.show(1440, 960, "light");
        page.key("Escape", 27, "");
        page.awaitTrue("document.querySelector('dialog[open]') === null");
    }

    /** A case in which something of everything has happened, with markup in each text that somebody could write. */
    private static OpenCase lived(Person clara, OpenCase people, String webhookUrl) {
        String caseId = done(platform.post("/cases/cases/create", new JsonObject().put("title", "Case " + MARKUP).put("ruleSet", "commercial"), clara.token())).getString("caseID");
        OpenCase open = new OpenCase(platform, caseId, clara, people.colleague(), people.observer(), people.respondent(), people.manager(), people.arbitrator(), people.outsider());
        open.add(platform.administrator(), open.manager(), "caseManager", false);
        open.add(clara, open.colleague(), "claimant", false);
        open.add(open.manager(), open.respondent(), "respondent", false);
        open.add(open.manager(), open.arbitrator(), "arbitrator", false);
        open.docketed(new JsonObject().put("title", "Letter about an extraordinarilylongwordthathasnoplacetobreak" + "x".repeat(60)));
        String replaced = open.docketed(new JsonObject().put("title", "Replaced " + MARKUP));
        JsonObject fields = new JsonObject().put("subject", "Subject " + MARKUP).put("body", "Body " + MARKUP);
        String entryId = open.docketed(new JsonObject().put("title", "Entry " + MARKUP).put("fields", fields).put("supersedes", replaced));
        answered(open.on("/api/docket/entries/seal", open.manager(), new JsonObject().put("entryID", replaced).put("reason", "Seal " + MARKUP).put("visibleTo", new JsonArray())));
        String rejected = done(open.create(clara, OpenCase.APPROVED_DOCUMENT, fields)).getString("filingID");
        answered(open.document("submit", clara, rejected));
        answered(open.reject(open.manager(), rejected, "Reason " + MARKUP));
        answered(open.document("submit", clara, done(open.create(clara, OpenCase.APPROVED_DOCUMENT, fields)).getString("filingID")));
        done(open.on("/cases/hearings/create", open.manager(), new JsonObject().put("title", "Hearing " + MARKUP).put("place", "Place " + MARKUP).put("agenda", "Agenda " + MARKUP)
                .put("start", NextYear.at("03-04T09:00:00.000Z")).put("durationMinutes", 60).put("timeZone", "Europe/Paris")));
        done(platform.post("/cases/deadlines/extensions/request", open.moreTime().put("reason", "Because " + MARKUP), clara.token()));
        JsonObject invited = new JsonObject().put("caseID", caseId).put("partyID", "respondent");
        done(platform.post("/cases/invitations/create", invited.put("email", "invited-" + UUID.randomUUID() + "@example.org"), open.manager().token()));
        String revoked = done(platform.post("/cases/invitations/create", invited.put("email", "revoked-" + UUID.randomUUID() + "@example.org"), open.manager().token())).getString("invitationID");
        answered(platform.post("/cases/invitations/revoke", new JsonObject().put("invitationID", revoked), open.manager().token()));
        done(Form.of(caseId, "correspondence", "Offer " + MARKUP).file("offer.txt", "text/plain", "Offered " + MARKUP).post(platform, clara.token()));
        done(open.on("/api/service-of-notice/send", clara, new JsonObject().put("entryID", entryId).put("mailType", "docketNotice")
                .put("recipients", new JsonArray().add(new JsonObject().put("userID", open.respondent().id())))));
        done(platform.post("/webhooks/urls/create", new JsonObject().put("url", webhookUrl), clara.token()));
        done(platform.post("/auth/clients/create", new JsonObject().put("name", "Program " + MARKUP).put("permissions", new JsonArray())
                .put("organizationID", done(platform.post("/auth/users/me", new JsonObject(), clara.token())).getString("organizationID")), clara.token()));
        done(platform.post("/auth/organizations/invitations/create", new JsonObject().put("email", "member-" + UUID.randomUUID() + "@example.org")
                .put("organizationID", done(platform.post("/auth/users/me", new JsonObject(), clara.token())).getString("organizationID")), clara.token()));
        open.docketed(new JsonObject().put("title", "Told " + MARKUP));
        return open;
    }

    private static void answered(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    }

    private static List<Screen> ofAParty(OpenCase open) {
        String inCase = "/console/cases/" + open.caseId();
        JsonArray entries = open.docket(open.claimant());
        String entryId = entries.getJsonObject(2).getString("entryID");
        String uploadId = done(open.on("/api/evidence/uploads/list", open.claimant(), new JsonObject())).getJsonArray("uploads").getJsonObject(0).getString("uploadID");
        JsonArray filings = done(open.on("/api/filings/list", open.claimant(), new JsonObject())).getJsonArray("filings");
        String rejected = filings.stream().map(JsonObject.class::cast).filter(one -> one.getString("state").equals("rejected")).findFirst().orElseThrow().getString("filingID");
        String draft = open.draft(open.claimant(), "motion");
        Await.until("an attempt at the URL", () -> done(platform.post("/webhooks/deliveries/list", new JsonObject(), open.claimant().token())).getJsonArray("deliveries").stream()
                .anyMatch(one -> !((JsonObject) one).getJsonArray("attempts").isEmpty()));
        List<Screen> screens = new ArrayList<>();
        screens.add(new Screen("day", "/console", there(".lines .act"), "Case", "Firm"));
        screens.add(new Screen("cases", "/console/cases", there("acp-cases .register"), "Case"));
        screens.add(new Screen("search", "/console/search?q=subject", there("acp-search .register"), "Subject"));
        screens.add(new Screen("nowhere", "/console/nowhere", there("main a[href=\"/console\"]")));
        screens.add(new Screen("docket", inCase, there(".docket .mark.seal"), "Case", "Entry", "Replaced", "Clara"));
        screens.add(new Screen("entry", inCase + "/docket/" + entryId, there("acp-entry dd span[title]"), "Entry"));
        screens.add(new Screen("sealed-entry", inCase + "/docket/" + entries.getJsonObject(1).getString("entryID"), there("acp-entry .seal-terms"), "Seal"));
        screens.add(new Screen("filings", inCase + "/filings", there("acp-case-rest .register"), "Case"));
        screens.add(new Screen("filing", inCase + "/filings/" + draft, there("acp-filing #field-motionTitle")));
        screens.add(new Screen("rejected", inCase + "/filings/" + rejected, there("acp-filing #field-subject"), "Reason"));
        screens.add(new Screen("evidence", inCase + "/evidence", there("acp-evidence .register, acp-evidence li"), "Offer"));
        screens.add(new Screen("exhibit", inCase + "/evidence/" + uploadId, there("acp-exhibit pre, acp-exhibit iframe"), "Offer", "Offered"));
        screens.add(new Screen("dates", inCase + "/dates", there("acp-case-rest .register"), "Hearing", "Place", "Agenda", "Because"));
        screens.add(new Screen("people", inCase + "/people", there("acp-people h2"), "Clara"));
        screens.add(new Screen("notices", inCase + "/notices", there("acp-notices .register"), "Entry"));
        screens.add(new Screen("serve", inCase + "/notices?entry=" + entryId, there("acp-serve form"), "Entry"));
        screens.add(new Screen("record", inCase + "/record", there("acp-record h2"), "Case"));
        screens.add(new Screen("organization", "/console/organization", there("acp-organization .register"), "Firm", "Clara"));
        screens.add(new Screen("programs", "/console/organization/programs", there("acp-programs .register"), "Program"));
        screens.add(new Screen("deliveries", "/console/deliveries", "document.querySelectorAll('acp-deliveries .register').length > 1", "Server"));
        screens.add(new Screen("events", "/console/deliveries/events", there("acp-events .log"), "Case"));
        screens.add(new Screen("account", "/console/account", there("acp-account input[type=checkbox]")));
        return screens;
    }

    private static List<Screen> ofTheCaseManager(OpenCase open) {
        String inCase = "/console/cases/" + open.caseId();
        String waiting = done(platform.post("/api/filings/documents/pending-approval", new JsonObject(), open.manager().token())).getJsonArray("filings").stream().map(JsonObject.class::cast)
                .filter(one -> one.getString("caseID").equals(open.caseId())).findFirst().orElseThrow().getString("filingID");
        return List.of(new Screen("day-of-decisions", "/console", there(".lines .act"), "Case", "Because"),
                new Screen("decision", inCase + "/filings/" + waiting, there("acp-filing #reject-reason, acp-filing textarea"), "Subject"),
                new Screen("requests", inCase + "/dates", there("acp-case-rest textarea"), "Because"),
                new Screen("people-managed", inCase + "/people", there("acp-people form"), "Clara"),
                new Screen("trail", inCase + "/record", there("acp-record .trail li") + " && " + EACH_ACT_IN_WORDS, "Clara"));
    }

    private static List<Screen> ofTheArbitrator(OpenCase open) {
        String inCase = "/console/cases/" + open.caseId();
        open.advanceTo("awardIssuance");
        String award = done(open.create(open.arbitrator(), "award", new JsonObject().put("reasons", "It was offered [Exhibit C-1].").put("disposition", "Disposition " + MARKUP))).getString("filingID");
        return List.of(new Screen("awards", inCase + "/award", there("acp-award .panel button"), "Offer", "Entry"),
                new Screen("award", inCase + "/award/" + award, there(".citations button"), "Offer"));
    }

    private static List<Screen> ofTheAdministrator(OpenCase open) {
        done(platform.post("/ai/prompts/create", new JsonObject().put("prompt", "Prompt " + MARKUP).put("documentID", "letterToTribunal").put("ruleSet", "commercial").put("active", false)
                .put("triggerOnDocket", false).put("triggerOnDraft", false).put("includeEvidence", false).put("includeFullCase", false), platform.administrator().token()));
        answered(platform.post("/auth/permissions/grant", new JsonObject().put("userID", open.claimant().id()).put("permission", "emails.email.sender"), platform.administrator().token()));
        return List.of(new Screen("cases-of-all", "/console/cases", there("acp-appoint")),
                new Screen("users", "/console/administration", there("#user-email")),
                new Screen("user", "/console/administration/people/" + open.claimant().id(), there("acp-users .register"), "Clara"),
                new Screen("administration-programs", "/console/administration/programs", there("acp-programs .register"), "Program"),
                new Screen("permissions", "/console/administration/permissions", there("acp-permissions .register"), "Clara"),
                new Screen("prompts", "/console/administration/prompts", there("acp-prompts .register"), "Prompt"),
                new Screen("templates", "/console/administration/templates", there("acp-templates .register")),
                new Screen("keys", "/console/administration/keys", there("acp-keys .mono")));
    }

    private static void look(ConsolePage page, Screen screen, String language) throws IOException {
        String name = "%s, %s".formatted(screen.name, language);
        assertThat(page.evaluate("document.querySelector('img[src=x], [onerror]') === null")).as(name).isEqualTo(true);
        for (String theme : List.of("light", "dark")) {
            page.show(1440, 960, theme);
            assertThat(barriers(page, theme)).as("%s, %s".formatted(name, theme)).isEqualTo(new JsonArray());
        }
        if (KeptPictures.KEEP) {
            pictures(page, screen, language);
        }
        // 720 pixels are those of 1440 at 200 %, 320 those of 1280 at 400 %. German has the longer words.
        for (String direction : language.equals("en") ? List.of("ltr", "rtl") : List.of("ltr")) {
            page.evaluate("void (document.documentElement.dir = '%s')".formatted(direction));
            for (int width : new int[] {720, 390, 320}) {
                page.show(width, 844, "light");
                fits(page, "%s, %s, %d pixels".formatted(name, direction, width));
            }
            page.show(1440, 960, "light");
            fits(page, "%s, %s".formatted(name, direction));
            page.evaluate("void (document.documentElement.style.fontSize = '200%')");
            fits(page, "%s, %s, letters of 200 %%".formatted(name, direction));
            page.evaluate("void (document.documentElement.style.fontSize = '')");
            if (!screen.name.equals("sign-in")) {
                assertThat(page.evaluate(BESIDE.formatted(direction.equals("ltr") ? 1 : -1))).as(name + ", " + direction).isEqualTo(true);
            }
        }
        page.evaluate("void (document.documentElement.dir = 'ltr')");
    }

    private static void pictures(ConsolePage page, Screen screen, String language) throws IOException {
        for (String theme : List.of("light", "dark")) {
            for (int width : new int[] {1440, 390}) {
                page.show(width, width == 1440 ? 960 : 844, theme);
                page.picture("screen-%s-%s-%s-%d".formatted(screen.name, language, theme, width));
            }
        }
    }

    private static void fits(ConsolePage page, String what) {
        Await.until(() -> "no overflow of %s; it goes to %s".formatted(what, page.evaluate(WIDEST)), Await.BOUND, () -> Boolean.TRUE.equals(page.evaluate(NO_OVERFLOW)));
    }

    /** For whoever mends it: what reaches over the edge, the innermost. */
    private static final String WIDEST = "[...document.querySelectorAll('body *')].filter(one => { const box = one.getBoundingClientRect(); return box.right > innerWidth + 1 || box.left < -1; }).slice(-3).map(one => one.outerHTML.slice(0, 160)).join(' | ')";
}
