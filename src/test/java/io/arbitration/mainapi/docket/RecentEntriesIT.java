package io.arbitration.mainapi.docket;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What was entered lately on the dockets of somebody's cases, over HTTP. */
class RecentEntriesIT {

    private static final RunningPlatform PLATFORM = RunningPlatform.shared();
    private static final String EVER = "2000-01-01T00:00:00Z";

    private final OpenCase open = OpenCase.on(PLATFORM);
    private final OpenCase other = open.another();

    private static JsonObject recent(Person by, JsonObject body) {
        Answer answer = PLATFORM.post("/api/docket/entries/recent", body, by.token());
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.object();
    }

    private static List<JsonObject> entries(Person by, String since) {
        return recent(by, new JsonObject().put("since", since)).getJsonArray("entries").stream().map(JsonObject.class::cast).toList();
    }

    private static List<String> ids(List<JsonObject> entries) {
        return entries.stream().map(entry -> entry.getString("entryID")).toList();
    }

    @Test
    void theEntriesOfAllCasesOfTheCallerComeTheNewestFirstWithTheirCase() {
        String first = open.docketed(new JsonObject());
        String second = other.docketed(new JsonObject());
        String third = open.docketed(new JsonObject());
        List<JsonObject> seen = entries(open.respondent(), EVER);
        assertThat(ids(seen)).containsExactly(third, second, first);
        JsonObject inDocket = open.docket(open.respondent()).getJsonObject(1);
        assertThat(seen.getFirst()).as("the entry as its docket lists it, and its case").isEqualTo(
                inDocket.copy().put("caseID", open.caseId()).put("caseTitle", "Cranes v. Quarry"));
        assertThat(entries(open.outsider(), EVER)).isEmpty();
        assertThat(ids(entries(open.claimant(), seen.get(1).getString("enteredAt")))).as("since then, that instant included").containsExactly(third, second);
        assertThat(entries(open.claimant(), Instant.parse(seen.getFirst().getString("enteredAt")).plusMillis(1).toString())).isEmpty();
        open.platform().post("/cases/cases/participants/remove", new JsonObject().put("caseID", other.caseId()).put("userID", open.respondent().id()), open.manager().token());
        assertThat(ids(entries(open.respondent(), EVER))).as("of cases that the caller takes part in now").containsExactly(third, first);
    }

    @Test
    void pagesMissAndRepeatNothing() {
        List<String> docketed = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            docketed.addFirst((i % 2 == 0 ? open : other).docketed(new JsonObject()));
        }
        List<String> paged = new ArrayList<>();
        String cursor = null;
        do {
            JsonObject page = recent(open.arbitrator(), new JsonObject().put("since", EVER).put("limit", 2).put("cursor", cursor));
            page.getJsonArray("entries").forEach(entry -> paged.add(((JsonObject) entry).getString("entryID")));
            cursor = page.getString("nextCursor");
        } while (cursor != null);
        assertThat(paged).isEqualTo(docketed);
    }

    @Test
    void aSealedEntryHasNoTitleForWhomItIsSealed() {
        String entryId = open.docketed(new JsonObject().put("title", "The price of the cranes"));
        assertThat(open.on("/api/docket/entries/seal", open.manager(), new JsonObject().put("entryID", entryId).put("visibleTo", new JsonArray())
                .put("reason", "Secrets.")).status()).isEqualTo(200);
        assertThat(entries(open.respondent(), EVER)).extracting(entry -> entry.getString("title")).containsExactly("Sealed document");
        for (Person sees : List.of(open.claimant(), open.manager(), open.arbitrator())) {
            assertThat(entries(sees, EVER)).extracting(entry -> entry.getString("title")).containsExactly("The price of the cranes");
        }
    }

    /** The tables of a test are small enough to be read whole; without that, the plan is the one of large ones. */
    @Test
    void theEntriesOfEachCaseAreReadBackwardsFromTheirIndex() throws SQLException {
        try (Connection sql = PLATFORM.sql(); Statement statement = sql.createStatement()) {
            statement.execute("set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off");
            statement.execute("prepare recent (uuid, timestamptz, timestamptz, bigint, int) as " + RecentEntryRepository.OF_USER);
            List<String> plan = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery("explain (costs off) execute recent ('%s', now() - interval '7 days', 'infinity', 0, 51)".formatted(open.claimant().id()))) {
                while (rows.next()) {
                    plan.add(rows.getString(1));
                }
            }
            assertThat(plan).as(String.join("\n", plan)).anySatisfy(line -> assertThat(line).contains("Scan Backward using entries_recent"));
        }
    }

    @Test
    void sinceMustBeATime() {
        for (String wrong : List.of("2026-02-30T00:00:00Z", "yesterday", "1")) {
            Answer answer = PLATFORM.post("/api/docket/entries/recent", new JsonObject().put("since", wrong), open.claimant().token());
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.sentence()).isEqualTo("since: must be a time like 2026-11-21T09:30:00.000Z");
        }
    }
}
