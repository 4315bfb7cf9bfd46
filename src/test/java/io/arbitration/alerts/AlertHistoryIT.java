package io.arbitration.alerts;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.WholeDay;
import io.arbitration.platform.events.LoggedEvent;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** How many alerts become emails, and for how long it is kept who was alerted of what. */
class AlertHistoryIT {

    private final RunningPlatform platform = RunningPlatform.shared();

    private String alert(String state, int daysAgo) {
        return platform.rows("""
                insert into alerts.alerts (sequence, user_id, channel, state, created, due)
                values (1, gen_random_uuid(), 'email', ?, now() - ? * interval '1 day', case when ? = 'pending' then 'infinity'::timestamptz end)
                returning alert_id
                """, state, daysAgo, state).getFirst().getFirst();
    }

    private List<Boolean> areKept(String... ids) {
        return List.of(ids).stream().map(id -> !platform.rows("select 1 from alerts.alerts where alert_id = ?::bigint", id).isEmpty()).toList();
    }

    @Test
    void anAlertThatEndedIsRemovedAfterItsHistoryAndOneThatWaitsIsNot() throws Exception {
        String told = alert("told", 400);
        String dropped = alert("dropped", 400);
        String waiting = alert("pending", 400);
        String young = alert("told", 300);
        new AlertHistoryRepository(platform.database()).deleteExpired(Duration.ofDays(365)).toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
        assertThat(areKept(told, dropped, waiting, young)).containsExactly(false, false, true, true);
    }

    private List<LoggedEvent> docketed(OpenCase open, Person by, int count) {
        for (int i = 0; i < count; i++) {
            assertThat(open.document("submit", by, open.draft(by, OpenCase.UNAPPROVED_DOCUMENT)).status()).isEqualTo(200);
        }
        List<List<String>> events = platform.rows("""
                select sequence, event_id, actor_id, occurred_at, envelope from platform.events
                where case_id = ?::uuid and event = 'docket_filing' and actor_id = ?::uuid order by sequence""", open.caseId(), by.id());
        assertThat(events).hasSize(count);
        String told = events.stream().map(List::getFirst).collect(Collectors.joining(","));
        Await.until("the platform, which has no bound here, has told them", () -> !platform.rows("""
                select 1 from alerts.alerts where sequence = any (string_to_array(?, ',')::bigint[]) and user_id = ?::uuid and channel = 'email'
                offset ?""", told, open.respondent().id(), count - 1).isEmpty());
        return events.stream().map(row -> new LoggedEvent(Long.parseLong(row.get(0)), UUID.fromString(row.get(1)), "docket_filing", UUID.fromString(open.caseId()),
                Optional.of(UUID.fromString(row.get(2))), Instant.EPOCH, row.get(4), Optional.empty(), false)).toList();
    }

    private List<String> toldBy(FanOutRepository fanOut, OpenCase open, List<LoggedEvent> events) throws Exception {
        platform.database().transaction(transaction -> fanOut.fanOut(transaction, events)).toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
        String told = events.stream().map(event -> String.valueOf(event.sequence())).collect(Collectors.joining(","));
        return platform.rows("""
                select a.channel || coalesce(' ' || a.reason, '') from alerts.alerts a
                where a.sequence = any (string_to_array(?, ',')::bigint[]) and a.user_id = ?::uuid order by a.channel, a.sequence""", told, open.respondent().id())
                .stream().map(List::getFirst).toList();
    }

    /** A bound of the person alone would let one user hide by many mails what another does. */
    @Test
    void ofOneUsersActsAPersonIsToldSoOftenADayByEmailAndByPushAsBefore() throws Exception {
        WholeDay.in(ZoneOffset.UTC);
        OpenCase open = OpenCase.on(platform);
        List<LoggedEvent> ofClaimant = docketed(open, open.claimant(), 3);
        List<LoggedEvent> ofColleague = docketed(open, open.colleague(), 1);
        platform.rows("delete from alerts.alerts a using platform.events e where e.sequence = a.sequence and e.case_id = ?::uuid and e.event = 'docket_filing' returning 1", open.caseId());
        platform.rows("delete from alerts.emails_of_day where user_id = ?::uuid returning 1", open.respondent().id());
        FanOutRepository fanOut = new FanOutRepository(platform.database(), 2);
        String over = "email too many emails about acts of one user today";
        assertThat(toldBy(fanOut, open, ofClaimant)).containsExactly("email", "email", over, "push", "push", "push");
        assertThat(toldBy(fanOut, open, ofColleague)).containsExactly("email", "push");
        // In another batch, too.
        platform.rows("delete from alerts.alerts where sequence = ? and user_id = ?::uuid returning 1", ofClaimant.getFirst().sequence(), open.respondent().id());
        assertThat(toldBy(fanOut, open, ofClaimant.subList(0, 1))).containsExactly(over, "push");
        platform.rows("update alerts.emails_of_day set day = day - 1 where user_id = ?::uuid returning 1", open.respondent().id());
        platform.rows("delete from alerts.alerts where sequence = ? and user_id = ?::uuid returning 1", ofClaimant.getFirst().sequence(), open.respondent().id());
        assertThat(toldBy(fanOut, open, ofClaimant.subList(0, 1))).as("on the next day").containsExactly("email", "push");
        new AlertHistoryRepository(platform.database()).deleteExpired(Duration.ofDays(365)).toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
        assertThat(platform.rows("select 1 from alerts.emails_of_day where user_id = ?::uuid and day < (now() at time zone 'utc')::date", open.respondent().id())).isEmpty();
    }
}
