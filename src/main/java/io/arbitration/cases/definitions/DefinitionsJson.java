package io.arbitration.cases.definitions;

import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.cases.Definitions;
import io.arbitration.domain.cases.DocumentType;
import io.arbitration.domain.cases.EvidenceType;
import io.arbitration.domain.cases.Field;
import io.arbitration.domain.cases.FileRule;
import io.arbitration.domain.cases.MailType;
import io.arbitration.domain.cases.MatrixEntry;
import io.arbitration.domain.cases.Party;
import io.arbitration.domain.cases.Phase;
import io.arbitration.domain.cases.RuleSet;
import io.arbitration.domain.cases.Section;
import io.arbitration.domain.cases.UserField;
import io.arbitration.domain.time.DeadlineRule;
import io.arbitration.domain.time.NumberOfDays;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The definitions as the interface shows them.
 *
 * <p>Source: Schemas object and Mail type in the service interfaces; keys are in the order of its tables. Each call builds a new
 * object: serialise it once and keep the bytes, because definitions do not change while a node runs.
 */
public final class DefinitionsJson {
    private DefinitionsJson() {
    }

    /** The response of {@code /schemas/list}. */
    public static JsonObject schemas(Definitions definitions) {
        return new JsonObject()
                .put("parties", array(definitions.parties(), DefinitionsJson::party))
                .put("phases", array(definitions.phases(), DefinitionsJson::phase))
                .put("documents", array(definitions.documents(), DefinitionsJson::document))
                .put("evidence", array(definitions.evidence(), DefinitionsJson::evidenceType));
    }

    /** The response of {@code /service-of-notice/mail-types/list}. */
    public static JsonObject mailTypes(Definitions definitions) {
        return new JsonObject().put("mailTypes", array(definitions.mailTypes(), DefinitionsJson::mailType));
    }

    /** The response of {@code /service-of-notice/mail-types/fields}. */
    static JsonObject fields(MailType type) {
        return new JsonObject().put("fields", array(type.fields(), DefinitionsJson::field));
    }

    /** A rule set as {@code /rule-sets/list} has it: for each phase, one element for each party that files a document. */
    static JsonObject ruleSet(RuleSet ruleSet, Definitions definitions) {
        return named(ruleSet.id(), ruleSet.displayName(), ruleSet.description())
                .put("phases", array(ruleSet.phases(), phase -> new JsonObject()
                        .put("phaseID", phase.phaseId().value())
                        .put("documents", new JsonArray(phase.documents().stream().flatMap(entry -> rules(entry, definitions)).toList()))));
    }

    private static Stream<JsonObject> rules(MatrixEntry entry, Definitions definitions) {
        return entry.filedBy().stream().map(party -> new JsonObject()
                .put("documentID", entry.documentId().value())
                .put("filedBy", party.value())
                .put("approvedBy", entry.approvedBy().map(PartyId::value).orElse(null))
                .put("maxAllowed", entry.maxAllowed())
                .put("required", entry.required())
                .put("deadline", entry.deadline().map(DefinitionsJson::deadline).orElse(null))
                .put("files", definitions.document(entry.documentId()).map(DocumentType::files).map(DefinitionsJson::files).orElseThrow()));
    }

    private static JsonObject files(FileRule rule) {
        return new JsonObject().put("required", rule.required()).put("maxCount", rule.maxCount()).put("contentTypes", new JsonArray(rule.contentTypes()));
    }

    private static JsonObject deadline(DeadlineRule rule) {
        return new JsonObject()
                .put("trigger", rule.trigger().wireName())
                .put("documentID", rule.trigger() instanceof DeadlineRule.Trigger.DocumentDocketed(DocumentTypeId documentId) ? documentId.value() : null)
                .put("days", switch (rule.days()) {
                    case NumberOfDays.Fixed(int days) -> Integer.valueOf(days);
                    case NumberOfDays.ResponseDeadline() -> null;
                })
                .put("calendar", rule.calendar().wireName())
                .put("late", rule.late().wireName());
    }

    private static JsonObject party(Party party) {
        return named(party.id().value(), party.displayName(), party.description());
    }

    private static JsonObject phase(Phase phase) {
        return named(phase.id().value(), phase.displayName(), phase.description());
    }

    private static JsonObject document(DocumentType document) {
        return named(document.id().value(), document.displayName(), document.description())
                .put("sections", array(document.sections(), DefinitionsJson::section));
    }

    private static JsonObject section(Section section) {
        return new JsonObject()
                .put("displayName", section.displayName())
                .put("description", section.description())
                .put("sortOrder", section.sortOrder())
                .put("fields", array(section.fields(), DefinitionsJson::field));
    }

    private static JsonObject field(Field field) {
        return new JsonObject()
                .put("id", field.id())
                .put("displayName", field.displayName())
                .put("required", field.required())
                .put("minLength", field.minLength())
                .put("maxLength", field.maxLength())
                .put("sortOrder", field.sortOrder())
                .put("type", field.type().wireName());
    }

    private static JsonObject evidenceType(EvidenceType type) {
        return new JsonObject()
                .put("id", type.id())
                .put("displayName", type.displayName())
                .put("contentTypes", new JsonArray(type.contentTypes()));
    }

    private static JsonObject mailType(MailType type) {
        return named(type.id(), type.displayName(), type.description())
                .put("inputType", type.inputType().wireName())
                .put("UserFields", array(type.userFields(), DefinitionsJson::userField));
    }

    private static JsonObject userField(UserField field) {
        return named(field.id(), field.displayName(), field.description())
                .put("pixelWidth", field.pixelWidth())
                .put("pixelHeight", field.pixelHeight());
    }

    private static JsonObject named(String id, String displayName, String description) {
        return new JsonObject().put("id", id).put("displayName", displayName).put("description", description);
    }

    private static <T> JsonArray array(List<T> values, Function<T, JsonObject> json) {
        return values.stream().map(json).collect(JsonArray::new, JsonArray::add, JsonArray::addAll);
    }
}
