package io.arbitration.cases.deadlines;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Deadlines across cases and requests for more time, over HTTP. */
class DeadlinesIT {

    private final OpenCase open = OpenCase.on(RunningPlatform.shared());

    private JsonArray deadlines(Person by, JsonObject body) {
        Answer answer = open.platform().post("/cases/deadlines/list", body, by.token());
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.object().getJsonArray("deadlines");
    }

    private JsonObject deadline(Person by, String documentId, String partyId) {
        return deadlines(by, new JsonObject().put("caseID", open.caseId())).stream().map(JsonObject.class::cast)
                .filter(one -> one.getString("documentID").equals(documentId) && one.getString("partyID").equals(partyId)).findFirst().orElseThrow();
    }

    private JsonObject answerOfRespondent() {
        return deadline(open.respondent(), "answer", "respondent");
    }

    private Answer request(Person by, JsonObject deadline, Instant until) {
        return open.on("/cases/deadlines/extensions/request", by, new JsonObject().put("deadlineID", deadline.getString("deadlineID"))
                .put("until", until.toString()).put("reason", "Our witness travels."));
    }

    private Answer decide(Person by, String extensionId, boolean granted) {
        return open.on("/cases/deadlines/extensions/decide", by, new JsonObject().put("extensionID", extensionId).put("granted", granted).put("reason", "Agreed."));
    }

    private static Instant weekAfter(JsonObject deadline) {
        return Instant.parse(deadline.getString("date")).plus(Duration.ofDays(7));
    }

