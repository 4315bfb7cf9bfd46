package io.arbitration.alerts;

import static org.assertj.core.api.Assertions.assertThat;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import io.arbitration.Await;
import io.arbitration.NextYear;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.platform.events.Addresses;
import io.vertx.core.json.JsonObject;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What happens in a case, over HTTP, ends as one email per person at a mail server, and as one request per person to whoever
 * serves push. That one is served here by the test, which can refuse.
 */
class AlertsIT {

    private static final Duration WAIT = Duration.ofSeconds(60);
    private static final String AREAS = "auth,demo,cases,api,alerts,emails";

    @TempDir
    private static Path folder;

    private static GreenMail mail;
    private static RunningPlatform platform;
    /** Requests to push in the order of their arrival, those that were refused, too. */
    private static final List<JsonObject> PUSHED = new CopyOnWriteArrayList<>();
    private static final List<String> BUSY_FOR = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void start() {
        mail = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
        mail.start();
        platform = RunningPlatform.start(folder, Map.of("ACP_SMTP_URL", "smtp://127.0.0.1:" + mail.getSmtp().getPort(), "ACP_AREAS_ENABLED", AREAS,
                "ACP_ALERTS_CASE_URL", "https://app.example.org/cases/{caseID}"));
        platform.vertx().eventBus().<JsonObject>consumer(Addresses.PUSH_SEND, request -> {
            PUSHED.add(request.body());
            if (BUSY_FOR.remove(request.body().getString("userID"))) {
                request.fail(503, "busy");
            } else {
                request.reply(new JsonObject().put("queued", 1));
            }
        });
    }

    @AfterAll
    static void stop() {
        platform.close();
        mail.stop();
    }

    /** Every alert of the case has ended, those of people who joined included. */
    private static void awaitAllTold(OpenCase open, int alerts) {
        Await.until("%d alerts end".formatted(alerts), () -> ended(open) >= alerts);
        assertThat(platform.rows("select 1 from alerts.alerts a join platform.events e using (sequence) where e.case_id = ?::uuid and e.event in ('docket_filing', 'case_created')", open.caseId()))
                .hasSize(alerts);
    }

    private static int ended(OpenCase open) {
        return platform.rows("select 1 from alerts.alerts a join platform.events e using (sequence) where e.case_id = ?::uuid and e.event in ('docket_filing', 'case_created') and a.state <> 'pending'",
                open.caseId()).size();
    }

    private static List<MimeMessage> arrived(Person person) {
        return Arrays.stream(mail.getReceivedMessages()).filter(message -> {
            try {
                return ((InternetAddress) message.getRecipients(Message.RecipientType.TO)[0]).getAddress().equals(person.email());
            } catch (MessagingException broken) {
                throw new AssertionError(broken);
            }
        }).toList();
    }

    private static List<String> subjects(Person person) {
        return arrived(person).stream().map(message -> {
            try {
                return message.getSubject();
            } catch (MessagingException broken) {
                throw new AssertionError(broken);
            }
        }).toList();
    }

    private static List<JsonObject> pushed(Person person) {
        return PUSHED.stream().filter(request -> request.getString("userID").equals(person.id())).toList();
    }

    private static List<String> titles(Person person) {
        return pushed(person).stream().map(request -> request.getJsonObject("notification").getString("title")).toList();
    }

    private static void prefer(Person person, String preference, boolean wanted) {
        assertThat(platform.post("/alerts/preferences/update", new JsonObject().put(preference, wanted), person.token()).status()).isEqualTo(200);
    }

    /** Of approvals the case manager is told elsewhere. */
    private static OpenCase opened() {
        OpenCase open = OpenCase.on(platform);
        prefer(open.manager(), "approvals", false);
        return open;
    }

    private static Person somebody() {
        return platform.signIn("somebody-" + UUID.randomUUID() + "@example.org", "Sam", "Somebody");
    }

    private static void awaitArrived(Stream<Person> people, int each) {
        people.forEach(person -> Await.until("an email for " + person.email(), () -> arrived(person).size() >= each));
    }

    /** Its transaction was open for minutes, or the clock of its node is behind. */
    @Test
    void somebodyWhoWasAddedBeforeTheLastLookAndIsSeenAfterItIsTold() {
        OpenCase open = opened();
        awaitAllTold(open, 10);
        Person late = somebody();
        platform.rows("""
                insert into cases.participants (case_id, user_id, party_id, is_primary, is_observer, added, case_created)
                select case_id, ?::uuid, 'respondent', false, false, now() - interval '5 minutes', created from cases.cases where case_id = ?::uuid returning 1
                """, late.id(), open.caseId());
        Await.until("the alerts of the late participant", Duration.ofSeconds(90), () -> ended(open) >= 12);
        awaitArrived(Stream.of(late), 1);
        assertThat(subjects(late)).containsExactly("You take part in a new case: Cranes v. Quarry");
        assertThat(titles(late)).containsExactly("A new case");
    }

