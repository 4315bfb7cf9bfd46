package io.arbitration.cases.deadlines;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.HeldQueue;
import io.arbitration.OpenCase;
import io.arbitration.PlatformProcess;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.domain.CaseId;
import io.arbitration.domain.DeadlineId;
import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.cases.CaseDeadline;
import io.arbitration.domain.time.Deadline;
import io.arbitration.domain.time.LateFiling;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reminders of many deadlines by two nodes of which one is killed, of one that is set shortly before, and what a look for them costs. */
class RemindersIT {

    private static final int DEADLINES = 400;
    private static final int NOTED = 300;
    private static final String MADE = """
            insert into cases.deadlines (deadline_id, case_id, phase_id, document_id, party_id, trigger_at, rule, raw_date, rolled_date, late, set_for, remind_days)
            select gen_random_uuid(), '%s', 'response', 'answer', 'respondent', now() - interval '9 days', 'test', current_date, current_date, 'refuse',
                   date_trunc('milliseconds', now()) + interval '7 days 3 seconds' + n * interval '%d milliseconds', '{7}'
            from generate_series(1, %d) n""";
    /** Longer than any test takes: what is told without being woken is told too late for this class. */
    private static final int LOOK_SECONDS = 3600;

    @TempDir
    private static Path folder;

    private static RunningPlatform platform;

    private final OpenCase open = OpenCase.on(platform);

    @BeforeAll
    static void start() {
        platform = RunningPlatform.start(folder.resolve("first"), Map.of("ACP_AREAS_ENABLED", "auth,demo,cases,api,alerts,emails",
                "ACP_DEADLINES_LOOK_SECONDS", String.valueOf(LOOK_SECONDS)));
    }

    @AfterAll
    static void stop() {
        platform.close();
    }

    @Test
    void twoNodesRepeatNoneAndWhenOneIsKilledBetweenTwoRemindersTheOtherLosesNone() throws Exception {
        open.advanceTo("response");
        Map<String, String> settings = platform.siblingSettings();
        settings.put("ACP_DEADLINES_LOOK_SECONDS", "1");
        PlatformProcess killed = PlatformProcess.start(folder.resolve("second"), settings);
        // One after the other so far apart that a node is killed between two of them; more notes than a look reads at once.
        set(Stream.iterate(Duration.ofDays(7).plusSeconds(3), after -> after.plusMillis(10)).limit(DEADLINES).map(after -> deadline(Duration.ofDays(9), after)).toList(),
                Future::succeededFuture);
        Await.until("some of the reminders are told", () -> told("count(*)") > DEADLINES / 4);
        // Passed by the looks before they were set: only their notes tell of them, in more than one batch.
        set(Stream.generate(() -> deadline(Duration.ofDays(9), Duration.ofDays(6))).limit(NOTED).toList(), Future::succeededFuture);
        Await.until("some of the others are told", () -> told("count(*)") > NOTED);
        int before = told("count(*)");
        killed.kill();
        killed.awaitEnd();
        assertThat(before).as("told before the kill").isLessThan(DEADLINES + NOTED);
        Await.until("each deadline is told", () -> told("count(distinct envelope::json -> 'data' ->> 'deadlineID')") == DEADLINES + NOTED);
        Await.until("each is told to the respondent by email", () -> emails() >= DEADLINES + NOTED);
        assertThat(told("count(*)")).isEqualTo(DEADLINES + NOTED);
        assertThat(emails()).isEqualTo(DEADLINES + NOTED);
    }

