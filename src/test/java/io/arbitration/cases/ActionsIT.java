package io.arbitration.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Form;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.cases.definitions.DefinitionsLoader;
import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.cases.MatrixEntry;
import io.arbitration.domain.cases.RuleSet;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What {@code /cases/actions} offers is what the main API then takes, and what it leaves out is refused. */
class ActionsIT {

    private static final RuleSet COMMERCIAL =
            DefinitionsLoader.load(Path.of("conf/definitions")).ruleSet("commercial").orElseThrow();

    private final OpenCase open = OpenCase.on(RunningPlatform.shared());

    @Test
    void eachPartyFilesWhatTheRuleSetAllowsItInThePhase() {
        for (String phase : List.of("caseInitiation", "response")) {
            if (!phase.equals("caseInitiation")) {
                open.advanceTo(phase);
            }
            for (Person person : List.of(open.claimant(), open.respondent(), open.manager(), open.arbitrator())) {
                List<MatrixEntry> entries = COMMERCIAL.entriesOf(new PhaseId(phase), new PartyId(party(person)));
                assertThat(named(actions(person), "file")).extracting(file -> file.getString("documentID"))
                        .containsExactlyElementsOf(entries.stream().map(entry -> entry.documentId().value()).toList());
                assertThat(named(actions(person), "file")).extracting(file -> file.getInteger("quotaLeft"))
                        .containsExactlyElementsOf(entries.stream().map(MatrixEntry::maxAllowed).toList());
            }
        }
    }

    @Test
    void aDocumentWithADeadlineSaysItAndHowItCameAbout() {
        JsonObject claim = named(actions(open.claimant()), "file").stream()
                .filter(file -> file.getString("documentID").equals("statementOfClaim")).findFirst().orElseThrow();

        JsonObject deadline = claim.getJsonObject("deadline");
        assertThat(deadline.fieldNames()).containsExactly("date", "rule", "trigger", "rawDate", "rolledDate");
        assertThat(deadline.getString("rule")).isEqualTo("30 calendar days from the creation of the case");
        assertThat(deadline.getString("trigger")).isEqualTo(view().getString("created"));
        assertThat(deadline.getString("date")).as("what the timetable says")
                .isEqualTo(view().getJsonObject("timetable").getJsonArray("phases").getJsonObject(0).getString("filingDeadline"));
        assertThat(named(actions(open.claimant()), "file")).filteredOn(file -> file.getString("documentID").equals("motion")).isNotEmpty()
                .allSatisfy(file -> assertThat(file.containsKey("deadline")).isFalse());
    }

    @Test
    void aDeadlineFromADocumentAppearsOnceThatIsDocketed() {
        open.advanceTo("response");
        assertThat(replyToCounterclaim().containsKey("deadline")).isFalse();

        String counterclaim = open.create(open.respondent(), "counterclaim", new JsonObject()
                        .put("counterclaimAmount", "50000.00 USD").put("reliefSought", "Payment of the counterclaim.")
                        .put("statementOfFacts", "The cranes stood still for a month."))
                .object().getString("filingID");
        done(open.document("submit", open.respondent(), counterclaim));
        assertThat(replyToCounterclaim().containsKey("deadline")).as("submitted is not docketed").isFalse();
        done(open.document("approve", open.manager(), counterclaim));

        JsonObject deadline = replyToCounterclaim().getJsonObject("deadline");
        assertThat(deadline.getString("rule")).isEqualTo("21 calendar days from the docketing of counterclaim");
        assertThat(deadline.getString("trigger")).isEqualTo(open.docket(open.claimant()).getJsonObject(0).getString("enteredAt"));
    }

