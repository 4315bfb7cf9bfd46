package io.arbitration.cases.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.StandingClock;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.TestFolders;
import io.arbitration.cases.deadlines.ReminderRepository;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterContainer;

/**
 * A year in a sandbox is a year: the same people do the same at the same times in a case whose clock they set on and in one that runs by
 * the clock of the platform, which the test sets on. Both are refused the same, and in the end show the same deadlines, statuses,
 * filings, docket and extensions, and had told of the same reminders, and the same people had got the same emails about them.
 */
class SandboxYearPropertyIT {

    private static final int CASES = 5;
    /** Names of one case or the other, and what its clock alone changes. */
    private static final Set<String> NOT_COMPARED = Set.of("caseID", "filingID", "entryID", "rootEntryID", "parentEntryID", "supersededBy", "supersedes",
            "deadlineID", "extensionID", "hearingID", "invitationID", "revision", "sandbox", "now", "nextCursor", "hash", "previousHash", "cursor");

    private static final StandingClock CLOCK = new StandingClock(Instant.now().truncatedTo(ChronoUnit.MILLIS));
    private static RunningPlatform platform;

    private static synchronized RunningPlatform platform() throws IOException {
        if (platform == null) {
            platform = RunningPlatform.start(TestFolders.create("year-"),
                    Map.of("ACP_AREAS_ENABLED", "auth,demo,cases,api,alerts,emails"), CLOCK);
        }
        return platform;
    }

    @AfterContainer
    static void stop() {
        if (platform != null) {
            platform.close();
        }
    }

    enum Deed {
        NOTHING, CLAIM, ANSWER, COUNTERCLAIM, LETTER, APPROVE, REJECT, WITHDRAW, MORE_TIME, ASK, TAKE_BACK, GRANT, REFUSE, HEARING, MOVE_HEARING, CANCEL_HEARING,
        LEAVE, JOIN, RESTRICT, INVITE, ACCEPT, SUPERSEDE, SEAL, ADVANCE, SKIP, CLOSE;

        /** A phase of a sandbox begins a millisecond after what was done before. */
        boolean beginsAPhase() {
            return this == ADVANCE || this == SKIP;
        }
    }

    /**
     * @param ahead how long nobody does anything
     * @param deeds what is then done, in each case
     */
    record Step(Duration ahead, List<Deed> deeds) {}

    @Provide
    Arbitrary<List<Step>> years() {
        // To the second of a deadline and a reminder now and then: whole days lead from one end of a day to the next.
        Arbitrary<Duration> ahead = Arbitraries.frequencyOf(
                Tuple.of(1, Arbitraries.just(Duration.ZERO)),
                Tuple.of(2, Arbitraries.longs().between(1, 20).map(Duration::ofDays)),
                Tuple.of(4, Arbitraries.longs().between(1, 45L * 24 * 60).map(Duration::ofMinutes)));
        Arbitrary<Deed> deed = Arbitraries.frequency(Tuple.of(2, Deed.NOTHING), Tuple.of(4, Deed.CLAIM), Tuple.of(5, Deed.ANSWER), Tuple.of(5, Deed.COUNTERCLAIM),
                Tuple.of(2, Deed.LETTER), Tuple.of(7, Deed.APPROVE), Tuple.of(3, Deed.REJECT), Tuple.of(2, Deed.WITHDRAW), Tuple.of(4, Deed.MORE_TIME),
                Tuple.of(3, Deed.ASK), Tuple.of(1, Deed.TAKE_BACK), Tuple.of(3, Deed.GRANT), Tuple.of(1, Deed.REFUSE), Tuple.of(3, Deed.HEARING), Tuple.of(2, Deed.MOVE_HEARING),
                Tuple.of(1, Deed.CANCEL_HEARING), Tuple.of(1, Deed.LEAVE), Tuple.of(1, Deed.JOIN), Tuple.of(1, Deed.RESTRICT), Tuple.of(2, Deed.INVITE), Tuple.of(2, Deed.ACCEPT),
                Tuple.of(1, Deed.SUPERSEDE), Tuple.of(1, Deed.SEAL), Tuple.of(7, Deed.ADVANCE), Tuple.of(1, Deed.SKIP), Tuple.of(1, Deed.CLOSE));
        return Combinators.combine(ahead, deed.list().ofSize(CASES)).as(Step::new).list().ofMinSize(8).ofMaxSize(11);
    }

