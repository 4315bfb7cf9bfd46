package io.arbitration.alerts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import io.arbitration.Await;
import io.arbitration.CalendarReader;
import io.arbitration.HeldQueue;
import io.arbitration.MovableClock;
import io.arbitration.NextYear;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.domain.time.LocalMoment;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import jakarta.mail.BodyPart;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.Multipart;
import jakarta.mail.Part;
import jakarta.mail.internet.ContentType;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.fortuna.ical4j.data.CalendarBuilder;
import net.fortuna.ical4j.model.Calendar;
import net.fortuna.ical4j.model.component.VEvent;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who is told, by email, that a filing awaits approval or was rejected, that a deadline is near, and of hearings; by a clock that the test moves. */
class AlertKindsIT {

    @TempDir
    private static Path folder;

    private static final MovableClock CLOCK = new MovableClock();
    private static GreenMail mail;
    private static RunningPlatform platform;

    /** The rules that a test changes: reminders on a day of their own, a seat, and an institution that works on Wednesdays alone. */
    private static Path definitions() throws IOException {
        Path from = Path.of("conf/definitions");
        Path to = folder.resolve("definitions");
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        }
        Path expedited = to.resolve("rule-sets/expedited.yaml");
        LocalDate today = LocalDate.now(ZoneOffset.UTC);
        String closures = today.plusDays(13).datesUntil(today.plusDays(129)).filter(day -> day.getDayOfWeek() != DayOfWeek.WEDNESDAY).limit(100)
                .map("'%s'"::formatted).collect(Collectors.joining(", "));
        Files.writeString(expedited, Files.readString(expedited).replace("reminderDays: [7, 1]", "reminderDays: [3]\nseat: DE-BY\nclosures: [%s]".formatted(closures)));
        return to;
    }

    @BeforeAll
    static void start() throws IOException {
        mail = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
        mail.start();
        platform = RunningPlatform.start(folder.resolve("data"), Map.of("ACP_DEFINITIONS_FOLDER", definitions().toString(),
                "ACP_SMTP_URL", "smtp://127.0.0.1:" + mail.getSmtp().getPort(),
                "ACP_AREAS_ENABLED", "auth,demo,cases,api,alerts,emails", "ACP_DEADLINES_LOOK_SECONDS", "1"), CLOCK);
    }

    @AfterAll
    static void stop() {
        platform.close();
        mail.stop();
    }

    private static List<String> subjects(Person person) {
        return Arrays.stream(mail.getReceivedMessages()).filter(message -> receiver(message).equals(person.email())).map(AlertKindsIT::subject).toList();
    }

    private static String receiver(MimeMessage message) {
        try {
            return ((InternetAddress) message.getRecipients(Message.RecipientType.TO)[0]).getAddress();
        } catch (MessagingException broken) {
            throw new AssertionError(broken);
        }
    }

    private static String subject(MimeMessage message) {
        try {
            return message.getSubject();
        } catch (MessagingException broken) {
            throw new AssertionError(broken);
        }
    }

    private static long about(Person person, String words) {
        return subjects(person).stream().filter(subject -> subject.contains(words)).count();
    }

    private static void awaitAlertsEnd(OpenCase open) {
        Await.until("no alert waits", () -> platform.rows("""
                select from alerts.alerts a join platform.events e using (sequence) where e.case_id = ? and a.state = 'pending' and a.channel = 'email'
                """, UUID.fromString(open.caseId())).isEmpty());
    }

    /** How often the platform said that a deadline of the party for that document is near. */
    private static int near(OpenCase open, String documentId) {
        return platform.rows("""
                select from platform.events e join cases.deadlines d on d.deadline_id = (e.envelope::json -> 'data' ->> 'deadlineID')::uuid
                where e.event = 'deadline_near' and e.case_id = ? and d.document_id = ?
                """, UUID.fromString(open.caseId()), documentId).size();
    }

    /** Every reminder up to now was decided on. */
    private static void awaitLooked() {
        Instant now = CLOCK.instant();
        Await.until("reminders have looked up to now", () -> platform.rows("select from cases.reminded where date - days * interval '24 hours' < ?::timestamptz",
                now.toString()).isEmpty());
    }

    @Test
    void whoApprovesIsToldOfASubmissionAndTheFilerOfTheDecision() {
        OpenCase open = OpenCase.on(platform);
        String filingId = open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
        assertThat(open.document("submit", open.claimant(), filingId).status()).isEqualTo(200);
        Await.until("the case manager is told", () -> about(open.manager(), "awaits your approval") == 1);
        assertThat(open.reject(open.manager(), filingId, "Please name the dates.").status()).isEqualTo(200);
        Await.until("the filer is told", () -> about(open.claimant(), "was rejected") == 1);
        awaitAlertsEnd(open);
        for (Person other : List.of(open.colleague(), open.observer(), open.respondent(), open.arbitrator(), open.claimant())) {
            assertThat(about(other, "awaits your approval")).isZero();
        }
        for (Person other : List.of(open.colleague(), open.observer(), open.respondent(), open.arbitrator(), open.manager())) {
            assertThat(about(other, "was rejected")).isZero();
        }
    }

    @Test
    void whoDoesNotWantToBeToldOfApprovalsIsNot() {
        OpenCase open = OpenCase.on(platform);
        assertThat(platform.post("/alerts/preferences/update", new JsonObject().put("approvals", false), open.manager().token()).status()).isEqualTo(200);
        assertThat(platform.post("/alerts/preferences/view", new JsonObject().put("all", true), open.manager().token()).object())
                .isEqualTo(new JsonObject().put("docket_filings", true).put("case_created", true).put("approvals", false).put("decisions", true)
                        .put("deadlines", true).put("hearings", true).put("invitations", true));
        String filingId = open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
        assertThat(open.document("submit", open.claimant(), filingId).status()).isEqualTo(200);
        assertThat(open.document("approve", open.manager(), filingId).status()).isEqualTo(200);
        awaitAlertsEnd(open);
        assertThat(about(open.manager(), "awaits your approval")).isZero();
    }

    @Test
    void whoDoesNotWantToBeToldOfDecisionsIsNot() {
        OpenCase open = OpenCase.on(platform);
        prefers(open.claimant(), "decisions");
        String filingId = open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
        assertThat(open.document("submit", open.claimant(), filingId).status()).isEqualTo(200);
        // Of a submission that is decided on before the alert is read, nobody is told.
        Await.until("the submission is told", () -> about(open.manager(), "awaits your approval") == 1);
        assertThat(open.reject(open.manager(), filingId, "Please name the dates.").status()).isEqualTo(200);
        assertThat(open.document("submit", open.claimant(), filingId).status()).isEqualTo(200);
        Await.until("what came after the decision is told", () -> about(open.manager(), "awaits your approval") == 2);
        awaitAlertsEnd(open);
        assertThat(about(open.claimant(), "was rejected")).isZero();
    }

    private static void disable(Person person) {
        assertThat(platform.post("/auth/users/disable", new JsonObject().put("userID", person.id()).put("reason", "Left."), platform.administrator().token()).status())
                .isEqualTo(200);
    }

    @Test
    void aDisabledUserIsToldAndRemindedOfNothingAndStillServed() {
        OpenCase open = OpenCase.on(platform);
        OpenCase submitted = OpenCase.on(platform);
        awaitAlertsEnd(open);
        disable(open.respondent());
        disable(submitted.manager());
        List<String> before = subjects(open.respondent());

        String entryId = open.docketed(new JsonObject());
        open.advanceTo("response");
        assertThat(open.on("/cases/hearings/create", open.manager(), new JsonObject().put("title", "Hearing").put("start", "2099-03-01T09:00:00.000Z")
                .put("durationMinutes", 60).put("timeZone", "Europe/Stockholm")).status()).isEqualTo(200);
        Await.until("others hear of the hearing", () -> about(open.claimant(), "hearing scheduled") == 1);
        String filingId = submitted.draft(submitted.claimant(), OpenCase.APPROVED_DOCUMENT);
        assertThat(submitted.document("submit", submitted.claimant(), filingId).status()).isEqualTo(200);
        assertThat(open.on("/api/service-of-notice/send", open.manager(), new JsonObject().put("entryID", entryId).put("mailType", "docketNotice")
                .put("recipients", new JsonArray().add(new JsonObject().put("userID", open.respondent().id())))).status()).isEqualTo(200);
        Await.until("the notice is served", () -> subjects(open.respondent()).size() == before.size() + 1);
        Instant date = Instant.parse(open.on("/cases/deadlines/list", open.manager(), new JsonObject()).object().getJsonArray("deadlines").stream()
                .map(JsonObject.class::cast).filter(one -> one.getString("documentID").equals("answer")).findFirst().orElseThrow().getString("date"));
        CLOCK.ahead(Duration.between(Instant.now(), date.minus(Duration.ofDays(1)).plusSeconds(60)));
        Await.until("the side of the respondent is reminded", () -> near(open, "answer") > 0);
        awaitLooked();
        awaitAlertsEnd(open);
        awaitAlertsEnd(submitted);
        assertThat(subjects(open.respondent())).as("the notice and nothing else").hasSize(before.size() + 1);
        assertThat(about(submitted.manager(), "awaits your approval")).isZero();
    }

    private static void prefers(Person person, String without) {
        assertThat(platform.post("/alerts/preferences/update", new JsonObject().put(without, false), person.token()).status()).isEqualTo(200);
    }

    @Test
    void aPartyIsRemindedOnceEachTimeOfWhatItHasNotMetAndNeverOfWhatMovedOrWasMet() {
        OpenCase waiting = OpenCase.on(platform);
        OpenCase met = OpenCase.on(platform);
        OpenCase moved = OpenCase.on(platform);
        OpenCase muted = OpenCase.on(platform);
        OpenCase metBetween = OpenCase.on(platform);
        OpenCase movedBetween = OpenCase.on(platform);
        prefers(muted.respondent(), "deadlines");
        for (OpenCase open : List.of(waiting, met, moved, muted, metBetween, movedBetween)) {
            open.advanceTo("response");
        }
        String answer = met.draft(met.respondent(), "answer");
        assertThat(met.document("submit", met.respondent(), answer).status()).isEqualTo(200);
        Instant date = moreTime(moved);

        CLOCK.ahead(Duration.between(Instant.now(), date.minus(Duration.ofDays(7)).plusSeconds(60)));
        Await.until("the respondent is reminded", () -> about(waiting.respondent(), "Answer is due by") == 1);
        assertThat(about(waiting.respondent(), "Answer is due by %s".formatted(LocalMoment.text(date, ZoneId.of("America/New_York"))))).as("the day that the rule set names, and not the next one in UTC").isEqualTo(1);
        Await.until("all are looked at", () -> near(metBetween, "answer") == 1 && near(movedBetween, "answer") == 1);
        Person filing = again(metBetween.respondent());
        answer = metBetween.draft(filing, "answer");
        assertThat(metBetween.document("submit", filing, answer).status()).isEqualTo(200);
        assertThat(moreTime(movedBetween)).isAfterOrEqualTo(date);
        CLOCK.ahead(Duration.between(Instant.now(), date.minus(Duration.ofDays(1)).plusSeconds(60)));
        Await.until("the respondent is reminded again", () -> about(waiting.respondent(), "Answer is due by") == 2);
        CLOCK.ahead(Duration.between(Instant.now(), date.plus(Duration.ofDays(2))));
        awaitLooked();
        List.of(waiting, met, moved, muted, metBetween, movedBetween).forEach(AlertKindsIT::awaitAlertsEnd);

        assertThat(near(waiting, "answer")).isEqualTo(2);
        assertThat(about(waiting.respondent(), "Answer is due by")).isEqualTo(2);
        assertThat(about(waiting.claimant(), "Answer is due by")).as("it is not its deadline").isZero();
        assertThat(near(met, "answer")).isZero();
        assertThat(near(muted, "answer")).isEqualTo(2);
        assertThat(about(muted.respondent(), "Answer is due by")).as("who wants to hear of no deadlines").isZero();
        assertThat(near(moved, "answer")).isZero();
        assertThat(near(metBetween, "answer")).as("met between the first and the second").isEqualTo(1);
        assertThat(near(movedBetween, "answer")).as("moved between the first and the second").isEqualTo(1);
        assertThat(about(metBetween.respondent(), "Answer is due by")).isEqualTo(1);
        assertThat(about(movedBetween.respondent(), "Answer is due by")).isEqualTo(1);

        // Seven days and one day before the new dates, of which one may be a day later.
        for (int day : List.of(23, 24, 29, 30, 31)) {
            CLOCK.ahead(Duration.between(Instant.now(), date.plus(Duration.ofDays(day)).plusSeconds(60)));
            awaitLooked();
        }
        assertThat(near(moved, "answer")).as("of the new date").isEqualTo(2);
        assertThat(near(movedBetween, "answer")).as("of both dates").isEqualTo(3);
        assertThat(near(waiting, "answer")).isEqualTo(2);
    }

    /** As when the mail server is away: what happens meanwhile happens to emails that are written. */
    @Test
    void aReminderThatWaitsForTheMailServerIsNotSentOnceItsDeadlineIsMetMovedOrOver() throws SQLException {
        OpenCase met = OpenCase.on(platform);
        OpenCase moved = OpenCase.on(platform);
        OpenCase untouched = OpenCase.on(platform);
        OpenCase over = OpenCase.on(platform);
        List<OpenCase> all = List.of(met, moved, untouched, over);
        all.forEach(open -> open.advanceTo("response"));
        Instant date = Instant.parse(over.on("/cases/deadlines/list", over.manager(), new JsonObject()).object().getJsonArray("deadlines").stream()
                .map(JsonObject.class::cast).filter(one -> one.getString("documentID").equals("answer")).findFirst().orElseThrow().getString("date"));
        all.forEach(AlertKindsIT::awaitAlertsEnd);
        try (HeldQueue held = new HeldQueue(platform, "emails")) {
            CLOCK.ahead(Duration.between(Instant.now(), date.minus(Duration.ofDays(1)).plusSeconds(60)));
            Await.until("all reminders wait", () -> all.stream().allMatch(open -> reminderOfAnswer(open).equals(List.of("pending"))));
            Person filing = again(met.respondent());
            assertThat(met.document("submit", filing, met.draft(filing, "answer")).status()).isEqualTo(200);
            moreTime(moved);
            try (Connection sql = platform.sql(); Statement statement = sql.createStatement()) {
                statement.execute("""
                        update platform.queue_items set due = now() where queue = 'emails' and key in (select delivery_id from emails.deliveries where recipient = '%s')
                        """.formatted(untouched.respondent().email()));
            }
            Await.until("the one that is as it was is sent", () -> reminderOfAnswer(untouched).equals(List.of("sent")));
            CLOCK.ahead(Duration.between(Instant.now(), date.plusSeconds(60)));
        }
        for (OpenCase open : List.of(met, moved, over)) {
            Await.until("it is decided", () -> !reminderOfAnswer(open).equals(List.of("pending")));
            assertThat(reminderOfAnswer(open)).containsExactly("dropped");
            assertThat(about(open.respondent(), "Answer is due by")).isZero();
        }
        assertThat(about(untouched.respondent(), "Answer is due by")).isEqualTo(1);
    }

    /** What became of the emails to the respondent that remind of its answer. */
    private static List<String> reminderOfAnswer(OpenCase open) {
        return platform.rows("""
                select d.state from emails.deliveries d join emails.emails e using (email_id)
                where d.recipient = ? and e.subject like '%Answer is due by%' order by d.delivery_id
                """, open.respondent().email()).stream().map(List::getFirst).toList();
    }

    /** The respondent gets thirty days more for its answer; the date before. */
    private static Instant moreTime(OpenCase open) {
        Person respondent = again(open.respondent());
        JsonObject deadline = open.on("/cases/deadlines/list", respondent, new JsonObject()).object().getJsonArray("deadlines").stream()
                .map(JsonObject.class::cast).filter(one -> one.getString("documentID").equals("answer")).findFirst().orElseThrow();
        Instant date = Instant.parse(deadline.getString("date"));
        String extension = open.on("/cases/deadlines/extensions/request", respondent, new JsonObject().put("deadlineID", deadline.getString("deadlineID"))
                .put("until", date.plus(Duration.ofDays(30)).toString()).put("reason", "Our witness travels.")).object().getString("extensionID");
        assertThat(open.on("/cases/deadlines/extensions/decide", again(open.manager()), new JsonObject().put("extensionID", extension).put("granted", true)
                .put("reason", "Agreed.")).status()).isEqualTo(200);
        return date;
    }

    /** Somebody whose token has expired since the clock was moved. */
    private static Person again(Person person) {
        return platform.signIn(person.email(), "Any", "Body");
    }

    @Test
    void aRuleSetHasItsOwnReminderDaysSeatAndClosures() {
        if (LocalDate.ofInstant(CLOCK.instant(), ZoneId.of("Europe/Berlin")).getDayOfWeek() == DayOfWeek.WEDNESDAY) {
            // Fourteen days later is a Wednesday, too, and would be moved by no closure.
            CLOCK.forward(Duration.ofDays(1));
        }
        Person claimant = platform.signIn("eva@expedited.example", "Eva", "Expedited");
        RunningPlatform.Answer created = platform.post("/cases/cases/create", new JsonObject().put("title", "Fast v. Faster").put("ruleSet", "expedited"), claimant.token());
        assertThat(created.status()).as(created.body()).isEqualTo(200);
        JsonObject deadline = platform.post("/cases/deadlines/list", new JsonObject(), claimant.token()).object().getJsonArray("deadlines").stream()
                .map(JsonObject.class::cast).filter(one -> one.getString("documentID").equals("statementOfClaim")).findFirst().orElseThrow();
        assertThat(deadline.getString("rule")).endsWith("working days of DE-BY and of the institution");
        assertThat(LocalDate.parse(deadline.getString("rawDate")).getDayOfWeek()).isNotEqualTo(DayOfWeek.WEDNESDAY);
        assertThat(LocalDate.parse(deadline.getString("rolledDate")).getDayOfWeek()).isEqualTo(DayOfWeek.WEDNESDAY);

        UUID caseId = UUID.fromString(created.object().getString("caseID"));
        Instant date = Instant.parse(deadline.getString("date"));
        for (int day : List.of(7, 3, 1)) {
            CLOCK.ahead(Duration.between(Instant.now(), date.minus(Duration.ofDays(day)).plusSeconds(60)));
            awaitLooked();
        }
        assertThat(platform.rows("select envelope::json -> 'data' ->> 'days' from platform.events where event = 'deadline_near' and case_id = ?", caseId))
                .containsExactly(List.of("3"));
        Await.until("the reminder", () -> about(claimant, "Statement of claim is due by") == 1);
    }

    /** As a calendar program gets them: what a mail server has received of a hearing, read by two libraries. */
    @Test
    void aHearingArrivesAsAnInvitationThatFollowsIt(@TempDir Path calendars) throws Exception {
        OpenCase open = OpenCase.on(platform);
        JsonObject hearing = open.on("/cases/hearings/create", open.manager(), new JsonObject().put("title", "Hearing of the witnesses").put("start", NextYear.at("03-01T09:00:00Z"))
                .put("durationMinutes", 90).put("timeZone", "Europe/Stockholm")).object();
        JsonObject named = new JsonObject().put("hearingID", hearing.getString("hearingID"));
        Await.until("the invitation", () -> about(open.respondent(), "hearing scheduled") == 1);
        assertThat(open.on("/cases/hearings/update", open.manager(), named.copy().put("start", NextYear.at("07-01T09:00:00Z"))).status()).isEqualTo(200);
        Await.until("the new time", () -> about(open.respondent(), "hearing changed") == 1);
        assertThat(open.on("/cases/hearings/cancel", open.manager(), named.copy().put("reason", "Settled.")).status()).isEqualTo(200);
        Await.until("the cancellation", () -> about(open.respondent(), "hearing cancelled") == 1);

        List<BodyPart> parts = Arrays.stream(mail.getReceivedMessages()).filter(message -> receiver(message).equals(open.respondent().email()) && subject(message).contains("hearing"))
                .map(AlertKindsIT::calendarPart).toList();
        Optional<CalendarReader> python = CalendarReader.in(calendars);
        List<String> read = new ArrayList<>();
        List<String> expected = List.of(NextYear.at("03-01T09:00:00Z ") + NextYear.at("03-01T10:30:00Z 0 CONFIRMED REQUEST"),
                NextYear.at("07-01T09:00:00Z ") + NextYear.at("07-01T10:30:00Z 1 CONFIRMED REQUEST"), NextYear.at("07-01T09:00:00Z ") + NextYear.at("07-01T10:30:00Z 2 CANCELLED CANCEL"));
        for (BodyPart part : parts) {
            String text = new String(part.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            Calendar calendar = new CalendarBuilder().build(new StringReader(text));
            assertThat(calendar.validate().hasErrors()).as("%s of %s", calendar.validate(), text).isFalse();
            VEvent event = calendar.<VEvent>getComponents("VEVENT").getFirst();
            assertThat(event.getUid().orElseThrow().getValue()).startsWith("hearing-" + hearing.getString("hearingID"));
            String method = new ContentType(part.getContentType()).getParameter("method");
            assertThat(calendar.getMethod().getValue()).as("as the part says").isEqualTo(method);
            read.add("%s %s %d %s %s".formatted(ZonedDateTime.from(event.getDateTimeStart().getDate()).toInstant(), ZonedDateTime.from(event.getDateTimeEnd().getDate()).toInstant(), event.getSequence().getSequenceNo(),
                    event.getStatus().getValue(), method));
            if (python.isPresent()) {
                assertThat(python.get().events(text)).singleElement().asString().endsWith(expected.get(read.size() - 1));
            }
        }
        assertThat(read).containsExactlyElementsOf(expected);
        assumeTrue(python.isPresent(), "no python3 with icalendar: read by ical4j alone");
    }

    /** The one part of a message that a calendar program takes. */
    private static BodyPart calendarPart(Part message) {
        try {
            List<BodyPart> found = new ArrayList<>();
            Multipart parts = (Multipart) message.getContent();
            for (int at = 0; at < parts.getCount(); at++) {
                if (parts.getBodyPart(at).isMimeType("text/calendar")) {
                    found.add(parts.getBodyPart(at));
                } else if (parts.getBodyPart(at).isMimeType("multipart/*")) {
                    found.add(calendarPart(parts.getBodyPart(at)));
                }
            }
            assertThat(found).hasSize(1);
            return found.getFirst();
        } catch (MessagingException | IOException broken) {
            throw new AssertionError(broken);
        }
    }

    @Test
    void aSandboxTellsItsParticipantsAndHoldsWhatGoesToOthers() {
        OpenCase sandbox = OpenCase.on(platform).sandbox();
        String entryId = sandbox.docketed(new JsonObject());
        assertThat(sandbox.on("/api/service-of-notice/send", sandbox.manager(), new JsonObject().put("entryID", entryId).put("mailType", "docketNotice")
                .put("recipients", new JsonArray().add(new JsonObject().put("userID", sandbox.respondent().id())).add(new JsonObject().put("email", "clerk@court.example"))))
                .status()).isEqualTo(200);
        assertThat(sandbox.on("/cases/invitations/create", sandbox.manager(), new JsonObject().put("email", "invited@court.example").put("partyID", "respondent"))
                .status()).isEqualTo(200);
        sandbox.advanceTo("response");
        Instant created = Instant.parse(sandbox.on("/cases/cases/view", sandbox.manager(), new JsonObject()).object().getString("created"));
        assertThat(sandbox.on("/cases/sandbox/clock/advance", sandbox.claimant(), new JsonObject().put("to", created.plus(Duration.ofDays(60)).toString())).status()).isEqualTo(200);
        String answer = sandbox.draft(sandbox.respondent(), "answer");
        assertThat(sandbox.document("submit", sandbox.respondent(), answer).status()).isEqualTo(200);

        Await.until("the respondent is reminded as often as of a real case, though all has passed", () -> about(sandbox.respondent(), "Answer is due by") == 2);
        Await.until("the participant is served", () -> platform.rows("""
                select from emails.deliveries where recipient = ? and state = 'sent' and email_id in (select email_id from emails.emails where template = 'service-of-notice')
                """, sandbox.respondent().email()).size() == 1);
        Await.until("what goes to others is held", () -> platform.rows("""
                select from emails.deliveries where recipient in ('clerk@court.example', 'invited@court.example') and state = 'held'
                """).size() == 2);
        assertThat(Arrays.stream(mail.getReceivedMessages()).map(AlertKindsIT::receiver)).doesNotContain("clerk@court.example", "invited@court.example");

        assertThat(sandbox.on("/cases/hearings/create", again(sandbox.manager()), new JsonObject().put("title", "Hearing").put("start", "2099-03-01T09:00:00.000Z")
                .put("durationMinutes", 60).put("timeZone", "Europe/Stockholm")).status()).isEqualTo(200);
        Await.until("the respondent is invited", () -> about(sandbox.respondent(), "hearing scheduled") == 1);
        assertThat(sandbox.on("/cases/cases/participants/remove", again(sandbox.manager()), new JsonObject().put("userID", sandbox.respondent().id())
                .put("partyID", "respondent")).status()).isEqualTo(200);
        Await.until("who has left is told nothing outside of the platform", () -> platform.rows("""
                select from emails.deliveries d join emails.emails m using (email_id)
                where d.recipient = ? and d.state = 'held' and m.calendar_method = 'CANCEL'""", sandbox.respondent().email()).size() == 1);
    }
}