    @Test
    void aFilingIsOfferedToWhoeverIsNextToActOnIt() {
        String filingId = open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
        assertThat(on(filingId, open.claimant())).containsExactly("edit", "submit", "withdraw");
        assertThat(on(filingId, open.colleague())).as("the whole side").containsExactly("edit", "submit", "withdraw");
        assertThat(on(filingId, open.manager())).isEmpty();
        assertThat(on(filingId, open.respondent())).isEmpty();

        done(open.document("submit", open.colleague(), filingId));
        assertThat(on(filingId, open.claimant())).containsExactly("withdraw");
        assertThat(on(filingId, open.manager())).containsExactly("approve", "reject");
        assertThat(on(filingId, open.respondent())).isEmpty();
        assertThat(on(filingId, open.arbitrator())).isEmpty();

        done(open.reject(open.manager(), filingId, "Please name the dates."));
        assertThat(on(filingId, open.claimant())).as("as it is, or edited").containsExactly("edit", "submit", "withdraw");
        assertThat(on(filingId, open.manager())).isEmpty();

        done(open.update(open.claimant(), filingId, new JsonObject().put("title", "Availability in May")));
        assertThat(on(filingId, open.claimant())).containsExactly("edit", "submit", "withdraw");
        done(open.document("submit", open.claimant(), filingId));
        done(open.document("approve", open.manager(), filingId));
        for (Person person : List.of(open.claimant(), open.manager())) {
            assertThat(on(filingId, person)).as("docketed for good").isEmpty();
        }
    }

    @Test
    void aWithdrawnFilingIsOfferedToNobody() {
        String filingId = open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
        done(open.document("withdraw", open.claimant(), filingId));
        assertThat(on(filingId, open.claimant())).isEmpty();
    }

    @Test
    void theQuotaThatIsLeftFallsWithEverySubmissionAndComesBackWithAWithdrawal() {
        int allowed = COMMERCIAL.entry(new PhaseId("caseInitiation"), new DocumentTypeId(OpenCase.APPROVED_DOCUMENT), new PartyId("claimant")).orElseThrow().maxAllowed();
        String filingId = open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
        assertThat(quota(open.claimant(), OpenCase.APPROVED_DOCUMENT)).as("a draft takes none").contains(allowed);

        done(open.document("submit", open.claimant(), filingId));
        assertThat(quota(open.claimant(), OpenCase.APPROVED_DOCUMENT)).contains(allowed - 1);
        assertThat(quota(open.respondent(), OpenCase.APPROVED_DOCUMENT)).as("each party has its own").contains(allowed);

        done(open.document("withdraw", open.claimant(), filingId));
        assertThat(quota(open.claimant(), OpenCase.APPROVED_DOCUMENT)).contains(allowed);

        open.docketed(new JsonObject());
        assertThat(quota(open.claimant(), OpenCase.APPROVED_DOCUMENT)).contains(allowed - 1);
        open.advanceTo("caseFiling");
        assertThat(quota(open.claimant(), OpenCase.APPROVED_DOCUMENT)).as("each phase has its own").contains(allowed);
    }

    @Test
    void whatTheQuotaNoLongerAllowsIsNotOffered() {
        JsonObject fields = new JsonObject().put("claimsWithdrawn", "All of them.").put("withPrejudice", true);
        String first = open.create(open.claimant(), "withdrawalOfClaim", fields).object().getString("filingID");
        String second = open.create(open.claimant(), "withdrawalOfClaim", fields).object().getString("filingID");
        done(open.document("submit", open.claimant(), first));

        assertThat(quota(open.claimant(), "withdrawalOfClaim")).isEmpty();
        assertThat(on(second, open.claimant())).containsExactly("edit", "withdraw");
        refusedWith409(open.document("submit", open.claimant(), second));
    }

    @Test
    void aDraftThatThePhaseDoesNotAllowIsKeptButNotSubmitted() {
        String filingId = open.draft(open.claimant(), "statementOfClaim");
        open.advanceTo("response");

        assertThat(on(filingId, open.claimant())).containsExactly("edit", "withdraw");
        refusedWith409(open.document("submit", open.claimant(), filingId));
    }

