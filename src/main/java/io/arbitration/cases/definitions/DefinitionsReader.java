package io.arbitration.cases.definitions;

import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.cases.Definitions;
import io.arbitration.domain.cases.DocumentType;
import io.arbitration.domain.cases.EvidenceType;
import io.arbitration.domain.cases.Field;
import io.arbitration.domain.cases.FileRule;
import io.arbitration.domain.cases.MailType;
import io.arbitration.domain.cases.MailType.InputType;
import io.arbitration.domain.cases.MatrixEntry;
import io.arbitration.domain.cases.Party;
import io.arbitration.domain.cases.Phase;
import io.arbitration.domain.cases.RuleSet;
import io.arbitration.domain.cases.ScheduledPhase;
import io.arbitration.domain.cases.Section;
import io.arbitration.domain.cases.UserField;
import io.arbitration.domain.text.FieldType;
import io.arbitration.domain.time.Closures;
import io.arbitration.domain.time.DeadlineRule;
import io.arbitration.domain.time.DeadlineRule.DayCount;
import io.arbitration.domain.time.DeadlineRule.Trigger;
import io.arbitration.domain.time.LateFiling;
import io.arbitration.domain.time.NumberOfDays;
import io.arbitration.domain.time.Seat;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Converts the content of checked definition files to records. */
final class DefinitionsReader {
    /** The default of a rule set. */
    private static final JsonArray REMINDER_DAYS = JsonArray.of(7, 1);

    private DefinitionsReader() {
    }

    static Definitions definitions(DefinitionFiles files) {
        return new Definitions(
                each(files.parties().content().getJsonArray("parties"), (party, at) -> party(party)),
                each(files.phases().content().getJsonArray("phases"), DefinitionsReader::phase),
                files.documents().stream().map(file -> document(file.content())).toList(),
                each(files.evidence().content().getJsonArray("evidence"), (type, at) -> evidenceType(type)),
                each(files.mailTypes().content().getJsonArray("mailTypes"), (type, at) -> mailType(type)),
                files.ruleSets().stream().map(file -> ruleSet(file.content())).toList());
    }

    private static Party party(JsonObject party) {
        return new Party(new PartyId(id(party)), displayName(party), description(party));
    }

    private static Phase phase(JsonObject phase, int position) {
        return new Phase(new PhaseId(id(phase)), displayName(phase), description(phase), position);
    }

    private static DocumentType document(JsonObject document) {
        List<Section> sections = each(document.getJsonArray("sections"), (section, at) -> new Section(
                displayName(section),
                description(section),
                at + 1,
                each(section.getJsonArray("fields"), DefinitionsReader::field)));
        return new DocumentType(new DocumentTypeId(id(document)), displayName(document), description(document), sections,
                fileRule(document.getJsonObject("files", new JsonObject())));
    }

    /** An omitted rule is the default one. */
    private static FileRule fileRule(JsonObject files) {
        return new FileRule(
                files.getBoolean("required", FileRule.USUAL.required()),
                files.getInteger("maxCount", FileRule.USUAL.maxCount()),
                files.containsKey("contentTypes") ? texts(files.getJsonArray("contentTypes")) : FileRule.USUAL.contentTypes());
    }

    private static Field field(JsonObject field, int position) {
        return new Field(
                id(field),
                displayName(field),
                field.getBoolean("required"),
                field.getInteger("minLength"),
                field.getInteger("maxLength"),
                position + 1,
                FieldType.ofWireName(field.getString("type")).orElseThrow());
    }

    private static EvidenceType evidenceType(JsonObject type) {
        return new EvidenceType(id(type), displayName(type), texts(type.getJsonArray("contentTypes")));
    }

    private static MailType mailType(JsonObject type) {
        List<UserField> userFields = each(type.getJsonArray("UserFields"), (field, at) -> new UserField(
                id(field),
                displayName(field),
                description(field),
                field.getInteger("pixelWidth"),
                field.getInteger("pixelHeight")));
        InputType inputType = named(InputType.values(), InputType::wireName, type.getString("inputType"));
        List<Field> fields = each(type.getJsonArray("fields", new JsonArray()), DefinitionsReader::field);
        return new MailType(id(type), displayName(type), description(type), inputType, userFields, fields);
    }

