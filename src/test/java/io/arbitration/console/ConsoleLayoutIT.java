package io.arbitration.console;

import static io.arbitration.console.RunningConsole.done;
import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.console.KeptPictures.View;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * How screens are laid out: as the kept pictures show it, from right to left as well, at any width and size of text, in colours of the
 * reader's own; and that what strangers wrote is a text wherever it stands.
 */
class ConsoleLayoutIT {

    private static final String MARKUP = "<img src=x onerror=alert(1)>";
    private static final String NO_OVERFLOW = "document.documentElement.scrollWidth <= innerWidth";
    @RegisterExtension
    static final RunningConsole CONSOLE = new RunningConsole();
    private static RunningPlatform platform;

    @BeforeAll
    static void start() {
        platform = CONSOLE.platform();
    }

    /** Screens by name: their address, and a text that is there when all is. */
    private static Map<String, String[]> screens(OpenCase open, String entryId, String filingId) {
        String inCase = "/console/cases/" + open.caseId();
        Map<String, String[]> screens = new LinkedHashMap<>();
        screens.put("day", new String[] {"/console", "In the last 7 days"});
        screens.put("cases", new String[] {"/console/cases", "Cranes v. Quarry"});
        screens.put("entry", new String[] {inCase + "/docket/" + entryId, "verified in your browser"});
        screens.put("filing", new String[] {inCase + "/filings/" + filingId, "It can be submitted."});
        screens.put("dates", new String[] {inCase + "/dates", "Conference"});
        screens.put("account", new String[] {"/console/account", "Sign out everywhere"});
        return screens;
    }

    private static OpenCase lived() {
        OpenCase open = OpenCase.on(platform);
        done(platform.post("/cases/hearings/create", new JsonObject().put("caseID", open.caseId()).put("title", "Conference").put("start", "2027-03-04T09:00:00.000Z")
                .put("durationMinutes", 60).put("timeZone", "Europe/Paris"), open.manager().token()));
        return open;
    }

    /** Puts three entries on the docket, the newest of which replaces another. */
    private static String newest(OpenCase open) {
        open.docketed(new JsonObject().put("title", "Letter on the availability of witnesses"));
        String replaced = open.docketed(new JsonObject().put("title", "Letter on the seat"));
        return open.docketed(new JsonObject().put("title", "Letter on the seat, corrected").put("supersedes", replaced));
    }

    @Test
    void screensLookAsTheKeptPicturesShowThem() throws IOException {
        OpenCase open = lived();
        String entryId = newest(open);
        Map<String, String[]> screens = screens(open, entryId, open.draft(open.claimant(), "motion"));
        List<String> differences = new ArrayList<>();
        for (String theme : List.of("light", "dark")) {
            ConsolePage page = CONSOLE.page(1440, theme);
            page.withoutViewer();
            page.go("/console");
            page.awaitText("The people of the demo");
            look(page, "sign-in", theme, differences);
            page.go("/auth/login/demo?returnTo=/console&login_hint=" + open.claimant().email());
            for (Map.Entry<String, String[]> screen : screens.entrySet()) {
                page.awaitTrue("document.querySelector('acp-console main h1') !== null");
                page.follow(screen.getValue()[0], screen.getValue()[1]);
                look(page, screen.getKey(), theme, differences);
            }
        }
        assertThat(differences).as("when this is meant: T_OPTS=-Dacp.pictures=keep").isEmpty();
        KeptPictures.save();
    }

    private static void look(ConsolePage page, String screen, String theme, List<String> differences) throws IOException {
        page.evaluate(KeptPictures.STEADY);
        for (int width : new int[] {1440, 390}) {
            page.show(width, width == 1440 ? 960 : 844, theme);
            page.evaluate("scrollTo(0, 0)");
            page.awaitTrue(NO_OVERFLOW);
            differences.addAll(KeptPictures.differences("%s-%s-%d".formatted(screen, theme, width), page));
        }
        page.show(1440, 960, theme);
    }