    @Test
    void aDocketEntryIsToldOnceToEveryParticipantButItsApproverByEmailAndByPush() throws Exception {
        OpenCase open = opened();
        // Five people joined after the claimant created the case.
        awaitAllTold(open, 5 * 2);
        // Two emails to one person, sent at once, may arrive in either order.
        awaitArrived(Stream.of(open.colleague(), open.observer(), open.respondent(), open.arbitrator(), open.manager()), 1);
        String entryId = open.docketed(new JsonObject().put("title", "Availability in May"));
        awaitAllTold(open, 2 * 5 * 2);
        List<Person> others = List.of(open.colleague(), open.observer(), open.respondent(), open.arbitrator());
        awaitArrived(others.stream(), 2);
        for (Person person : others) {
            assertThat(subjects(person)).containsExactly("You take part in a new case: Cranes v. Quarry", "Cranes v. Quarry: Availability in May (No. 1)");
            assertThat(titles(person)).containsExactly("A new case", "New on the docket");
        }
        awaitArrived(Stream.of(open.claimant()), 1);
        assertThat(subjects(open.claimant())).as("the filer hears of its entry").containsExactly("Cranes v. Quarry: Availability in May (No. 1)");
        assertThat(titles(open.claimant())).containsExactly("New on the docket");
        assertThat(subjects(open.manager())).as("who approved it knows").containsExactly("You take part in a new case: Cranes v. Quarry");
        assertThat(titles(open.manager())).containsExactly("A new case");
        assertThat(arrived(open.outsider())).isEmpty();
        JsonObject notification = pushed(open.respondent()).getLast().getJsonObject("notification");
        assertThat(notification.getString("body")).isEqualTo("Cranes v. Quarry: Availability in May (No. 1)");
        assertThat(notification.getString("url")).isEqualTo("https://app.example.org/cases/" + open.caseId());
        assertThat(notification.getJsonObject("data").getString("entryID")).isEqualTo(entryId);
        String text = (String) ((MimeMultipart) arrived(open.respondent()).getLast().getContent()).getBodyPart(0).getContent();
        assertThat(text.replace("\r\n", "\n")).contains("Rolf, a document was added to the docket of your case.", "Document:       Availability in May\n",
                "Docket number:  1\n", "Filed by:       Clara Claimant\n", "https://app.example.org/cases/" + open.caseId());
    }

    @Test
    void whatAwaitsApprovalADecisionAndAHearingArePushed() {
        OpenCase open = OpenCase.on(platform);
        String filing = open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
        assertThat(open.document("submit", open.claimant(), filing).status()).isEqualTo(200);
        awaitPushed(open.manager(), "filingID", filing);
        assertThat(open.reject(open.manager(), filing, "Please name the dates.").status()).isEqualTo(200);
        awaitPushed(open.claimant(), "filingID", filing);
        RunningPlatform.Answer hearing = open.on("/cases/hearings/create", open.manager(), new JsonObject().put("title", "Hearing").put("start", NextYear.at("07-01T09:00:00Z"))
                .put("durationMinutes", 60).put("timeZone", "Europe/Stockholm"));
        assertThat(hearing.status()).as(hearing.body()).isEqualTo(200);
        awaitPushed(open.respondent(), "hearingID", hearing.object().getString("hearingID"));
        assertThat(titles(open.respondent())).contains("A hearing was scheduled");
        assertThat(pushed(open.outsider())).isEmpty();
    }