    /** A case and its clone in a sandbox, and what they answered. */
    private static final class Pair {
        private OpenCase real;
        private OpenCase sandbox;
        private final List<Object> realAnswers = new ArrayList<>();
        private final List<Object> sandboxAnswers = new ArrayList<>();
        private final List<Object> fired = new ArrayList<>();

        Pair(OpenCase real) {
            this.real = real;
            this.sandbox = real.sandbox();
        }
    }

    @Property(tries = 2, shrinking = ShrinkingMode.OFF)
    void aYearInASandboxIsAYear(@ForAll("years") List<Step> steps) throws IOException {
        OpenCase people = OpenCase.on(platform());
        // In the last one nobody does anything.
        List<Pair> pairs = IntStream.rangeClosed(0, CASES).mapToObj(n -> new Pair(people.another())).toList();
        Instant end = CLOCK.instant().plus(Duration.ofDays(365));
        for (Step step : steps) {
            moveTo(CLOCK.instant().plus(step.ahead), pairs);
            each(step, pairs, false);
            // A phase of a sandbox begins a millisecond after what was done before.
            CLOCK.set(CLOCK.instant().plusMillis(1));
            each(step, pairs, true);
        }
        moveTo(CLOCK.instant().isAfter(end) ? CLOCK.instant().plus(Duration.ofDays(60)) : end, pairs);
        awaitAlerts();
        assertThat(reminders(pairs.getLast().real)).as("of the claim that nobody filed").hasSize(2);
        for (Pair pair : pairs) {
            assertThat(pair.sandboxAnswers).as("%s", steps).isEqualTo(pair.realAnswers);
            for (String path : List.of("/cases/cases/view", "/cases/deadlines/list", "/cases/deadlines/extensions/list", "/cases/hearings/list",
                    "/cases/invitations/list", "/cases/cases/participants/list", "/api/filings/list", "/api/docket/entries/list", "/cases/cases/actions")) {
                assertThat(shown(pair.sandbox, path)).as("%s after %s", path, steps).isEqualTo(shown(pair.real, path));
            }
            assertThat(reminders(pair.sandbox)).as("%s", steps).isEqualTo(reminders(pair.real));
            assertThat(alerts(pair.sandbox)).as("%s", steps).isEqualTo(alerts(pair.real));
            assertThat(pair.fired.stream().filter(one -> ((JsonObject) one).getString("kind").equals("deadline_near"))).as("what was fired is what was told")
                    .hasSize(reminders(pair.sandbox).size());
        }
    }

    /** The clock of a closed sandbox stands, so that what is asked of a closed case must be answered alike at any time. */
    @Example
    void ofACaseThatWasClosedLongAgoNothingDependsOnTheTime() throws IOException {
        List<Deed> closing = Collections.nCopies(CASES, Deed.CLOSE);
        aYearInASandboxIsAYear(List.of(
                new Step(Duration.ofHours(480), List.of(Deed.CLOSE, Deed.GRANT, Deed.MORE_TIME, Deed.MORE_TIME, Deed.CLOSE)),
                new Step(Duration.ZERO, List.of(Deed.APPROVE, Deed.NOTHING, Deed.ACCEPT, Deed.APPROVE, Deed.HEARING)),
                new Step(Duration.ofHours(480), closing),
                new Step(Duration.ofHours(480), closing),
                new Step(Duration.ofHours(72), List.of(Deed.ADVANCE, Deed.WITHDRAW, Deed.LETTER, Deed.MORE_TIME, Deed.CLAIM)),
                new Step(Duration.ZERO, List.of(Deed.APPROVE, Deed.CLOSE, Deed.CLAIM, Deed.LETTER, Deed.APPROVE)),
                new Step(Duration.ofHours(24), List.of(Deed.GRANT, Deed.NOTHING, Deed.ASK, Deed.ACCEPT, Deed.SEAL))));
    }

    private static void each(Step step, List<Pair> pairs, boolean advancing) {
        for (int i = 0; i < CASES; i++) {
            Deed deed = step.deeds.get(i);
            if (deed != Deed.NOTHING && deed.beginsAPhase() == advancing) {
                pairs.get(i).realAnswers.add(carryOut(pairs.get(i).real, deed));
                pairs.get(i).sandboxAnswers.add(carryOut(pairs.get(i).sandbox, deed));
            }
        }
    }