    /** Else the test above would show nothing. */
    @Test
    void aBrokenLayoutIsFoundAndAnotherFontIsNot() throws IOException {
        OpenCase open = lived();
        String entryId = newest(open);
        ConsolePage page = CONSOLE.page(1440, "light");
        page.withoutViewer();
        page.go("/auth/login/demo?returnTo=/console/cases/%s/docket/%s&login_hint=%s".formatted(open.caseId(), entryId, open.claimant().email()));
        page.awaitText("verified in your browser");
        page.evaluate(KeptPictures.STEADY);
        View whole = View.of(page);
        for (String broken : List.of(".frame { display: block }", ".reading { display: block }", ".docket li { display: block; padding: 0 }", ":root { --paper: #dddddd }", "main { padding-inline: 0 }",
                ".panel { border: 0; background: none; padding: 0 }", "h1 { font-size: 4rem !important }", ".beside { display: none }")) {
            assertThat(whole.differences(with(page, broken))).as(broken).isNotEmpty();
        }
        String fine = ":root { --sans: 'DejaVu Sans', Verdana, sans-serif; --serif: 'DejaVu Serif', serif }";
        assertThat(whole.differences(with(page, fine))).as(fine).isEmpty();
    }

    private static View with(ConsolePage page, String style) throws IOException {
        page.evaluate("(() => { const sheet = new CSSStyleSheet(); sheet.replaceSync(`%s`); document.adoptedStyleSheets = [sheet]; })()".formatted(style));
        View seen = View.of(page);
        page.evaluate("void (document.adoptedStyleSheets = [])");
        return seen;
    }

    @Test
    void screensAreMirroredFromRightToLeftAndFitAnyWidthSizeOfTextAndColoursOfTheReader() {
        OpenCase open = lived();
        String entryId = open.docketed(new JsonObject().put("title", "Letter about an extraordinarilylongwordthathasnoplacetobreak" + "x".repeat(60)));
        ConsolePage page = CONSOLE.signedIn(open.claimant(), "/console", "light");
        for (Map.Entry<String, String[]> screen : screens(open, entryId, open.draft(open.claimant(), "motion")).entrySet()) {
            page.awaitTrue("document.querySelector('acp-console main h1') !== null");
            page.follow(screen.getValue()[0], screen.getValue()[1]);
            for (String direction : List.of("ltr", "rtl")) {
                page.evaluate("void (document.documentElement.dir = '%s')".formatted(direction));
                // 720 pixels are those of 1440 at 200 %, 320 those of 1280 at 400 %.
                for (int width : new int[] {1440, 720, 390, 320}) {
                    page.show(width, 844, "light");
                    page.awaitTrue(NO_OVERFLOW);
                }
                page.show(1440, 960, "light");
                page.evaluate("void (document.documentElement.style.fontSize = '200%')");
                page.awaitTrue(NO_OVERFLOW);
                page.evaluate("void (document.documentElement.style.fontSize = '')");
                page.awaitTrue("(document.querySelector('.side').getBoundingClientRect().x < document.querySelector('main').getBoundingClientRect().x) === %s".formatted(direction.equals("ltr")));
            }
            if (screen.getKey().equals("entry")) {
                page.awaitTrue("document.querySelector('.docket').getBoundingClientRect().x > document.querySelector('.beside').getBoundingClientRect().x");
                page.awaitTrue("document.querySelector('.docket .numeral').getBoundingClientRect().x > document.querySelector('.docket li a').getBoundingClientRect().x");
                page.media("forced-colors", "active", "prefers-reduced-motion", "reduce");
                page.awaitTrue("matchMedia('(forced-colors: active)').matches && document.getAnimations().length === 0");
                for (String marked : List.of(".docket li[aria-current]", ".side nav a[aria-current=page]")) {
                    page.awaitTrue("getComputedStyle(document.querySelector('%s')).outlineStyle === 'solid'".formatted(marked));
                }
                page.awaitTrue("getComputedStyle(document.querySelector('.tab[aria-current]')).borderBlockEndColor !== getComputedStyle(document.querySelector('.tab:not([aria-current])')).borderBlockEndColor");
            }
            page.evaluate("void (document.documentElement.dir = 'ltr')");
            page.show(1440, 960, "light");
        }
    }

