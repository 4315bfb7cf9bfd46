package io.arbitration.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.cases.definitions.DefinitionsJson;
import io.arbitration.cases.definitions.DefinitionsLoader;
import io.arbitration.domain.cases.Definitions;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases over HTTP on a real database: each rule with the exact string that refuses what breaks it. */
class CasesIT {

    private static final Definitions DEFINITIONS = DefinitionsLoader.load(Path.of("conf/definitions"));
    private static final String NO_SIDE = "Only the case manager or a primary participant of that party can change its participants.";

    private final RunningPlatform platform = RunningPlatform.shared();

    // Schemas

    @Test
    void theSchemasAreThoseOfTheDefinitionFiles() {
        String token = someone().token();
        assertThat(platform.post("/cases/schemas/list", "", token).object()).isEqualTo(DefinitionsJson.schemas(DEFINITIONS));
        assertThat(platform.post("/cases/service-of-notice/mail-types/list", "", token).object())
                .isEqualTo(DefinitionsJson.mailTypes(DEFINITIONS));
    }

    @ParameterizedTest
    @ValueSource(strings = {"schemas/list", "service-of-notice/mail-types/list", "cases/create", "cases/view", "cases/list",
        "cases/participants/add", "cases/participants/remove", "cases/participants/list", "cases/phases/advance", "cases/close",
        "cases/actions"})
    void nothingIsToldWithoutAToken(String path) {
        refused(platform.post("/cases/" + path, new JsonObject(), null), 401, "token.invalid", "missing or invalid access token");
    }

    /** One list call of somebody with many large cases must not need more memory than a node has. */
    @Test
    void aPageOfCasesIsBoundedInBytesAndThePagesAreTheWhole() throws Exception {
        Person person = someone();
        String caseId = create(person, new JsonObject().put("title", "Large").put("ruleSet", "commercial")).object().getString("caseID");
        try (Connection owner = platform.sql(); Statement sql = owner.createStatement()) {
            sql.execute("""
                    insert into cases.cases (case_id, title, rule_set, phase_id, status, revision, response_deadline_days, created, created_by)
                    select gen_random_uuid(), title, rule_set, phase_id, status, 1, 21, created + n * interval '1 second', created_by
                    from cases.cases, generate_series(1, 119) n where case_id = '%s'
                    """.formatted(caseId));
            sql.execute("""
                    insert into cases.participants (case_id, user_id, organization_id, party_id, is_primary, is_observer, added, case_created)
                    select c.case_id, case when n = 0 then c.created_by else gen_random_uuid() end, null, 'claimant', true, false, c.created, c.created
                    from cases.cases c, generate_series(0, 299) n where c.created_by = '%s'
                    on conflict do nothing
                    """.formatted(person.id()));
            sql.execute("""
                    insert into cases.phase_starts (case_id, phase_id, started_at)
                    select case_id, phase_id, created from cases.cases where created_by = '%s' on conflict do nothing
                    """.formatted(person.id()));
        }
        List<String> listed = new ArrayList<>();
        JsonObject asked = new JsonObject().put("limit", 200);
        int pages = 0;
        for (String next = ""; next != null; pages++) {
            Answer answer = platform.post("/cases/cases/list", asked, person.token());
            assertThat(answer.response().body().length).isLessThan(4 * 1024 * 1024);
            answer.object().getJsonArray("cases").forEach(one -> listed.add(((JsonObject) one).getString("caseID")));
            next = answer.object().getString("nextCursor");
            asked.put("cursor", next);
        }
        assertThat(pages).isGreaterThan(1);
        assertThat(listed).hasSize(120).doesNotHaveDuplicates();
    }

    // Create and view

    /** All open cases without a case manager, as a super administrator lists them. */
    private List<String> withoutCaseManager() {
        List<String> found = new ArrayList<>();
        String cursor = null;
        do {
            JsonObject page = platform.post("/cases/cases/list", new JsonObject().put("withoutCaseManager", true).put("limit", 200).put("cursor", cursor), platform.administrator().token()).object();
            page.getJsonArray("cases").forEach(one -> found.add(((JsonObject) one).getString("caseID")));
            cursor = page.getString("nextCursor");
        } while (cursor != null);
        return found;
    }

    private void participant(String operation, String caseId, Person person, boolean isObserver) {
        JsonObject body = new JsonObject().put("caseID", caseId).put("userID", person.id());
        Answer answer = platform.post("/cases/cases/participants/" + operation, operation.equals("remove") ? body : body.put("partyID", "caseManager").put("isObserver", isObserver),
                platform.administrator().token());
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    }

