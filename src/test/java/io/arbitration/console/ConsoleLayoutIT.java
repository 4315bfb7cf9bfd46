package io.arbitration.console;

import static io.arbitration.console.RunningConsole.done;
import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Form;
import io.arbitration.NextYear;
import io.arbitration.OpenCase;
import io.arbitration.console.KeptPictures.View;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * How screens are laid out: as the kept pictures show it, from right to left as well, and in colours of the reader's own.
 */
class ConsoleLayoutIT extends ConsoleScenario {

    private static final String NO_OVERFLOW = "document.documentElement.scrollWidth <= innerWidth";
    /** Screens by name: their address, and a text that is there when all is. */
    private static Map<String, String[]> screens(OpenCase open, String entryId, String filingId, String uploadId) {
        String inCase = "/console/cases/" + open.caseId();
        Map<String, String[]> screens = new LinkedHashMap<>();
        screens.put("day", new String[] {"/console", "In the last 7 days"});
        screens.put("cases", new String[] {"/console/cases", "Cranes v. Quarry"});
        screens.put("entry", new String[] {inCase + "/docket/" + entryId, "verified in your browser"});
        screens.put("filing", new String[] {inCase + "/filings/" + filingId, "It can be submitted."});
        screens.put("dates", new String[] {inCase + "/dates", "Conference"});
        screens.put("evidence", new String[] {inCase + "/evidence/" + uploadId, "We offer two cranes for 100."});
        screens.put("people", new String[] {inCase + "/people", "Carl Colleague"});
        screens.put("notices", new String[] {inCase + "/notices", "legal@shop.example"});
        screens.put("record", new String[] {inCase + "/record", "Verify the whole docket"});
        screens.put("organization", new String[] {"/console/organization", "Send the invitation"});
        screens.put("deliveries", new String[] {"/console/deliveries", "Send a test"});
        screens.put("account", new String[] {"/console/account", "Sign out everywhere"});
        return screens;
    }

    private static OpenCase lived() {
        OpenCase open = OpenCase.on(platform);
        done(platform.post("/cases/hearings/create", new JsonObject().put("caseID", open.caseId()).put("title", "Conference").put("start", NextYear.at("03-04T09:00:00.000Z"))
                .put("durationMinutes", 60).put("timeZone", "Europe/Paris"), open.manager().token()));
        return open;
    }

    /** An exhibit, a notice of an entry and the URL of an organization; the exhibit. */
    private static String shared(OpenCase open, String entryId) {
        done(open.on("/api/service-of-notice/send", open.claimant(), new JsonObject().put("entryID", entryId).put("mailType", "docketNotice")
                .put("recipients", new JsonArray().add(new JsonObject().put("email", "legal@shop.example")))));
        done(platform.post("/auth/organizations/create", new JsonObject().put("name", "Claimant Shipping GmbH"), open.claimant().token()));
        done(platform.post("/webhooks/urls/create", new JsonObject().put("url", "http://127.0.0.1:49999/hook"), open.claimant().token()));
        return done(Form.of(open.caseId(), "correspondence", "Offer of cranes").file("offer.txt", "text/plain", "We offer two cranes for 100.").post(platform, open.claimant().token())).getString("uploadID");
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
        Map<String, String[]> screens = screens(open, entryId, open.draft(open.claimant(), "motion"), shared(open, entryId));
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
        assertThat(differences).as("when this is meant: ./acp test -Dtest=ConsoleLayoutIT -Dacp.pictures=keep").isEmpty();
        KeptPictures.save();
    }

    private static void look(ConsolePage page, String screen, String theme, List<String> differences) throws IOException {
        for (int width : new int[] {1440, 390}) {
            page.show(width, width == 1440 ? 960 : 844, theme);
            page.evaluate("scrollTo(0, 0)");
            page.awaitTrue(NO_OVERFLOW);
            KeptPictures.document("%s-%s-%d".formatted(screen, theme, width), page);
        }
        page.evaluate(KeptPictures.STEADY);
        for (int width : new int[] {1440, 390}) {
            page.show(width, width == 1440 ? 960 : 844, theme);
            page.evaluate("scrollTo(0, 0)");
            page.awaitTrue(NO_OVERFLOW);
            differences.addAll(KeptPictures.differences("%s-%s-%d".formatted(screen, theme, width), page));
        }
        page.evaluate(KeptPictures.AS_IT_WAS);
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
    void anEntryIsMirroredFromRightToLeftAndMarkedInColoursOfTheReader() {
        OpenCase open = lived();
        ConsolePage page = CONSOLE.signedIn(open.claimant(), "/console/cases/%s/docket/%s".formatted(open.caseId(), newest(open)), "light");
        page.awaitText("verified in your browser");
        page.evaluate("void (document.documentElement.dir = 'rtl')");
        page.awaitTrue("document.querySelector('.docket').getBoundingClientRect().x > document.querySelector('.beside').getBoundingClientRect().x");
        page.awaitTrue("document.querySelector('.docket .numeral').getBoundingClientRect().x > document.querySelector('.docket li a').getBoundingClientRect().x");
        page.media("forced-colors", "active", "prefers-reduced-motion", "reduce");
        page.awaitTrue("matchMedia('(forced-colors: active)').matches && document.getAnimations().length === 0");
        for (String marked : List.of(".docket li[aria-current]", ".side nav a[aria-current=page]")) {
            page.awaitTrue("getComputedStyle(document.querySelector('%s')).outlineStyle === 'solid'".formatted(marked));
        }
        page.awaitTrue("getComputedStyle(document.querySelector('.tab[aria-current]')).borderBlockEndColor !== getComputedStyle(document.querySelector('.tab:not([aria-current])')).borderBlockEndColor");
    }
}
