package io.arbitration.console;

import static io.arbitration.console.RunningConsole.look;
import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The parts of a case beside its docket, in a real browser: evidence, notices, seals, people, its course from phase to phase, the award. */
class ConsoleCaseIT {

    private static final Path PDF = Path.of("src/main/resources/demo/statement-of-claim.pdf");
    private static RunningConsole console;
    private static RunningPlatform platform;

    @BeforeAll
    static void start() {
        console = RunningConsole.shared();
        platform = console.platform();
    }

    private static String inCase(OpenCase open, String more) {
        return "/console/cases/" + open.caseId() + more;
    }

    private static void assertCalm(ConsolePage... pages) {
        for (ConsolePage page : pages) {
            assertThat(page.complaints).isEmpty();
            assertThat(console.operations()).containsAll(page.asked);
        }
    }

    @Test
    void evidenceIsDroppedDescribedRefusedAtTheFileAndReadByEachSideInItsTime(@TempDir Path folder) throws IOException {
        OpenCase open = OpenCase.on(platform);
        Path bill = Files.writeString(folder.resolve("bill.txt"), "Bill of lading, 3 March 2026\n");
        Path page = Files.writeString(folder.resolve("page.html"), "<h1>Offer</h1><img src=x onerror=alert(1)>");
        Path lie = Files.writeString(folder.resolve("scan.pdf"), "This is no PDF.");
        Path empty = Files.writeString(folder.resolve("empty.txt"), "");

        ConsolePage clara = console.signedIn(open.claimant(), inCase(open, "/evidence"), "light");
        clara.awaitText("There is no evidence that you may see");
        clara.tabToAndEnter("Add evidence");
        clara.drop("acp-evidence .drop", bill, lie, empty);
        clara.awaitText("Upload 3 files");
        clara.awaitText("This file is empty.");
        clara.write("What it is: bill.txt", "Bill of lading");
        clara.pick("Kind of evidence: bill.txt", "Photograph");
        clara.awaitText("“Photograph” can be JPEG, PNG, WEBP, TIFF.");
        clara.pick("Kind of evidence: bill.txt", "Correspondence");
        assertThat(clara.barriers()).isEmpty();
        clara.picture("console-evidence-adding");
        clara.follow(inCase(open, "/dates"), "Deadlines");
        clara.follow(inCase(open, "/evidence"), "Upload 3 files");
        clara.tabToAndEnter("Upload 3 files");
        clara.awaitText("The exhibit is on the record of the case.");
        clara.awaitText("The file is declared as application/pdf, but its content is text/plain.");
        clara.tabToAndEnter("Remove");
        clara.tabToAndEnter("Remove");
        clara.choose("#exhibits", page, PDF);
        clara.write("What it is: page.html", "Their offer <b>of May</b>");
        clara.write("What it is: statement-of-claim.pdf", "The contract");
        clara.tabToAndEnter("Upload 2 files");
        clara.awaitText("2 exhibits are on the record of the case.");
        clara.awaitText("Their offer <b>of May</b>");
        clara.click("Exhibit 2, Their offer");
        clara.awaitText("C-2, Their offer");
        clara.awaitText("<img src=x onerror=alert(1)>");
        clara.awaitText("✓ verified in your browser");
        assertThat(clara.evaluate("document.querySelector('img[src=x]') === null")).isEqualTo(true);
        look(clara, "evidence", "light");
        clara.show(1440, 960, "dark");
        assertThat(clara.barriers()).isEmpty();

        ConsolePage rolf = console.signedIn(open.respondent(), inCase(open, "/evidence"), "dark");
        rolf.awaitText("There is no evidence that you may see");
        open.advanceTo("evidenceExchange");
        rolf.awaitText("Bill of lading");
        rolf.tabToAndEnter("Exhibit 1, Bill of lading");
        rolf.awaitText("Bill of lading, 3 March 2026");
        open.advanceTo("hearing");
        rolf.awaitText("In the phase “Hearing” evidence is added by the case manager alone.");
        ConsolePage olga = console.signedIn(open.observer(), inCase(open, "/evidence"), "light");
        olga.awaitText("You take part as an observer, who reads and changes nothing.");
        olga.awaitText("The contract");
        assertCalm(clara, rolf, olga);
    }
}
