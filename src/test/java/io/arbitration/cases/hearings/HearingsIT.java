package io.arbitration.cases.hearings;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.HeldQueue;
import io.arbitration.NextYear;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import net.fortuna.ical4j.data.CalendarBuilder;
import net.fortuna.ical4j.data.ParserException;
import net.fortuna.ical4j.model.Calendar;
import net.fortuna.ical4j.model.component.VEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Hearings: who schedules them, who is told, and what calendars make of it. */
class HearingsIT {

    private static final RunningPlatform PLATFORM = RunningPlatform.shared();

    private final OpenCase open = OpenCase.on(PLATFORM);

    private static JsonObject wanted() {
        return new JsonObject().put("title", "Hearing of the witnesses").put("start", NextYear.at("03-01T09:00:00.000Z")).put("durationMinutes", 90)
                .put("timeZone", "Europe/Stockholm").put("place", "Room 4; left, 2nd floor").put("link", "https://meet.example.org/4");
    }

    private Answer call(Person by, String operation, JsonObject body) {
        return open.on("/cases/hearings/" + operation, by, body);
    }

    private static JsonObject ok(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.object();
    }

    private static void refused(Answer answer, int status, String sentence) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.sentence()).isEqualTo(sentence);
    }

    private JsonObject scheduled() {
        return ok(call(open.manager(), "create", wanted()));
    }

    private static JsonObject named(JsonObject hearing) {
        return new JsonObject().put("hearingID", hearing.getString("hearingID"));
    }

    /** Subject, method and calendar of the emails about hearings to somebody, in their order. */
    private static List<List<String>> emails(Person to) {
        return PLATFORM.rows("select subject, calendar_method, calendar from emails.emails where ? = any (to_mailboxes) and calendar is not null order by accepted_at", to.email());
    }

    private static Calendar read(String text) {
        try {
            return new CalendarBuilder().build(new StringReader(text));
        } catch (IOException | ParserException broken) {
            throw new AssertionError(text, broken);
        }
    }

    private static VEvent event(String text) {
        Calendar calendar = read(text);
        assertThat(calendar.validate().hasErrors()).as("%s", calendar.validate()).isFalse();
        return calendar.<VEvent>getComponents("VEVENT").getFirst();
    }

    @Test
    void everyParticipantIsInvitedByAnEntryForItsCalendarThatFollowsTheHearing() {
        JsonObject hearing = scheduled();
        assertThat(hearing.getString("status")).isEqualTo("scheduled");
        awaitTold(hearing);
        Answer moved = call(open.arbitrator(), "update", named(hearing).put("start", NextYear.at("07-01T09:00:00.000Z")).putNull("place"));
        assertThat(ok(moved).getString("place")).isNull();
        assertThat(ok(moved).getString("link")).as("what was left out stays").isEqualTo("https://meet.example.org/4");
        assertThat(moved.header("ETag")).isEqualTo("\"2\"");
        awaitTold(hearing);
        refused(call(open.manager(), "cancel", named(hearing).put("reason", "The parties have settled.")), 200, "Hearing cancelled.");
        awaitTold(hearing);

        List<List<String>> told = emails(open.respondent());
        assertThat(told).extracting(List::getFirst).containsExactly("Cranes v. Quarry: hearing scheduled", "Cranes v. Quarry: hearing changed",
                "Cranes v. Quarry: hearing cancelled");
        assertThat(told).extracting(row -> row.get(1)).containsExactly("REQUEST", "REQUEST", "CANCEL");
        List<VEvent> events = told.stream().map(row -> event(row.get(2))).toList();
        assertThat(events).extracting(event -> event.getUid().orElseThrow().getValue()).containsOnly("hearing-%s@localhost".formatted(hearing.getString("hearingID")));
        assertThat(events).extracting(event -> event.getSequence().getSequenceNo()).containsExactly(0, 1, 2);
        assertThat(events).extracting(event -> event.getStatus().getValue()).containsExactly("CONFIRMED", "CONFIRMED", "CANCELLED");
        assertThat(events.get(0).getLocation().getValue()).isEqualTo("Room 4; left, 2nd floor");
        assertThat(instant(events.get(0))).as("in winter").isEqualTo(NextYear.instant("03-01T09:00:00Z"));
        assertThat(instant(events.get(1))).as("in summer").isEqualTo(NextYear.instant("07-01T09:00:00Z"));
        for (Person person : List.of(open.claimant(), open.colleague(), open.observer(), open.manager(), open.arbitrator())) {
            assertThat(emails(person)).hasSize(3);
        }
        assertThat(emails(open.outsider())).isEmpty();
    }

    private static Instant instant(VEvent event) {
        return ZonedDateTime.from(event.getDateTimeStart().getDate()).toInstant();
    }

    @Test
    void whoWantsToHearOfNoHearingsOrHasLeftIsNotTold() {
        assertThat(PLATFORM.post("/alerts/preferences/update", new JsonObject().put("hearings", false), open.respondent().token()).status()).isEqualTo(200);
        JsonObject hearing = scheduled();
        Await.until("an email to " + open.claimant().email(), () -> emails(open.claimant()).size() == 1);
        awaitTold(hearing);
        assertThat(emails(open.respondent())).isEmpty();

        assertThat(PLATFORM.post("/alerts/preferences/update", new JsonObject().put("hearings", false), open.claimant().token()).status()).isEqualTo(200);
        ok(call(open.manager(), "update", named(hearing).put("start", NextYear.at("07-01T09:00:00.000Z"))));
        Await.until("the new time, of what is in its calendar", () -> emails(open.claimant()).size() == 2);
        refused(call(open.manager(), "cancel", named(hearing).put("reason", "The parties have settled.")), 200, "Hearing cancelled.");
        awaitTold(hearing);
        List<List<String>> told = emails(open.claimant());
        assertThat(told).extracting(row -> row.get(1)).containsExactly("REQUEST", "REQUEST", "CANCEL");
        List<Instant> stamps = told.stream().map(row -> event(row.get(2)).getDateTimeStamp().getDate()).toList();
        assertThat(stamps).as("when each was written").isSorted();
        assertThat(told).allSatisfy(row -> assertThat(row.get(2)).contains("LAST-MODIFIED:"));
        assertThat(emails(open.respondent())).as("who was told of nothing").isEmpty();
        assertThat(PLATFORM.rows("""
                select 1 from cases.hearing_news n where n.hearing_id = ?::uuid and n.user_id = ?::uuid and n.channel = 'push' and n.told = 'yes' and n.revision > 1
                """, hearing.getString("hearingID"), open.claimant().id())).as("by email alone").isEmpty();
    }

    private static void awaitTold(JsonObject hearing) {
        Await.until("all is told", () -> PLATFORM.rows("""
                select 1 from platform.queue_items q join cases.hearing_news n on n.news_id = q.key where q.queue = 'hearing_news' and n.hearing_id = $1::uuid
                union all select 1 from cases.hearing_closings where hearing_id = $1::uuid
                """.replace("$1", "'%s'".formatted(hearing.getString("hearingID")))).isEmpty());
    }

    private static void sql(String... statements) {
        try (Connection sql = PLATFORM.sql(); Statement statement = sql.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        } catch (SQLException failed) {
            throw new AssertionError(failed);
        }
    }

    /** Does something while nobody is told of hearings. */
    private static <T> T untold(Supplier<T> meanwhile) {
        try (HeldQueue held = new HeldQueue(PLATFORM, "hearing_news")) {
            return meanwhile.get();
        }
    }

    @Test
    void whatWasMovedBeforeItsFirstEmailIsNewToItsReaders() {
        JsonObject hearing = untold(() -> ok(call(open.manager(), "update", named(scheduled()).put("start", NextYear.at("07-01T09:00:00.000Z")))));
        awaitTold(hearing);
        for (Person person : List.of(open.claimant(), open.respondent(), open.observer())) {
            assertThat(emails(person)).hasSize(1);
            List<String> email = emails(person).getFirst();
            assertThat(email.subList(0, 2)).containsExactly("Cranes v. Quarry: hearing scheduled", "REQUEST");
            assertThat(instant(event(email.get(2)))).as("as things stand").isEqualTo(NextYear.instant("07-01T09:00:00Z"));
        }
        refused(call(open.manager(), "cancel", named(hearing).put("reason", "Settled.")), 200, "Hearing cancelled.");
        awaitTold(hearing);
        assertThat(emails(open.respondent())).extracting(row -> row.get(1)).containsExactly("REQUEST", "CANCEL");
    }

    @Test
    void whatWasCancelledBeforeItsFirstEmailIsToldToNobody() {
        JsonObject hearing = untold(() -> {
            JsonObject made = scheduled();
            refused(call(open.manager(), "cancel", named(made).put("reason", "Settled.")), 200, "Hearing cancelled.");
            return made;
        });
        awaitTold(hearing);
        for (Person person : List.of(open.claimant(), open.respondent(), open.manager())) {
            assertThat(emails(person)).isEmpty();
        }
    }

    @Test
    void whatANodeMayHaveToldBeforeItDiedIsCancelled() {
        JsonObject hearing = untold(() -> {
            JsonObject made = scheduled();
            sql("update platform.queue_items set unrecorded = 1 where queue = 'hearing_news' and key in (select news_id from cases.hearing_news where hearing_id = '%s')"
                    .formatted(made.getString("hearingID")));
            refused(call(open.manager(), "cancel", named(made).put("reason", "Settled.")), 200, "Hearing cancelled.");
            return made;
        });
        awaitTold(hearing);
        assertThat(emails(open.respondent())).extracting(row -> row.get(1)).containsExactly("CANCEL");
    }

    private void participates(String operation, Person person) {
        Answer answer = open.on("/cases/cases/participants/" + operation, open.manager(), new JsonObject().put("userID", person.id()).put("partyID", "respondent"));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    }

    @Test
    void whoLeavesTheCaseHasTheHearingTakenOutOfItsCalendarAndWhoJoinsIsInvited() {
        JsonObject hearing = scheduled();
        awaitTold(hearing);
        participates("remove", open.respondent());
        awaitTold(hearing);
        participates("add", open.outsider());
        awaitTold(hearing);
        assertThat(emails(open.outsider())).extracting(List::getFirst).containsExactly("Cranes v. Quarry: hearing scheduled");
        assertThat(emails(open.respondent())).extracting(row -> row.get(1)).containsExactly("REQUEST", "CANCEL");
        VEvent gone = event(emails(open.respondent()).getLast().get(2));
        assertThat(gone.getStatus()).as("it is cancelled for one of those who were invited").isNull();
        assertThat(gone.getSequence().getSequenceNo()).isEqualTo(1);
        assertThat(PLATFORM.rows("select subject, text from emails.emails where ? = any (to_mailboxes) and calendar_method = 'CANCEL'", open.respondent().email()).getFirst())
                .satisfies(row -> assertThat(row.getFirst()).isEqualTo("Cranes v. Quarry: hearing no longer yours"))
                .satisfies(row -> assertThat(row.getLast()).contains("do not take part in this case any more").doesNotContain("Room 4", "meet.example.org", "was cancelled"));

        assertThat(ok(call(open.manager(), "update", named(hearing).put("place", "Room 5"))).getInteger("revision")).isEqualTo(2);
        awaitTold(hearing);
        assertThat(emails(open.respondent())).as("what became of it is not told to who has left").hasSize(2);
        assertThat(emails(open.claimant())).as("nobody else is told of who comes and goes").extracting(List::getFirst).containsExactly(
                "Cranes v. Quarry: hearing scheduled", "Cranes v. Quarry: hearing changed");

        participates("add", open.respondent());
        awaitTold(hearing);
        assertThat(emails(open.respondent())).extracting(row -> row.get(1)).containsExactly("REQUEST", "CANCEL", "REQUEST");
        assertThat(emails(open.respondent()).getLast().getFirst()).isEqualTo("Cranes v. Quarry: hearing scheduled");
        assertThat(event(emails(open.respondent()).getLast().get(2)).getSequence().getSequenceNo()).as("later than the cancellation").isEqualTo(4);
        assertThat(event(emails(open.claimant()).getLast().get(2)).getSequence().getSequenceNo()).isEqualTo(3);
    }

    @Test
    void whatANodeToldBeforeItDiedIsNotToldAgainAfterSomebodyJoined() {
        JsonObject hearing = scheduled();
        awaitTold(hearing);
        participates("add", open.outsider());
        awaitTold(hearing);
        sql("update cases.hearing_news set told = null where hearing_id = '%1$s' and user_id = '%2$s'".formatted(hearing.getString("hearingID"), open.respondent().id()),
                "select platform.enqueue('hearing_news', array_agg(news_id order by news_id)) from cases.hearing_news where hearing_id = '%1$s' and user_id = '%2$s'"
                        .formatted(hearing.getString("hearingID"), open.respondent().id()));
        awaitTold(hearing);
        assertThat(emails(open.respondent())).extracting(row -> row.get(1)).containsExactly("REQUEST");
    }

    @Test
    void aChangeOfNothingIsToldToNobody() {
        JsonObject hearing = scheduled();
        Answer same = call(open.manager(), "update", named(hearing).put("title", hearing.getString("title")).put("start", hearing.getString("start")));
        assertThat(ok(same)).isEqualTo(hearing);
        assertThat(same.header("ETag")).isEqualTo("\"1\"");
        awaitTold(hearing);
        assertThat(emails(open.respondent())).hasSize(1);
        assertThat(PLATFORM.rows("select event from platform.events where case_id = ?::uuid and event like 'hearing_%'", open.caseId())).containsExactly(List.of("hearing_scheduled"));
    }

    @Test
    void whoLeavesBeforeTheFirstEmailHearsNothing() {
        JsonObject hearing = untold(() -> {
            JsonObject made = scheduled();
            participates("remove", open.respondent());
            return made;
        });
        awaitTold(hearing);
        assertThat(emails(open.respondent())).isEmpty();
        assertThat(emails(open.claimant())).hasSize(1);
    }

    @Test
    void onlyCaseManagerAndArbitratorsScheduleAndEveryParticipantSees() {
        String notDeciding = "Only the case manager and the arbitrators can do this in this case.";
        refused(call(open.claimant(), "create", wanted()), 403, notDeciding);
        refused(call(open.observer(), "create", wanted()), 403, "You are registered as an observer and cannot change this case");
        refused(call(open.outsider(), "create", wanted()), 403, "Not a participant in this case.");
        JsonObject hearing = scheduled();
        refused(call(open.respondent(), "update", named(hearing).put("title", "Ours")), 403, notDeciding);
        refused(call(open.respondent(), "cancel", named(hearing).put("reason", "No.")), 403, notDeciding);
        refused(call(open.outsider(), "view", named(hearing)), 403, "Not a participant in this case.");
        for (Person person : List.of(open.claimant(), open.observer(), open.respondent(), PLATFORM.administrator())) {
            assertThat(ok(call(person, "view", named(hearing)))).isEqualTo(hearing);
        }
        for (String unknown : List.of(UUID.randomUUID().toString(), "x", "")) {
            refused(call(open.manager(), "view", new JsonObject().put("hearingID", unknown)), 404, "hearing not found");
            refused(call(open.manager(), "cancel", new JsonObject().put("hearingID", unknown).put("reason", "No.")), 404, "hearing not found");
        }
        refused(open.another().on("/cases/hearings/view", open.manager(), named(hearing)), 404, "hearing not found");
    }

    @Test
    void aCancelledHearingAndAClosedCaseStayAsTheyAre() {
        JsonObject hearing = scheduled();
        Answer stale = open.platform().post("/cases/hearings/cancel", named(hearing).put("caseID", open.caseId()).put("reason", "No."), open.manager().token(),
                "If-Match", "\"2\"");
        refused(stale, 409, "If-Match does not match the current revision");
        refused(call(open.manager(), "cancel", named(hearing).put("reason", "Settled.")), 200, "Hearing cancelled.");
        refused(call(open.manager(), "cancel", named(hearing).put("reason", "Settled.")), 409, "hearing is cancelled");
        refused(call(open.manager(), "update", named(hearing).put("title", "Again")), 409, "hearing is cancelled");
        assertThat(ok(call(open.claimant(), "view", named(hearing))).getString("reason")).isEqualTo("Settled.");
        JsonObject left = scheduled();
        open.close();
        refused(call(open.manager(), "create", wanted()), 409, "case is closed");
        refused(call(open.manager(), "update", named(left).put("title", "Again")), 409, "case is closed");
    }

    @Test
    void whenTheCaseIsClosedItsHearingsToComeAreCancelledForTheSameReason() {
        JsonObject over = ok(call(open.manager(), "create", wanted().put("start", "2020-03-02T09:00:00.000Z")));
        JsonObject coming = scheduled();
        awaitTold(coming);
        open.close();
        JsonObject gone = ok(call(open.claimant(), "view", named(coming)));
        assertThat(gone.getString("status")).isEqualTo("cancelled");
        assertThat(gone.getString("reason")).isEqualTo("settled");
        assertThat(gone.getInteger("revision")).isEqualTo(2);
        assertThat(ok(call(open.claimant(), "view", named(over)))).as("what has been stays as it was").isEqualTo(over);
        awaitTold(coming);
        List<List<String>> told = emails(open.respondent()).stream().filter(row -> row.get(2).contains(coming.getString("hearingID"))).toList();
        assertThat(told).extracting(row -> row.get(1)).containsExactly("REQUEST", "CANCEL");
        assertThat(event(told.getLast().get(2)).getSequence().getSequenceNo()).isEqualTo(1);
        assertThat(emails(open.respondent())).hasSize(3);
        assertThat(PLATFORM.rows("select event, envelope::json -> 'data' ->> 'hearingID' from platform.events where case_id = ?::uuid order by sequence desc limit 2", open.caseId()))
                .containsExactly(Arrays.asList("case_closed", null), List.of("hearing_cancelled", coming.getString("hearingID")));
        assertThat(open.on("/cases/cases/audit/list", open.manager(), new JsonObject()).object().getJsonArray("entries").stream()
                .map(entry -> ((JsonObject) entry).getString("action"))).startsWith("case.closed", "hearing.cancelled");
    }

    /** More hearings than one transaction takes; the node that had claimed them is gone before it has queued what is to be told. */
    @Test
    void ofTheHearingsOfAClosedCaseEverybodyIsToldOnceAlsoByTheSuccessorOfADeadNode() {
        List<JsonObject> hearings = Stream.generate(this::scheduled).limit(ClosedHearingRepository.AT_ONCE_MAX + 1).toList();
        hearings.forEach(HearingsIT::awaitTold);
        JsonObject moved = hearings.getFirst();
        try (HeldQueue held = new HeldQueue(PLATFORM, ClosedHearingRepository.QUEUE)) {
            untold(() -> {
                Answer answer = call(open.manager(), "update", named(moved).put("start", NextYear.at("07-01T09:00:00.000Z")));
                open.close();
                return ok(answer);
            });
            Await.until("of the move nobody is told any more", () -> PLATFORM.rows("""
                    select 1 from platform.queue_items q join cases.hearing_news n on n.news_id = q.key where q.queue = 'hearing_news' and n.hearing_id = ?::uuid
                    """, moved.getString("hearingID")).isEmpty());
            assertThat(emails(open.respondent())).extracting(row -> row.get(1)).containsOnly("REQUEST").hasSameSizeAs(hearings);
            sql("""
                    update platform.queue_items set claim = gen_random_uuid(), unrecorded = 1 where queue = 'hearing_closings' and key in (
                      select closing_id from cases.hearing_closings l join cases.hearings h using (hearing_id) where h.case_id = '%s')
                    """.formatted(open.caseId()));
        }
        hearings.forEach(HearingsIT::awaitTold);
        for (Person person : List.of(open.claimant(), open.respondent(), open.observer(), open.manager())) {
            assertThat(emails(person).stream().filter(row -> row.get(1).equals("CANCEL")).map(row -> event(row.get(2)).getUid().orElseThrow().getValue()))
                    .containsExactlyInAnyOrderElementsOf(hearings.stream().map(one -> "hearing-%s@localhost".formatted(one.getString("hearingID"))).toList());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            timeZone        | Europe/Atlantis           | timeZone: must be a time zone of the IANA database like Europe/Stockholm
            timeZone        | GMT+25                    | timeZone: must be a time zone of the IANA database like Europe/Stockholm
            start           | 2027-02-30T09:00:00Z      | start: must be a time like 2026-11-21T09:30:00.000Z
            start           | 2027-03-01T09:00:00.001Z  | start: must be a whole minute
            start           | 9999-03-01T09:00:00Z      | start: from 1970 to 2199
            start           | 2027-03-28T02:30:00       | start: must be a time like 2026-11-21T09:30:00.000Z
            start           | 2027-03-01T24:00:00Z      | start: must be a time like 2026-11-21T09:30:00.000Z
            start           | 2027-06-30T23:59:60Z      | start: must be a time like 2026-11-21T09:30:00.000Z
            link            | javascript:alert(1)       | link: must be an address that begins with https://
            link            | http://meet.example.org   | link: must be an address that begins with https://
            """)
    void whatNoCalendarKnowsIsNamed(String field, String value, String sentence) {
        refused(call(open.manager(), "create", wanted().put(field, value)), 400, sentence);
    }

    /** On 31 October 2027 clocks in Stockholm show every time from two to three twice; on 28 March they show none of them. */
    @Test
    void anHourThatOccursTwiceOrNeverIsTheOneThatWasMeant() {
        for (String start : List.of("2027-10-31T02:30:00+02:00", "2027-10-31T02:30:00+01:00", "2027-03-28T02:30:00+01:00")) {
            JsonObject hearing = ok(call(open.manager(), "create", wanted().put("start", start)));
            Instant meant = java.time.OffsetDateTime.parse(start).toInstant();
            assertThat(Instant.parse(hearing.getString("start"))).isEqualTo(meant);
            Await.until("the email about " + start, () -> emails(open.respondent()).stream().anyMatch(row -> row.get(2).contains(hearing.getString("hearingID"))));
            String calendar = emails(open.respondent()).stream().map(row -> row.get(2)).filter(text -> text.contains(hearing.getString("hearingID"))).findFirst().orElseThrow();
            assertThat(event(calendar).getDateTimeStart().getDate() instanceof Instant utc ? utc : instant(event(calendar))).as(start).isEqualTo(meant);
        }
        assertThat(PLATFORM.rows("select text from emails.emails where ? = any (to_mailboxes) and calendar is not null", open.respondent().email()).toString())
                .contains("02:30 (Europe/Stockholm, UTC+02:00)", "02:30 (Europe/Stockholm, UTC+01:00)", "28 March 2027, 03:30 (Europe/Stockholm)");
    }

    @Test
    void hearingsAreListedInTheirOrderAcrossCases() {
        OpenCase other = open.another();
        JsonObject second = ok(call(open.manager(), "create", wanted().put("start", NextYear.at("03-02T09:00:00Z"))));
        JsonObject first = ok(other.on("/cases/hearings/create", open.manager(), wanted()));
        JsonObject page = ok(PLATFORM.post("/cases/hearings/list", new JsonObject().put("limit", 1), open.claimant().token()));
        assertThat(page.getJsonArray("hearings")).containsExactly(first);
        JsonArray rest = ok(PLATFORM.post("/cases/hearings/list", new JsonObject().put("limit", 1).put("cursor", page.getString("nextCursor")), open.claimant().token()))
                .getJsonArray("hearings");
        assertThat(rest).containsExactly(second);
        assertThat(ok(call(open.respondent(), "list", new JsonObject())).getJsonArray("hearings")).containsExactly(second);
        assertThat(ok(call(open.respondent(), "list", new JsonObject().put("until", NextYear.at("03-02T08:59:00Z")))).getJsonArray("hearings")).isEmpty();
        assertThat(ok(PLATFORM.post("/cases/hearings/list", new JsonObject(), open.outsider().token())).getJsonArray("hearings")).isEmpty();
        refused(call(open.outsider(), "list", new JsonObject()), 403, "Not a participant in this case.");
        for (String bound : List.of("from", "until")) {
            refused(call(open.respondent(), "list", new JsonObject().put(bound, "2027-02-30T09:00:00Z")), 400, bound + ": must be a time like 2026-11-21T09:30:00.000Z");
        }
    }
}