    /** Somebody's long transaction in one case. */
    @Test
    void aLockedCaseDelaysNoReminderOfAnother() throws SQLException {
        OpenCase busy = open.another();
        open.advanceTo("response");
        busy.advanceTo("response");
        CaseDeadline waiting = deadline(busy, Duration.ofDays(9), Duration.ofDays(6));
        CaseDeadline free = deadline(Duration.ofDays(9), Duration.ofDays(6));
        try (Connection sql = platform.sql(); Statement statement = sql.createStatement()) {
            sql.setAutoCommit(false);
            statement.execute("select pg_advisory_xact_lock(hashtextextended('%s', 0))".formatted(busy.caseId()));
            set(List.of(waiting, free), Future::succeededFuture);
            Await.until("the reminder of the other", () -> told("count(*)") == 1);
            assertThat(reminders(busy)).isEmpty();
            sql.rollback();
        }
        Await.until("nobody wakes it, and it looks", () -> !reminders(busy).isEmpty());
        assertThat(reminders(busy)).containsExactly(List.of(waiting.deadlineId().toString(), "7"));
        assertThat(reminders()).containsExactly(List.of(free.deadlineId().toString(), "7"));
    }

    /** Of the new date the reminders are told that come due after it was granted; in a sandbox its own clock tells them. */
    @Test
    void anExtensionIsRemindedOfFromItsGrantOn() {
        open.advanceTo("response");
        String soon = made("answer", "{7,1}", "2 days");
        String due = made("counterclaim", "{7,1}", "2 days");
        grant(open, open.respondent(), soon, Duration.ofDays(6));
        grant(open, open.respondent(), due, Duration.ofDays(7).plusSeconds(2));
        OpenCase sandbox = open.sandbox();
        String claim = sandbox.on("/cases/deadlines/list", sandbox.manager(), new JsonObject()).object().getJsonArray("deadlines").getJsonObject(0).getString("deadlineID");
        grant(sandbox, sandbox.claimant(), claim, Duration.ofDays(100));
        Await.until("the reminder", () -> told("count(*)") == 1);
        assertThat(reminders()).containsExactly(List.of(due, "7"));
        assertThat(platform.rows("select from cases.reminder_checks join cases.deadlines using (deadline_id) where case_id = ?::uuid", sandbox.caseId())).isEmpty();
        assertThat(reminders(sandbox)).isEmpty();
        assertThat(sandbox.on("/cases/sandbox/clock/advance", sandbox.manager(), new JsonObject().put("to", in(Duration.ofDays(99).plusHours(1)))).status()).isEqualTo(200);
        assertThat(reminders(sandbox)).containsExactly(List.of(claim, "7"), List.of(claim, "1"));
    }

