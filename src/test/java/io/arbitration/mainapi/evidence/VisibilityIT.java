package io.arbitration.mainapi.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Form;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who sees whose evidence in which phase: one case goes through all phases, and everybody looks at everything in each. */
class VisibilityIT {

    private static final List<String> PHASES = List.of("caseInitiation", "caseFiling", "response", "arbitratorAppointment",
            "caseManagementConference", "evidenceSubmissions", "evidenceExchange", "preHearingSubmissions", "hearing", "deliberation",
            "awardIssuance");

    /** Rows: who looks. Columns: whose upload. Before the exchange of evidence, and from it on. */
    private static final String TABLE = """
            looks               claimant respondent manager arbitrator | claimant respondent manager arbitrator
            claimant            sees     -          -       -          | sees     sees       sees    sees
            colleague           sees     -          -       -          | sees     sees       sees    sees
            claimant-observer   sees     -          -       -          | sees     sees       sees    sees
            respondent          -        sees       -       -          | sees     sees       sees    sees
            respondent-observer -        sees       -       -          | sees     sees       sees    sees
            manager             sees     sees       sees    sees       | sees     sees       sees    sees
            manager-observer    sees     sees       sees    sees       | sees     sees       sees    sees
            arbitrator          -        -          -       sees       | sees     sees       sees    sees
            arbitrator-observer -        -          -       sees       | sees     sees       sees    sees
            outsider            -        -          -       -          | -        -          -       -
            administrator       -        -          -       -          | -        -          -       -
            """;

    private final RunningPlatform platform = RunningPlatform.shared();
    private final OpenCase open = OpenCase.on(platform);
    private final Map<String, Person> people = new LinkedHashMap<>();
    private final Map<String, String> uploads = new LinkedHashMap<>();

    private Person joining(String name, String partyId) {
        Person person = platform.signIn(name + "-" + open.caseId() + "@example.org", name, "Observer");
        open.add(open.manager(), person, partyId, true);
        return person;
    }

    @Test
    void everybodySeesInListViewAndDownloadWhatTheTableSaysInEveryPhase() {
        people.put("claimant", open.claimant());
        people.put("colleague", open.colleague());
        people.put("claimant-observer", open.observer());
        people.put("respondent", open.respondent());
        people.put("respondent-observer", joining("rita", "respondent"));
        people.put("manager", open.manager());
        people.put("manager-observer", joining("mona", "caseManager"));
        people.put("arbitrator", open.arbitrator());
        people.put("arbitrator-observer", joining("anna", "arbitrator"));
        people.put("outsider", open.outsider());
        people.put("administrator", platform.administrator());
        for (String party : List.of("claimant", "respondent", "manager", "arbitrator")) {
            Answer answer = Form.of(open.caseId(), "other", party).file(party + ".txt", "text/plain", "Of the " + party)
                    .post(platform, people.get(party).token());
            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            uploads.put(party, answer.object().getString("uploadID"));
        }
        for (String phase : PHASES) {
            if (!phase.equals("caseInitiation")) {
                open.advanceTo(phase);
            }
            assertThat(seen()).as(phase).isEqualTo(expected(PHASES.indexOf(phase) >= PHASES.indexOf("evidenceExchange")));
        }
        open.close();
        assertThat(seen()).as("closed").isEqualTo(expected(true));
    }

    @Test
    void aCaseThatIsClosedBeforeTheExchangeKeepsEvidenceToItsSide() {
        Answer answer = Form.of(open.caseId(), "other", "").file("a.txt", "text/plain", "A").post(platform, open.claimant().token());
        open.close();
        JsonObject named = new JsonObject().put("uploadID", answer.object().getString("uploadID"));
        assertThat(open.on("/api/evidence/uploads/view", open.respondent(), named).status()).isEqualTo(404);
        assertThat(open.on("/api/evidence/uploads/view", open.claimant(), named).status()).isEqualTo(200);
    }

    @Test
    void anObserverSeesTheFilingsThatWaitForItsSideAndDecidesNothing() {
        Person observer = joining("mona", "caseManager");
        String filing = open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
        JsonObject named = new JsonObject().put("filingID", filing);
        assertThat(open.on("/api/filings/view", observer, named).status()).as("a draft of another side").isEqualTo(404);
        open.document("submit", open.claimant(), filing);
        for (Person person : List.of(observer, open.manager())) {
            assertThat(open.on("/api/filings/view", person, named).status()).isEqualTo(200);
            assertThat(open.on("/api/filings/list", person, new JsonObject()).object().getJsonArray("filings")).hasSize(1);
        }
        assertThat(open.on("/cases/cases/actions", observer, new JsonObject()).object().getJsonArray("actions")).isEmpty();
        assertThat(open.document("approve", observer, filing).header("Error-Code")).isEqualTo("case.observer");
    }

    @Test
    void noUploadIsFoundThroughAnotherCase() {
        String upload = Form.of(open.caseId(), "other", "").file("a.txt", "text/plain", "A").post(platform, open.claimant().token())
                .object().getString("uploadID");
        OpenCase other = open.another();
        for (String path : List.of("/api/evidence/uploads/view", "/api/evidence/uploads/download")) {
            Answer answer = other.on(path, open.manager(), new JsonObject().put("uploadID", upload));
            assertThat(answer.status()).isEqualTo(404);
            assertThat(answer.sentence()).isEqualTo("upload not found");
        }
    }

    private static List<String> expected(boolean exchanged) {
        return TABLE.lines().skip(1).map(line -> {
            String[] halves = line.split("\\|");
            String who = line.substring(0, line.indexOf(' '));
            String cells = exchanged ? halves[1] : halves[0].substring(who.length());
            return who + " " + String.join(" ", cells.strip().split("\\s+"));
        }).toList();
    }

    /** The table as it is now; where list, view and download do not agree, it says so. */
    private List<String> seen() {
        List<String> rows = new ArrayList<>();
        people.forEach((who, person) -> {
            List<String> listed = open.on("/api/evidence/uploads/list", person, new JsonObject()).object().getJsonArray("uploads").stream()
                    .map(upload -> ((JsonObject) upload).getString("uploadID")).toList();
            rows.add(who + " " + String.join(" ", uploads.keySet().stream().map(party -> seen(person, party, listed)).toList()));
        });
        return rows;
    }

    private String seen(Person person, String party, List<String> listed) {
        JsonObject named = new JsonObject().put("uploadID", uploads.get(party));
        Answer view = open.on("/api/evidence/uploads/view", person, named);
        Answer download = open.on("/api/evidence/uploads/download", person, named);
        boolean inList = listed.contains(uploads.get(party));
        boolean shown = view.status() == 200 && view.object().getString("description").equals(party);
        boolean sent = download.status() == 200 && download.body().equals("Of the " + party);
        boolean hidden = Stream.of(view, download).allMatch(answer -> answer.status() == 404 && answer.sentence().equals("upload not found")
                || answer.status() == 403 && answer.sentence().equals("Not a participant in this case."));
        return inList && shown && sent ? "sees" : !inList && hidden ? "-" : "list %s view %d download %d".formatted(inList, view.status(), download.status());
    }
}