    private static void refused(Answer answer, int status, String text) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.body()).isEqualTo("\"" + text + "\"");
    }

    @Test
    void aDeadlineIsThereFromTheMomentItBeginsToRunAndIsMetByASubmission() {
        JsonObject claim = deadline(open.claimant(), "statementOfClaim", "claimant");
        assertThat(claim.fieldNames()).containsExactly(
                "deadlineID", "caseID", "phaseID", "documentID", "partyID", "date", "rule", "trigger", "rawDate", "rolledDate", "status");
        assertThat(claim.getString("status")).isEqualTo("open");
        assertThat(deadlines(open.claimant(), new JsonObject())).as("across the cases of the caller").contains(claim);
        assertThat(deadlines(open.outsider(), new JsonObject())).isEmpty();

        String filingId = open.draft(open.claimant(), "statementOfClaim");
        assertThat(open.document("submit", open.claimant(), filingId).status()).isEqualTo(200);
        assertThat(deadline(open.respondent(), "statementOfClaim", "claimant").getString("status")).isEqualTo("met");
        assertThat(open.reject(open.manager(), filingId, "Name the amount.").status()).isEqualTo(200);
        assertThat(deadline(open.respondent(), "statementOfClaim", "claimant")).as("rejected: open again, and the same").isEqualTo(claim);
    }

    @Test
    void aDocketEntryThatSetsADeadlineRunningHasOneOfItsOwn() {
        open.advanceTo("response");
        String filingId = open.create(open.respondent(), "counterclaim", COUNTERCLAIM).object().getString("filingID");
        assertThat(open.document("submit", open.respondent(), filingId).status()).isEqualTo(200);
        assertThat(deadlines(open.claimant(), new JsonObject().put("caseID", open.caseId())).stream().map(JsonObject.class::cast))
                .noneMatch(one -> one.getString("documentID").equals("replyToCounterclaim"));
        assertThat(open.document("approve", open.manager(), filingId).status()).isEqualTo(200);

        JsonObject reply = deadline(open.claimant(), "replyToCounterclaim", "claimant");
        assertThat(reply.getString("rule")).isEqualTo("21 calendar days from the docketing of counterclaim");
        assertThat(reply.getString("trigger")).isEqualTo(open.docket(open.claimant()).getJsonObject(0).getString("enteredAt"));
    }

    @Test
    void anExtensionMovesTheDeadlineEverywhereAndItsExplanationNamesTheDateBefore() {
        open.advanceTo("response");
        JsonObject before = answerOfRespondent();
        Instant until = weekAfter(before);
        Answer requested = request(open.respondent(), before, until);
        assertThat(requested.status()).as(requested.body()).isEqualTo(200);
        String extensionId = requested.object().getString("extensionID");
        refused(request(open.respondent(), before, until), 409, "extension is already requested");
        assertThat(answerOfRespondent()).as("asked for is not granted").isEqualTo(before);

        refused(decide(open.respondent(), extensionId, true), 403, "Only the case manager and the arbitrators can do this in this case.");
        refused(decide(open.outsider(), extensionId, true), 403, "Not a participant in this case.");
        assertThat(decide(open.arbitrator(), extensionId, true).body()).isEqualTo("\"Extension decided.\"");
        refused(decide(open.manager(), extensionId, false), 409, "extension is already decided");

        JsonObject after = answerOfRespondent();
        assertThat(after.getString("deadlineID")).isEqualTo(before.getString("deadlineID"));
        assertThat(after.getString("date")).isEqualTo(until.toString());
        assertThat(after.getString("extendedFrom")).isEqualTo(before.getString("date"));
        JsonObject action = open.on("/cases/cases/actions", open.respondent(), new JsonObject()).object().getJsonArray("actions").stream()
                .map(JsonObject.class::cast).filter(one -> "answer".equals(one.getString("documentID"))).findFirst().orElseThrow();
        assertThat(action.getJsonObject("deadline").getString("date")).isEqualTo(until.toString());
        String draft = open.draft(open.respondent(), "answer");
        assertThat(open.document("check", open.respondent(), draft).object().getJsonObject("deadline").getString("extendedFrom"))
                .isEqualTo(before.getString("date"));
        assertThat(open.on("/cases/cases/view", open.manager(), new JsonObject()).object().getJsonObject("timetable").getJsonArray("phases").stream()
                .map(JsonObject.class::cast).filter(phase -> phase.getString("phaseID").equals("response")).findFirst().orElseThrow()
                .getString("filingDeadline")).isEqualTo(until.toString());

        JsonObject extension = open.on("/cases/deadlines/extensions/list", open.claimant(), new JsonObject()).object().getJsonArray("extensions").getJsonObject(0);
        assertThat(extension.getString("state")).isEqualTo("granted");
        assertThat(extension.getString("decidedBy")).isEqualTo(open.arbitrator().id());
        assertThat(extension.getString("grantedUntil")).isEqualTo(until.toString());
        assertThat(open.on("/cases/cases/audit/list", open.manager(), new JsonObject()).object().getJsonArray("entries").stream()
                .map(entry -> ((JsonObject) entry).getString("action"))).contains("extension.requested", "extension.granted");
        assertThat(extendedEvents()).containsExactly(List.of(until.toString()));
    }

    @Test
    void whoMayNotFileMayAskForMoreTime() {
        open.advanceTo("response");
        assertThat(open.on("/cases/cases/participants/restrict", open.manager(), new JsonObject().put("userID", open.respondent().id()).put("mayFile", false)).status()).isEqualTo(200);
        JsonObject deadline = answerOfRespondent();
        Answer requested = request(open.respondent(), deadline, weekAfter(deadline));
        assertThat(requested.status()).as(requested.body()).isEqualTo(200);
        assertThat(open.on("/cases/deadlines/extensions/withdraw", open.respondent(), requested.object()).body()).isEqualTo("\"Extension withdrawn.\"");
    }

    @Test
    void aRefusedAndAWithdrawnRequestChangeNothing() {
        open.advanceTo("response");
        JsonObject before = answerOfRespondent();
        String refusedId = request(open.respondent(), before, weekAfter(before)).object().getString("extensionID");
        assertThat(decide(open.manager(), refusedId, false).status()).isEqualTo(200);
        String withdrawnId = request(open.respondent(), before, weekAfter(before)).object().getString("extensionID");
        refused(open.on("/cases/deadlines/extensions/withdraw", open.claimant(), new JsonObject().put("extensionID", withdrawnId)), 403,
                "Only the party of this deadline can ask for more time.");
        assertThat(open.on("/cases/deadlines/extensions/withdraw", open.respondent(), new JsonObject().put("extensionID", withdrawnId)).body())
                .isEqualTo("\"Extension withdrawn.\"");
        refused(decide(open.manager(), withdrawnId, true), 409, "extension is already decided");
        assertThat(answerOfRespondent()).isEqualTo(before);
    }

    @Test
    void whatIsNotThereOrNotOnesOwnIsRefusedByName() {
        open.advanceTo("response");
        JsonObject deadline = answerOfRespondent();
        JsonObject unknown = new JsonObject().put("deadlineID", UUID.randomUUID().toString());
        refused(request(open.respondent(), unknown, weekAfter(deadline)), 404, "deadline not found");
        refused(request(open.respondent(), new JsonObject().put("deadlineID", "none"), weekAfter(deadline)), 404, "deadline not found");
        refused(request(open.outsider(), deadline, weekAfter(deadline)), 403, "Not a participant in this case.");
        refused(request(open.claimant(), deadline, weekAfter(deadline)), 403, "Only the party of this deadline can ask for more time.");
        refused(request(open.respondent(), deadline, Instant.parse(deadline.getString("date"))), 400, "until: must be later than the deadline");
        refused(request(open.respondent(), deadline, Instant.parse("9999-12-31T23:59:59.999Z")), 400, "until: must be at most 731 days later than the deadline");
        refused(open.on("/cases/deadlines/extensions/request", open.respondent(), new JsonObject().put("deadlineID", deadline.getString("deadlineID"))
                .put("until", "2026-02-30T10:00:00.000Z").put("reason", "x")), 400, "until: must be a time like 2026-11-21T09:30:00.000Z");
        for (String bound : List.of("from", "until")) {
            refused(open.on("/cases/deadlines/list", open.respondent(), new JsonObject().put(bound, "2026-02-30T10:00:00.000Z")), 400, bound + ": must be a time like 2026-11-21T09:30:00.000Z");
        }
        refused(decide(open.manager(), UUID.randomUUID().toString(), true), 404, "extension not found");
        refused(open.platform().post("/cases/deadlines/list", new JsonObject().put("caseID", UUID.randomUUID().toString()), open.claimant().token()), 404, "case not found");
        refused(open.on("/cases/deadlines/list", open.outsider(), new JsonObject()), 403, "Not a participant in this case.");
        open.close();
        refused(request(open.respondent(), deadline, weekAfter(deadline)), 409, "case is closed");
        assertThat(deadlines(open.respondent(), new JsonObject().put("caseID", open.caseId()))).as("what a closed case has not met by its end").isEmpty();
    }

    @Test
    void aDeadlineOfAClosedCaseIsMovedByNobody() {
        open.advanceTo("response");
        JsonObject deadline = answerOfRespondent();
        String extensionId = request(open.respondent(), deadline, weekAfter(deadline)).object().getString("extensionID");
        open.close();
        refused(decide(open.manager(), extensionId, true), 409, "case is closed");
        refused(open.on("/cases/deadlines/extensions/withdraw", open.respondent(), new JsonObject().put("extensionID", extensionId)), 409, "case is closed");
        assertThat(open.platform().rows("select extended_to from cases.deadlines where deadline_id = ?::uuid", deadline.getString("deadlineID"))).containsExactly(
                Collections.singletonList(null));
        assertThat(extendedEvents()).isEmpty();
    }

    @Test
    void nobodyExtendsADeadlineToThePastOrToADayThatIsNone() {
        open.advanceTo("response");
        JsonObject deadline = answerOfRespondent();
        String extensionId = request(open.respondent(), deadline, weekAfter(deadline)).object().getString("extensionID");
        for (String past : List.of("2020-01-01T00:00:00Z", Instant.now().toString(), deadline.getString("date"))) {
            refused(open.on("/cases/deadlines/extensions/decide", open.manager(), new JsonObject().put("extensionID", extensionId).put("granted", true).put("until", past)
                    .put("reason", "Agreed.")), 400, "until: must be later than the deadline");
        }
        for (String none : List.of("2027-02-29T10:00:00Z", "2027-03-28T02:30:00", "2027-13-01T00:00:00Z", "2027-06-30T23:59:60Z")) {
            refused(open.on("/cases/deadlines/extensions/decide", open.manager(), new JsonObject().put("extensionID", extensionId).put("granted", true).put("until", none)
                    .put("reason", "Agreed.")), 400, "until: must be a time like 2026-11-21T09:30:00.000Z");
        }
        assertThat(answerOfRespondent()).as("nothing half-written").isEqualTo(deadline);
        assertThat(decide(open.manager(), extensionId, true).status()).isEqualTo(200);
        refused(decide(open.manager(), extensionId, true), 409, "extension is already decided");
        assertThat(extendedEvents()).as("told once").hasSize(1);
    }

    @Test
    void aPartyDecidesNoRequestOfItsOwn() {
        open.advanceTo("response");
        JsonObject deadline = answerOfRespondent();
        String extensionId = request(open.respondent(), deadline, weekAfter(deadline)).object().getString("extensionID");
        refused(decide(open.respondent(), extensionId, true), 403, "Only the case manager and the arbitrators can do this in this case.");
        // An arbitrator asks for itself: the deadline is made its own, as a rule set can have it.
        open.platform().rows("update cases.deadlines set party_id = 'arbitrator' where deadline_id = ?::uuid returning 1", deadline.getString("deadlineID"));
        open.platform().rows("update cases.extensions set party_id = 'arbitrator' where extension_id = ?::uuid returning 1", extensionId);
        refused(decide(open.arbitrator(), extensionId, true), 403, "Nobody decides the request of its own party.");
    }

    @Test
    void twoRequestsAtOnceAndTwoDecisionsAtOnceLeaveOne() {
        open.advanceTo("response");
        JsonObject deadline = answerOfRespondent();
        List<Answer> requests = atOnce(6, () -> request(open.respondent(), deadline, weekAfter(deadline)));
        assertThat(requests).extracting(Answer::status).containsOnlyOnce(200).containsOnly(200, 409);
        String extensionId = requests.stream().filter(one -> one.status() == 200).findFirst().orElseThrow().object().getString("extensionID");
        assertThat(atOnce(6, () -> decide(open.manager(), extensionId, true))).extracting(Answer::status).containsOnlyOnce(200).containsOnly(200, 409);
    }

    @Test
    void aListIsReadInPagesThatMissAndRepeatNothing() {
        open.another();
        open.advanceTo("response");
        List<Object> paged = new ArrayList<>();
        String cursor = null;
        do {
            JsonObject body = new JsonObject().put("limit", 2);
            if (cursor != null) {
                body.put("cursor", cursor);
            }
            Answer page = open.platform().post("/cases/deadlines/list", body, open.manager().token());
            assertThat(page.status()).as(page.body()).isEqualTo(200);
            assertThat(page.object().getJsonArray("deadlines").size()).isBetween(1, 2);
            page.object().getJsonArray("deadlines").forEach(paged::add);
            cursor = page.object().getString("nextCursor");
        } while (cursor != null);
        assertThat(paged).containsExactlyElementsOf(deadlines(open.manager(), new JsonObject().put("limit", 200))).hasSizeGreaterThan(4);
        String date = ((JsonObject) paged.get(2)).getString("date");
        assertThat(deadlines(open.manager(), new JsonObject().put("from", date).put("until", date))).isNotEmpty()
                .allSatisfy(one -> assertThat(((JsonObject) one).getString("date")).isEqualTo(date));
    }

    /**
     * Cases of somebody with hundreds of them, each with three deadlines in 2190, every fourth closed between them, and all met in every eighth; and before all of these, thousands of somebody else's.
     */
    private static final String HUNDREDS = """
            create temp table made as select n, gen_random_uuid() as case_id, timestamptz '2190-01-01 00:00Z' as created from generate_series(0, 400) n;
            insert into cases.cases (case_id, title, rule_set, phase_id, status, revision, response_deadline_days, created, created_by, closed_at, close_reason)
            select case_id, 'Of hundreds ' || n, 'commercial', 'response', case when n %% 4 = 1 then 'closed' else 'open' end, 1, 21, created, '%1$s',
                   case when n %% 4 = 1 then timestamptz '2190-09-01 00:00Z' end, case when n %% 4 = 1 then 'settled' end from made;
            insert into cases.phase_starts (case_id, phase_id, started_at) select case_id, 'response', created from made;
            insert into cases.participants (case_id, user_id, party_id, is_primary, is_observer, added, case_created)
            select case_id, '%1$s', 'caseManager', true, false, created, created from made where n > 0;
            insert into cases.deadlines (deadline_id, case_id, phase_id, document_id, party_id, trigger_at, rule, raw_date, rolled_date, late, set_for)
            select gen_random_uuid(), case_id, 'response', 'answer', 'respondent', created, 'test', d::date, d::date, 'refuse', d
            from made cross join generate_series(0, 2) k
            cross join lateral (select timestamptz '2190-06-01 23:59:59.999Z' + (n * 7 %% 50) * interval '1 day' + k * interval '60 days' as d) of
            where n > 0;
            insert into cases.deadlines (deadline_id, case_id, phase_id, document_id, party_id, trigger_at, rule, raw_date, rolled_date, late, set_for)
            select gen_random_uuid(), case_id, 'response', 'answer', 'respondent', created, 'test', '2190-02-01', '2190-02-01', 'refuse', created + k * interval '1 minute'
            from made cross join generate_series(1, 2500) k where n = 0;
            insert into mainapi.heads (case_id) select case_id from made where n %% 8 = 1;
            insert into mainapi.filings (filing_id, case_id, document_id, phase_id, party_id, user_id, state, title, fields, revision, created, updated, submitted_at, approver_party)
            select nextval('mainapi.filing_id'), case_id, 'answer', 'response', 'respondent', '%1$s', 'submitted', 'Answer', '{}', 1, created, created,
                   created + interval '1 day', 'caseManager' from made where n %% 8 = 1""";
    private static final String OF_HUNDREDS = """
            select d.deadline_id from cases.deadlines d join cases.cases c using (case_id) join cases.participants p using (case_id)
            where p.user_id = '%1$s' and d.date >= '%2$s' and d.date <= '%3$s'
              and (c.closed_at is null or d.date <= c.closed_at or exists (select from mainapi.filings f where f.case_id = d.case_id))
            order by d.date, d.deadline_id""";

    @Test
    void ofHundredsOfCasesThePagesHoldTheSameWhicheverWayTheyAreFound() throws SQLException {
        Person busy = open.platform().signIn("busy-%s@parties.example".formatted(UUID.randomUUID()), "Bea", "Busy");
        try (Connection sql = open.platform().sql(); Statement statement = sql.createStatement()) {
            statement.execute(HUNDREDS.formatted(busy.id()));
        }
        assertThat(paged(busy, "2100-01-01T00:00:00Z", "2191-01-01T00:00:00Z")).as("behind thousands of others").hasSizeGreaterThan(1000);
        paged(busy, "2190-06-05T00:00:00Z", "2191-01-01T00:00:00Z");
        assertThat(paged(busy, "2190-08-20T00:00:00Z", "2190-09-10T00:00:00Z")).as("to the end of the window").isNotEmpty();
        assertThat(paged(busy, "2190-12-01T00:00:00Z", "2191-01-01T00:00:00Z")).as("behind the last").isEmpty();
    }

    /** The deadlines of the pages, which are those that the tables say. */
    private List<Object> paged(Person by, String from, String until) {
        List<Object> paged = new ArrayList<>();
        JsonObject body = new JsonObject().put("from", from).put("until", until).put("limit", 110);
        do {
            Answer page = open.platform().post("/cases/deadlines/list", body, by.token());
            assertThat(page.status()).as(page.body()).isEqualTo(200);
            page.object().getJsonArray("deadlines").forEach(one -> paged.add(((JsonObject) one).getString("deadlineID")));
            body.put("cursor", page.object().getString("nextCursor"));
        } while (body.getString("cursor") != null);
        assertThat(paged).containsExactlyElementsOf(open.platform().rows(OF_HUNDREDS.formatted(by.id(), from, until)).stream().map(row -> (Object) row.getFirst()).toList());
        return paged;
    }

    private static void docketed(OpenCase of, Person by, String documentId, JsonObject fields) {
        String filingId = of.create(by, documentId, fields).object().getString("filingID");
        assertThat(of.document("submit", by, filingId).status()).isEqualTo(200);
        if (!of.view(by, filingId).getString("state").equals("docketed")) {
            assertThat(of.document("approve", of.manager(), filingId).status()).isEqualTo(200);
        }
    }

    private static List<JsonObject> listed(OpenCase of, String documentId, String partyId) {
        return of.on("/cases/deadlines/list", of.manager(), new JsonObject()).object().getJsonArray("deadlines").stream().map(JsonObject.class::cast)
                .filter(one -> one.getString("documentID").equals(documentId) && one.getString("partyID").equals(partyId)).toList();
    }

    private static Answer request(OpenCase of, Person by, JsonObject deadline, Instant until) {
        return of.on("/cases/deadlines/extensions/request", by, new JsonObject().put("deadlineID", deadline.getString("deadlineID"))
                .put("until", until.toString()).put("reason", "Our witness travels."));
    }

    private static void granted(OpenCase of, Person by, JsonObject deadline, Instant until) {
        Answer requested = request(of, by, deadline, until);
        assertThat(requested.status()).as(requested.body()).isEqualTo(200);
        assertThat(of.on("/cases/deadlines/extensions/decide", of.manager(), requested.object().put("granted", true).put("reason", "Agreed.")).status()).isEqualTo(200);
    }

    private static JsonArray setOn(OpenCase of, Instant to) {
        Answer answer = of.on("/cases/sandbox/clock/advance", of.claimant(), new JsonObject().put("to", to.toString()));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.object().getJsonArray("fired");
    }

    private static Instant date(JsonObject deadline) {
        return Instant.parse(deadline.getString("date"));
    }

    private static final JsonObject COUNTERCLAIM = new JsonObject().put("counterclaimAmount", "50000.00 USD").put("reliefSought", "Payment of the counterclaim.")
            .put("statementOfFacts", "The cranes stood still for a month.");

    /** In the next phase the rule counts from the same entry for the same document: for the party it is the same deadline. */
    @Test
    void whatWasGrantedHoldsInTheNextPhase() {
        OpenCase sandbox = open.sandbox();
        sandbox.advanceTo("response");
        docketed(sandbox, sandbox.respondent(), "counterclaim", COUNTERCLAIM);
        JsonObject before = listed(sandbox, "replyToCounterclaim", "claimant").getFirst();
        Instant until = weekAfter(before);
        granted(sandbox, sandbox.claimant(), before, until);
        sandbox.advanceTo("arbitratorAppointment");

        List<JsonObject> after = listed(sandbox, "replyToCounterclaim", "claimant");
        assertThat(after).hasSize(2).allSatisfy(one -> {
            assertThat(date(one)).isEqualTo(until);
            assertThat(one.getString("extendedFrom")).isEqualTo(before.getString("date"));
        });
        JsonObject goesOn = after.stream().filter(one -> one.getString("phaseID").equals("arbitratorAppointment")).findFirst().orElseThrow();
        assertThat(request(sandbox, sandbox.claimant(), goesOn, until.plus(Duration.ofDays(1))).status()).isEqualTo(200);
        JsonObject earlier = after.stream().filter(one -> one.getString("phaseID").equals("response")).findFirst().orElseThrow();
        refused(request(sandbox, sandbox.claimant(), earlier, until.plus(Duration.ofDays(1))), 409, "extension is already requested");

        String reply = sandbox.create(sandbox.claimant(), "replyToCounterclaim", new JsonObject()).object().getString("filingID");
        assertThat(sandbox.document("check", sandbox.claimant(), reply).object().getJsonObject("deadline").getString("date")).isEqualTo(until.toString());
        assertThat(setOn(sandbox, until.plusMillis(1)).stream().map(JsonObject.class::cast).filter(one -> "replyToCounterclaim".equals(one.getString("documentID")))
                .filter(one -> one.getString("kind").equals("deadline_near")).map(one -> Instant.parse(one.getString("at")))).as("reminders")
                .containsExactly(until.minus(Duration.ofDays(7)), until.minus(Duration.ofDays(1)));
    }

    @Test
    void moreTimeThatIsGrantedInALaterPhaseMovesWhatIsTheSameDeadlineForItsParty() {
        open.advanceTo("response");
        docketed(open, open.respondent(), "counterclaim", COUNTERCLAIM);
        open.advanceTo("arbitratorAppointment");
        List<JsonObject> before = listed(open, "replyToCounterclaim", "claimant");
        Instant until = weekAfter(before.getFirst());
        granted(open, open.claimant(), before.getLast(), until);
        assertThat(listed(open, "replyToCounterclaim", "claimant")).hasSize(2).allSatisfy(one -> assertThat(date(one)).isEqualTo(until));
        assertThat(extendedEvents()).as("told of each").containsExactly(List.of(until.toString()), List.of(until.toString()));
    }

    /** Each notice sets a deadline of its own running; in a sandbox, two of them at one time. */
    @Test
    void aDocumentIsLateOnlyWhenAllItsListedDeadlinesAreOver() {
        OpenCase sandbox = open.sandbox();
        sandbox.advanceTo("arbitratorAppointment");
        JsonObject notice = new JsonObject().put("arbitratorName", "Arno Arbitrator").put("appointmentDate", "2026-11-02");
        docketed(sandbox, sandbox.manager(), "noticeOfAppointment", notice);
        JsonObject first = listed(sandbox, "challengeOfArbitrator", "claimant").getFirst();
        docketed(sandbox, sandbox.manager(), "noticeOfAppointment", notice);
        Instant until = date(first).plus(Duration.ofDays(30));
        granted(sandbox, sandbox.claimant(), first, until);
        assertThat(listed(sandbox, "challengeOfArbitrator", "claimant")).extracting(DeadlinesIT::date).as("of one of the two, which began at one time")
                .containsExactly(date(first), until);
        setOn(sandbox, Instant.parse(first.getString("trigger")).plus(Duration.ofDays(3)));
        docketed(sandbox, sandbox.manager(), "noticeOfAppointment", notice);

        String challenge = sandbox.create(sandbox.claimant(), "challengeOfArbitrator", new JsonObject().put("arbitratorName", "Arno Arbitrator")
                .put("ground", "He is the brother of the respondent.").put("factsKnownSince", "2026-11-02")).object().getString("filingID");
        setOn(sandbox, until.minus(Duration.ofDays(1)));
        assertThat(sandbox.document("check", sandbox.claimant(), challenge).object().getJsonObject("deadline").getString("date")).isEqualTo(until.toString());
        assertThat(sandbox.on("/cases/cases/actions", sandbox.claimant(), new JsonObject()).object().getJsonArray("actions").stream().map(JsonObject.class::cast)
                .filter(one -> "challengeOfArbitrator".equals(one.getString("documentID")) && one.containsKey("deadline")).map(one -> one.getJsonObject("deadline").getString("date"))).contains(until.toString());
        assertThat(sandbox.document("submit", sandbox.claimant(), challenge).status()).isEqualTo(200);
        assertThat(listed(sandbox, "challengeOfArbitrator", "claimant")).filteredOn(one -> date(one).equals(until)).extracting(one -> one.getString("status"))
                .containsExactly("met");
    }

    private static List<Answer> atOnce(int times, Callable<Answer> work) {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            return threads.invokeAll(Collections.nCopies(times, work)).stream().map(Future::resultNow).toList();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    private List<List<String>> extendedEvents() {
        return open.platform().rows("select envelope::json -> 'data' ->> 'date' from platform.events where event = 'deadline_extended' and case_id = ?",
                UUID.fromString(open.caseId()));
    }
}