    @Test
    void aDeadlineThatIsNearIsPushedToItsPartyAlone() {
        OpenCase open = OpenCase.on(platform).sandbox();
        JsonObject deadline = open.on("/cases/deadlines/list", open.claimant(), new JsonObject()).object().getJsonArray("deadlines").stream()
                .map(JsonObject.class::cast).filter(one -> one.getString("documentID").equals("statementOfClaim")).findFirst().orElseThrow();
        Instant near = Instant.parse(deadline.getString("date")).minus(Duration.ofDays(1));
        assertThat(open.on("/cases/sandbox/clock/advance", open.claimant(), new JsonObject().put("to", near.toString())).status()).isEqualTo(200);
        for (Person reminded : List.of(open.claimant(), open.colleague())) {
            Await.until("two pushes to " + reminded.email(), () -> titles(reminded).stream().filter("A deadline is near"::equals).count() == 2);
            assertThat(pushed(reminded).stream().map(request -> request.getJsonObject("notification")).filter(one -> one.getString("title").equals("A deadline is near")))
                    .allSatisfy(one -> assertThat(one.getString("body")).startsWith("Sandbox: Cranes v. Quarry: ").contains(" is due by "));
        }
        for (Person other : List.of(open.respondent(), open.manager(), open.outsider())) {
            assertThat(titles(other)).doesNotContain("A deadline is near");
        }
    }

    private static void awaitPushed(Person person, String field, String id) {
        Await.until("a push to %s of %s".formatted(person.email(), id), () -> pushed(person).stream()
                .anyMatch(request -> id.equals(String.valueOf(request.getJsonObject("notification").getJsonObject("data").getValue(field)))));
    }

    @Test
    void whoSubmitsWhatIsDocketedAtOnceIsNotToldOfIt() {
        OpenCase open = opened();
        awaitAllTold(open, 10);
        String filing = open.draft(open.claimant(), OpenCase.UNAPPROVED_DOCUMENT);
        assertThat(open.document("submit", open.colleague(), filing).status()).isEqualTo(200);
        awaitAllTold(open, 20);
        awaitArrived(Stream.of(open.claimant()), 1);
        assertThat(titles(open.claimant())).as("whose draft a colleague submitted").containsExactly("New on the docket");
        assertThat(titles(open.colleague())).containsExactly("A new case");
    }

    @Test
    void whoDoesNotWantToBeToldIsNot() {
        OpenCase open = opened();
        awaitAllTold(open, 10);
        prefer(open.respondent(), "docket_filings", false);
        prefer(open.manager(), "case_created", false);
        open.docketed(new JsonObject());
        awaitAllTold(open, 20);
        awaitArrived(Stream.of(open.colleague(), open.observer(), open.arbitrator()), 2);
        awaitArrived(Stream.of(open.respondent()), 1);
        assertThat(subjects(open.respondent())).hasSize(1);
        assertThat(titles(open.respondent())).containsExactly("A new case");
        Person shy = somebody();
        prefer(shy, "case_created", false);
        open.add(open.manager(), shy, "respondent", true);
        awaitAllTold(open, 22);
        assertThat(arrived(shy)).isEmpty();
        assertThat(pushed(shy)).isEmpty();
    }

    @Test
    void whoLeftTheCaseBeforeTheAlertIsSentIsNotTold() {
        OpenCase open = opened();
        awaitAllTold(open, 10);
        // Push is busy once, and by the next attempt the person is gone.
        BUSY_FOR.add(open.arbitrator().id());
        open.docketed(new JsonObject());
        Await.until("push was busy", () -> !BUSY_FOR.contains(open.arbitrator().id()));
        assertThat(open.on("/cases/cases/participants/remove", open.manager(),
                new JsonObject().put("userID", open.arbitrator().id()).put("partyID", "arbitrator")).status()).isEqualTo(200);
        awaitAllTold(open, 20);
        assertThat(platform.rows("""
                select a.state, a.reason from alerts.alerts a join platform.events e using (sequence)
                where e.case_id = ?::uuid and e.event = 'docket_filing' and a.user_id = ?::uuid and a.channel = 'push'
                """, open.caseId(), open.arbitrator().id())).containsExactly(List.of("dropped", "not a participant of the case any more"));
        assertThat(titles(open.arbitrator())).as("the one request that was refused").containsExactly("A new case", "New on the docket");
        open.docketed(new JsonObject());
        awaitAllTold(open, 28);
        assertThat(subjects(open.arbitrator()).stream().filter(subject -> subject.contains("(No. 2)"))).isEmpty();
    }

    @Test
    void aChannelThatIsBusyIsAskedAgainWithTheSameKey() {
        OpenCase open = opened();
        awaitAllTold(open, 10);
        BUSY_FOR.addAll(List.of(open.respondent().id(), open.respondent().id()));
        open.docketed(new JsonObject());
        awaitAllTold(open, 20);
        List<JsonObject> requests = pushed(open.respondent()).stream()
                .filter(request -> request.getJsonObject("notification").getString("title").equals("New on the docket")).toList();
        assertThat(requests).hasSize(3);
        assertThat(requests.stream().distinct()).hasSize(1);
    }

