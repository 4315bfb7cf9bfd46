package io.arbitration.cases.definitions;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.cases.Definitions;
import io.arbitration.domain.cases.DocumentType;
import io.arbitration.domain.cases.Field;
import io.arbitration.domain.cases.MailType;
import io.arbitration.domain.cases.MatrixEntry;
import io.arbitration.domain.cases.Party;
import io.arbitration.domain.cases.Phase;
import io.arbitration.domain.cases.RuleSet;
import io.arbitration.domain.text.FieldType;
import io.arbitration.domain.time.DeadlineRule;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ShippedDefinitionsTest {
    private static final Definitions SHIPPED = DefinitionsLoader.load(Path.of("conf", "definitions"));

    @Test
    void thePhasesStandInTheOrderOfACase() {
        assertThat(SHIPPED.phases()).extracting(phase -> phase.id().value()).containsExactly(
                "caseInitiation", "caseFiling", "response", "arbitratorAppointment", "caseManagementConference",
                "evidenceSubmissions", "evidenceExchange", "preHearingSubmissions", "hearing", "deliberation", "awardIssuance");
        assertThat(SHIPPED.firstPhase().id()).isEqualTo(new PhaseId("caseInitiation"));
        assertThat(SHIPPED.phaseAfter(new PhaseId("caseInitiation"))).map(Phase::id).contains(new PhaseId("caseFiling"));
        assertThat(SHIPPED.phaseAfter(new PhaseId("awardIssuance"))).isEmpty();
        assertThat(SHIPPED.phase(new PhaseId("hearing")).orElseThrow().isAfter(SHIPPED.phase(new PhaseId("response")).orElseThrow())).isTrue();
    }

    @Test
    void thePartiesAreTheFour() {
        assertThat(SHIPPED.parties()).extracting(party -> party.id().value())
                .containsExactly("claimant", "respondent", "caseManager", "arbitrator");
    }

    @Test
    void thereAreAtLeastFourteenDocumentsThatUseAllTypes() {
        assertThat(SHIPPED.documents()).hasSizeGreaterThanOrEqualTo(14);
        Set<FieldType> used = SHIPPED.documents().stream()
                .flatMap(DocumentType::fields)
                .map(Field::type)
                .collect(Collectors.toSet());
        assertThat(used).containsExactlyInAnyOrder(FieldType.values());
    }

    @Test
    void everyDocumentCanBeFilledInCompletely() {
        for (DocumentType document : SHIPPED.documents()) {
            Map<String, Object> values = new HashMap<>();
            document.fields().forEach(field -> values.put(field.id(), sample(field)));
            assertThat(document.problems(values, true)).as(document.id().value()).isEmpty();
        }
    }

    @Test
    void everyDocumentHasARuleInEachRuleSet() {
        for (RuleSet ruleSet : SHIPPED.ruleSets()) {
            assertThat(SHIPPED.documents())
                    .filteredOn(document -> SHIPPED.phases().stream().noneMatch(phase -> ruleSet.allows(phase.id(), document.id())))
                    .as(ruleSet.id())
                    .isEmpty();
        }
    }

    @Test
    void aClaimIsApprovedByTheCaseManagerAndFiledOnce() {
        for (RuleSet ruleSet : SHIPPED.ruleSets()) {
            MatrixEntry claim = ruleSet.entry(new PhaseId("caseInitiation"), new DocumentTypeId("statementOfClaim"), new PartyId("claimant")).orElseThrow();
            assertThat(claim.approvedBy()).contains(Party.CASE_MANAGER);
            assertThat(claim.maxAllowed()).isEqualTo(1);
            assertThat(claim.required()).isTrue();
            assertThat(claim.deadline()).isPresent();
            assertThat(ruleSet.entry(new PhaseId("caseInitiation"), new DocumentTypeId("statementOfClaim"), new PartyId("respondent"))).isEmpty();
            assertThat(ruleSet.entry(new PhaseId("response"), new DocumentTypeId("statementOfClaim"), new PartyId("claimant"))).isEmpty();
        }
    }

    @Test
    void aFreshCaseTakesApprovedAndUnapprovedDocumentsOfTheClaimant() {
        for (RuleSet ruleSet : SHIPPED.ruleSets()) {
            MatrixEntry motion = ruleSet.entry(new PhaseId("caseInitiation"), new DocumentTypeId("motion"), new PartyId("claimant")).orElseThrow();
            assertThat(motion.approvedBy()).contains(Party.CASE_MANAGER);
            assertThat(motion.maxAllowed()).isGreaterThanOrEqualTo(3);
            assertThat(ruleSet.entry(new PhaseId("caseInitiation"), new DocumentTypeId("noticeOfRepresentation"), new PartyId("claimant")).orElseThrow().approvedBy()).isEmpty();
            assertThat(ruleSet.entry(new PhaseId("caseInitiation"), new DocumentTypeId("noticeToParties"), new PartyId("caseManager")).orElseThrow().approvedBy()).isEmpty();
            assertThat(ruleSet.entriesOf(new PhaseId("caseInitiation"), new PartyId("claimant")))
                    .extracting(entry -> entry.documentId().value())
                    .startsWith("statementOfClaim")
                    .contains("letterToTribunal")
                    .doesNotContain("noticeToParties");
        }
    }

    @Test
    void theAnswerFollowsTheResponseDeadlineOfTheCase() {
        for (RuleSet ruleSet : SHIPPED.ruleSets()) {
            DeadlineRule deadline = ruleSet.entry(new PhaseId("response"), new DocumentTypeId("answer"), new PartyId("respondent")).flatMap(MatrixEntry::deadline).orElseThrow();
            assertThat(deadline.days().in(30)).isEqualTo(30);
            assertThat(ruleSet.phase(new PhaseId("response")).orElseThrow().duration().in(7)).isEqualTo(7);
            assertThat(ruleSet.responseDeadlineDaysAllowed()).containsExactly(7, 14, 21, 30);
        }
    }

    @Test
    void theAwardIsFiledByTheArbitrator() {
        MatrixEntry award = SHIPPED.ruleSet("commercial").orElseThrow().entry(new PhaseId("awardIssuance"), new DocumentTypeId("award"), new PartyId("arbitrator")).orElseThrow();
        assertThat(award.approvedBy()).contains(Party.CASE_MANAGER);
    }

    @Test
    void mailTypesOfBothInputsAreThereAndOnlyFilesHaveAnAttachmentArea() {
        assertThat(SHIPPED.mailTypes()).hasSizeGreaterThanOrEqualTo(4);
        assertThat(SHIPPED.mailTypes()).extracting(MailType::inputType)
                .contains(MailType.InputType.FILES, MailType.InputType.JSON);
        assertThat(SHIPPED.mailTypes()).allSatisfy(type -> assertThat(type.attachmentArea().isPresent())
                .isEqualTo(type.inputType() == MailType.InputType.FILES));
    }

    @Test
    void unknownIDsAreEmpty() {
        assertThat(SHIPPED.document(new DocumentTypeId("nothing"))).isEqualTo(Optional.empty());
        assertThat(SHIPPED.evidenceType("nothing")).isEmpty();
        assertThat(SHIPPED.mailType("nothing")).isEmpty();
        assertThat(SHIPPED.ruleSet("nothing")).isEmpty();
        assertThat(SHIPPED.party(new PartyId("nothing"))).isEmpty();
    }

    @Test
    void theSchemasShowWhatTheInterfaceNamesAndNothingElse() {
        JsonObject schemas = DefinitionsJson.schemas(SHIPPED);
        assertThat(schemas.fieldNames()).containsExactly("parties", "phases", "documents", "evidence");
        assertThat(first(schemas, "parties").fieldNames()).containsExactly("id", "displayName", "description");
        assertThat(first(schemas, "phases").fieldNames()).containsExactly("id", "displayName", "description");
        assertThat(first(schemas, "evidence").fieldNames()).containsExactly("id", "displayName", "contentTypes");
        JsonObject document = first(schemas, "documents");
        assertThat(document.fieldNames()).containsExactly("id", "displayName", "description", "sections");
        JsonObject section = first(document, "sections");
        assertThat(section.fieldNames()).containsExactly("displayName", "description", "sortOrder", "fields");
        assertThat(first(section, "fields").fieldNames()).containsExactly(
                "id", "displayName", "required", "minLength", "maxLength", "sortOrder", "type");
    }

    @Test
    void sortOrdersCountFromOne() {
        JsonArray sections = first(DefinitionsJson.schemas(SHIPPED), "documents").getJsonArray("sections");
        for (int at = 0; at < sections.size(); at++) {
            assertThat(sections.getJsonObject(at).getInteger("sortOrder")).isEqualTo(at + 1);
            assertThat(first(sections.getJsonObject(at), "fields").getInteger("sortOrder")).isEqualTo(1);
        }
    }

    @Test
    void theMailTypesShowWhatTheInterfaceNamesAndNothingElse() {
        JsonObject list = DefinitionsJson.mailTypes(SHIPPED);
        assertThat(list.fieldNames()).containsExactly("mailTypes");
        JsonObject type = first(list, "mailTypes");
        assertThat(type.fieldNames()).containsExactly("id", "displayName", "description", "inputType", "UserFields");
        assertThat(first(type, "UserFields").fieldNames())
                .containsExactly("id", "displayName", "description", "pixelWidth", "pixelHeight");
    }

    private static JsonObject first(JsonObject object, String list) {
        return object.getJsonArray(list).getJsonObject(0);
    }

    private static String sample(Field field) {
        return switch (field.type()) {
            case ADDRESS, TEXT, CITY, STATE -> "x".repeat(field.maxLength());
            case BOOLEAN -> "true";
            case CURRENCY -> field.maxLength() >= 11 ? "1250.00 USD" : "1250.00";
            case DATE -> "2026-11-21";
            case DECIMAL -> "1.5";
            case EMAIL -> "counsel@example.org";
            case INTEGER -> "7";
            case MONTH -> "2026-11";
            case PHONE -> "+1 212 555 0100";
            case TIME -> "09:30:00";
            case URL -> "https://example.org/case";
            case YEAR -> "2026";
            case ZIPCODE -> "10001-1234";
        };
    }
}
