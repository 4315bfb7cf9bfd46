package io.arbitration.cases.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.arbitration.Await;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.domain.time.Timestamps;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cases that run by a clock of their own, over HTTP. */
class SandboxIT {

    private final RunningPlatform platform = RunningPlatform.shared();
    private final OpenCase people = OpenCase.on(platform);
    private final OpenCase open = people.sandbox();

    private JsonObject view(OpenCase of) {
        return of.on("/cases/cases/view", of.claimant(), new JsonObject()).object();
    }

    private Instant now() {
        return Instant.parse(view(open).getString("now"));
    }

    private Answer advance(Person by, Object to, String... headers) {
        return platform.post("/cases/sandbox/clock/advance", new JsonObject().put("caseID", open.caseId()).put("to", to.toString()), by.token(), headers);
    }

    private JsonArray advanced(Instant to) {
        Answer answer = advance(open.claimant(), to);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.object().getString("now")).isEqualTo(to.toString().length() == 20 ? to.toString().replace("Z", ".000Z") : to.toString());
        return answer.object().getJsonArray("fired");
    }

    private JsonObject claim(OpenCase of) {
        return of.on("/cases/deadlines/list", of.claimant(), new JsonObject()).object().getJsonArray("deadlines").stream().map(JsonObject.class::cast)
                .filter(one -> one.getString("documentID").equals("statementOfClaim")).findFirst().orElseThrow();
    }

    private static void refused(Answer answer, int status, String text) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.body()).isEqualTo("\"" + text + "\"");
    }

    /** Of the reminders that the event log has of a case: days before, and whether it is marked. */
    private List<List<String>> reminders(OpenCase of) {
        return platform.rows("""
                select envelope::json -> 'data' ->> 'days', envelope::json ->> 'timestamp', sandbox from platform.events
                where event = 'deadline_near' and case_id = ? order by sequence
                """, UUID.fromString(of.caseId()));
    }

    @Test
    void aSandboxSaysThatItIsOneAndAnyOtherCaseSaysNothing() {
        JsonObject sandbox = view(open);
        assertThat(sandbox.getBoolean("sandbox")).isTrue();
        assertThat(sandbox.getString("now")).isEqualTo(sandbox.getString("created"));
        assertThat(view(people).fieldNames()).doesNotContain("sandbox", "now");
    }

    @Test
    void allThatHappensByThenHappensInItsOrderAndOnce() {
        Instant date = Instant.parse(claim(open).getString("date"));
        assertThat(advanced(date.minus(Duration.ofDays(7)).minusMillis(1))).as("a millisecond before the first reminder").isEmpty();
        JsonArray fired = advanced(date.plusMillis(1));
        assertThat(fired.stream().map(one -> ((JsonObject) one).getString("kind"))).containsExactly("deadline_near", "deadline_near", "deadline_passed");
        assertThat(fired.stream().map(one -> Instant.parse(((JsonObject) one).getString("at"))))
                .containsExactly(date.minus(Duration.ofDays(7)), date.minus(Duration.ofDays(1)), date);
        JsonObject first = fired.getJsonObject(0);
        assertThat(first.getString("deadlineID")).isEqualTo(claim(open).getString("deadlineID"));
        assertThat(first.getInteger("days")).isEqualTo(7);
        assertThat(first.getString("partyID")).isEqualTo("claimant");
        assertThat(fired.getJsonObject(2).getString("status")).isEqualTo("missed");
        assertThat(claim(open).getString("status")).isEqualTo("missed");
        assertThat(reminders(open)).extracting(row -> row.get(0), row -> row.get(2)).containsExactly(
                tuple("7", "t"), tuple("1", "t"));
        assertThat(Instant.parse(reminders(open).getFirst().get(1))).as("the envelope bears the time of the case").isEqualTo(date.minus(Duration.ofDays(7)));
        assertThat(advanced(date.plus(Duration.ofDays(365)))).as("a year in which nothing is due").isEmpty();
        assertThat(open.on("/cases/cases/audit/list", open.manager(), new JsonObject()).object().getJsonArray("entries").stream()
                .map(entry -> ((JsonObject) entry).getString("action")).filter("sandbox.clock-advanced"::equals)).hasSize(3);
    }

    @Test
    void whatIsFiledIsFiledAtTheTimeOfTheCaseAndLateByIt() {
        Instant date = Instant.parse(claim(open).getString("date"));
        String early = open.draft(open.claimant(), "statementOfClaim");
        Instant inTime = date.minus(Duration.ofDays(3));
        advanced(inTime);
        assertThat(open.document("submit", open.claimant(), early).status()).isEqualTo(200);
        JsonObject submitted = open.view(open.claimant(), early);
        assertThat(submitted.getString("submittedAt")).isEqualTo(inTime.toString());
        assertThat(open.reject(open.manager(), early, "Name the amount.").status()).isEqualTo(200);
        JsonArray fired = advanced(date.plus(Duration.ofDays(2)));
        assertThat(fired.stream().map(one -> ((JsonObject) one).getString("kind"))).containsExactly("deadline_near", "deadline_passed");
        assertThat(open.document("submit", open.claimant(), early).status()).isEqualTo(200);
        assertThat(open.document("approve", open.manager(), early).status()).isEqualTo(200);
        assertThat(open.view(open.claimant(), early).getString("submittedAt")).isEqualTo(date.plus(Duration.ofDays(2)).toString());
        assertThat(open.docket(open.respondent()).getJsonObject(0).getString("enteredAt")).isEqualTo(date.plus(Duration.ofDays(2)).toString());
        String hearingStart = date.plus(Duration.ofDays(30)).plusMillis(1).toString();
        Answer hearing = open.on("/cases/hearings/create", open.manager(), new JsonObject().put("title", "Hearing").put("start", hearingStart)
                .put("durationMinutes", 60).put("timeZone", "Europe/Stockholm"));
        assertThat(hearing.status()).as(hearing.body()).isEqualTo(200);
        List<List<String>> events = platform.rows("select event, sandbox, envelope::json ->> 'timestamp', occurred_at < now() + interval '1 minute' from platform.events where case_id = ?",
                UUID.fromString(open.caseId()));
        assertThat(events).as("each is marked, and the log counts by the time of the platform").hasSizeGreaterThan(8)
                .allSatisfy(row -> assertThat(List.of(row.get(1), row.get(3))).containsOnly("t"));
        assertThat(events).filteredOn(row -> row.getFirst().equals("docket_filing")).extracting(row -> row.get(2))
                .containsExactly(date.plus(Duration.ofDays(2)).toString());
    }

    @Test
    void anExtensionMovesWhatIsStillToHappen() {
        JsonObject before = claim(open);
        Instant date = Instant.parse(before.getString("date"));
        assertThat(advanced(date.minus(Duration.ofDays(2)))).hasSize(1);
        Instant until = date.plus(Duration.ofDays(30));
        String extensionId = open.on("/cases/deadlines/extensions/request", open.claimant(), new JsonObject().put("deadlineID", before.getString("deadlineID"))
                .put("until", until.toString()).put("reason", "Our witness travels.")).object().getString("extensionID");
        assertThat(open.on("/cases/deadlines/extensions/decide", open.manager(), new JsonObject().put("extensionID", extensionId).put("granted", true)
                .put("reason", "Agreed.")).status()).isEqualTo(200);
        JsonObject extension = open.on("/cases/deadlines/extensions/list", open.claimant(), new JsonObject()).object().getJsonArray("extensions").getJsonObject(0);
        assertThat(extension.getString("requested")).isEqualTo(extension.getString("ended")).isEqualTo(date.minus(Duration.ofDays(2)).toString());
        assertThat(advanced(date.plus(Duration.ofDays(1)))).as("the day that was due before").isEmpty();
        assertThat(advanced(until).stream().map(one -> Instant.parse(((JsonObject) one).getString("at"))))
                .containsExactly(until.minus(Duration.ofDays(7)), until.minus(Duration.ofDays(1)), until);
        refused(open.on("/cases/deadlines/extensions/request", open.claimant(), new JsonObject().put("deadlineID", before.getString("deadlineID"))
                .put("until", until.toString()).put("reason", "Again.")), 400, "until: must be later than the deadline");
        advanced(until.plusMillis(1));
        refused(open.on("/cases/deadlines/extensions/request", open.claimant(), new JsonObject().put("deadlineID", before.getString("deadlineID"))
                .put("until", until.plusSeconds(60).toString()).put("reason", "Again.")), 409, "deadline has passed");
    }

    @Test
    void withMoreTimeAFilingIsTakenUntilTheNewDateWhereTheRuleRefusesLateOnes() {
        open.advanceTo("response");
        JsonObject objection = open.on("/cases/deadlines/list", open.respondent(), new JsonObject()).object().getJsonArray("deadlines").stream()
                .map(JsonObject.class::cast).filter(one -> one.getString("documentID").equals("jurisdictionalObjection")).findFirst().orElseThrow();
        Instant date = Instant.parse(objection.getString("date"));
        Instant until = date.plus(Duration.ofDays(10));
        String extensionId = open.on("/cases/deadlines/extensions/request", open.respondent(), new JsonObject().put("deadlineID", objection.getString("deadlineID"))
                .put("until", until.toString()).put("reason", "Our witness travels.")).object().getString("extensionID");
        String between = objecting();
        String after = objecting();
        assertThat(open.on("/cases/deadlines/extensions/decide", open.manager(), new JsonObject().put("extensionID", extensionId).put("granted", true)
                .put("reason", "Agreed.")).status()).isEqualTo(200);
        advanced(until.minus(Duration.ofDays(1)));
        Answer taken = open.document("submit", open.respondent(), between);
        assertThat(taken.status()).as(taken.body()).isEqualTo(200);
        advanced(until.plusMillis(1));
        refused(open.document("submit", open.respondent(), after), 409, "document is late: it had to be filed by " + until);
    }

    private String objecting() {
        Answer made = open.create(open.respondent(), "jurisdictionalObjection", new JsonObject().put("scope", "All claims.").put("ground", "There is no agreement to arbitrate."));
        assertThat(made.status()).as(made.body()).isEqualTo(200);
        return made.object().getString("filingID");
    }

    @Test
    void aRequestThatWaitedUntilWhatItAskedForIsOverIsGrantedOnlyToALaterDate() {
        JsonObject before = claim(open);
        Instant date = Instant.parse(before.getString("date"));
        String extensionId = open.on("/cases/deadlines/extensions/request", open.claimant(), new JsonObject().put("deadlineID", before.getString("deadlineID"))
                .put("until", date.plus(Duration.ofDays(7)).toString()).put("reason", "Our witness travels.")).object().getString("extensionID");
        advanced(date.plus(Duration.ofDays(16)));
        JsonObject granting = new JsonObject().put("extensionID", extensionId).put("granted", true).put("reason", "Agreed.");
        refused(open.on("/cases/deadlines/extensions/decide", open.manager(), granting.copy()), 400, "until: must be in the future");
        Instant later = date.plus(Duration.ofDays(20));
        assertThat(claim(open).getString("date")).isEqualTo(date.toString());
        assertThat(open.on("/cases/deadlines/extensions/decide", open.manager(), granting.put("until", later.toString())).status()).isEqualTo(200);
        assertThat(claim(open).getString("date")).isEqualTo(later.toString());
    }

    @Test
    void whoMayNotAndWhereTheClockCannotGoIsRefusedByName() {
        Instant at = now();
        Instant day = at.plus(Duration.ofDays(1));
        refused(advance(open.outsider(), day), 403, "Not a participant in this case.");
        refused(advance(platform.administrator(), day), 403, "Not a participant in this case.");
        refused(advance(open.observer(), day), 403, "You are registered as an observer and cannot change this case");
        refused(people.on("/cases/sandbox/clock/advance", people.claimant(), new JsonObject().put("to", day.toString())), 409, "case is not a sandbox");
        refused(platform.post("/cases/sandbox/clock/advance", new JsonObject().put("caseID", UUID.randomUUID().toString()).put("to", day.toString()),
                open.claimant().token()), 404, "case not found");
        String earlier = "to: must be later than the time of the case, " + view(open).getString("now");
        refused(advance(open.claimant(), at), 400, earlier);
        refused(advance(open.claimant(), at.minusSeconds(1)), 400, earlier);
        refused(advance(open.claimant(), at.plusNanos(1)), 400, earlier);
        refused(advance(open.claimant(), "1970-01-01T00:00:00Z"), 400, earlier);
        for (String far : List.of("9999-12-31T23:59:59.999Z", "2100-01-01T00:00:00Z")) {
            Answer answer = advance(open.claimant(), far);
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.sentence()).startsWith("to: must be at most ten years after the creation of the case, 20");
        }
        for (String wrong : List.of("+99999-01-01T00:00:00Z", "2027-02-30T00:00:00Z", "tomorrow", "")) {
            assertThat(advance(open.claimant(), wrong).status()).as(wrong).isEqualTo(400);
            assertThat(advance(open.claimant(), wrong).sentence()).as(wrong).startsWith("to: ");
        }
        refused(advance(open.claimant(), day, "If-Match", "\"1\""), 409, "If-Match does not match the current revision");
        assertThat(now()).as("nothing has moved it").isEqualTo(at);
        Answer moved = advance(open.claimant(), day, "If-Match", "\"" + view(open).getInteger("revision") + "\"");
        assertThat(moved.header("ETag")).isEqualTo("\"" + view(open).getInteger("revision") + "\"");
        open.close();
        refused(advance(open.claimant(), day.plusSeconds(1)), 409, "case is closed");
    }

    @Test
    void inStepsOfANanosecondNothingHappensTwice() {
        Instant date = Instant.parse(claim(open).getString("date"));
        Instant reminder = date.minus(Duration.ofDays(7));
        assertThat(advanced(reminder)).hasSize(1);
        for (int nanos : List.of(1, 999_999)) {
            refused(advance(open.claimant(), reminder.plusNanos(nanos)), 400, "to: must be later than the time of the case, " + Timestamps.text(reminder));
        }
        Answer next = advance(open.claimant(), reminder.plusNanos(1_000_001));
        assertThat(next.object().getString("now")).as("the clock counts in milliseconds").isEqualTo(Timestamps.text(reminder.plusMillis(1)));
        assertThat(next.object().getJsonArray("fired")).isEmpty();
        refused(advance(open.claimant(), reminder), 400, "to: must be later than the time of the case, " + Timestamps.text(reminder.plusMillis(1)));
        assertThat(reminders(open)).hasSize(1);
    }

    @Test
    void ofManyThatSetItOnAtOnceEachTellsWhatTheOthersDoNot() throws Exception {
        Instant date = Instant.parse(claim(open).getString("date"));
        List<Instant> times = IntStream.range(0, 8).mapToObj(n -> date.minus(Duration.ofDays(10 - 2 * n))).toList();
        List<JsonObject> fired;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Answer>> answers = threads.invokeAll(times.stream().<Callable<Answer>>map(to -> () -> advance(open.claimant(), to)).toList());
            fired = answers.stream().map(Future::resultNow).filter(answer -> answer.status() == 200)
                    .flatMap(answer -> answer.object().getJsonArray("fired").stream()).map(JsonObject.class::cast).toList();
            assertThat(answers).allSatisfy(answer -> assertThat(answer.resultNow().status()).isIn(200, 400));
        }
        assertThat(now()).isEqualTo(times.getLast());
        assertThat(fired.stream().map(one -> one.getString("at")).sorted()).containsExactly(
                date.minus(Duration.ofDays(7)).toString(), date.minus(Duration.ofDays(1)).toString(), date.toString());
        assertThat(reminders(open)).hasSize(2);
    }

    @Test
    void theSameRequestAgainIsAnsweredAsBefore() {
        Instant date = Instant.parse(claim(open).getString("date"));
        String key = UUID.randomUUID().toString();
        Answer first = advance(open.claimant(), date, "Idempotency-Key", key);
        Answer again = advance(open.claimant(), date, "Idempotency-Key", key);
        assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(reminders(open)).hasSize(2);
    }

    @Test
    void aConnectionThatDiesBeforeTheCommitLeavesTheClockWhereItWas() throws Exception {
        Instant before = now();
        Instant date = Instant.parse(claim(open).getString("date"));
        try (Connection sql = platform.sql()) {
            sql.setAutoCommit(false);
            try (Statement statement = sql.createStatement()) {
                // Clock and events are written by then, and not committed.
                statement.execute("lock table platform.audit in exclusive mode");
                CompletableFuture<Answer> asked = CompletableFuture.supplyAsync(() -> advance(open.claimant(), date));
                Await.until("the transaction waits to write its audit line", () -> !waiting().isEmpty());
                platform.rows("select pg_terminate_backend(?::int)", waiting().getFirst().getFirst());
                assertThat(asked.get().status()).isGreaterThanOrEqualTo(500);
                sql.rollback();
            }
        }
        assertThat(now()).isEqualTo(before);
        assertThat(reminders(open)).isEmpty();
        assertThat(advanced(date)).hasSize(3);
        assertThat(reminders(open)).hasSize(2);
    }

    private List<List<String>> waiting() {
        return platform.rows("select pid from pg_stat_activity where wait_event_type = 'Lock' and query like '%into platform.audit%'");
    }

    @Test
    void theClockOfThePlatformPassesTheDeadlinesOfSandboxesWithoutReadingThem() throws SQLException {
        assertThat(platform.rows("select from cases.deadlines where case_id = ? and remind_days <> '{}'", UUID.fromString(open.caseId()))).isEmpty();
        assertThat(platform.rows("select from cases.deadlines where case_id = ? and remind_days <> '{}'", UUID.fromString(people.caseId()))).isNotEmpty();
        try (Connection sql = platform.sql(); Statement statement = sql.createStatement()) {
            sql.setAutoCommit(false);
            statement.execute("""
                    insert into cases.deadlines (deadline_id, case_id, phase_id, document_id, party_id, trigger_at, rule, raw_date, rolled_date, late, set_for)
                    select gen_random_uuid(), '%s', 'response', 'answer', 'respondent', now(), 'rule', now(), now(), 'mark', now() + n * interval '1 second'
                    from generate_series(1, 50000) n
                    """.formatted(open.caseId()));
            statement.execute("analyze cases.deadlines");
            for (String most : List.of("and date <= now() + interval '1 year' order by date, deadline_id limit 256", "order by date, deadline_id limit 1")) {
                String plan = plan(statement, "explain (analyze, costs off) select * from cases.deadlines where (date, deadline_id) > (now(), '%s') and remind_days <> '{}' and 7 = any (remind_days) %s"
                        .formatted(new UUID(-1, -1), most));
                assertThat(plan).contains("deadlines_reminded").doesNotContain("Seq Scan").doesNotContainPattern("Rows Removed by Filter: \\d{3,}");
            }
            sql.rollback();
        }
    }

    private static String plan(Statement statement, String query) throws SQLException {
        StringBuilder plan = new StringBuilder();
        try (ResultSet lines = statement.executeQuery(query)) {
            while (lines.next()) {
                plan.append(lines.getString(1)).append('\n');
            }
        }
        return plan.toString();
    }

    @Test
    void inCalendarsASandboxSaysThatItIsOne() {
        JsonObject hearing = open.on("/cases/hearings/create", open.manager(), new JsonObject().put("title", "First day").put("start", now().plus(Duration.ofDays(3)).truncatedTo(
                java.time.temporal.ChronoUnit.MINUTES).toString()).put("durationMinutes", 60).put("timeZone", "Europe/Stockholm")).object();
        assertThat(hearing.getString("hearingID")).isNotNull();
        JsonObject feed = platform.post("/cases/calendar/feeds/create", new JsonObject(), open.claimant().token()).object();
        String calendar = platform.get(java.net.URI.create(feed.getString("url")).getPath()).body().replace("\r\n ", "");
        String title = view(open).getString("title");
        assertThat(calendar.lines().filter(line -> line.startsWith("SUMMARY:"))).anyMatch(line -> line.equals("SUMMARY:Sandbox: %s: First day".formatted(title)))
                .anyMatch(line -> line.startsWith("SUMMARY:Sandbox: %s: Statement of".formatted(title)));
        Await.until("the invitation", () -> !platform.rows("select 1 from emails.emails where ? = any (to_mailboxes) and calendar like ?",
                open.claimant().email(), "%SUMMARY:Sandbox: " + title + "%").isEmpty());
    }

    @Test
    void noticesToOutsidersAreHeldAndTheListSaysWhy() {
        String entryId = open.docketed(new JsonObject());
        Answer served = open.on("/api/service-of-notice/send", open.manager(), new JsonObject().put("entryID", entryId).put("mailType", "claimNotice")
                .put("recipients", new JsonArray().add(new JsonObject().put("userID", open.respondent().id())).add(new JsonObject().put("email", "clerk@court.example"))));
        assertThat(served.status()).as(served.body()).isEqualTo(200);
        Await.until("both are taken by the emails area", () -> recipients().stream().allMatch(one -> one.getString("reason") != null));
        Map<String, String> reasons = recipients().stream().collect(Collectors.toMap(one -> one.getString("email"), one -> one.getString("reason")));
        assertThat(reasons).containsEntry("clerk@court.example", "the case is a sandbox, the email is held")
                .containsEntry(open.respondent().email(), "no mail server is configured, the email is held");
    }

    private List<JsonObject> recipients() {
        return open.on("/api/service-of-notice/list", open.manager(), new JsonObject()).object().getJsonArray("notices").getJsonObject(0)
                .getJsonArray("recipients").stream().map(JsonObject.class::cast).toList();
    }

    @Test
    void aReceiptOfASandboxSaysSo() {
        String filingId = open.draft(open.claimant(), OpenCase.UNAPPROVED_DOCUMENT);
        assertThat(open.document("submit", open.claimant(), filingId).status()).isEqualTo(200);
        String receipt = open.on("/api/filings/receipt", open.claimant(), new JsonObject().put("filingID", filingId)).object().getString("receipt");
        JsonObject payload = new JsonObject(new String(Base64.getUrlDecoder().decode(receipt.split("\\.")[1]), StandardCharsets.UTF_8));
        assertThat(payload.getBoolean("sandbox")).isTrue();
        String real = people.draft(people.claimant(), OpenCase.UNAPPROVED_DOCUMENT);
        people.document("submit", people.claimant(), real);
        String ordinary = people.on("/api/filings/receipt", people.claimant(), new JsonObject().put("filingID", real)).object().getString("receipt");
        assertThat(new JsonObject(new String(Base64.getUrlDecoder().decode(ordinary.split("\\.")[1]), StandardCharsets.UTF_8)).fieldNames())
                .doesNotContain("sandbox");
    }

    @Test
    void whereItIsTurnedOffThereAreNone(@TempDir Path folder) {
        try (RunningPlatform off = platform.sibling(folder, Map.of("ACP_SANDBOX_ENABLED", "false", "ACP_AREAS_ENABLED", "auth,demo,cases"))) {
            Answer created = off.post("/cases/cases/create", new JsonObject().put("title", "A v. B").put("ruleSet", "commercial").put("sandbox", true), open.claimant().token());
            refused(created, 400, "sandbox: is not enabled");
            refused(off.post("/cases/sandbox/clock/advance", new JsonObject().put("caseID", open.caseId()).put("to", now().plusSeconds(1).toString()),
                    open.claimant().token()), 400, "sandbox: is not enabled");
            assertThat(off.post("/cases/cases/create", new JsonObject().put("title", "A v. B").put("ruleSet", "commercial").put("sandbox", false),
                    open.claimant().token()).status()).isEqualTo(200);
        }
    }
}