    @Test
    void anEventOfAnEntryThatIsNotOnTheDocketTellsNobody() throws Exception {
        OpenCase open = opened();
        awaitAllTold(open, 10);
        List<String> data = List.of("{}", "{\"entryID\":\"9999999\"}", "{\"entryID\":\"x\"}", "{\"entryID\":\"99999999999999999999\"}");
        for (String one : data) {
            platform.rows("""
                    insert into platform.events (event_id, event, case_id, occurred_at, envelope)
                    values (gen_random_uuid(), 'docket_filing', ?::uuid, now(), '{"event":"docket_filing","data":' || ? || '}') returning 1
                    """, open.caseId(), one);
        }
        // Without an actor the claimant is one of six.
        awaitAllTold(open, 10 + data.size() * 6 * 2);
        assertThat(platform.rows("""
                select distinct a.state, a.reason from alerts.alerts a join platform.events e using (sequence) where e.case_id = ?::uuid and e.event = 'docket_filing'
                """, open.caseId())).containsExactly(List.of("dropped", "there is no such docket entry"));
        open.docketed(new JsonObject());
        awaitAllTold(open, 10 + data.size() * 6 * 2 + 10);
        awaitArrived(Stream.of(open.respondent()), 2);
    }

    @Test
    void whoComesBackToACaseIsNotToldOfItsCreationAgain() {
        OpenCase open = opened();
        awaitAllTold(open, 10);
        JsonObject colleague = new JsonObject().put("userID", open.colleague().id()).put("partyID", "claimant");
        assertThat(open.on("/cases/cases/participants/remove", open.claimant(), colleague).status()).isEqualTo(200);
        open.add(open.claimant(), open.colleague(), "claimant", false);
        open.docketed(new JsonObject());
        awaitAllTold(open, 20);
        awaitArrived(Stream.of(open.colleague()), 2);
        assertThat(subjects(open.colleague()).stream().filter(subject -> subject.startsWith("You take part"))).hasSize(1);
    }

    /** Titles of before could contain line breaks. */
    @Test
    void titlesWithWhatNoSubjectCanHoldAreToldAll() throws SQLException {
        OpenCase open = opened();
        awaitAllTold(open, 10);
        awaitArrived(Stream.of(open.respondent()), 1);
        String filing = open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
        try (Connection owner = platform.sql(); PreparedStatement titled = owner.prepareStatement("update mainapi.filings set title = ? where filing_id = ?")) {
            titled.setString(1, "Line\none \uD83C\uDFDB <b>&amp;</b> " + "long ".repeat(30));
            titled.setLong(2, Long.parseLong(filing));
            assertThat(titled.executeUpdate()).isEqualTo(1);
        }
        assertThat(open.document("submit", open.claimant(), filing).status()).isEqualTo(200);
        assertThat(open.document("approve", open.manager(), filing).status()).isEqualTo(200);
        awaitAllTold(open, 20);
        awaitArrived(Stream.of(open.respondent()), 2);
        assertThat(subjects(open.respondent()).getLast()).startsWith("Cranes v. Quarry: Line one \uD83C\uDFDB <b>&amp;</b> long");
    }

    // Invitations

    private static JsonObject invited(OpenCase open, String email) {
        JsonObject invitation = new JsonObject().put("caseID", open.caseId()).put("email", email).put("partyID", "respondent");
        Answer answer = platform.post("/cases/invitations/create", invitation, open.manager().token());
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.object();
    }

    private static void awaitInvitationsTold() {
        Await.until("nothing is to be told of invitations",
                () -> platform.rows("select 1 from platform.queue_items where queue in ('case_invitations', 'organization_invitations')").isEmpty());
        Await.until("no email waits", () -> platform.rows("select 1 from platform.queue_items where queue = 'emails'").isEmpty());
    }

    private static Person someone() {
        return platform.signIn("someone-%s@example.org".formatted(UUID.randomUUID()), "Ina", "Invited");
    }