    @Test
    void markupThatStrangersWroteIsAText() {
        OpenCase people = OpenCase.on(platform);
        Person claimant = platform.signIn("stranger-" + UUID.randomUUID() + "@example.org", "Clara " + MARKUP, MARKUP);
        done(platform.post("/auth/organizations/create", new JsonObject().put("name", "Bank " + MARKUP), claimant.token()));
        String caseId = done(platform.post("/cases/cases/create", new JsonObject().put("title", "Case " + MARKUP).put("ruleSet", "commercial"), claimant.token())).getString("caseID");
        OpenCase open = new OpenCase(platform, caseId, claimant, people.colleague(), people.observer(), people.respondent(), people.manager(), people.arbitrator(), people.outsider());
        open.add(platform.administrator(), open.manager(), "caseManager", false);
        JsonObject fields = new JsonObject().put("subject", "Subject " + MARKUP).put("body", "Body " + MARKUP);
        String entryId = open.docketed(new JsonObject().put("title", "Entry " + MARKUP).put("fields", fields));
        assertThat(open.on("/api/docket/entries/seal", open.manager(), new JsonObject().put("entryID", entryId).put("reason", "Seal " + MARKUP).put("visibleTo", new JsonArray())).status()).isEqualTo(200);
        String rejected = done(open.create(claimant, OpenCase.APPROVED_DOCUMENT, fields)).getString("filingID");
        assertThat(open.document("submit", claimant, rejected).status()).isEqualTo(200);
        assertThat(open.reject(open.manager(), rejected, "Reason " + MARKUP).status()).isEqualTo(200);
        done(open.on("/cases/hearings/create", open.manager(), new JsonObject().put("title", "Hearing " + MARKUP).put("place", "Place " + MARKUP).put("agenda", "Agenda " + MARKUP)
                .put("start", "2027-03-04T09:00:00.000Z").put("durationMinutes", 60).put("timeZone", "Europe/Paris")));
        done(platform.post("/cases/deadlines/extensions/request", open.moreTime().put("reason", "Because " + MARKUP), claimant.token()));

        ConsolePage page = CONSOLE.signedIn(claimant, "/console", "light");
        page.awaitTrue("document.querySelector('acp-console main h1') !== null");
        String inCase = "/console/cases/" + caseId;
        shows(page, "/console", "Bank", "Case", "Entry");
        shows(page, "/console/cases", "Case");
        shows(page, inCase + "/docket/" + entryId, "Case", "Entry", "Clara", "Seal");
        page.click("What was filed");
        page.awaitText("Body " + MARKUP);
        shows(page, inCase + "/filings", "Case");
        shows(page, inCase + "/filings/" + rejected, "Reason");
        shows(page, inCase + "/dates", "Hearing", "Place", "Agenda", "Because");
        shows(page, inCase + "/people", "Clara");
        page.follow("/console/search?q=subject", "result");
        shows(page, "/console/search?q=subject", "Subject");
        ConsolePage maya = CONSOLE.signedIn(open.manager(), "/console", "light");
        maya.awaitText("More time");
        shows(maya, "/console", "Case", "Because");
    }

    private static void shows(ConsolePage page, String path, String... before) {
        for (String word : before) {
            page.follow(path, word + " " + MARKUP);
        }
        assertThat(page.evaluate("document.querySelector('img[src=x], [onerror]') === null")).as(path).isEqualTo(true);
    }
}
