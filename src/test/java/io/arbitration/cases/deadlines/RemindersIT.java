package io.arbitration.cases.deadlines;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.OpenCase;
import io.arbitration.PlatformProcess;
import io.arbitration.RunningPlatform;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reminders of many deadlines: what becomes of them when a node is killed, and what a look for them costs. */
class RemindersIT {

    private static final int DEADLINES = 400;
    /** One after the other so far apart that a node is killed between two of them. */
    private static final String MADE = """
            insert into cases.deadlines (deadline_id, case_id, phase_id, document_id, party_id, trigger_at, rule, raw_date, rolled_date, late, set_for, remind_days)
            select gen_random_uuid(), '%s', 'response', 'answer', 'respondent', now() - interval '9 days', 'test', current_date, current_date, 'refuse',
                   date_trunc('milliseconds', now()) + interval '7 days 3 seconds' + n * interval '%d milliseconds', '{7}'
            from generate_series(1, %d) n""";

    @Test
    void aNodeThatIsKilledBetweenTwoRemindersLosesAndRepeatsNone(@TempDir Path folder) throws Exception {
        Map<String, String> settings = Map.of("ACP_DEADLINES_LOOK_SECONDS", "1");
        PlatformProcess killed = PlatformProcess.start(folder, settings);
        OpenCase open = OpenCase.on(killed.platform());
        open.advanceTo("response");
        try (Connection sql = killed.sql(); Statement statement = sql.createStatement()) {
            statement.execute(MADE.formatted(open.caseId(), 10, DEADLINES));
        }
        Await.until("some of the reminders are told", () -> number(killed, told(open, "count(*)")) > DEADLINES / 4);
        int before = number(killed, told(open, "count(*)"));
        killed.kill();
        killed.awaitEnd();
        assertThat(before).as("told before the kill").isLessThan(DEADLINES);
        try (PlatformProcess next = PlatformProcess.start(folder, settings)) {
            Await.until("each deadline is told", () -> number(next, told(open, "count(distinct envelope::json -> 'data' ->> 'deadlineID')")) == DEADLINES);
            Await.until("each is told to the respondent by email", () -> number(next, emails(open)) >= DEADLINES);
            assertThat(number(next, told(open, "count(*)"))).isEqualTo(DEADLINES);
            assertThat(number(next, emails(open))).isEqualTo(DEADLINES);
        }
    }

    private static String told(OpenCase open, String what) {
        return "select %s from platform.events where event = 'deadline_near' and case_id = '%s'".formatted(what, open.caseId());
    }

    private static String emails(OpenCase open) {
        return "select count(*) from emails.emails m where '%s' = any (m.to_mailboxes) and m.subject like '%%is due by%%'".formatted(open.respondent().email());
    }

    private static int number(PlatformProcess process, String query) {
        try (Connection sql = process.sql(); ResultSet rows = sql.createStatement().executeQuery(query)) {
            rows.next();
            return rows.getInt(1);
        } catch (SQLException | IOException failed) {
            throw new AssertionError(failed);
        }
    }

    /** What a look reads does not grow with the number of deadlines: the plan is that of the statement which every node looks with. */
    @Test
    void aLookReadsARangeOfOneIndex() throws Exception {
        RunningPlatform platform = RunningPlatform.shared();
        OpenCase open = OpenCase.on(platform);
        try (Connection sql = platform.sql(); Statement statement = sql.createStatement()) {
            sql.setAutoCommit(false);
            statement.execute(MADE.formatted(open.caseId(), 60_000, 20_000));
            statement.execute("analyze cases.deadlines");
            statement.execute("prepare look (int, timestamptz, uuid, timestamptz, int) as " + DeadlinesRepository.REACHED);
            List<String> plan = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery("explain (costs off) execute look (7, now() + interval '7 days', '%s', now() + interval '7 days 1 minute', 256)"
                    .formatted(new UUID(0, 0)))) {
                while (rows.next()) {
                    plan.add(rows.getString(1));
                }
            }
            sql.rollback();
            assertThat(plan).as(String.join("\n", plan)).anySatisfy(line -> assertThat(line).contains("Index Scan using deadlines_reminded on deadlines"))
                    .anySatisfy(line -> assertThat(line).contains("Index Cond: ").contains("date").contains("<="))
                    .noneSatisfy(line -> assertThat(line).contains("Seq Scan on deadlines"));
        }
    }
}