    @Test
    void whoHasAnAccountIsToldOfAnInvitationByEmailAndPushAsItPrefersAndTheInviterLearnsNothing() {
        OpenCase open = opened();
        Person wants = someone();
        Person wantsNot = someone();
        Person disabled = someone();
        String stranger = "stranger-%s@example.org".formatted(UUID.randomUUID());
        prefer(wantsNot, "invitations", false);
        assertThat(platform.post("/auth/users/disable", new JsonObject().put("userID", disabled.id()).put("reason", "Left."), platform.administrator().token()).status())
                .isEqualTo(200);
        List<JsonObject> answers = Stream.of(wants.email(), wantsNot.email(), disabled.email(), stranger)
                .map(email -> invited(open, email.toUpperCase(Locale.ROOT))).toList();
        assertThat(answers).allSatisfy(answer -> assertThat(answer.fieldNames()).containsExactly("invitationID", "expires"));
        awaitInvitationsTold();

        assertThat(subjectsTo(wants.email())).containsExactly("Invitation: Cranes v. Quarry");
        JsonObject push = pushed(wants).stream().map(request -> request.getJsonObject("notification"))
                .filter(one -> one.getString("title").equals("An invitation to a case")).findFirst().orElseThrow();
        String id = answers.getFirst().getString("invitationID");
        assertThat(push.getString("body")).isEqualTo("Cranes v. Quarry: Respondent");
        assertThat(push.getString("url")).endsWith("/?invitation=" + id);
        assertThat(push.getJsonObject("data")).isEqualTo(new JsonObject().put("caseID", open.caseId()).put("invitationID", id));
        assertThat(subjectsTo(stranger)).containsExactly("Invitation: Cranes v. Quarry");
        for (Person silent : List.of(wantsNot, disabled)) {
            assertThat(subjectsTo(silent.email())).isEmpty();
            assertThat(pushed(silent)).isEmpty();
        }
        assertThat(platform.post("/cases/invitations/list", new JsonObject(), wantsNot.token()).object().getJsonArray("invitations"))
                .as("it is there all the same").hasSize(1);
        invited(open, wants.email());
        awaitInvitationsTold();
        assertThat(titles(wants)).as("renewed").containsExactly("An invitation to a case", "An invitation to a case");
        assertThat(subjectsTo(wants.email())).hasSize(2);
    }

    @Test
    void invitationsIntoOrganizationsAreToldAsTheirReceiverPrefers() {
        Person ada = someone();
        Person byEmail = someone();
        Person byId = someone();
        Person wantsNot = someone();
        prefer(wantsNot, "invitations", false);
        String organization = platform.post("/auth/organizations/create", new JsonObject().put("name", "Lindqvist Shipping AB"), ada.token()).object()
                .getString("organizationID");
        for (JsonObject whom : List.of(new JsonObject().put("email", byEmail.email()), new JsonObject().put("userID", byId.id()),
                new JsonObject().put("email", wantsNot.email()))) {
            assertThat(platform.post("/auth/organizations/invitations/create", whom.put("organizationID", organization), ada.token()).status()).isEqualTo(200);
        }
        awaitInvitationsTold();
        for (Person told : List.of(byEmail, byId)) {
            assertThat(subjectsTo(told.email())).containsExactly("Lindqvist Shipping AB invites you");
            assertThat(pushed(told).stream().map(request -> request.getJsonObject("notification").getString("body"))).containsExactly("Lindqvist Shipping AB");
        }
        assertThat(subjectsTo(wantsNot.email())).isEmpty();
        assertThat(pushed(wantsNot)).isEmpty();
    }

    /** Emails are compared without regard to capitals, as invitations are. */
    private static List<String> subjectsTo(String email) {
        return Arrays.stream(mail.getReceivedMessages()).filter(message -> {
            try {
                return ((InternetAddress) message.getRecipients(Message.RecipientType.TO)[0]).getAddress().equalsIgnoreCase(email);
            } catch (MessagingException broken) {
                throw new AssertionError(broken);
            }
        }).map(message -> {
            try {
                return message.getSubject();
            } catch (MessagingException broken) {
                throw new AssertionError(broken);
            }
        }).toList();
    }

    @Test
    void whatTheReleaseBeforeSaysIsDueIsToldByThisOne() {
        Person ada = someone();
        String organization = platform.post("/auth/organizations/create", new JsonObject().put("name", "Quarry Ltd"), ada.token()).object().getString("organizationID");
        String email = "earlier-%s@example.org".formatted(UUID.randomUUID());
        platform.rows("""
                insert into identity.invitations (invitation_id, organization_id, email, is_administrator, invited_by, created, expires_at, email_due)
                values (gen_random_uuid(), ?::uuid, ?, false, ?::uuid, now(), now() + interval '14 days', now()) returning 1
                """, organization, email, ada.id());
        assertThat(platform.rows("update identity.invitations set email_due = now() + interval '40 seconds' where email_due <= now() returning 1"))
                .as("nothing that a node of the release before would claim").isEmpty();
        awaitInvitationsTold();
        assertThat(subjectsTo(email)).containsExactly("Quarry Ltd invites you");
    }
}