    /** Sets all clocks to that time, of the platform and of the sandboxes, once all reminders up to it were told. */
    private static void moveTo(Instant time, List<Pair> pairs) {
        awaitAlerts();
        // A docket entry sets its deadlines running before time passes.
        pairs.forEach(pair -> shown(pair.real, "/cases/deadlines/list"));
        // A reminder is told while its deadline is to come, so that the platform must look in the time of each.
        platform.rows("""
                select distinct to_char((d.date - days * interval '24 hours') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as due
                from cases.deadlines d cross join unnest(d.remind_days) as days
                where d.date - days * interval '24 hours' > ?::timestamptz and d.date - days * interval '24 hours' < ?::timestamptz order by due
                """, CLOCK.instant().toString(), time.toString()).forEach(due -> lookAt(Instant.parse(due.getFirst())));
        lookAt(time);
        OpenCase again = signedInAgain(pairs.getFirst().real);
        for (Pair pair : pairs) {
            pair.real = with(again, pair.real.caseId());
            pair.sandbox = with(again, pair.sandbox.caseId());
            JsonObject view = pair.sandbox.on("/cases/cases/view", pair.sandbox.claimant(), new JsonObject()).object();
            if (view.getString("status").equals("open") && Instant.parse(view.getString("now")).isBefore(time)) {
                Answer answer = pair.sandbox.on("/cases/sandbox/clock/advance", pair.sandbox.claimant(), new JsonObject().put("to", time.toString()));
                assertThat(answer.status()).as(answer.body()).isEqualTo(200);
                answer.object().getJsonArray("fired").forEach(pair.fired::add);
            }
        }
        // Else somebody may have left the sandbox before an alert of it is sent.
        awaitAlerts();
    }

    private static void lookAt(Instant time) {
        CLOCK.set(time);
        platform.rows("select pg_notify('%s', '')::text".formatted(ReminderRepository.CHANNEL));
        Await.until("reminders have looked up to now", () -> platform.rows("select from cases.reminded where date - days * interval '24 hours' < ?::timestamptz",
                time.toString()).isEmpty());
        awaitAlerts();
    }

    /** An alert that waits is about what is so when it is sent. */
    private static void awaitAlerts() {
        Await.until("all alerts are sent", () -> platform.rows("""
                select from platform.event_consumers c join platform.events e on e.sequence > c.read_up_to or e.sequence <@ (c.missing + c.missing_longer) where c.consumer = 'alerts'
                union all
                select from alerts.alerts where state = 'pending' and channel = 'email'""").isEmpty());
    }

    /** What people were told of, but that they take part in the case, and what the email says. */
    private static List<List<String>> alerts(OpenCase of) {
        return platform.rows("""
                select e.event, a.user_id, a.state, a.reason, m.template, replace(m.subject, 'Sandbox: ', '')
                from platform.events e join alerts.alerts a using (sequence)
                left join emails.emails m on m.idempotency_key = 'alert-' || e.event_id || '-' || a.user_id || '-email'
                where e.case_id = ? and a.channel = 'email' and e.event <> 'case_created' order by 1, 2, 3, 4, 5, 6
                """, UUID.fromString(of.caseId()));
    }

    private static OpenCase signedInAgain(OpenCase of) {
        return new OpenCase(of.platform(), of.caseId(), again(of.claimant()), of.colleague(), of.observer(), again(of.respondent()), again(of.manager()),
                of.arbitrator(), again(of.outsider()));
    }

    private static Person again(Person person) {
        return platform.signIn(person.email(), "Again", "There");
    }

    private static OpenCase with(OpenCase people, String caseId) {
        return new OpenCase(people.platform(), caseId, people.claimant(), people.colleague(), people.observer(), people.respondent(), people.manager(),
                people.arbitrator(), people.outsider());
    }