    @Test
    void administratorsFindTheOpenCasesThatHaveNoCaseManager() {
        Person claimant = someone();
        Person manager = someone();
        String older = opened(claimant).getString("caseID");
        String caseId = opened(claimant).getString("caseID");
        assertThat(withoutCaseManager()).containsSubsequence(caseId, older);
        // An observer decides on nothing.
        participant("add", caseId, someone(), true);
        assertThat(withoutCaseManager()).contains(caseId);
        participant("add", caseId, manager, false);
        assertThat(withoutCaseManager()).doesNotContain(caseId).contains(older);
        participant("remove", caseId, manager, false);
        assertThat(withoutCaseManager()).contains(caseId);
        // The kept list is what the cases and their participants say, of all cases of this class.
        assertThat(platform.rows("""
                select case_id from cases.cases c where status = 'open'
                  and not exists (select from cases.participants p where p.case_id = c.case_id and p.party_id = 'caseManager' and not p.is_observer)
                order by case_id"""))
                .isEqualTo(platform.rows("select case_id from cases.without_case_manager order by case_id"));

        JsonObject wanted = new JsonObject().put("withoutCaseManager", true);
        assertThat(platform.post("/cases/cases/list", wanted.copy().put("status", "closed"), platform.administrator().token()).object())
                .isEqualTo(new JsonObject().put("cases", new JsonArray()).putNull("nextCursor"));
        Answer refused = platform.post("/cases/cases/list", wanted, claimant.token());
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.sentence()).isEqualTo("permission required: admin.platform.super");
    }

    @Test
    void whoOpensACaseBecomesThePrimaryParticipantOfTheClaimant() {
        Person claimant = someone();

        Answer answer = create(claimant, new JsonObject().put("title", "Lindqvist v. Häfen 船").put("ruleSet", "expedited"));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("ETag")).isEqualTo("\"1\"");
        JsonObject opened = answer.object();
        assertThat(opened.fieldNames()).containsExactly("caseID", "title", "ruleSet", "phaseID", "status", "revision", "created",
                "participants", "timetable");
        assertThat(UUID.fromString(opened.getString("caseID")).version()).isEqualTo(4);
        assertThat(opened.getString("title")).isEqualTo("Lindqvist v. Häfen 船");
        assertThat(opened.getString("ruleSet")).isEqualTo("expedited");
        assertThat(opened.getString("phaseID")).isEqualTo("caseInitiation");
        assertThat(opened.getString("status")).isEqualTo("open");
        assertThat(opened.getInteger("revision")).isEqualTo(1);
        assertThat(opened.getString("created")).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
        assertThat(opened.getJsonArray("participants")).isEqualTo(new JsonArray().add(new JsonObject()
                .put("userID", claimant.id()).put("organizationID", null).put("partyID", "claimant")
                .put("isPrimary", true).put("isObserver", false).put("mayFile", true)));
        Answer view = on("view", claimant, opened.getString("caseID"));
        assertThat(view.body()).isEqualTo(answer.body());
        assertThat(view.header("ETag")).isEqualTo("\"1\"");
    }

    @Test
    void theTimetableShowsEveryPhaseAndWhoFilesWhatInIt() {
        JsonObject opened = opened(someone());

        JsonArray phases = opened.getJsonObject("timetable").getJsonArray("phases");

        assertThat(phases.stream().map(phase -> ((JsonObject) phase).getString("phaseID")))
                .containsExactlyElementsOf(DEFINITIONS.phases().stream().map(phase -> phase.id().value()).toList());
        JsonObject first = phases.getJsonObject(0);
        assertThat(first.fieldNames()).containsExactly("phaseID", "scheduledStart", "scheduledEnd", "filingDeadline", "documents");
        assertThat(first.getString("scheduledStart")).isEqualTo(opened.getString("created"));
        assertThat(first.getJsonArray("documents")).contains(new JsonObject().put("documentID", "statementOfClaim")
                .put("filedBy", "claimant").put("approvedBy", "caseManager").put("maxAllowed", 1).put("required", true));
        assertThat(first.getJsonArray("documents")).as("one element for each party that files it")
                .contains(new JsonObject().put("documentID", "noticeOfRepresentation").put("filedBy", "claimant").put("approvedBy", null)
                        .put("maxAllowed", 10).put("required", false))
                .contains(new JsonObject().put("documentID", "noticeOfRepresentation").put("filedBy", "respondent").put("approvedBy", null)
                        .put("maxAllowed", 10).put("required", false));
    }

    @Test
    void theDaysToRespondThatTheCaseChoseMoveItsTimetable() {
        Person claimant = someone();
        String after7 = responseEnd(create(claimant, wanted().put("responseDeadlineDays", 7)).object());
        String after30 = responseEnd(create(claimant, wanted().put("responseDeadlineDays", 30)).object());
        String asTheRuleSetSays = responseEnd(create(claimant, wanted()).object());
        String after21 = responseEnd(create(claimant, wanted().put("responseDeadlineDays", 21)).object());

        assertThat(after7).isLessThan(after21);
        assertThat(after21).isLessThan(after30);
        assertThat(asTheRuleSetSays).isEqualTo(after21);
    }

    private static String responseEnd(JsonObject opened) {
        return opened.getJsonObject("timetable").getJsonArray("phases").getJsonObject(2).getString("scheduledEnd");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "{\"ruleSet\":\"commercial\"} | title: is required",
        "{\"title\":\"A v. B\"} | ruleSet: is required",
        "{\"title\":\"\",\"ruleSet\":\"commercial\"} | title: at least 1 character",
        "{\"title\":\"  \",\"ruleSet\":\"commercial\"} | title: must not be blank",
        "{\"title\":7,\"ruleSet\":\"commercial\"} | title: must be a string",
        "{\"title\":\"A v. B\",\"ruleSet\":\"commercial\",\"responseDeadlineDays\":8} | responseDeadlineDays: must be one of 7, 14, 21, 30",
        "{\"title\":\"A v. B\",\"ruleSet\":\"commercial\",\"requestID\":\"\"} | requestID: at least 1 character"})
    void whatBreaksTheContractIsNamed(String body, String sentence) {
        Answer answer = platform.post("/cases/cases/create", body, someone().token());
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.sentence()).isEqualTo(sentence);
    }

    @Test
    void aTitleOfTwoHundredCharactersIsTakenAndALongerOneRefused() {
        Person claimant = someone();
        assertThat(create(claimant, wanted().put("title", "x".repeat(200))).status()).isEqualTo(200);
        refused(create(claimant, wanted().put("title", "x".repeat(201))), 400, "request.invalid", "title: at most 200 characters");
    }

    @Test
    void aCaseFollowsARuleSetThatThereIs() {
        refused(create(someone(), wanted().put("ruleSet", "maritime")), 404, "rule-set.not-found", "rule set not found");
    }

    @Test
    void aCaseIsOpenedForTheOrganizationOfTheCallerAndForNoOther() {
        Person member = someone();
        Person other = someone();
        String organizationID = organization(member);

        assertThat(organizationOf(create(member, wanted()))).as("by default its own").isEqualTo(organizationID);
        assertThat(organizationOf(create(member, wanted().put("organizationID", organizationID)))).isEqualTo(organizationID);
        refused(create(other, wanted().put("organizationID", organizationID)), 403, "organization.not-a-member",
                "Not a member of this organization.");
        refused(create(member, wanted().put("organizationID", UUID.randomUUID().toString())), 404, "organization.not-found",
                "organization not found");
        refused(create(member, wanted().put("organizationID", "no-uuid")), 404, "organization.not-found", "organization not found");
    }

    @Test
    void aMachineClientOpensNoCase() {
        String administrator = platform.administrator().token();
        JsonObject client = platform.post("/auth/clients/create", new JsonObject().put("name", "robot")
                .put("permissions", new JsonArray()), administrator).object();
        String token = platform.post("/auth/clients/token", client, null).object().getString("accessToken");

        refused(platform.post("/cases/cases/create", wanted(), token), 403, "case.users-only", "Only a user can open a case.");
    }

    @Test
    void theSameRequestOfTheSameCallerOpensOneCase() throws Exception {
        Person claimant = someone();
        String requestID = UUID.randomUUID().toString();

        List<Answer> answers = together(8, n -> create(claimant, wanted().put("title", "Try " + n).put("requestID", requestID)));

        assertThat(answers).allSatisfy(answer -> assertThat(answer.status()).isEqualTo(200));
        assertThat(answers.stream().map(Answer::body).distinct()).as("whichever came first is what all get").hasSize(1);
        String caseID = answers.getFirst().object().getString("caseID");
        assertThat(events(caseID)).as("told once").hasSize(1);
        assertThat(list(claimant, new JsonObject()).object().getJsonArray("cases")).hasSize(1);
        assertThat(create(someone(), wanted().put("requestID", requestID)).object().getString("caseID"))
                .as("another caller's request is another one").isNotEqualTo(caseID);
    }

    @Test
    void whoLostItsPartLearnsNothingByRepeatingTheRequest() {
        Person claimant = someone();
        JsonObject request = wanted().put("requestID", UUID.randomUUID().toString());
        String caseID = create(claimant, request).object().getString("caseID");
        Person successor = someone();
        added(claimant, caseID, successor, "claimant", true, false);
        remove(successor, caseID, claimant);

        refused(create(claimant, request), 403, "case.not-a-participant", "Not a participant in this case.");
    }

    @Test
    void theSameIdempotencyKeyReplaysTheAnswer() {
        Person claimant = someone();
        String key = UUID.randomUUID().toString();
        Answer first = platform.post("/cases/cases/create", wanted(), claimant.token(), "Idempotency-Key", key);
        Answer second = platform.post("/cases/cases/create", wanted(), claimant.token(), "Idempotency-Key", key);

        assertThat(second.body()).isEqualTo(first.body());
        assertThat(second.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(second.header("ETag")).isEqualTo("\"1\"");
        assertThat(list(claimant, new JsonObject()).object().getJsonArray("cases")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"view", "participants/add", "participants/remove", "participants/list", "phases/advance", "close", "actions"})
    void anUnknownCaseIsNotFoundAndOthersHaveNoPartInACase(String operation) {
        Team team = team();
        JsonObject body = body(operation, team.claimant);
        Person outsider = someone();

        for (String unknown : List.of(UUID.randomUUID().toString(), "no-uuid", "5f0c2b9e8f5a4c379a513a6d1f0e7b21", "", "x".repeat(37))) {
            refused(on(operation, outsider, unknown, body), 404, "case.not-found", "case not found");
        }
        refused(on(operation, outsider, team.caseID, body), 403, "case.not-a-participant", "Not a participant in this case.");
    }

    @Test
    void aSuperAdministratorSeesACaseAndItsPeopleButHasNoPartInIt() {
        Team team = team();
        Person administrator = platform.administrator();

        assertThat(on("view", administrator, team.caseID).status()).isEqualTo(200);
        assertThat(on("participants/list", administrator, team.caseID).object().getJsonArray("participants")).hasSize(4);
        for (String operation : List.of("phases/advance", "close", "actions")) {
            refused(on(operation, administrator, team.caseID, body(operation, team.claimant)), 403, "case.not-a-participant",
                    "Not a participant in this case.");
        }
    }

    // Participants

    @Test
    void participantsAreListedInTheOrderInWhichTheyCame() {
        Team team = team();
        JsonArray participants = on("participants/list", team.observer, team.caseID).object().getJsonArray("participants");

        assertThat(participants.stream().map(participant -> ((JsonObject) participant).getString("userID")))
                .containsExactly(team.claimant.id(), team.manager.id(), team.respondent.id(), team.observer.id());
        assertThat(participants.getJsonObject(3)).isEqualTo(new JsonObject().put("userID", team.observer.id())
                .put("organizationID", null).put("partyID", "respondent").put("isPrimary", false).put("isObserver", true).put("mayFile", true));
        assertThat(on("view", team.claimant, team.caseID).object().getJsonArray("participants")).isEqualTo(participants);
    }

    @Test
    void aParticipantComesWithTheOrganizationThatItBelongsToThen() {
        Team team = team();
        Person founder = someone();
        Person member = someone();
        String organizationID = organization(founder);
        JsonObject membership = new JsonObject().put("organizationID", organizationID).put("userID", member.id());
        platform.join(organizationID, founder, member, false);
        added(team.manager, team.caseID, member, "arbitrator", false, false);

        assertThat(platform.post("/auth/organizations/members/remove", membership, founder.token()).status()).as("later it leaves").isEqualTo(200);

        assertThat(on("participants/list", team.manager, team.caseID).object().getJsonArray("participants").getJsonObject(4)
                .getString("organizationID")).isEqualTo(organizationID);
    }

    @Test
    void theCaseManagerAddsAnyoneAndAPrimaryParticipantItsOwnSide() {
        Team team = team();
        assertThat(add(team.manager, team.caseID, someone(), "arbitrator").sentence()).isEqualTo("Participant added.");
        assertThat(add(team.claimant, team.caseID, someone(), "claimant").sentence()).isEqualTo("Participant added.");
        assertThat(add(team.respondent, team.caseID, someone(), "respondent").sentence()).isEqualTo("Participant added.");

        refused(add(team.claimant, team.caseID, someone(), "respondent"), 403, "case.not-your-side", NO_SIDE);
        refused(add(team.claimant, team.caseID, someone(), "caseManager"), 403, "case.not-your-side", NO_SIDE);
        refused(add(team.observer, team.caseID, someone(), "respondent"), 403, "case.not-your-side", NO_SIDE);
        Person colleague = someone();
        added(team.claimant, team.caseID, colleague, "claimant", false, false);
        refused(add(colleague, team.caseID, someone(), "claimant"), 403, "case.not-your-side", NO_SIDE);
    }

    @Test
    void anObserverOfTheCaseManagersSideManagesNothing() {
        Team team = team();
        Person trainee = someone();
        added(team.manager, team.caseID, trainee, "caseManager", false, true);

        refused(add(trainee, team.caseID, someone(), "claimant"), 403, "case.not-your-side", NO_SIDE);
        refused(on("phases/advance", trainee, team.caseID), 403, "case.not-case-manager", "Only the case manager can do this in this case.");
        refused(on("close", trainee, team.caseID, body("close", trainee)), 403, "case.not-case-manager",
                "Only the case manager can do this in this case.");
    }

    @Test
    void whoIsAddedMustExistAndComeAsAPartyThatThereIs() {
        Team team = team();
        refused(add(team.manager, team.caseID, UUID.randomUUID().toString(), "claimant"), 404, "user.not-found", "user not found");
        refused(add(team.manager, team.caseID, "no-uuid", "claimant"), 404, "user.not-found", "user not found");
        refused(add(team.manager, team.caseID, someone(), "witness"), 404, "party.not-found", "party not found");
    }

    @Test
    void someoneTakesPartOnce() {
        Team team = team();
        refused(add(team.manager, team.caseID, team.claimant, "respondent"), 409, "participant.already-added",
                "user is already a participant of this case");
        refused(add(team.claimant, team.caseID, team.claimant, "claimant"), 409, "participant.already-added",
                "user is already a participant of this case");
    }

    @Test
    void anObserverIsNotPrimary() {
        Team team = team();
        refused(on("participants/add", team.manager, team.caseID, new JsonObject().put("userID", someone().id())
                .put("partyID", "claimant").put("isPrimary", true).put("isObserver", true)), 400, "request.invalid",
                "isPrimary: an observer cannot be primary");
    }

    @Test
    void whoMayAddToASideMayRemoveFromIt() {
        Team team = team();
        refused(remove(team.claimant, team.caseID, team.respondent), 403, "case.not-your-side", NO_SIDE);
        refused(remove(team.observer, team.caseID, team.observer), 403, "case.not-your-side", NO_SIDE);
        assertThat(remove(team.respondent, team.caseID, team.observer).sentence()).isEqualTo("Participant removed.");
        refused(on("view", team.observer, team.caseID), 403, "case.not-a-participant", "Not a participant in this case.");
        assertThat(remove(team.manager, team.caseID, team.respondent).sentence()).isEqualTo("Participant removed.");
        assertThat(remove(platform.administrator(), team.caseID, team.manager).sentence()).isEqualTo("Participant removed.");
    }

    @Test
    void onlyWhoTakesPartIsRemovedAndOnlyAsWhatItIs() {
        Team team = team();
        String text = "participant not found";
        refused(remove(team.manager, team.caseID, someone()), 404, "participant.not-found", text);
        refused(on("participants/remove", team.manager, team.caseID, new JsonObject().put("userID", "no-uuid")), 404, "participant.not-found", text);
        refused(on("participants/remove", team.manager, team.caseID, new JsonObject().put("userID", team.respondent.id())
                .put("partyID", "claimant")), 404, "participant.not-found", text);
        assertThat(on("participants/remove", team.manager, team.caseID, new JsonObject().put("userID", team.respondent.id())
                .put("partyID", "respondent")).status()).isEqualTo(200);
    }

    @Test
    void somebodyAlwaysSpeaksForTheClaimant() throws Exception {
        Team team = team();
        String text = "the last primary participant of the claimant cannot be removed";
        refused(remove(team.claimant, team.caseID, team.claimant), 409, "participant.last-primary", text);
        refused(remove(platform.administrator(), team.caseID, team.claimant), 409, "participant.last-primary", text);
        Person second = someone();
        added(team.claimant, team.caseID, second, "claimant", true, false);

        List<Answer> answers = together(2, n -> remove(team.manager, team.caseID, n == 0 ? team.claimant : second));

        assertThat(answers).extracting(Answer::status).as("one goes, the other must stay").containsExactlyInAnyOrder(200, 409);
    }

    // Phases, closing, revisions

    @Test
    void theCaseManagerMovesTheCaseForwardOnly() {
        Team team = team();

        Answer next = on("phases/advance", team.manager, team.caseID);
        assertThat(next.status()).isEqualTo(200);
        assertThat(next.object().getString("phaseID")).isEqualTo("caseFiling");
        Answer later = on("phases/advance", team.manager, team.caseID, new JsonObject().put("phaseID", "arbitratorAppointment"));
        assertThat(later.object().getString("phaseID")).isEqualTo("arbitratorAppointment");
        JsonArray phases = later.object().getJsonObject("timetable").getJsonArray("phases");
        assertThat(phases.getJsonObject(2).getValue("scheduledStart")).as("the response was skipped").isNull();
        assertThat(phases.getJsonObject(1).getString("scheduledStart")).isNotNull();
        assertThat(later.header("ETag")).isEqualTo("\"" + later.object().getInteger("revision") + "\"");

        for (String past : List.of("caseInitiation", "response", "arbitratorAppointment")) {
            refused(on("phases/advance", team.manager, team.caseID, new JsonObject().put("phaseID", past)), 409, "phase.not-later",
                    "phase is not later than the current phase");
        }
        refused(on("phases/advance", team.manager, team.caseID, new JsonObject().put("phaseID", "appeal")), 404, "phase.not-found",
                "phase not found");
        refused(on("phases/advance", team.claimant, team.caseID), 403, "case.not-case-manager", "Only the case manager can do this in this case.");
        assertThat(on("phases/advance", team.manager, team.caseID, new JsonObject().put("phaseID", "awardIssuance")).status()).isEqualTo(200);
        refused(on("phases/advance", team.manager, team.caseID), 409, "phase.last", "case is in its last phase");
    }

    @Test
    void aClosedCaseTakesNoMoreWritesAndIsStillSeen() {
        Team team = team();
        refused(on("close", team.claimant, team.caseID, body("close", team.claimant)), 403, "case.not-case-manager",
                "Only the case manager can do this in this case.");
        refused(on("close", team.manager, team.caseID, new JsonObject().put("reason", " ")), 400, "request.invalid", "reason: must not be blank");
        refused(on("close", team.manager, team.caseID, new JsonObject().put("reason", "x".repeat(2001))), 400, "request.invalid",
                "reason: at most 2000 characters");

        Answer closed = on("close", team.manager, team.caseID, new JsonObject().put("reason", "The parties settled."));

        assertThat(closed.object().getString("status")).isEqualTo("closed");
        refused(add(team.manager, team.caseID, someone(), "claimant"), 409, "case.closed", "case is closed");
        refused(remove(team.manager, team.caseID, team.respondent), 409, "case.closed", "case is closed");
        refused(on("phases/advance", team.manager, team.caseID), 409, "case.closed", "case is closed");
        refused(on("close", team.manager, team.caseID, body("close", team.manager)), 409, "case.closed", "case is closed");
        assertThat(on("view", team.observer, team.caseID).body()).isEqualTo(closed.body());
        assertThat(on("participants/list", team.observer, team.caseID).status()).isEqualTo(200);
        assertThat(on("actions", team.manager, team.caseID).object().getJsonArray("actions")).isEmpty();
    }

    @Test
    void everyWriteRaisesTheRevisionByOneAndAStaleOneIsRefused() {
        Team team = team();
        Person extra = someone();
        List<IntFunction<Answer>> writes = List.of(
                revision -> on("participants/add", team.manager, team.caseID,
                        new JsonObject().put("userID", extra.id()).put("partyID", "arbitrator"), "If-Match", "\"" + revision + "\""),
                revision -> on("participants/remove", team.manager, team.caseID,
                        new JsonObject().put("userID", extra.id()), "If-Match", "\"" + revision + "\""),
                revision -> on("participants/restrict", team.manager, team.caseID,
                        new JsonObject().put("userID", team.manager.id()).put("mayFile", false), "If-Match", "\"" + revision + "\""),
                revision -> on("phases/advance", team.manager, team.caseID, new JsonObject(), "If-Match", "\"" + revision + "\""),
                revision -> on("close", team.manager, team.caseID, body("close", extra), "If-Match", "\"" + revision + "\""));
        int revision = 4;
        for (IntFunction<Answer> write : writes) {
            refused(write.apply(revision - 1), 409, "case.stale", "If-Match does not match the current revision");
            refused(write.apply(revision + 1), 409, "case.stale", "If-Match does not match the current revision");
            Answer written = write.apply(revision);
            assertThat(written.status()).isEqualTo(200);
            revision++;
            assertThat(written.header("ETag")).isEqualTo("\"" + revision + "\"");
            assertThat(on("view", team.manager, team.caseID).header("ETag")).isEqualTo("\"" + revision + "\"");
        }
    }

    @Test
    void aRevisionThatWasNeverGivenIsABadRequest() {
        Team team = team();
        refused(on("phases/advance", team.manager, team.caseID, new JsonObject(), "If-Match", "4"), 400, "request.invalid",
                "If-Match: must be a revision in double quotes, as the ETag gave it");
        assertThat(on("phases/advance", team.manager, team.caseID, new JsonObject(), "If-Match", "*").status()).isEqualTo(200);
    }

    // What is recorded

    @Test
    void whatHappensIsToldAndKeptOnceInOrder() {
        Person claimant = someone();
        String organizationID = organization(claimant);
        JsonObject opened = create(claimant, wanted()).object();
        String caseID = opened.getString("caseID");
        Person manager = someone();
        added(platform.administrator(), caseID, manager, "caseManager", true, false);
        Person passing = someone();
        added(manager, caseID, passing, "arbitrator", false, false);
        remove(manager, caseID, passing);
        on("phases/advance", manager, caseID, new JsonObject().put("phaseID", "response"));
        on("phases/advance", manager, caseID, new JsonObject().put("phaseID", "response"));
        on("close", manager, caseID, body("close", manager));

        assertThat(events(caseID)).extracting(event -> event.getString("event")).containsExactly(
                "case_created", "participant_added", "participant_added", "participant_removed", "phase_changed", "case_closed");
        assertThat(events(caseID)).extracting(event -> event.getJsonObject("data")).containsExactly(
                new JsonObject().put("caseID", caseID).put("title", "Cranes v. Quarry").put("ruleSet", "commercial")
                        .put("created", opened.getString("created")).put("userID", claimant.id()).put("organizationID", organizationID),
                new JsonObject().put("caseID", caseID).put("userID", manager.id()).putNull("organizationID").put("partyID", "caseManager"),
                new JsonObject().put("caseID", caseID).put("userID", passing.id()).putNull("organizationID").put("partyID", "arbitrator"),
                new JsonObject().put("caseID", caseID).put("userID", passing.id()).putNull("organizationID").put("partyID", "arbitrator"),
                new JsonObject().put("caseID", caseID).put("previousPhaseID", "caseInitiation").put("currentPhaseID", "response"),
                new JsonObject().put("caseID", caseID));
        assertThat(platform.rows("select user_id, action, subject from platform.audit where case_id = ? order by audit_id", UUID.fromString(caseID)))
                .containsExactly(
                        Arrays.asList(claimant.id(), "case.created", null),
                        Arrays.asList(platform.administrator().id(), "participant.added", manager.id()),
                        Arrays.asList(manager.id(), "participant.added", passing.id()),
                        Arrays.asList(manager.id(), "participant.removed", passing.id()),
                        Arrays.asList(manager.id(), "phase.advanced", "response"),
                        Arrays.asList(manager.id(), "case.closed", null));
        assertThat(platform.rows("select close_reason, closed_at is not null from cases.cases where case_id = ?", UUID.fromString(caseID)))
                .containsExactly(List.of("The award has been issued.", "t"));
    }

    // At once

    @Test
    void oneOfManyAdvancesToAPhaseWins() throws Exception {
        Team team = team();
        List<Answer> answers = together(8, n -> on("phases/advance", team.manager, team.caseID, new JsonObject().put("phaseID", "response")));

        assertThat(answers).extracting(Answer::status).containsOnlyOnce(200).containsOnly(200, 409);
        assertThat(events(team.caseID)).extracting(event -> event.getString("event")).filteredOn(kind -> !kind.startsWith("participant_"))
                .containsExactly("case_created", "phase_changed");
    }

    @Test
    void writesAtOnceComeOneAfterTheOther() throws Exception {
        Team team = team();
        List<Person> people = IntStream.range(0, 8).mapToObj(n -> someone()).toList();

        List<Answer> answers = together(24, n -> switch (n % 3) {
            case 0 -> add(team.manager, team.caseID, people.get(n / 3), "arbitrator");
            case 1 -> remove(team.manager, team.caseID, people.get(n / 3));
            default -> on("phases/advance", team.manager, team.caseID);
        });

        assertThat(answers).extracting(Answer::status).isSubsetOf(200, 404);
        long written = answers.stream().filter(answer -> answer.status() == 200).count();
        assertThat(on("view", team.manager, team.caseID).object().getLong("revision")).isEqualTo(4 + written);
    }

    @Test
    void somebodyWhoIsRemovedWhileAChangeWaitsForTheCaseChangesNothing() throws Exception {
        Team team = team();
        Person second = someone();
        assertThat(add(team.manager, team.caseID, second, "caseManager").status()).isEqualTo(200);
        long revision = on("view", team.manager, team.caseID).object().getLong("revision");
        try (Connection removing = platform.sql(); Statement sql = removing.createStatement()) {
            removing.setAutoCommit(false);
            sql.execute("select 1 from cases.cases where case_id = '%s' for update".formatted(team.caseID));
            CompletableFuture<Answer> closing = CompletableFuture.supplyAsync(
                    () -> on("close", second, team.caseID, body("close", second)), Thread::startVirtualThread);
            Await.until("the change waits for the case", () -> !platform.rows("""
                    select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%cases.cases%for update%'
                    """).isEmpty());
            sql.execute("delete from cases.participants where case_id = '%s' and user_id = '%s'".formatted(team.caseID, second.id()));
            removing.commit();
            refused(closing.get(), 403, "case.not-a-participant", "Not a participant in this case.");
        }
        assertThat(on("view", team.manager, team.caseID).object().getLong("revision")).isEqualTo(revision);
    }

    @Test
    void closingEndsTheWritesThatComeWithIt() throws Exception {
        Team team = team();
        List<Answer> answers = together(9, n -> n == 4 ? on("close", team.manager, team.caseID, body("close", team.manager))
                : on("phases/advance", team.manager, team.caseID));

        // Whether any comes after the close is chance; the next one certainly does.
        assertThat(answers).extracting(Answer::status).isSubsetOf(200, 409);
        assertThat(answers.get(4).status()).isEqualTo(200);
        assertThat(on("phases/advance", team.manager, team.caseID).status()).isEqualTo(409);
        List<JsonObject> events = events(team.caseID).stream().filter(event -> !event.getString("event").startsWith("participant_")).toList();
        assertThat(events.getLast().getString("event")).as("nothing comes after the close").isEqualTo("case_closed");
        assertThat(events).hasSize((int) answers.stream().filter(answer -> answer.status() == 200).count() + 1);
    }

    // List

    @Test
    void theOwnCasesComeInPagesNewestFirst() {
        Person claimant = someone();
        opened(someone());
        List<String> ids = new ArrayList<>();
        for (int n = 0; n < 5; n++) {
            ids.addFirst(opened(claimant).getString("caseID"));
        }

        List<String> seen = new ArrayList<>();
        JsonObject page = list(claimant, new JsonObject().put("limit", 2)).object();
        assertThat(page.fieldNames()).containsExactly("cases", "nextCursor");
        while (true) {
            page.getJsonArray("cases").forEach(one -> seen.add(((JsonObject) one).getString("caseID")));
            if (page.getString("nextCursor") == null) {
                break;
            }
            assertThat(page.getJsonArray("cases")).hasSize(2);
            page = list(claimant, new JsonObject().put("limit", 2).put("cursor", page.getString("nextCursor"))).object();
        }

        // Cases of one millisecond come in the order of their ids, so only the set is certain among them.
        assertThat(seen).containsExactlyInAnyOrderElementsOf(ids);
        JsonArray all = list(claimant, new JsonObject()).object().getJsonArray("cases");
        assertThat(all.stream().map(one -> ((JsonObject) one).getString("caseID"))).containsExactlyElementsOf(seen);
        assertThat(all.stream().map(one -> ((JsonObject) one).getString("created"))).isSortedAccordingTo((a, b) -> b.compareTo(a));
        assertThat(all.getJsonObject(0)).isEqualTo(on("view", claimant, seen.getFirst()).object());
    }

    @Test
    void aPageThatTakesTheLastCaseIsTheLast() {
        Person claimant = someone();
        opened(claimant);
        opened(claimant);
        assertThat(list(claimant, new JsonObject().put("limit", 2)).object().getString("nextCursor")).isNull();
    }

    @Test
    void theListCanBeLimitedToOpenOrClosedCases() {
        Team team = team();
        String second = opened(team.claimant).getString("caseID");
        on("close", team.manager, team.caseID, body("close", team.manager));

        assertThat(ids(list(team.claimant, new JsonObject().put("status", "closed")))).containsExactly(team.caseID);
        assertThat(ids(list(team.claimant, new JsonObject().put("status", "open")))).containsExactly(second);
        assertThat(ids(list(team.observer, new JsonObject()))).containsExactly(team.caseID);
        assertThat(ids(platform.post("/cases/cases/list", "", someone().token()).object())).isEmpty();
        refused(list(team.claimant, new JsonObject().put("status", "lost")), 400, "request.invalid", "status: must be one of open, closed");
        refused(list(team.claimant, new JsonObject().put("limit", 201)), 400, "request.invalid", "limit: at most 200");
        refused(list(team.claimant, new JsonObject().put("limit", 0)), 400, "request.invalid", "limit: at least 1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "%%%", "AAAA", "f_________________________________________", "gAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "船"})
    void aCursorThatWasNeverGivenIsABadRequest(String cursor) {
        refused(list(someone(), new JsonObject().put("cursor", cursor)), 400, "request.invalid",
                "cursor: must be the nextCursor of the page before");
    }

    // The cast

    private record Team(String caseID, Person claimant, Person manager, Person respondent, Person observer) {
    }

    /** A case at revision 4: a claimant, a case manager, a primary respondent and an observer of the respondent. */
    private Team team() {
        Person claimant = someone();
        String caseID = opened(claimant).getString("caseID");
        Team team = new Team(caseID, claimant, someone(), someone(), someone());
        added(platform.administrator(), caseID, team.manager, "caseManager", false, false);
        added(team.manager, caseID, team.respondent, "respondent", true, false);
        added(team.respondent, caseID, team.observer, "respondent", false, true);
        return team;
    }

    private Person someone() {
        return platform.signIn("person-" + UUID.randomUUID() + "@example.org", "Pat", "Person");
    }

    private String organization(Person founder) {
        return platform.post("/auth/organizations/create", new JsonObject().put("name", "Lindqvist"), founder.token())
                .object().getString("organizationID");
    }

    private static JsonObject wanted() {
        return new JsonObject().put("title", "Cranes v. Quarry").put("ruleSet", "commercial");
    }

    private Answer create(Person by, JsonObject body) {
        return platform.post("/cases/cases/create", body, by.token());
    }

    private JsonObject opened(Person by) {
        return create(by, wanted()).object();
    }

    private static String organizationOf(Answer created) {
        return created.object().getJsonArray("participants").getJsonObject(0).getString("organizationID");
    }

    private Answer list(Person by, JsonObject body) {
        return platform.post("/cases/cases/list", body, by.token());
    }

    private static List<String> ids(Answer list) {
        return ids(list.object());
    }

    private static List<String> ids(JsonObject list) {
        return list.getJsonArray("cases").stream().map(one -> ((JsonObject) one).getString("caseID")).toList();
    }

    private Answer on(String operation, Person by, String caseID) {
        return on(operation, by, caseID, new JsonObject());
    }

    private Answer on(String operation, Person by, String caseID, JsonObject more, String... headers) {
        return platform.post("/cases/cases/" + operation, more.copy().put("caseID", caseID), by.token(), headers);
    }

    /** What the operation needs beside the case. */
    private static JsonObject body(String operation, Person person) {
        return switch (operation) {
            case "participants/add" -> new JsonObject().put("userID", person.id()).put("partyID", "claimant");
            case "participants/remove" -> new JsonObject().put("userID", person.id());
            case "close" -> new JsonObject().put("reason", "The award has been issued.");
            default -> new JsonObject();
        };
    }

    private Answer add(Person by, String caseID, Person person, String partyID) {
        return add(by, caseID, person.id(), partyID);
    }

    private Answer add(Person by, String caseID, String userID, String partyID) {
        return on("participants/add", by, caseID, new JsonObject().put("userID", userID).put("partyID", partyID));
    }

    private void added(Person by, String caseID, Person person, String partyID, boolean isPrimary, boolean isObserver) {
        Answer answer = on("participants/add", by, caseID, new JsonObject().put("userID", person.id()).put("partyID", partyID)
                .put("isPrimary", isPrimary).put("isObserver", isObserver));
        assertThat(answer.body()).isEqualTo("\"Participant added.\"");
    }

    private Answer remove(Person by, String caseID, Person person) {
        return on("participants/remove", by, caseID, new JsonObject().put("userID", person.id()));
    }

    private List<JsonObject> events(String caseID) {
        return platform.rows("select envelope from platform.events where case_id = ? order by sequence", UUID.fromString(caseID)).stream()
                .map(row -> new JsonObject(row.getFirst()))
                .toList();
    }

    private static List<Answer> together(int count, IntFunction<Answer> call) throws Exception {
        try (ExecutorService callers = Executors.newFixedThreadPool(count)) {
            List<CompletableFuture<Answer>> answers = IntStream.range(0, count)
                    .mapToObj(n -> CompletableFuture.supplyAsync(() -> call.apply(n), callers))
                    .toList();
            List<Answer> all = new ArrayList<>();
            for (CompletableFuture<Answer> answer : answers) {
                all.add(answer.get());
            }
            return all;
        }
    }

    private static void refused(Answer answer, int status, String code, String sentence) {
        assertThat(answer.body()).isEqualTo(Json.encode(sentence));
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.header("Error-Code")).isEqualTo(code);
    }
}
