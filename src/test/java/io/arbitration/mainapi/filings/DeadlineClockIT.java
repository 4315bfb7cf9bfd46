package io.arbitration.mainapi.filings;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.MovableClock;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.cases.definitions.DefinitionsLoader;
import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.cases.Field;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Deadlines that end around the change of the clocks and the end of the year, asked for and missed over HTTP by a clock that the
 * test moves. The commercial rules count in New York, the expedited ones in Berlin; both refuse a late objection.
 */
class DeadlineClockIT {

    private static final String DOCUMENT = "jurisdictionalObjection";
    /** In the order of time, as the clock goes: rule set, days that the case chose, start of the phase, raw date, rolled date, last moment. */
    private static final String TABLE = """
            commercial 14 2026-12-18T15:00:00Z 2027-01-01 2027-01-04 2027-01-05T04:59:59.999Z over New Year's Day and a weekend
            commercial  7 2027-03-05T15:00:00Z 2027-03-12 2027-03-12 2027-03-13T04:59:59.999Z two days before the clocks go forward
            commercial  7 2027-03-07T15:00:00Z 2027-03-14 2027-03-15 2027-03-16T03:59:59.999Z on the day on which they do, a Sunday
            expedited  14 2027-03-22T23:30:00Z 2027-04-01 2027-04-01 2027-04-01T21:59:59.999Z already the 23rd there; over Easter and the change
            commercial  7 2027-10-31T15:00:00Z 2027-11-07 2027-11-08 2027-11-09T04:59:59.999Z on the day on which they go back
            expedited  14 2027-12-27T09:00:00Z 2028-01-03 2028-01-03 2028-01-03T22:59:59.999Z the working days of two years
            """;
    private static final Duration BEFORE = Duration.ofSeconds(120);

    private final MovableClock clock = new MovableClock();

    @TempDir
    private Path folder;
    private RunningPlatform platform;

    /** People of that moment: tokens do not live as long as deadlines. */
    private record People(Person claimant, Person respondent, Person manager) {}

    private People people() {
        return new People(platform.signIn("clara@example.org", "Clara", "Claimant"), platform.signIn("rolf@example.org", "Rolf", "Respondent"),
                platform.signIn("maya@example.org", "Maya", "Manager"));
    }

    private void moveTo(Instant moment) {
        clock.ahead(Duration.between(Instant.now(), moment));
    }

    private JsonObject post(String path, String caseId, JsonObject more, Person by) {
        Answer answer = platform.post(path, more.copy().put("caseID", caseId), by.token());
        assertThat(answer.status()).as("%s: %s", path, answer.body()).isEqualTo(200);
        return answer.body().startsWith("{") ? answer.object() : new JsonObject();
    }

    private String opened(String ruleSet, int days, People people) {
        String caseId = platform.post("/cases/cases/create", new JsonObject().put("title", "Clocks").put("ruleSet", ruleSet)
                .put("responseDeadlineDays", days), people.claimant.token()).object().getString("caseID");
        post("/cases/cases/participants/add", caseId, new JsonObject().put("userID", people.manager.id()).put("partyID", "caseManager"),
                platform.administrator());
        post("/cases/cases/participants/add", caseId, new JsonObject().put("userID", people.respondent.id()).put("partyID", "respondent"), people.manager);
        post("/cases/cases/phases/advance", caseId, new JsonObject().put("phaseID", "response"), people.manager);
        return caseId;
    }

    private String drafted(String caseId, Map<String, Object> fields, Person by) {
        return post("/api/filings/create", caseId, new JsonObject().put("documentID", DOCUMENT).put("fields", new JsonObject(fields)), by).getString("filingID");
    }

    private boolean mayFile(String caseId, Person by) {
        return post("/cases/cases/actions", caseId, new JsonObject(), by).getJsonArray("actions").stream().map(JsonObject.class::cast)
                .anyMatch(action -> action.getString("action").equals("file") && DOCUMENT.equals(action.getString("documentID")));
    }

    @Test
    void deadlinesEndWithTheDayOfTheCaseWhateverTheClocksDo() {
        Map<String, Object> fields = DefinitionsLoader.load(Path.of("conf/definitions")).document(new DocumentTypeId(DOCUMENT)).orElseThrow().fields()
                .filter(Field::required).collect(java.util.stream.Collectors.toMap(Field::id, field -> "Ground of the objection"));
        moveTo(Instant.parse("2026-12-18T14:00:00Z"));
        try (RunningPlatform running = RunningPlatform.start(folder, Map.of(), clock)) {
            platform = running;
            TABLE.lines().forEach(line -> {
                String[] cells = line.split("\\s+", 7);
                Instant last = Instant.parse(cells[5]);
                moveTo(Instant.parse(cells[2]));
                People before = people();
                String inTime = opened(cells[0], Integer.parseInt(cells[1]), before);
                String late = opened(cells[0], Integer.parseInt(cells[1]), before);
                String inTimeFiling = drafted(inTime, fields, before.respondent);
                String lateFiling = drafted(late, fields, before.respondent);
                JsonObject deadline = post("/api/filings/documents/check", inTime, new JsonObject().put("filingID", inTimeFiling), before.respondent)
                        .getJsonObject("deadline");
                assertThat(LocalDate.parse(deadline.getString("rawDate"))).as(line).isEqualTo(cells[3]);
                assertThat(LocalDate.parse(deadline.getString("rolledDate"))).as(line).isEqualTo(cells[4]);
                assertThat(deadline.getString("date")).as(line).isEqualTo(cells[5]);

                moveTo(last.minus(BEFORE));
                People then = people();
                assertThat(mayFile(late, then.respondent)).as(line).isTrue();
                post("/api/filings/documents/submit", inTime, new JsonObject().put("filingID", inTimeFiling), then.respondent);

                moveTo(last.plusMillis(1));
                assertThat(mayFile(late, then.respondent)).as(line).isFalse();
                JsonObject named = new JsonObject().put("caseID", late).put("filingID", lateFiling);
                assertThat(post("/api/filings/documents/check", late, named, then.respondent).getJsonArray("problems"))
                        .as(line).containsExactly("document is late: it had to be filed by " + cells[5]);
                Answer refused = platform.post("/api/filings/documents/submit", named, then.respondent.token());
                assertThat(refused.status()).as(line).isEqualTo(409);
                assertThat(refused.sentence()).as(line).isEqualTo("document is late: it had to be filed by " + cells[5]);
            });
        }
    }
}
