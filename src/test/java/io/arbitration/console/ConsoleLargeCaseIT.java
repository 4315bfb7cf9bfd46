package io.arbitration.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform.Person;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A case with many people, and one with a long docket: everything is there, found, and within the page. */
class ConsoleLargeCaseIT extends ConsoleScenario {

    private static final int PEOPLE = 200;
    private static final int ENTRIES = 5_000;

    private static String inCase(OpenCase open, String more) {
        return "/console/cases/" + open.caseId() + more;
    }

    private static void look(ConsolePage page, String name) throws IOException {
        for (String theme : new String[] {"light", "dark"}) {
            for (int width : new int[] {1440, 390, 320}) {
                page.show(width, 960, theme);
                page.awaitTrue("document.documentElement.scrollWidth <= innerWidth");
                page.picture("large-%s-%s-%d".formatted(name, theme, width));
            }
        }
        page.show(1440, 960, "light");
    }

    @Test
    void aCaseWithTwoHundredParticipants() throws IOException {
        OpenCase open = OpenCase.on(platform);
        String entryId = open.docketed(new JsonObject().put("title", "Letter to two hundred people"));
        int before = participants(open).size();
        Person last = open.claimant();
        for (int n = before; n < PEOPLE; n++) {
            last = platform.signIn("counsel-%d-%s@example.org".formatted(n, UUID.randomUUID()), "Counsel", "Number%d".formatted(n));
            open.add(open.manager(), last, n % 3 == 0 ? "respondent" : "claimant", n % 5 == 0);
        }
        assertThat(participants(open)).hasSize(PEOPLE);
        ConsolePage maya = CONSOLE.signedIn(open.manager(), inCase(open, "/people"), "light");
        maya.awaitText("Counsel Number" + (PEOPLE - 1));
        maya.awaitText("Counsel Number" + before);
        assertThat(maya.barriers()).isEqualTo(new JsonArray());
        look(maya, "people");
        maya.write("Find by name", "number%d".formatted(PEOPLE - 1));
        maya.awaitTrue("document.querySelectorAll('acp-people section .register > li').length === 1");
        maya.click("Withdraw the right to file: Counsel Number" + (PEOPLE - 1));
        maya.awaitTrue("document.querySelector('acp-ask-back dialog').open");
        maya.click("Withdraw the right to file");
        maya.awaitText("Counsel Number%d may not file any more.".formatted(PEOPLE - 1));

        maya.follow(inCase(open, "/notices?entry=" + entryId), "What is served");
        maya.awaitText("Counsel Number" + (PEOPLE - 1));
        assertThat(maya.barriers()).isEqualTo(new JsonArray());
        look(maya, "serve");
        maya.click("Choose all 66 of the side “Respondent”");
        maya.awaitText("Serve it on 66 recipients");
        maya.click("Choose all");
        maya.awaitText("At most 100 are served at once.");
        assertThat(maya.barriers()).isEqualTo(new JsonArray());
        maya.click("Choose nobody of the side “Claimant”");
        maya.awaitText("Serve it on 66 recipients");
        ConsolePage theirs = CONSOLE.signedIn(last, inCase(open, ""), "light");
        theirs.awaitText("Letter to two hundred people");
        look(theirs, "case-of-many");
    }

    private static JsonArray participants(OpenCase open) {
        return RunningConsole.done(open.on("/cases/cases/view", open.manager(), new JsonObject())).getJsonArray("participants");
    }

    @Test
    void aDocketOfFiveThousandEntries() throws IOException, SQLException {
        OpenCase open = OpenCase.on(platform);
        open.docketed(new JsonObject().put("title", "Letter on the availability of witnesses"));
        open.copyFirstEntry(ENTRIES, "title || ', part ' || n", "fields");
        ConsolePage clara = CONSOLE.signedIn(open.claimant(), inCase(open, ""), "light");
        clara.awaitText("Docket 5000");
        clara.awaitTrue("document.querySelectorAll('.docket li').length === " + ENTRIES);
        clara.awaitTrue("""
                [...document.querySelectorAll('.docket li > .numeral')].slice(0, 3).every(one => {
                  const number = document.createRange();
                  number.selectNodeContents(one);
                  const [line, ...more] = number.getClientRects();
                  const room = one.getBoundingClientRect();
                  return more.length === 0 && line.left >= room.left - 1 && line.right <= room.right + 1;
                })""");
        look(clara, "docket");
        clara.write("Go to No.", "17");
        clara.enter();
        clara.awaitTrue("document.querySelector('acp-entry h2')?.innerText.startsWith('No. 17,') === true");
        // The lists around the entry get their real height one after another, so it is looked at until it stays where it is seen.
        clara.awaitTrue("""
                (() => {
                  const at = document.querySelector('.docket [aria-current]')?.getBoundingClientRect();
                  const isSeen = at !== undefined && at.top >= 0 && at.bottom <= innerHeight && at.top === window.seenAt;
                  window.seenAt = at?.top;
                  window.timesSeen = isSeen ? (window.timesSeen ?? 0) + 1 : 0;
                  return window.timesSeen > 20;
                })()""");
        look(clara, "docket-entry");
    }
}
