package io.arbitration.alerts;

import static org.assertj.core.api.Assertions.assertThat;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import io.arbitration.Await;
import io.arbitration.MovableClock;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Person;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who is told, by email, that a filing awaits approval or was rejected, and that a deadline is near; by a clock that the test moves. */
class AlertKindsIT {

    @TempDir
    private static Path folder;

    private static final MovableClock CLOCK = new MovableClock();
    private static GreenMail mail;
    private static RunningPlatform platform;

    @BeforeAll
    static void start() {
        mail = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
        mail.start();
        platform = RunningPlatform.start(folder, Map.of("ACP_SMTP_URL", "smtp://127.0.0.1:" + mail.getSmtp().getPort(),
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
        prefers(muted.respondent(), "deadlines");
        for (OpenCase open : List.of(waiting, met, moved, muted)) {
            open.advanceTo("response");
        }
        String answer = met.draft(met.respondent(), "answer");
        assertThat(met.document("submit", met.respondent(), answer).status()).isEqualTo(200);
        JsonObject deadline = moved.on("/cases/deadlines/list", moved.respondent(), new JsonObject()).object().getJsonArray("deadlines").stream()
                .map(JsonObject.class::cast).filter(one -> one.getString("documentID").equals("answer")).findFirst().orElseThrow();
        Instant date = Instant.parse(deadline.getString("date"));
        String extension = moved.on("/cases/deadlines/extensions/request", moved.respondent(), new JsonObject().put("deadlineID", deadline.getString("deadlineID"))
                .put("until", date.plus(Duration.ofDays(30)).toString()).put("reason", "Our witness travels.")).object().getString("extensionID");
        assertThat(moved.on("/cases/deadlines/extensions/decide", moved.manager(), new JsonObject().put("extensionID", extension).put("granted", true)
                .put("reason", "Agreed.")).status()).isEqualTo(200);

        CLOCK.ahead(Duration.between(Instant.now(), date.minus(Duration.ofDays(7)).plusSeconds(60)));
        Await.until("the respondent is reminded", () -> about(waiting.respondent(), "Answer is due by") == 1);
        CLOCK.ahead(Duration.between(Instant.now(), date.minus(Duration.ofDays(1)).plusSeconds(60)));
        Await.until("the respondent is reminded again", () -> about(waiting.respondent(), "Answer is due by") == 2);
        CLOCK.ahead(Duration.between(Instant.now(), date.plus(Duration.ofDays(2))));
        awaitLooked();
        List.of(waiting, met, moved, muted).forEach(AlertKindsIT::awaitAlertsEnd);

        assertThat(near(waiting, "answer")).isEqualTo(2);
        assertThat(about(waiting.respondent(), "Answer is due by")).isEqualTo(2);
        assertThat(about(waiting.claimant(), "Answer is due by")).as("it is not its deadline").isZero();
        assertThat(near(met, "answer")).isZero();
        assertThat(near(muted, "answer")).isEqualTo(2);
        assertThat(about(muted.respondent(), "Answer is due by")).as("who wants to hear of no deadlines").isZero();
        assertThat(near(moved, "answer")).isZero();

        CLOCK.ahead(Duration.between(Instant.now(), date.plus(Duration.ofDays(31))));
        awaitLooked();
        assertThat(near(moved, "answer")).as("of the new date").isEqualTo(2);
        assertThat(near(waiting, "answer")).isEqualTo(2);
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
    }
}