    @Test
    void whatCanBeDoneWithTheCaseDependsOnThePart() {
        assertThat(onCase(open.manager())).containsExactly("upload", "advance", "close", "addParticipant", "removeParticipant");
        assertThat(onCase(open.claimant())).as("a primary participant").containsExactly("upload", "addParticipant", "removeParticipant");
        assertThat(onCase(open.colleague())).containsExactly("upload");
        assertThat(onCase(open.arbitrator())).containsExactly("upload");
        open.advanceTo("awardIssuance");
        assertThat(onCase(open.manager())).as("there is no later phase").containsExactly("upload", "close", "addParticipant", "removeParticipant");
    }

    @Test
    void evidenceIsTakenUpToTheExchangeAndLaterFromTheCaseManagerAlone() {
        List<Person> everyone = List.of(open.claimant(), open.colleague(), open.respondent(), open.manager(), open.arbitrator(), open.observer());
        for (String phase : List.of("caseInitiation", "caseFiling", "response", "arbitratorAppointment", "caseManagementConference",
                "evidenceSubmissions", "evidenceExchange", "preHearingSubmissions", "hearing", "deliberation", "awardIssuance")) {
            if (!phase.equals("caseInitiation")) {
                open.advanceTo(phase);
            }
            for (Person person : everyone) {
                boolean offered = !named(actions(person), "upload").isEmpty();
                Answer answer = Form.of(open.caseId(), "other", "").file("a.txt", "text/plain", "A").post(open.platform(), person.token());
                assertThat(answer.status() == 200).as("%s: %s", phase, answer.body()).isEqualTo(offered);
                assertThat(answer.status()).isIn(200, 403, 409);
            }
            boolean late = List.of("preHearingSubmissions", "hearing", "deliberation", "awardIssuance").contains(phase);
            assertThat(everyone).as(phase).filteredOn(person -> !named(actions(person), "upload").isEmpty())
                    .hasSize(late ? 1 : 5).contains(open.manager());
        }
    }

    @Test
    void whoIsAloneAndPrimaryHasNobodyToRemove() {
        for (Person leaving : List.of(open.colleague(), open.observer())) {
            done(open.on("/cases/cases/participants/remove", open.claimant(), new JsonObject().put("userID", leaving.id())));
        }
        assertThat(onCase(open.claimant())).containsExactly("upload", "addParticipant");
    }

    @Test
    void anObserverAndAnybodyInAClosedCaseCanDoNothing() {
        open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
        assertThat(actions(open.observer())).isEmpty();
        open.close();
        for (Person person : List.of(open.claimant(), open.respondent(), open.manager(), open.arbitrator())) {
            assertThat(actions(person)).isEmpty();
        }
    }

    private String party(Person person) {
        return person == open.claimant() ? "claimant" : person == open.respondent() ? "respondent"
                : person == open.manager() ? "caseManager" : "arbitrator";
    }

    private List<JsonObject> actions(Person person) {
        Answer answer = open.on("/cases/cases/actions", person, new JsonObject());
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.object().getJsonArray("actions").stream().map(JsonObject.class::cast).toList();
    }

    private static List<JsonObject> named(List<JsonObject> actions, String name) {
        return actions.stream().filter(action -> action.getString("action").equals(name)).toList();
    }

    private List<String> on(String filingId, Person person) {
        return actions(person).stream()
                .filter(action -> filingId.equals(action.getString("filingID")))
                .map(action -> action.getString("action"))
                .toList();
    }

    private List<String> onCase(Person person) {
        return actions(person).stream()
                .filter(action -> !action.containsKey("documentID"))
                .map(action -> action.getString("action"))
                .toList();
    }

    private Optional<Integer> quota(Person person, String documentId) {
        return named(actions(person), "file").stream()
                .filter(file -> file.getString("documentID").equals(documentId))
                .map(file -> file.getInteger("quotaLeft"))
                .findFirst();
    }

    private JsonObject replyToCounterclaim() {
        return named(actions(open.claimant()), "file").stream()
                .filter(file -> file.getString("documentID").equals("replyToCounterclaim")).findFirst().orElseThrow();
    }

    private JsonObject view() {
        return open.on("/cases/cases/view", open.claimant(), new JsonObject()).object();
    }

    private static void done(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    }

    private static void refusedWith409(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(409);
    }
}
