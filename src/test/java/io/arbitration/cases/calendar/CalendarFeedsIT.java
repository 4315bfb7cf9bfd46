package io.arbitration.cases.calendar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.arbitration.Await;
import io.arbitration.CalendarReader;
import io.arbitration.NextYear;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.fortuna.ical4j.data.CalendarBuilder;
import net.fortuna.ical4j.data.ParserException;
import net.fortuna.ical4j.model.Calendar;
import net.fortuna.ical4j.model.component.VEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calendar feeds over HTTP: what is in them for whom, who makes and revokes them, and what two readers that are not ours make of them. */
class CalendarFeedsIT {

    private static final RunningPlatform PLATFORM = RunningPlatform.shared();

    private final OpenCase open = OpenCase.on(PLATFORM);

    private static JsonObject ok(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.object();
    }

    private static void refused(Answer answer, int status, String sentence) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.sentence()).isEqualTo(sentence);
    }

    private static Answer call(Person by, String operation, JsonObject body) {
        return PLATFORM.post("/cases/calendar/feeds/" + operation, body, by.token());
    }

    private static JsonObject made(Person by) {
        return ok(call(by, "create", new JsonObject().put("name", "Telephone")));
    }

    /** The path of an address that was answered; the host of the address is the public one. */
    private static Answer read(JsonObject feed, String... headers) {
        return PLATFORM.get(URI.create(feed.getString("url")).getPath(), headers);
    }

    private static Calendar calendar(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.header("Content-Type")).isEqualTo("text/calendar; charset=utf-8");
        try {
            Calendar calendar = new CalendarBuilder().build(new StringReader(answer.body()));
            assertThat(calendar.validate().hasErrors()).as("%s of %s", calendar.validate(), answer.body()).isFalse();
            return calendar;
        } catch (IOException | ParserException broken) {
            throw new AssertionError(answer.body(), broken);
        }
    }

    /** When each event begins, by its UID. */
    private static Map<String, Instant> starts(Answer answer) {
        return calendar(answer).<VEvent>getComponents("VEVENT").stream().collect(Collectors.toMap(event -> event.getUid().orElseThrow().getValue(),
                event -> event.getDateTimeStart().getDate() instanceof Instant instant ? instant : ZonedDateTime.from(event.getDateTimeStart().getDate()).toInstant()));
    }

    private JsonObject scheduled() {
        return ok(open.on("/cases/hearings/create", open.manager(), new JsonObject().put("title", "Hearing, first day; witnesses").put("start", NextYear.at("07-01T09:00:00Z"))
                .put("durationMinutes", 90).put("timeZone", "Europe/Stockholm").put("place", "Room 4").put("agenda", "One\nTwo")));
    }

    private List<JsonObject> deadlines(Person by) {
        return ok(PLATFORM.post("/cases/deadlines/list", new JsonObject(), by.token())).getJsonArray("deadlines").stream().map(JsonObject.class::cast).toList();
    }

    private static String uid(JsonObject deadline) {
        return "deadline-%s@localhost".formatted(deadline.getString("deadlineID"));
    }

    @Test
    void theFeedHasTheDeadlinesAndHearingsOfTheCasesOfItsUserAsTheyAre() {
        JsonObject feed = made(open.claimant());
        JsonObject hearing = scheduled();
        String hearingUid = "hearing-%s@localhost".formatted(hearing.getString("hearingID"));
        Map<String, Instant> expected = new TreeMap<>(Map.of(hearingUid, NextYear.instant("07-01T09:00:00Z")));
        deadlines(open.claimant()).forEach(one -> expected.put(uid(one), Instant.parse(one.getString("date")).minusMillis(999)));
        assertThat(starts(read(feed))).as("times in whole seconds").isEqualTo(expected).hasSizeGreaterThan(1);

        Await.until("the invitation", () -> !PLATFORM.rows("select 1 from emails.emails where ? = any (to_mailboxes) and calendar is not null", open.claimant().email()).isEmpty());
        String invitation = PLATFORM.rows("select calendar from emails.emails where ? = any (to_mailboxes) and calendar is not null", open.claimant().email()).getFirst().getFirst();
        assertThat(invitation).as("the same UID").contains("UID:" + hearingUid);

        JsonObject moreTime = open.moreTime();
        String extensionId = ok(PLATFORM.post("/cases/deadlines/extensions/request", moreTime, open.claimant().token())).getString("extensionID");
        ok200(open.on("/cases/deadlines/extensions/decide", open.manager(), new JsonObject().put("extensionID", extensionId).put("granted", true).put("reason", "Agreed.")));
        ok(open.on("/cases/hearings/update", open.manager(), new JsonObject().put("hearingID", hearing.getString("hearingID")).put("start", NextYear.at("12-01T09:00:00Z"))));
        Map<String, Instant> moved = starts(read(feed));
        assertThat(moved.keySet()).as("nothing but times has changed").isEqualTo(expected.keySet());
        assertThat(moved.get(hearingUid)).isEqualTo(NextYear.instant("12-01T09:00:00Z"));
        assertThat(moved.get(uid(moreTime))).isEqualTo(Instant.parse(moreTime.getString("until")).truncatedTo(java.time.temporal.ChronoUnit.SECONDS));
        assertThat(calendar(read(feed)).<VEvent>getComponents("VEVENT")).filteredOn(event -> !event.getUid().orElseThrow().getValue().startsWith("hearing"))
                .filteredOn(event -> event.getSequence().getSequenceNo() == 1).extracting(event -> event.getUid().orElseThrow().getValue()).containsExactly(uid(moreTime));

        ok200(open.on("/cases/hearings/cancel", open.manager(), new JsonObject().put("hearingID", hearing.getString("hearingID")).put("reason", "Settled.")));
        assertThat(calendar(read(feed)).<VEvent>getComponents("VEVENT")).filteredOn(event -> event.getUid().orElseThrow().getValue().equals(hearingUid))
                .extracting(event -> event.getStatus().getValue()).containsExactly("CANCELLED");
    }

    private static void ok200(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    }

    @Test
    void whatIsToComeIsInTheFeedBehindMoreThanAThousandDeadlinesThatAreOver() throws SQLException {
        JsonObject feed = made(open.claimant());
        String hearingUid = "hearing-%s@localhost".formatted(scheduled().getString("hearingID"));
        List<String> coming = deadlines(open.claimant()).stream().map(CalendarFeedsIT::uid).toList();
        try (Connection sql = PLATFORM.sql(); Statement statement = sql.createStatement()) {
            statement.execute("""
                    insert into cases.deadlines (deadline_id, case_id, phase_id, document_id, party_id, trigger_at, rule, raw_date, rolled_date, late, set_for)
                    select gen_random_uuid(), '%s', 'response', 'answer', 'respondent', now() - interval '31 days', 'test', current_date, current_date, 'refuse',
                           now() - k * interval '10 minutes'
                    from generate_series(1, 1500) k""".formatted(open.caseId()));
        }
        Instant earliestThatFits = Instant.now().minus(Duration.ofMinutes(10 * 1000));
        Map<String, Instant> starts = starts(read(feed));
        assertThat(starts).hasSize(FeedText.ENTRIES_MAX).containsKey(hearingUid).containsKeys(coming.toArray(String[]::new));
        assertThat(starts.values()).as("of what is over the most recent").allMatch(start -> start.isAfter(earliestThatFits));
    }

    @Test
    void entriesKeepTheirUidsWhenThePublicAddressChanges(@TempDir Path folder) {
        scheduled();
        JsonObject feed = made(open.claimant());
        Map<String, Instant> before = starts(read(feed));
        try (RunningPlatform moved = PLATFORM.sibling(folder, Map.of("ACP_HTTP_PUBLIC_URL", "http://cases.example.org", "ACP_AREAS_ENABLED", "auth,demo,cases"))) {
            assertThat(starts(moved.get(URI.create(feed.getString("url")).getPath()))).isEqualTo(before);
        }
    }

    @Test
    void theFeedFollowsTheRightsOfItsUser() {
        scheduled();
        JsonObject ofOutsider = made(open.outsider());
        assertThat(starts(read(ofOutsider))).isEmpty();
        JsonObject feed = made(open.respondent());
        assertThat(starts(read(feed))).isNotEmpty();
        ok200(open.on("/cases/cases/participants/remove", open.manager(), new JsonObject().put("userID", open.respondent().id()).put("partyID", "respondent")));
        assertThat(starts(read(feed))).as("who takes part no more").isEmpty();
    }

    @Test
    void aProgramThatHasTheCalendarIsToldSoUntilItChanges() {
        JsonObject feed = made(open.manager());
        Answer first = read(feed);
        String tag = first.header("ETag");
        assertThat(first.header("Cache-Control")).isEqualTo("private, no-cache");
        Answer again = read(feed, "If-None-Match", tag);
        assertThat(again.status()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
        assertThat(again.header("ETag")).isEqualTo(tag);
        Answer head = PLATFORM.head(URI.create(feed.getString("url")).getPath());
        assertThat(head.status()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
        assertThat(List.of(head.header("ETag"), head.header("Content-Type"), head.header("Content-Length")))
                .containsExactly(tag, "text/calendar; charset=utf-8", String.valueOf(first.body().getBytes(StandardCharsets.UTF_8).length));
        assertThat(PLATFORM.head("/cases/calendar/guess.ics").status()).isEqualTo(404);
        scheduled();
        Answer changed = read(feed, "If-None-Match", tag);
        assertThat(changed.status()).isEqualTo(200);
        assertThat(changed.header("ETag")).isNotEqualTo(tag);
    }

    @Test
    void nothingIsFoundAtAGuessAtARevokedFeedAndAtThatOfADisabledUser() {
        JsonObject feed = made(open.claimant());
        String secret = URI.create(feed.getString("url")).getPath().replaceAll(".*/|\\.ics$", "");
        assertThat(secret).hasSize(43);
        for (String guess : List.of("x.ics", secret, secret + ".ICS", secret.substring(1) + ".ics", feed.getString("feedID") + ".ics", "%00.ics", ".ics", "x".repeat(500) + ".ics")) {
            refused(PLATFORM.get("/cases/calendar/" + guess), 404, "feed not found");
        }
        ok200(PLATFORM.post("/auth/users/disable", new JsonObject().put("userID", open.claimant().id()).put("reason", "Left."), PLATFORM.administrator().token()));
        refused(read(feed), 404, "feed not found");
        ok200(PLATFORM.post("/auth/users/enable", new JsonObject().put("userID", open.claimant().id()), PLATFORM.administrator().token()));
        assertThat(read(feed).status()).isEqualTo(200);

        Person again = PLATFORM.signIn(open.claimant().email(), "Clara", "Claimant");
        refused(call(open.respondent(), "revoke", new JsonObject().put("feedID", feed.getString("feedID"))), 404, "feed not found");
        refused(call(again, "revoke", new JsonObject().put("feedID", "none")), 404, "feed not found");
        assertThat(call(again, "revoke", new JsonObject().put("feedID", feed.getString("feedID"))).sentence()).isEqualTo("Calendar feed revoked.");
        refused(read(feed), 404, "feed not found");
        refused(call(again, "revoke", new JsonObject().put("feedID", feed.getString("feedID"))), 404, "feed not found");
    }

    @Test
    void theAddressIsShownOnceAndItsSecretIsKeptNowhere() {
        JsonObject feed = made(open.claimant());
        String secret = URI.create(feed.getString("url")).getPath().replaceAll(".*/|\\.ics$", "");
        JsonArray listed = ok(call(open.claimant(), "list", new JsonObject())).getJsonArray("feeds");
        assertThat(listed).hasSize(1);
        assertThat(listed.getJsonObject(0).fieldNames()).containsExactly("feedID", "name", "created");
        assertThat(listed.getJsonObject(0).getString("feedID")).isEqualTo(feed.getString("feedID"));
        assertThat(ok(call(open.respondent(), "list", new JsonObject())).getJsonArray("feeds")).isEmpty();
        assertThat(PLATFORM.rows("select f::text from cases.calendar_feeds f where user_id = ?::uuid", open.claimant().id()).toString()).doesNotContain(secret);
    }

    @Test
    void aUserHasABoundedNumberOfFeedsAlsoWhenTheyAreMadeAtOnce() {
        List<Integer> statuses = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<Integer> making = () -> call(open.colleague(), "create", new JsonObject()).status();
            threads.invokeAll(Collections.nCopies(FeedService.FEEDS_MAX + 4, making)).stream().map(Future::resultNow).forEach(statuses::add);
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
        assertThat(statuses).containsOnly(200, 409);
        assertThat(Collections.frequency(statuses, 200)).isEqualTo(FeedService.FEEDS_MAX);
        refused(call(open.colleague(), "create", new JsonObject()), 409, "a user has at most 20 calendar feeds");
    }

    @Test
    void anotherLibraryReadsTheSameOfFeedsAndInvitations(@TempDir Path folder) throws Exception {
        Optional<CalendarReader> python = CalendarReader.in(folder);
        assumeTrue(python.isPresent(), "no python3 with icalendar");
        JsonObject hearing = scheduled();
        JsonObject feed = made(open.claimant());
        Answer answer = read(feed);
        List<String> lines = python.orElseThrow().events(answer.body());
        assertThat(lines.stream().map(line -> line.split(" "))).allSatisfy(line -> assertThat(line[5]).isEqualTo("-"));
        assertThat(lines.stream().collect(Collectors.toMap(line -> line.split(" ")[0], line -> Instant.parse(line.split(" ")[1])))).isEqualTo(starts(answer));
        assertThat(lines.stream().map(line -> line.split(" ")).filter(line -> !line[2].equals("-"))).as("a deadline has no end, a hearing has")
                .singleElement().satisfies(line -> assertThat(List.of(line[1], line[2])).containsExactly(NextYear.at("07-01T09:00:00Z"), NextYear.at("07-01T10:30:00Z")));

        Await.until("the invitation", () -> !PLATFORM.rows("select 1 from emails.emails where ? = any (to_mailboxes) and calendar is not null", open.claimant().email()).isEmpty());
        String invitation = PLATFORM.rows("select calendar from emails.emails where ? = any (to_mailboxes) and calendar is not null", open.claimant().email()).getFirst().getFirst();
        assertThat(python.orElseThrow().events(invitation))
                .containsExactly("hearing-%s@localhost %s %s 0 CONFIRMED REQUEST".formatted(hearing.getString("hearingID"), NextYear.at("07-01T09:00:00Z"), NextYear.at("07-01T10:30:00Z")));
    }

    @Test
    void machinesHaveNoCalendar() {
        JsonObject client = ok(PLATFORM.post("/auth/clients/create", new JsonObject().put("name", "Machine").put("permissions", new JsonArray()), PLATFORM.administrator().token()));
        String token = ok(PLATFORM.post("/auth/clients/token", client, null)).getString("accessToken");
        refused(PLATFORM.post("/cases/calendar/feeds/create", new JsonObject(), token), 403, "Only a user can have a calendar feed.");
        refused(PLATFORM.post("/cases/calendar/feeds/revoke", new JsonObject().put("feedID", UUID.randomUUID().toString()), token), 404, "feed not found");
    }

    @Test
    void namesAreBounded() {
        Stream.of("", " ", "x".repeat(101)).forEach(name -> assertThat(call(open.claimant(), "create", new JsonObject().put("name", name)).status()).as(name).isEqualTo(400));
    }
}