    private static String in(Duration after) {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS).plus(after).toString();
    }

    private static void grant(OpenCase of, Person by, String deadlineId, Duration after) {
        String extensionId = of.on("/cases/deadlines/extensions/request", by, new JsonObject().put("deadlineID", deadlineId)
                .put("reason", "Our witness travels.").put("until", in(after))).object().getString("extensionID");
        assertThat(of.on("/cases/deadlines/extensions/decide", of.manager(), new JsonObject().put("extensionID", extensionId).put("granted", true)
                .put("reason", "Agreed.")).status()).isEqualTo(200);
    }

    private int told(String what) {
        return Integer.parseInt(platform.rows("select %s from platform.events where event = 'deadline_near' and case_id = '%s'".formatted(what, open.caseId()))
                .getFirst().getFirst());
    }

    private int emails() {
        return platform.rows("select 1 from emails.emails m where ? = any (m.to_mailboxes) and m.subject like '%is due by%'", open.respondent().email()).size();
    }

    /** Nobody looks for an hour otherwise. */
    @Test
    void aDeadlineThatIsSetShortlyBeforeItsReminderIsTold() {
        open.advanceTo("response");
        CaseDeadline deadline = deadline(Duration.ofDays(9), Duration.ofDays(7).plusSeconds(2));
        set(deadline, Future::succeededFuture);
        Await.until("the reminder", () -> told("count(*)") == 1);
        assertThat(reminders()).containsExactly(List.of(deadline.deadlineId().toString(), "7"));
    }

    /** As when its transaction is slow to end. */
    @Test
    void aReminderThatIsDueBeforeTheDeadlineIsCommittedIsTold() {
        open.advanceTo("response");
        CaseDeadline deadline = deadline(Duration.ofDays(9), Duration.ofDays(7).plusMillis(300));
        set(deadline, () -> platform.vertx().executeBlocking(() -> {
            Await.until("looks have passed the deadline", () -> {
                look();
                return !platform.rows("select from cases.reminded where days = 7 and date > ?::timestamptz", deadline.set().date().toString()).isEmpty();
            });
            return null;
        }));
        Await.until("the reminder", () -> told("count(*)") == 1);
        assertThat(reminders()).containsExactly(List.of(deadline.deadlineId().toString(), "7"));
    }

    /** As when the consumer of docket entries was away. */
    @Test
    void ofADeadlineThatIsSetLateTheRemindersAreToldThatWereDueSinceItRan() {
        open.advanceTo("response");
        CaseDeadline missed = deadline(Duration.ofDays(9), Duration.ofDays(6));
        CaseDeadline shorter = deadline(Duration.ofHours(12), Duration.ofDays(6));
        set(shorter, Future::succeededFuture);
        set(missed, Future::succeededFuture);
        Await.until("the reminder", () -> told("count(*)") == 1);
        sql("insert into cases.reminder_checks (days, deadline_id) values (7, '%s')".formatted(missed.deadlineId()));
        look();
        Await.until("it is looked at again", () -> platform.rows("select from cases.reminder_checks where deadline_id = ?::uuid", missed.deadlineId().toString()).isEmpty());
        assertThat(reminders()).containsExactly(List.of(missed.deadlineId().toString(), "7"));
    }

    /** The rule of the next phase sets a deadline of its own running from the same entry, for the same day. */
    @Test
    void ofADeadlineThatGoesOnInTheNextPhaseNobodyIsToldAgain() {
        open.advanceTo("response");
        CaseDeadline before = deadline(Duration.ofDays(9), Duration.ofDays(6));
        set(before, Future::succeededFuture);
        Await.until("the reminder", () -> told("count(*)") == 1);
        open.advanceTo("arbitratorAppointment");
        CaseDeadline goesOn = new CaseDeadline(new DeadlineId(UUID.randomUUID()), before.caseId(), new PhaseId("arbitratorAppointment"), before.documentId(),
                before.partyId(), Optional.empty(), before.set());
        CaseDeadline other = new CaseDeadline(new DeadlineId(UUID.randomUUID()), before.caseId(), new PhaseId("arbitratorAppointment"), new DocumentTypeId("counterclaim"),
                before.partyId(), Optional.empty(), before.set());
        set(List.of(goesOn, other), Future::succeededFuture);
        Await.until("the reminder of the other", () -> told("count(*)") == 2);
        Await.until("both were looked at", () -> platform.rows("select from cases.reminder_checks join cases.deadlines using (deadline_id) where case_id = ?::uuid",
                open.caseId()).isEmpty());
        assertThat(reminders()).containsExactly(List.of(before.deadlineId().toString(), "7"), List.of(other.deadlineId().toString(), "7"));
    }

    /** An answer of the respondent that was set running so long ago and is due so long after now. */
    private CaseDeadline deadline(Duration since, Duration after) {
        return deadline(open, since, after);
    }

    private static CaseDeadline deadline(OpenCase of, Duration since, Duration after) {
        Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        return new CaseDeadline(new DeadlineId(UUID.randomUUID()), CaseId.of(of.caseId()).orElseThrow(), new PhaseId("response"),
                new DocumentTypeId("answer"), new PartyId("respondent"), Optional.empty(),
                new Deadline("test", now.minus(since), LocalDate.EPOCH, LocalDate.EPOCH, now.plus(after), LateFiling.MARK, Optional.empty()));
    }

    /** Keeps a deadline in a transaction that ends when this is done. */
    private static void set(CaseDeadline deadline, Supplier<Future<?>> before) {
        set(List.of(deadline), before);
    }

    private static void set(List<CaseDeadline> deadlines, Supplier<Future<?>> before) {
        platform.database().transaction(transaction -> transaction.query("set local idle_in_transaction_session_timeout = 0").execute()
                .compose(patient -> new DeadlineRepository(platform.database(), Duration.ofSeconds(LOOK_SECONDS))
                        .keep(transaction, deadlines.stream().map(one -> new DeadlineRepository.Due(one, List.of(7))).toList(), Instant.now())).compose(kept -> before.get())).toCompletionStage().toCompletableFuture().join();
    }

    /** An answer of the respondent that is due so long after now, with reminders so many days before; its id. */
    private String made(String days, String after) {
        return made("answer", days, after);
    }

    private String made(String documentId, String days, String after) {
        String id = UUID.randomUUID().toString();
        sql("""
                insert into cases.deadlines (deadline_id, case_id, phase_id, document_id, party_id, trigger_at, rule, raw_date, rolled_date, late, set_for, remind_days)
                values ('%s', '%s', 'response', '%s', 'respondent', now() - interval '9 days', 'test', current_date, current_date, 'refuse',
                  date_trunc('milliseconds', now()) + interval '%s', '%s')""".formatted(id, open.caseId(), documentId, after, days));
        return id;
    }

    private static void sql(String... statements) {
        try (Connection sql = platform.sql(); Statement statement = sql.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        } catch (SQLException failed) {
            throw new AssertionError(failed);
        }
    }

    private static void look() {
        sql("select pg_notify('%s', '')".formatted(ReminderRepository.CHANNEL));
    }

    /** Deadlines and days of what was told, in its order. */
    private List<List<String>> reminders() {
        return reminders(open);
    }

    private static List<List<String>> reminders(OpenCase of) {
        return platform.rows("""
                select envelope::json -> 'data' ->> 'deadlineID', envelope::json -> 'data' ->> 'days' from platform.events
                where event = 'deadline_near' and case_id = ?::uuid order by sequence""", of.caseId());
    }

    @Test
    void aNodeWhoseClockIsBehindTellsNothingAgain() {
        open.advanceTo("response");
        sql("update cases.reminded set date = now() + interval '7 days 1 hour' where days = 7");
        List<List<String>> place = platform.rows("select date, deadline_id from cases.reminded where days = 7");
        try {
            made("{7}", "7 days 1 second");
            String other = made("{1}", "1 day 2 seconds");
            look();
            Await.until("the other", () -> told("count(*)") > 0);
            assertThat(reminders()).containsExactly(List.of(other, "1"));
            assertThat(platform.rows("select date, deadline_id from cases.reminded where days = 7")).isEqualTo(place);
        } finally {
            sql("update cases.reminded set date = now() + interval '7 days' where days = 7");
        }
    }

    @Test
    void whatIsSetWhereANodeWhoseClockIsAheadHasLookedIsToldInItsTime() {
        open.advanceTo("response");
        sql("update cases.reminded set date = now() + interval '400 days' where days = 7");
        try {
            CaseDeadline now = deadline(Duration.ofDays(9), Duration.ofDays(6));
            CaseDeadline later = deadline(Duration.ofDays(9), Duration.ofDays(300));
            set(now, Future::succeededFuture);
            set(later, Future::succeededFuture);
            look();
            Await.until("the one that is due", () -> told("count(*)") == 1);
            assertThat(reminders()).containsExactly(List.of(now.deadlineId().toString(), "7"));
            assertThat(platform.rows("select deadline_id from cases.reminder_checks where deadline_id = any(array['%s', '%s']::uuid[])"
                    .formatted(now.deadlineId(), later.deadlineId()))).as("noted for its time").containsExactly(List.of(later.deadlineId().toString()));
        } finally {
            sql("update cases.reminded set date = now() + interval '7 days' where days = 7");
        }
    }

    @Test
    void afterAPauseOnlyTheShortestReminderOfWhatIsStillToComeIsTold() {
        open.advanceTo("response");
        made("{7,1}", "-1 hour");
        String near = made("{7,1}", "12 hours");
        String far = made("{7,1}", "3 days");
        sql("update cases.reminded set date = now() - interval '1 day'");
        look();
        Await.until("all are looked at", () -> platform.rows("select from cases.reminded where date < now() + (days - 1) * interval '24 hours'").isEmpty());
        assertThat(reminders()).containsExactlyInAnyOrder(List.of(near, "1"), List.of(far, "7"));
    }

    @Test
    void anAlertThatWaitsIsNotSentWhenItsDeadlineIsMetOrMovedMeanwhile() {
        open.advanceTo("response");
        String met = made("answer", "{1}", "1 day 1 second");
        String moved = made("counterclaim", "{1}", "1 day 1 second");
        String untouched = made("jurisdictionalObjection", "{1}", "1 day 1 second");
        try (HeldQueue held = new HeldQueue(platform, "alerts")) {
            look();
            Await.until("alerts of the three wait", () -> waiting().size() == 3);
            assertThat(open.document("submit", open.respondent(), open.draft(open.respondent(), "answer")).status()).isEqualTo(200);
            grant(open, open.respondent(), moved, Duration.ofDays(30));
            assertThat(waiting()).as("nothing was sent by then").hasSize(3);
        }
        Await.until("all are decided", () -> waiting().isEmpty());
        assertThat(platform.rows("""
                select envelope::json -> 'data' ->> 'deadlineID', a.state, a.reason from alerts.alerts a join platform.events e using (sequence)
                where e.event = 'deadline_near' and e.case_id = ?::uuid and a.channel = 'email'""", open.caseId())).containsExactlyInAnyOrder(
                        List.of(met, "dropped", "met or moved meanwhile"), List.of(moved, "dropped", "met or moved meanwhile"), Arrays.asList(untouched, "told", null));
        assertThat(emails()).isEqualTo(1);
    }

    /** Emails about deadlines of the case that are not sent and not dropped. */
    private List<List<String>> waiting() {
        return platform.rows("""
                select from alerts.alerts a join platform.events e using (sequence)
                where e.event = 'deadline_near' and e.case_id = ?::uuid and a.channel = 'email' and a.state = 'pending'""", open.caseId());
    }

    @Test
    void whatFailsForSomeDaysIsLookedAtAgainSoonAndTheOthersGoOn() {
        open.advanceTo("response");
        sql("""
                create function public.not_now() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$""",
                "create trigger not_now before update on cases.reminded for each row when (new.days = 7) execute function public.not_now()");
        String seven;
        String one;
        try {
            seven = made("{7}", "7 days 1 second");
            one = made("{1}", "1 day 1 second");
            look();
            Await.until("the other", () -> told("count(*)") > 0);
            assertThat(reminders()).containsExactly(List.of(one, "1"));
        } finally {
            sql("drop trigger not_now on cases.reminded", "drop function public.not_now()");
        }
        Await.until("nobody wakes it, and it looks", () -> told("count(*)") == 2);
        assertThat(reminders()).containsExactly(List.of(one, "1"), List.of(seven, "7"));
    }

    /** What a look reads does not grow with the number of deadlines: the plan is that of the statement which every node looks with. */
    @Test
    void aLookReadsARangeOfOneIndex() throws SQLException {
        try (Connection sql = platform.sql(); Statement statement = sql.createStatement()) {
            sql.setAutoCommit(false);
            statement.execute(MADE.formatted(open.caseId(), 60_000, 20_000));
            statement.execute("analyze cases.deadlines");
            statement.execute("prepare look (int, timestamptz, uuid, timestamptz, int, timestamptz) as " + ReminderRepository.REACHED);
            List<String> plan = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery("explain (costs off) execute look (7, now() + interval '7 days', '%s', now() + interval '7 days 1 minute', 256, now())"
                    .formatted(new UUID(0, 0)))) {
                while (rows.next()) {
                    plan.add(rows.getString(1));
                }
            }
            sql.rollback();
            assertThat(plan).as(String.join("\n", plan)).anySatisfy(line -> assertThat(line).contains("Index Scan using deadlines_reminded on deadlines"))
                    .anySatisfy(line -> assertThat(line).contains("Index Cond: ").contains("date").contains("<="))
                    .noneSatisfy(line -> assertThat(line).contains("Seq Scan"));
        }
    }
}