    /** What comes of it: of each request its status, and why it was refused. */
    private static List<Object> carryOut(OpenCase of, Deed deed) {
        return switch (deed) {
            case NOTHING -> List.of();
            case CLAIM -> file(of, of.claimant(), "statementOfClaim", OpenCase.completeFields("statementOfClaim"));
            case ANSWER -> file(of, of.respondent(), "answer", OpenCase.completeFields("answer"));
            case COUNTERCLAIM -> file(of, of.respondent(), "counterclaim", new JsonObject().put("counterclaimAmount", "50000.00 USD")
                    .put("reliefSought", "Payment of the counterclaim.").put("statementOfFacts", "The cranes stood still for a month."));
            case LETTER -> file(of, of.claimant(), OpenCase.APPROVED_DOCUMENT, OpenCase.completeFields(OpenCase.APPROVED_DOCUMENT));
            case APPROVE -> onSubmitted(of, filing -> of.document("approve", of.manager(), filing));
            case REJECT -> onSubmitted(of, filing -> of.reject(of.manager(), filing, "Name the amount."));
            case WITHDRAW -> onSubmitted(of, filing -> of.document("withdraw", of.claimant(), filing));
            case MORE_TIME -> moreTime(of);
            case ASK -> deadlines(of).limit(2).map(deadline -> told(ask(of, deadline))).toList();
            case TAKE_BACK -> onRequests(of, "withdraw", of.claimant(), new JsonObject());
            case GRANT -> onRequests(of, "decide", of.manager(), new JsonObject().put("granted", true).put("reason", "Agreed."));
            case REFUSE -> onRequests(of, "decide", of.manager(), new JsonObject().put("granted", false).put("reason", "Too late."));
            case HEARING -> List.of(told(of.on("/cases/hearings/create", of.manager(), new JsonObject().put("title", "Hearing").put("start", ahead(30)).put("durationMinutes", 60)
                    .put("timeZone", "Europe/Stockholm"))));
            case MOVE_HEARING -> onHearings(of, "update", new JsonObject().put("start", ahead(40)));
            case CANCEL_HEARING -> onHearings(of, "cancel", new JsonObject().put("reason", "Settled."));
            case LEAVE -> List.of(told(participant(of, "remove", new JsonObject())));
            case JOIN -> List.of(told(participant(of, "add", new JsonObject().put("isObserver", true))));
            case RESTRICT -> List.of(told(of.on("/cases/cases/participants/restrict", of.manager(), new JsonObject().put("userID", of.respondent().id()).put("mayFile", false))));
            case INVITE -> List.of(told(of.on("/cases/invitations/create", of.manager(), new JsonObject().put("email", of.outsider().email()).put("partyID", "respondent"))));
            case ACCEPT -> invitations(of).map(invitation -> told(platform.post("/cases/invitations/accept", new JsonObject().put("invitationID", invitation.getString("invitationID")),
                    of.outsider().token()))).toList();
            case SUPERSEDE -> onDocket(of, entry -> file(of, of.claimant(), OpenCase.APPROVED_DOCUMENT, OpenCase.completeFields(OpenCase.APPROVED_DOCUMENT),
                    new JsonObject().put("supersedes", entry)));
            case SEAL -> onDocket(of, entry -> List.of(told(of.on("/api/docket/entries/seal", of.manager(), new JsonObject().put("entryID", entry).put("reason", "Secrets.")
                    .put("visibleTo", new JsonArray())))));
            case ADVANCE -> List.of(told(of.on("/cases/cases/phases/advance", of.manager(), new JsonObject())));
            case SKIP -> List.of(told(of.on("/cases/cases/phases/advance", of.manager(), new JsonObject().put("phaseID", "evidenceSubmissions"))));
            case CLOSE -> List.of(told(of.on("/cases/cases/close", of.manager(), new JsonObject().put("reason", "settled"))));
        };
    }

    private static List<Object> file(OpenCase of, Person by, String documentId, JsonObject fields) {
        return file(of, by, documentId, fields, new JsonObject());
    }

    private static List<Object> file(OpenCase of, Person by, String documentId, JsonObject fields, JsonObject more) {
        Answer created = of.on("/api/filings/create", by, more.copy().put("documentID", documentId).put("fields", fields));
        if (created.status() != 200) {
            return List.of(told(created));
        }
        String filingId = created.object().getString("filingID");
        return List.of(told(created), told(of.document("check", by, filingId)), told(of.document("submit", by, filingId)));
    }

    private interface OnFiling {
        Answer with(String filingId);
    }

    private static List<Object> onSubmitted(OpenCase of, OnFiling act) {
        return of.on("/api/filings/list", of.manager(), new JsonObject().put("state", "submitted")).object().getJsonArray("filings").stream()
                .map(filing -> told(act.with(((JsonObject) filing).getString("filingID")))).toList();
    }

    /** A whole minute so many days after now. */
    private static String ahead(int days) {
        return CLOCK.instant().plus(Duration.ofDays(days)).truncatedTo(ChronoUnit.MINUTES).toString();
    }

    /** @param order of the list by these members: what begins or ends at one time is listed by its ID, which is another one in each case */
    private static Stream<JsonObject> listed(OpenCase of, Person by, String path, String member, String... order) {
        Answer answer = of.on(path, by, new JsonObject());
        assertThat(answer.status()).as(path + answer.body()).isEqualTo(200);
        return answer.object().getJsonArray(member).stream().map(JsonObject.class::cast)
                .sorted(Comparator.comparing(one -> Stream.of(order).map(one::getString).collect(Collectors.joining(" "))));
    }