    private static RuleSet ruleSet(JsonObject ruleSet) {
        JsonObject responseDays = ruleSet.getJsonObject("responseDeadlineDays");
        JsonArray everyPhase = ruleSet.getJsonArray("everyPhase");
        return new RuleSet(
                id(ruleSet),
                displayName(ruleSet),
                description(ruleSet),
                ZoneId.of(ruleSet.getString("timeZone")),
                ruleSet.getString("holidayCalendar"),
                Closures.of(texts(ruleSet.getJsonArray("closures", new JsonArray()))),
                Optional.ofNullable(ruleSet.getString("seat")).map(Seat::new),
                responseDays.getInteger("default"),
                responseDays.getJsonArray("allowed").stream().map(Integer.class::cast).sorted().toList(),
                ruleSet.getJsonArray("reminderDays", REMINDER_DAYS).stream().map(Integer.class::cast).sorted(Comparator.reverseOrder()).toList(),
                each(ruleSet.getJsonArray("phases"), (phase, at) -> scheduledPhase(phase, everyPhase)));
    }

    private static ScheduledPhase scheduledPhase(JsonObject phase, JsonArray everyPhase) {
        PhaseId phaseId = new PhaseId(phase.getString("phaseID"));
        BiFunction<JsonObject, Integer, MatrixEntry> entry = (rule, at) -> matrixEntry(phaseId, rule);
        List<MatrixEntry> entries =
                Stream.concat(each(phase.getJsonArray("documents"), entry).stream(), each(everyPhase, entry).stream())
                        .toList();
        return new ScheduledPhase(phaseId, numberOfDays(phase.getValue("durationDays")), entries);
    }

    private static MatrixEntry matrixEntry(PhaseId phaseId, JsonObject rule) {
        return new MatrixEntry(
                phaseId,
                new DocumentTypeId(rule.getString("documentID")),
                texts(rule.getJsonArray("filedBy")).stream().map(PartyId::new).toList(),
                Optional.ofNullable(rule.getString("approvedBy")).map(PartyId::new),
                rule.getInteger("maxAllowed"),
                rule.getBoolean("required"),
                Optional.ofNullable(rule.getJsonObject("deadline")).map(DefinitionsReader::deadlineRule));
    }

    private static DeadlineRule deadlineRule(JsonObject rule) {
        return new DeadlineRule(
                trigger(rule),
                numberOfDays(rule.getValue("days")),
                named(DayCount.values(), DayCount::wireName, rule.getString("calendar")),
                named(LateFiling.values(), LateFiling::wireName, rule.getString("late")));
    }

    private static Trigger trigger(JsonObject rule) {
        return switch (rule.getString("trigger")) {
            case "phaseStart" -> new Trigger.PhaseStart();
            case "caseCreated" -> new Trigger.CaseCreated();
            case "documentDocketed" -> new Trigger.DocumentDocketed(new DocumentTypeId(rule.getString("documentID")));
            case String unknown -> throw new IllegalStateException("the schema let the trigger " + unknown + " pass");
        };
    }

    private static NumberOfDays numberOfDays(Object days) {
        return days instanceof Number fixed
                ? new NumberOfDays.Fixed(fixed.intValue())
                : new NumberOfDays.ResponseDeadline();
    }

    private static <T> T named(T[] values, Function<T, String> wireName, String wanted) {
        Predicate<T> matches = value -> wireName.apply(value).equals(wanted);
        return Stream.of(values).filter(matches).findFirst().orElseThrow();
    }

    private static <T> List<T> each(JsonArray values, BiFunction<JsonObject, Integer, T> read) {
        return IntStream.range(0, values.size())
                .mapToObj(at -> read.apply(values.getJsonObject(at), at))
                .toList();
    }

    private static List<String> texts(JsonArray values) {
        return values.stream().map(String.class::cast).toList();
    }

    private static String id(JsonObject value) {
        return value.getString("id");
    }

    private static String displayName(JsonObject value) {
        return value.getString("displayName");
    }

    private static String description(JsonObject value) {
        return value.getString("description");
    }
}
