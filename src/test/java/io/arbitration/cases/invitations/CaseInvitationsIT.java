package io.arbitration.cases.invitations;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.WholeDay;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** People who are invited to a case by email: how they come to take part, and who learns what. */
class CaseInvitationsIT {

    private static final RunningPlatform PLATFORM = RunningPlatform.shared();
    private static final String NOT_FOUND = "invitation not found";

    private final OpenCase open = OpenCase.on(PLATFORM);

    private static String email() {
        return "invited-" + UUID.randomUUID() + "@example.org";
    }

    private static Person signIn(String email) {
        return PLATFORM.signIn(email, "Ina", "Invited");
    }

    private static Answer call(Person caller, String operation, JsonObject body) {
        return PLATFORM.post("/cases/invitations/" + operation, body, caller.token());
    }

    private static JsonObject ok(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.object();
    }

    private static void assertAnswer(Answer answer, int status, String sentence) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.sentence()).isEqualTo(sentence);
    }

    private JsonObject offer(String email, String party) {
        return new JsonObject().put("caseID", open.caseId()).put("email", email).put("partyID", party);
    }

    private String invited(Person by, String email, String party) {
        return ok(call(by, "create", offer(email, party))).getString("invitationID");
    }

    private static Answer answer(Person person, String answer, String invitationId) {
        return call(person, answer, new JsonObject().put("invitationID", invitationId));
    }

    private static JsonArray list(Person person, JsonObject body) {
        return ok(call(person, "list", body)).getJsonArray("invitations");
    }

    private JsonArray ofCase(Person person) {
        return list(person, new JsonObject().put("caseID", open.caseId()));
    }

    private List<JsonObject> participants() {
        return ok(open.on("/cases/cases/participants/list", open.manager(), new JsonObject())).getJsonArray("participants").stream()
                .map(JsonObject.class::cast).toList();
    }

    private static List<Answer> atOnce(List<Supplier<Answer>> calls) {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            return calls.stream().map(call -> CompletableFuture.supplyAsync(call, threads)).toList().stream().map(CompletableFuture::join).toList();
        }
    }

    // The way in

    @Test
    void whoNeverSignedInIsToldByEmailSignsInAndTakesPart() {
        String email = email();
        JsonObject sent = ok(call(open.manager(), "create", offer(email, "respondent").put("isPrimary", true)));
        String id = sent.getString("invitationID");
        Await.until("an email to " + email, () -> !emails(email).isEmpty());
        List<String> told = emails(email).getFirst();
        assertThat(told.get(0)).isEqualTo("Invitation: Cranes v. Quarry");
        assertThat(told.get(1)).contains("/?invitation=" + id, "Maya Manager", "Respondent");

        Person ina = signIn(email.toUpperCase(Locale.ROOT));
        JsonObject listed = list(ina, new JsonObject()).getJsonObject(0);
        assertThat(listed).isEqualTo(new JsonObject().put("invitationID", id).put("caseID", open.caseId()).put("title", "Cranes v. Quarry")
                .put("partyID", "respondent").put("isPrimary", true).put("isObserver", false).put("invitedBy", open.manager().id())
                .put("created", listed.getString("created")).put("expires", sent.getString("expires")).put("email", email));
        assertThat(Duration.between(Instant.parse(listed.getString("created")), Instant.parse(listed.getString("expires")))).isEqualTo(Duration.ofDays(14));

        assertThat(open.on("/cases/cases/view", ina, new JsonObject()).status()).as("before it accepts").isEqualTo(403);
        JsonObject accepting = new JsonObject().put("invitationID", id);
        assertAnswer(PLATFORM.post("/cases/invitations/accept", accepting, ina.token(), "If-Match", "\"0\""), 409, "If-Match does not match the current revision");
        String seen = open.on("/cases/cases/view", open.manager(), new JsonObject()).header("ETag");
        Answer accepted = PLATFORM.post("/cases/invitations/accept", accepting, ina.token(), "If-Match", seen);
        assertAnswer(accepted, 200, "Participant added.");
        assertThat(accepted.header("ETag")).isEqualTo(open.on("/cases/cases/view", ina, new JsonObject()).header("ETag"));
        assertThat(participants()).contains(new JsonObject().put("userID", ina.id()).putNull("organizationID").put("partyID", "respondent")
                .put("isPrimary", true).put("isObserver", false).put("mayFile", true));
        assertThat(list(ina, new JsonObject())).isEmpty();
        assertThat(ofCase(open.manager())).isEmpty();
        assertThat(PLATFORM.rows("select event, actor_id from platform.events where case_id = ?::uuid order by sequence desc limit 1", open.caseId()))
                .as("who made it happen is who accepted").containsExactly(List.of("participant_added", ina.id()));
        assertThat(PLATFORM.rows("select user_id, action from platform.audit where case_id = ?::uuid order by audit_id desc limit 3", open.caseId()))
                .containsExactly(List.of(ina.id(), "invitation.accepted"), List.of(ina.id(), "participant.added"),
                        List.of(open.manager().id(), "invitation.sent"));
    }

    private static List<List<String>> emails(String to) {
        return PLATFORM.rows("select subject, text from emails.emails where ? = any (to_mailboxes) order by accepted_at", to);
    }

    @Test
    void theLinkOfTheEmailLeadsToTheConsole() {
        String invitation = "invitation=" + UUID.randomUUID();
        Answer answer = PLATFORM.get("/?" + invitation);
        assertThat(answer.status()).isEqualTo(302);
        assertThat(answer.header("Location")).startsWith("/console").endsWith(invitation);
    }

    @Test
    void theSameAgainRenewsAnInvitationAndTellsItAgain() {
        String email = email();
        String id = invited(open.manager(), email, "respondent");
        Await.until("an email to " + email, () -> emails(email).size() == 1);
        PLATFORM.rows("update cases.invitations set expires_at = now() - interval '1 second' where invitation_id = ?::uuid returning 1", id);
        Person ina = signIn(email);
        assertAnswer(answer(ina, "accept", id), 409, "invitation has expired");
        assertAnswer(answer(ina, "decline", id), 409, "invitation has expired");
        assertThat(list(ina, new JsonObject())).isEmpty();
        assertThat(invited(open.manager(), email.toUpperCase(Locale.ROOT), "respondent")).isEqualTo(id);
        Await.until("another email to " + email, () -> emails(email).size() + emails(email.toUpperCase(Locale.ROOT)).size() == 2);
        assertThat(list(ina, new JsonObject())).hasSize(1);
        assertThat(invited(open.claimant(), email, "claimant").equals(id)).as("another side's is another invitation").isFalse();
        assertAnswer(answer(ina, "decline", id), 200, "Invitation declined.");
        assertAnswer(answer(ina, "accept", id), 409, "invitation is already answered");
        assertThat(invited(open.manager(), email, "respondent")).as("one that was answered is another's").isNotEqualTo(id);
    }

    @Test
    void whoAcceptsActsForAnOrganizationThatItBelongsToOrForNone() {
        String email = email();
        Person ina = signIn(email);
        String ofSession = ok(PLATFORM.post("/auth/organizations/create", new JsonObject().put("name", "Quarry Ltd"), ina.token())).getString("organizationID");
        String other = ok(PLATFORM.post("/auth/organizations/create", new JsonObject().put("name", "Quarry Counsel"), ina.token())).getString("organizationID");
        String foreign = ok(PLATFORM.post("/auth/organizations/create", new JsonObject().put("name", "Others"), open.outsider().token())).getString("organizationID");
        String id = invited(open.manager(), email, "respondent");
        assertAnswer(call(ina, "accept", new JsonObject().put("invitationID", id).put("organizationID", foreign)), 403, "Not a member of this organization.");
        assertAnswer(call(ina, "accept", new JsonObject().put("invitationID", id).put("organizationID", "x")), 404, "organization not found");
        assertAnswer(call(ina, "accept", new JsonObject().put("invitationID", id).put("organizationID", other)), 200, "Participant added.");
        assertThat(organizationOf(ina)).isEqualTo(other);
        for (boolean none : List.of(true, false)) {
            ok(open.on("/cases/cases/view", open.manager(), new JsonObject()));
            assertThat(open.on("/cases/cases/participants/remove", open.manager(), new JsonObject().put("userID", ina.id())).status()).isEqualTo(200);
            JsonObject accept = new JsonObject().put("invitationID", invited(open.manager(), email, "respondent"));
            assertAnswer(call(ina, "accept", none ? accept.putNull("organizationID") : accept), 200, "Participant added.");
            assertThat(organizationOf(ina)).isEqualTo(none ? null : ofSession);
        }
    }

    private String organizationOf(Person person) {
        return participants().stream().filter(part -> part.getString("userID").equals(person.id())).findFirst().orElseThrow().getString("organizationID");
    }

    // Who may

    @Test
    void whoMayAddAParticipantInvitesSeesAndRevokesAndNobodyElse() {
        String notYourSide = "Only the case manager or a primary participant of that party can change its participants.";
        assertAnswer(call(open.outsider(), "create", offer(email(), "claimant")), 403, "Not a participant in this case.");
        assertAnswer(call(open.observer(), "create", offer(email(), "claimant")), 403, "You are registered as an observer and cannot change this case");
        assertAnswer(call(open.colleague(), "create", offer(email(), "claimant")), 403, notYourSide);
        assertAnswer(call(open.claimant(), "create", offer(email(), "respondent")), 403, notYourSide);
        String ofClaimant = invited(open.claimant(), email(), "claimant");
        String ofManager = invited(open.manager(), email(), "respondent");
        invited(PLATFORM.administrator(), email(), "arbitrator");
        assertThat(ofCase(open.manager())).hasSize(3);
        assertThat(ofCase(PLATFORM.administrator())).hasSize(3);
        assertThat(ofCase(open.claimant())).extracting(one -> ((JsonObject) one).getString("invitationID")).containsExactly(ofClaimant);
        for (Person other : List.of(open.colleague(), open.observer(), open.respondent())) {
            assertAnswer(call(other, "list", new JsonObject().put("caseID", open.caseId())), 403, notYourSide);
        }
        assertAnswer(call(open.outsider(), "list", new JsonObject().put("caseID", open.caseId())), 403, "Not a participant in this case.");
        for (Person other : List.of(open.colleague(), open.observer(), open.claimant(), open.outsider())) {
            assertAnswer(answer(other, "revoke", ofManager), 404, NOT_FOUND);
        }
        assertAnswer(answer(open.claimant(), "revoke", ofClaimant), 200, "Invitation revoked.");
        assertAnswer(answer(open.manager(), "revoke", ofClaimant), 409, "invitation is already answered");
        assertThat(ofCase(open.claimant())).isEmpty();
    }

    @Test
    void anInvitationIsAnsweredByWhoeverHasTheEmailAndByNobodyElse() {
        String email = email();
        String id = invited(open.manager(), email, "respondent");
        for (Person other : List.of(open.outsider(), open.manager(), open.respondent())) {
            assertAnswer(answer(other, "accept", id), 404, NOT_FOUND);
            assertAnswer(answer(other, "decline", id), 404, NOT_FOUND);
        }
        for (String unknown : List.of(UUID.randomUUID().toString(), "x", "", "1-1-1-1-1")) {
            for (String way : List.of("accept", "decline", "revoke")) {
                assertAnswer(answer(open.manager(), way, unknown), 404, NOT_FOUND);
            }
        }
        assertThat(PLATFORM.post("/cases/invitations/accept", new JsonObject().put("invitationID", id), PLATFORM.machine()).status()).isEqualTo(404);
    }

    @Test
    void whoInvitesIsAnsweredTheSameWhetherOrNotAnybodyHasTheEmailOrTakesPartAlready() {
        List<JsonObject> answers = Stream.of(email(), open.outsider().email(), open.respondent().email())
                .map(email -> ok(call(open.manager(), "create", offer(email, "respondent")))).toList();
        assertThat(answers).allSatisfy(answer -> assertThat(answer.fieldNames()).containsExactlyInAnyOrder("invitationID", "expires"));
        assertThat(ofCase(open.manager())).hasSize(3);
        assertThat(list(open.respondent(), new JsonObject())).as("who takes part has nothing to accept").isEmpty();
        assertAnswer(answer(open.respondent(), "accept", answers.getLast().getString("invitationID")), 409, "user is already a participant of this case");
    }

    @Test
    void anInviterWhoMayAddNobodyAnyMoreVoidsItUntilItMayAgain() {
        String email = email();
        Person ina = signIn(email);
        Person second = signIn(email());
        ok(open.on("/cases/cases/view", open.manager(), new JsonObject()));
        JsonObject primary = new JsonObject().put("userID", second.id()).put("partyID", "claimant").put("isPrimary", true);
        assertThat(open.on("/cases/cases/participants/add", open.manager(), primary).status()).isEqualTo(200);
        String id = invited(second, email, "claimant");
        assertThat(list(ina, new JsonObject())).hasSize(1);
        assertThat(open.on("/cases/cases/participants/remove", open.manager(), new JsonObject().put("userID", second.id())).status()).isEqualTo(200);
        assertThat(list(ina, new JsonObject())).isEmpty();
        assertThat(ofCase(open.manager())).isEmpty();
        assertAnswer(answer(ina, "accept", id), 404, NOT_FOUND);
        assertAnswer(answer(ina, "decline", id), 404, NOT_FOUND);
        assertThat(open.on("/cases/cases/participants/add", open.manager(), primary).status()).isEqualTo(200);
        assertThat(list(ina, new JsonObject())).hasSize(1);

        String disabled = "/auth/users/disable";
        assertThat(PLATFORM.post(disabled, new JsonObject().put("userID", second.id()).put("reason", "Left."), PLATFORM.administrator().token()).status()).isEqualTo(200);
        assertAnswer(answer(ina, "accept", id), 404, NOT_FOUND);
        assertAnswer(answer(open.manager(), "revoke", id), 200, "Invitation revoked.");
        assertAnswer(answer(ina, "accept", id), 409, "invitation is already answered");
    }

    @Test
    void aSuperAdministratorsInvitationStandsAsLongAsItIsOne() {
        String email = email();
        Person ina = signIn(email);
        Person granted = signIn(email());
        JsonObject permission = new JsonObject().put("userID", granted.id()).put("permission", "admin.platform.super");
        assertThat(PLATFORM.post("/auth/permissions/grant", permission, PLATFORM.administrator().token()).status()).isEqualTo(200);
        String id = invited(signIn(granted.email()), email, "arbitrator");
        assertThat(list(ina, new JsonObject())).hasSize(1);
        assertThat(PLATFORM.post("/auth/permissions/revoke", permission, PLATFORM.administrator().token()).status()).isEqualTo(200);
        assertAnswer(answer(ina, "accept", id), 404, NOT_FOUND);
        assertAnswer(answer(ina, "accept", invited(PLATFORM.administrator(), email, "arbitrator")), 200, "Participant added.");
    }

    // Bounds and state

    @Test
    void aClosedCaseInvitesNobodyAndLetsNobodyInButItsInvitationsAreDeclinedAndRevoked() {
        List<String> emails = List.of(email(), email());
        List<String> ids = emails.stream().map(email -> invited(open.manager(), email, "respondent")).toList();
        open.close();
        assertAnswer(call(open.manager(), "create", offer(email(), "respondent")), 409, "case is closed");
        Person ina = signIn(emails.getFirst());
        assertThat(list(ina, new JsonObject())).isEmpty();
        assertAnswer(answer(ina, "accept", ids.getFirst()), 409, "case is closed");
        assertAnswer(answer(ina, "decline", ids.getFirst()), 200, "Invitation declined.");
        assertAnswer(answer(open.manager(), "revoke", ids.getLast()), 200, "Invitation revoked.");
    }

    @Test
    void whatIsNoEmailNoPartyOrNoCaseIsNamed() {
        assertThat(call(open.manager(), "create", offer("no email", "respondent")).sentence()).startsWith("email: ");
        assertAnswer(call(open.manager(), "create", offer(email(), "juror")), 404, "party not found");
        for (String unknown : List.of(UUID.randomUUID().toString(), "x", "")) {
            assertAnswer(call(open.manager(), "create", offer(email(), "respondent").put("caseID", unknown)), 404, "case not found");
            assertAnswer(call(open.manager(), "list", new JsonObject().put("caseID", unknown)), 404, "case not found");
        }
        assertAnswer(call(open.manager(), "create", offer(email(), "respondent").put("isPrimary", true).put("isObserver", true)), 400,
                "isPrimary: an observer cannot be primary");
    }

    @Test
    void openInvitationsOfACaseAndThoseOfADayAreBounded() {
        PLATFORM.rows("""
                insert into cases.invitations (invitation_id, case_id, email, party_id, is_primary, is_observer, invited_by, created, expires_at)
                select gen_random_uuid(), ?::uuid, 'person-' || n || '@example.org', 'respondent', false, false, ?::uuid, now(), now() + interval '1 day'
                from generate_series(1, 100) n returning 1
                """, open.caseId(), open.manager().id());
        Answer full = call(open.manager(), "create", offer(email(), "respondent"));
        assertAnswer(full, 429, "at most 100 invitations of a case can be open");
        assertThat(Integer.parseInt(full.header("Retry-After"))).isBetween(1, 86_400);
        assertThat(call(open.manager(), "create", offer("PERSON-7@example.org", "respondent")).status()).as("renewing one adds none").isEqualTo(200);
        JsonObject first = ok(call(open.manager(), "list", new JsonObject().put("caseID", open.caseId()).put("limit", 60)));
        JsonObject last = ok(call(open.manager(), "list", new JsonObject().put("caseID", open.caseId()).put("limit", 60).put("cursor", first.getString("nextCursor"))));
        assertThat(Stream.of(first, last).flatMap(page -> page.getJsonArray("invitations").stream()).map(one -> ((JsonObject) one).getString("email")).distinct())
                .hasSize(100);
        assertThat(last.getString("nextCursor")).isNull();
    }

    @Test
    void theInvitationsOfADayAreCountedForCasesAndOrganizationsTogether() {
        WholeDay.in(ZoneOffset.UTC);
        String organization = ok(PLATFORM.post("/auth/organizations/create", new JsonObject().put("name", "Institute"), open.manager().token())).getString("organizationID");
        invited(open.manager(), email(), "respondent");
        PLATFORM.rows("update identity.invitation_days set sent = 49 where user_id = ?::uuid returning 1", open.manager().id());
        JsonObject member = new JsonObject().put("organizationID", organization).put("email", email());
        assertThat(PLATFORM.post("/auth/organizations/invitations/create", member, open.manager().token()).status()).isEqualTo(200);
        Answer tired = call(open.manager(), "create", offer(email(), "respondent"));
        assertAnswer(tired, 429, "a user can send at most 50 invitations a day");
        assertThat(Integer.parseInt(tired.header("Retry-After"))).isBetween(1, 86_400);
        assertAnswer(PLATFORM.post("/auth/organizations/invitations/create", member, open.manager().token()), 429, "a user can send at most 50 invitations a day");
        assertThat(ofCase(open.manager())).as("what was refused is not there").hasSize(1);
    }

    // At once

    @Test
    void anInvitationAcceptedManyTimesAtOnceMakesOneParticipant() {
        String email = email();
        Person ina = signIn(email);
        String id = invited(open.manager(), email, "respondent");
        List<Answer> answers = atOnce(Stream.<Supplier<Answer>>generate(() -> () -> answer(ina, "accept", id)).limit(8).toList());
        assertThat(answers.stream().map(Answer::status)).containsOnlyOnce(200).containsOnly(200, 409);
        assertThat(participants().stream().filter(part -> part.getString("userID").equals(ina.id()))).hasSize(1);
    }

    @Test
    void oneOfTwoInvitationsOfTheSamePersonIsAcceptedAtOnce() {
        String email = email();
        Person ina = signIn(email);
        List<String> ids = List.of(invited(open.manager(), email, "respondent"), invited(open.manager(), email, "arbitrator"));
        List<Answer> answers = atOnce(ids.stream().<Supplier<Answer>>map(id -> () -> answer(ina, "accept", id)).toList());
        assertThat(answers.stream().map(Answer::status)).containsOnlyOnce(200).containsOnlyOnce(409);
        assertThat(participants().stream().filter(part -> part.getString("userID").equals(ina.id()))).hasSize(1);
    }

    @Test
    void acceptanceBesideRevocationRemovalOfTheInviterAndClosingEndsOneWayOrTheOther() {
        for (int round = 0; round < 4; round++) {
            OpenCase one = open.another();
            String email = email();
            Person ina = signIn(email);
            Person second = signIn(email());
            assertThat(one.on("/cases/cases/participants/add", one.manager(),
                    new JsonObject().put("userID", second.id()).put("partyID", "claimant").put("isPrimary", true)).status()).isEqualTo(200);
            String id = ok(call(second, "create", new JsonObject().put("caseID", one.caseId()).put("email", email).put("partyID", "claimant")))
                    .getString("invitationID");
            Supplier<Answer> beside = switch (round) {
                case 0 -> () -> answer(one.manager(), "revoke", id);
                case 1 -> () -> one.on("/cases/cases/participants/remove", one.manager(), new JsonObject().put("userID", second.id()));
                case 2 -> () -> one.on("/cases/cases/close", one.manager(), new JsonObject().put("reason", "settled"));
                default -> () -> answer(ina, "decline", id);
            };
            List<Answer> answers = atOnce(List.of(() -> answer(ina, "accept", id), beside));
            boolean takesPart = one.on("/cases/cases/view", ina, new JsonObject()).status() == 200;
            assertThat(answers.getFirst().status()).as("round %d: %s", round, answers.getFirst().body()).isEqualTo(takesPart ? 200 : round == 1 ? 404 : 409);
            assertThat(answers.getLast().status()).as("round %d: %s", round, answers.getLast().body())
                    .isEqualTo(takesPart && (round == 0 || round == 3) ? 409 : 200);
        }
    }

    // The right to file

    @Test
    void whoMayNotFileReadsAndIsToldAndFilesNothingUntilItMayAgain() {
        String sentence = "You may not file documents in this case.";
        String draft = open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
        String docketed = open.docketed(new JsonObject());
        Answer restricted = restrict(open.claimant(), false);
        assertAnswer(restricted, 200, "Participant restricted.");
        assertThat(restricted.header("ETag")).isEqualTo(open.on("/cases/cases/view", open.manager(), new JsonObject()).header("ETag"));
        assertThat(participants()).filteredOn(part -> !part.getBoolean("mayFile")).extracting(part -> part.getString("userID")).containsExactly(open.claimant().id());
        assertAnswer(open.create(open.claimant(), OpenCase.APPROVED_DOCUMENT, new JsonObject()), 403, sentence);
        assertAnswer(open.update(open.claimant(), draft, new JsonObject().put("title", "Another")), 403, sentence);
        assertAnswer(open.document("submit", open.claimant(), draft), 403, sentence);
        assertAnswer(open.document("withdraw", open.claimant(), draft), 403, sentence);
        assertThat(open.document("check", open.claimant(), draft).object().getJsonArray("problems")).contains(sentence);
        assertAnswer(io.arbitration.Form.of(open.caseId(), "other", "A note.").file("note.txt", "text/plain", "Noted.").post(PLATFORM, open.claimant().token()), 403, sentence);
        assertAnswer(open.on("/api/service-of-notice/send", open.claimant(), new JsonObject().put("entryID", docketed).put("mailType", "docketNotice")
                .put("recipients", new JsonArray().add(new JsonObject().put("userID", open.respondent().id())))), 403, sentence);
        assertThat(open.on("/cases/cases/actions", open.claimant(), new JsonObject()).object().getJsonArray("actions"))
                .extracting(action -> ((JsonObject) action).getString("action")).doesNotContain("file", "edit", "submit", "withdraw", "upload");
        assertThat(open.view(open.claimant(), draft).getString("filingID")).as("it reads as before").isEqualTo(draft);
        assertThat(open.docket(open.claimant())).hasSize(1);
        assertThat(open.document("submit", open.colleague(), draft).status()).as("the rest of its side files").isEqualTo(200);

        assertAnswer(restrict(open.claimant(), true), 200, "Participant may file.");
        assertThat(open.create(open.claimant(), OpenCase.APPROVED_DOCUMENT, new JsonObject()).status()).isEqualTo(200);
        assertThat(PLATFORM.rows("select action, subject from platform.audit where case_id = ?::uuid and action like 'participant.%' order by audit_id desc limit 3", open.caseId()))
                .startsWith(List.of("participant.may-file", open.claimant().id())).contains(List.of("participant.restricted", open.claimant().id()));
    }

    private Answer restrict(Person person, boolean mayFile) {
        return open.on("/cases/cases/participants/restrict", open.manager(), new JsonObject().put("userID", person.id()).put("mayFile", mayFile));
    }

    @Test
    void whoMayNotFileStillApproves() {
        String submitted = open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
        assertThat(open.document("submit", open.claimant(), submitted).status()).isEqualTo(200);
        assertAnswer(restrict(open.manager(), false), 200, "Participant restricted.");
        assertThat(open.document("approve", open.manager(), submitted).status()).isEqualTo(200);
        assertAnswer(restrict(open.manager(), true), 200, "Participant may file.");
    }

    // For which organization

    @Test
    void whoeverIsAddedActsForTheOrganizationThatIsNamedOrForNone() {
        Person ina = signIn(email());
        String usual = ok(PLATFORM.post("/auth/organizations/create", new JsonObject().put("name", "Quarry Ltd"), ina.token())).getString("organizationID");
        String other = ok(PLATFORM.post("/auth/organizations/create", new JsonObject().put("name", "Counsel"), ina.token())).getString("organizationID");
        JsonObject add = new JsonObject().put("userID", ina.id()).put("partyID", "respondent");
        String foreign = ok(PLATFORM.post("/auth/organizations/create", new JsonObject().put("name", "Others"), open.outsider().token())).getString("organizationID");
        for (String unknown : List.of(foreign, UUID.randomUUID().toString(), "x")) {
            assertAnswer(open.on("/cases/cases/participants/add", open.manager(), add.copy().put("organizationID", unknown)), 404, "organization not found");
            assertAnswer(open.on("/cases/cases/participants/add", open.outsider(), add.copy().put("organizationID", unknown)), 403, "Not a participant in this case.");
        }
        for (JsonObject body : List.of(add, add.copy().put("organizationID", other), add.copy().putNull("organizationID"))) {
            assertThat(open.on("/cases/cases/participants/add", open.manager(), body).status()).isEqualTo(200);
            assertThat(organizationOf(ina)).isEqualTo(body.containsKey("organizationID") ? body.getString("organizationID") : usual);
            assertThat(open.on("/cases/cases/participants/remove", open.manager(), new JsonObject().put("userID", ina.id())).status()).isEqualTo(200);
        }
    }

    @Test
    void whoOpensACaseActsForTheOrganizationThatItNamesOrForNone() {
        Person ina = signIn(email());
        String first = ok(PLATFORM.post("/auth/organizations/create", new JsonObject().put("name", "Quarry Ltd"), ina.token())).getString("organizationID");
        String second = ok(PLATFORM.post("/auth/organizations/create", new JsonObject().put("name", "Counsel"), ina.token())).getString("organizationID");
        JsonObject create = new JsonObject().put("title", "Cranes v. Quarry").put("ruleSet", "commercial");
        for (JsonObject body : List.of(create, create.copy().put("organizationID", second), create.copy().putNull("organizationID"))) {
            JsonObject part = ok(PLATFORM.post("/cases/cases/create", body, ina.token())).getJsonArray("participants").getJsonObject(0);
            assertThat(part.getString("organizationID")).isEqualTo(body.containsKey("organizationID") ? body.getString("organizationID") : first);
        }
    }
}