    private static Stream<JsonObject> deadlines(OpenCase of) {
        return listed(of, of.claimant(), "/cases/deadlines/list", "deadlines", "date", "documentID", "partyID");
    }

    /** The requests for more time that nobody has decided, the one that was made first before the others. */
    private static List<Object> onRequests(OpenCase of, String operation, Person by, JsonObject body) {
        return listed(of, of.manager(), "/cases/deadlines/extensions/list", "extensions", "requested", "until", "partyID")
                .filter(one -> one.getString("state").equals("open"))
                .map(one -> (Object) told(of.on("/cases/deadlines/extensions/" + operation, by, body.copy().put("extensionID", one.getString("extensionID"))))).toList();
    }

    private static List<Object> onHearings(OpenCase of, String operation, JsonObject body) {
        return listed(of, of.manager(), "/cases/hearings/list", "hearings", "start", "created").limit(1)
                .map(one -> (Object) told(of.on("/cases/hearings/" + operation, of.manager(), body.copy().put("hearingID", one.getString("hearingID"))))).toList();
    }

    /** The colleague of the claimant, of whom nothing else is asked. */
    private static Answer participant(OpenCase of, String operation, JsonObject body) {
        return of.on("/cases/cases/participants/" + operation, of.manager(), body.put("userID", of.colleague().id()).put("partyID", "claimant"));
    }

    private static Stream<JsonObject> invitations(OpenCase of) {
        return platform.post("/cases/invitations/list", new JsonObject(), of.outsider().token()).object().getJsonArray("invitations").stream().map(JsonObject.class::cast)
                .filter(one -> one.getString("caseID").equals(of.caseId()));
    }

    /** On the first entry of the docket, if there is one. */
    private static List<Object> onDocket(OpenCase of, Function<String, List<Object>> act) {
        return of.docket(of.manager()).stream().limit(1).map(entry -> ((JsonObject) entry).getString("entryID")).map(act).flatMap(List::stream).toList();
    }

    private static Answer ask(OpenCase of, JsonObject deadline) {
        Person by = deadline.getString("partyID").equals("claimant") ? of.claimant() : of.respondent();
        return of.on("/cases/deadlines/extensions/request", by, new JsonObject().put("deadlineID", deadline.getString("deadlineID"))
                .put("until", Instant.parse(deadline.getString("date")).plus(Duration.ofDays(9)).toString()).put("reason", "Our witness travels."));
    }

    private static List<Object> moreTime(OpenCase of) {
        return deadlines(of).limit(3).flatMap(deadline -> {
                    Answer asked = ask(of, deadline);
                    return asked.status() != 200 ? Stream.of(told(asked)) : Stream.of(told(asked), told(of.on("/cases/deadlines/extensions/decide", of.manager(),
                            new JsonObject().put("extensionID", asked.object().getString("extensionID")).put("granted", true).put("reason", "Agreed."))));
                }).toList();
    }

    private static Object told(Answer answer) {
        return answer.status() + " " + (answer.status() == 200 ? "" : answer.body());
    }

    private static Object shown(OpenCase of, String path) {
        Answer answer = of.on(path, of.manager(), new JsonObject());
        assertThat(answer.status()).as(path + answer.body()).isEqualTo(200);
        return compared(answer.json());
    }

    private static Object compared(Object value) {
        return switch (value) {
            case JsonObject object -> object.stream().filter(member -> !NOT_COMPARED.contains(member.getKey()))
                    .map(member -> member.getKey() + "=" + compared(member.getValue())).toList();
            case JsonArray array -> array.stream().map(SandboxYearPropertyIT::compared).sorted(Comparator.comparing(String::valueOf)).toList();
            case null -> "null";
            default -> value;
        };
    }

    private static List<List<String>> reminders(OpenCase of) {
        return platform.rows("""
                select d.document_id, d.party_id, d.phase_id, e.envelope::json -> 'data' ->> 'days', e.envelope::json -> 'data' ->> 'date'
                from platform.events e join cases.deadlines d on d.deadline_id = (e.envelope::json -> 'data' ->> 'deadlineID')::uuid
                where e.event = 'deadline_near' and e.case_id = ? order by 1, 2, 3, 4, 5
                """, UUID.fromString(of.caseId()));
    }
}
