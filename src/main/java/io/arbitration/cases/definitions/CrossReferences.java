package io.arbitration.cases.definitions;

import io.arbitration.cases.definitions.InvalidDefinition.Problem;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.cases.Party;
import io.arbitration.domain.cases.Phase;
import io.arbitration.domain.time.Closures;
import io.arbitration.domain.time.Seat;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.json.pointer.JsonPointer;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Rules that a schema cannot express: names that must exist, must not repeat, or must agree with each other.
 *
 * <p>Requires files that conform to their schema.
 */
final class CrossReferences {
    private static final List<String> PARTIES_NEEDED =
            Stream.of(Party.CLAIMANT, Party.RESPONDENT, Party.CASE_MANAGER, Party.ARBITRATOR).map(PartyId::value).toList();

    private final DefinitionFiles files;
    private final Set<String> parties;
    private final List<String> phases;
    private final Set<String> documents;
    private final List<Problem> problems = new ArrayList<>();

    private CrossReferences(DefinitionFiles files) {
        this.files = files;
        parties = Set.copyOf(ids(files.parties().content().getJsonArray("parties"), "id"));
        phases = ids(files.phases().content().getJsonArray("phases"), "id");
        documents = files.documents().stream()
                .map(file -> file.content().getString("id"))
                .collect(Collectors.toSet());
    }

    /** All contradictions, file by file. */
    static List<Problem> problems(DefinitionFiles files) {
        CrossReferences references = new CrossReferences(files);
        references.checkLists();
        files.documents().forEach(references::checkDocument);
        files.ruleSets().forEach(references::checkRuleSet);
        return references.problems;
    }

    private void checkLists() {
        checkUnique(files.parties(), "/parties", "id");
        PARTIES_NEEDED.stream()
                .filter(party -> !parties.contains(party))
                .forEach(party -> add(files.parties(), "/parties", "lacks " + party + ", on which the platform relies"));
        checkUnique(files.phases(), "/phases", "id");
        if (!phases.contains(Phase.EVIDENCE_EXCHANGE.value())) {
            add(files.phases(), "/phases", "lacks " + Phase.EVIDENCE_EXCHANGE + ", on which the platform relies");
        }
        checkUnique(files.evidence(), "/evidence", "id");
        checkUnique(files.mailTypes(), "/mailTypes", "id");
        int mailTypes = files.mailTypes().content().getJsonArray("mailTypes").size();
        IntStream.range(0, mailTypes).forEach(at -> checkMailType("/mailTypes/" + at, files.mailTypes().content()
                .getJsonArray("mailTypes").getJsonObject(at).getJsonArray("fields", new JsonArray())));
    }

    private void checkMailType(String place, JsonArray fields) {
        checkUnique(files.mailTypes(), place + "/UserFields", "id");
        Map<String, String> placeByFieldID = new HashMap<>();
        for (int at = 0; at < fields.size(); at++) {
            checkField(files.mailTypes(), place + "/fields/" + at, fields.getJsonObject(at), placeByFieldID);
        }
    }

    private void checkDocument(DefinitionFile file) {
        checkFileName(file, "documents/");
        Map<String, String> placeByFieldID = new HashMap<>();
        JsonArray sections = file.content().getJsonArray("sections");
        for (int section = 0; section < sections.size(); section++) {
            JsonArray fields = sections.getJsonObject(section).getJsonArray("fields");
            for (int at = 0; at < fields.size(); at++) {
                String place = "/sections/" + section + "/fields/" + at;
                checkField(file, place, fields.getJsonObject(at), placeByFieldID);
            }
        }
    }

    private void checkField(DefinitionFile file, String place, JsonObject field, Map<String, String> placeByFieldID) {
        String earlier = placeByFieldID.putIfAbsent(field.getString("id"), place);
        if (earlier != null) {
            add(file, place + "/id", field.getString("id") + " is already the id of " + earlier);
        }
        int minLength = field.getInteger("minLength");
        int maxLength = field.getInteger("maxLength");
        if (minLength > maxLength) {
            add(file, place + "/minLength", minLength + " is more than maxLength " + maxLength);
        }
    }

    private void checkRuleSet(DefinitionFile file) {
        checkFileName(file, "rule-sets/");
        JsonObject ruleSet = file.content();
        try {
            ZoneId.of(ruleSet.getString("timeZone"));
        } catch (DateTimeException unknown) {
            add(file, "/timeZone", ruleSet.getString("timeZone") + " is no time zone");
        }
        String calendar = ruleSet.getString("holidayCalendar");
        if (JollydayCalendar.find(calendar).isEmpty()) {
            add(file, "/holidayCalendar", calendar + " is no holiday calendar of Jollyday");
        }
        String seat = ruleSet.getString("seat");
        if (seat != null && !JollydayCalendars.has(new Seat(seat))) {
            add(file, "/seat", "the holidays of " + seat + " are not known to Jollyday");
        }
        JsonArray closures = ruleSet.getJsonArray("closures", new JsonArray());
        IntStream.range(0, closures.size()).forEach(at -> Closures.problem(closures.getString(at))
                .ifPresent(problem -> add(file, "/closures/" + at, problem)));
        JsonObject responseDays = ruleSet.getJsonObject("responseDeadlineDays");
        if (!responseDays.getJsonArray("allowed").contains(responseDays.getInteger("default"))) {
            add(file, "/responseDeadlineDays/default", responseDays.getInteger("default") + " is not among those allowed");
        }
        checkPhases(file, ids(ruleSet.getJsonArray("phases"), "phaseID"));
        checkMatrix(file, ruleSet);
    }

    private void checkPhases(DefinitionFile file, List<String> scheduled) {
        for (int at = 0; at < scheduled.size(); at++) {
            if (!phases.contains(scheduled.get(at))) {
                add(file, "/phases/" + at + "/phaseID", "there is no phase " + scheduled.get(at));
            }
        }
        checkUnique(file, "/phases", "phaseID");
        phases.stream()
                .filter(phase -> !scheduled.contains(phase))
                .forEach(phase -> add(file, "/phases", "lacks the phase " + phase));
        if (Set.copyOf(scheduled).equals(Set.copyOf(phases)) && !scheduled.equals(phases)
                && scheduled.size() == phases.size()) {
            add(file, "/phases", "must be in the order of phases.yaml");
        }
    }

    private void checkMatrix(DefinitionFile file, JsonObject ruleSet) {
        JsonArray everyPhase = ruleSet.getJsonArray("everyPhase");
        Map<String, String> placeByFilingInEveryPhase = new HashMap<>();
        checkRules(file, "/everyPhase", everyPhase, placeByFilingInEveryPhase);
        JsonArray scheduled = ruleSet.getJsonArray("phases");
        for (int at = 0; at < scheduled.size(); at++) {
            JsonArray rules = scheduled.getJsonObject(at).getJsonArray("documents");
            checkRules(file, "/phases/" + at + "/documents", rules, new HashMap<>(placeByFilingInEveryPhase));
        }
    }

    /** With a second rule for the same document and party in one phase, it would be undefined which one counts. */
    private void checkRules(DefinitionFile file, String list, JsonArray rules, Map<String, String> placeByFiling) {
        for (int at = 0; at < rules.size(); at++) {
            String place = list + "/" + at;
            JsonObject rule = rules.getJsonObject(at);
            checkRule(file, place, rule);
            for (Object party : rule.getJsonArray("filedBy")) {
                String earlier = placeByFiling.putIfAbsent(rule.getString("documentID") + " of " + party, place);
                if (earlier != null) {
                    add(file, place, "the " + party + "'s " + rule.getString("documentID") + " has a rule at " + earlier);
                }
            }
        }
    }

    private void checkRule(DefinitionFile file, String place, JsonObject rule) {
        checkDocumentID(file, place + "/documentID", rule.getString("documentID"));
        JsonArray filedBy = rule.getJsonArray("filedBy");
        for (int at = 0; at < filedBy.size(); at++) {
            checkPartyID(file, place + "/filedBy/" + at, filedBy.getString(at));
        }
        String approvedBy = rule.getString("approvedBy");
        if (approvedBy != null) {
            checkPartyID(file, place + "/approvedBy", approvedBy);
            if (filedBy.contains(approvedBy)) {
                add(file, place + "/approvedBy", approvedBy + " would approve its own filings");
            }
        }
        JsonObject deadline = rule.getJsonObject("deadline");
        if (deadline != null && deadline.containsKey("documentID")) {
            checkDocumentID(file, place + "/deadline/documentID", deadline.getString("documentID"));
        }
    }

    private void checkDocumentID(DefinitionFile file, String place, String documentID) {
        if (!documents.contains(documentID)) {
            add(file, place, "there is no document " + documentID);
        }
    }

    private void checkPartyID(DefinitionFile file, String place, String partyID) {
        if (!parties.contains(partyID)) {
            add(file, place, "there is no party " + partyID);
        }
    }

    /** File names cannot repeat, so this also makes the IDs in a folder unique. */
    private void checkFileName(DefinitionFile file, String folder) {
        String id = file.content().getString("id");
        if (!file.name().equals(folder + id + ".yaml")) {
            add(file, "/id", id + " is not the name of the file");
        }
    }

    private void checkUnique(DefinitionFile file, String list, String key) {
        Set<String> seen = new HashSet<>();
        List<String> ids = ids((JsonArray) JsonPointer.from(list).queryJson(file.content()), key);
        for (int at = 0; at < ids.size(); at++) {
            if (!seen.add(ids.get(at))) {
                add(file, list + "/" + at + "/" + key, ids.get(at) + " is there twice");
            }
        }
    }

    private void add(DefinitionFile file, String place, String reason) {
        problems.add(file.problem(place, reason));
    }

    private static List<String> ids(JsonArray values, String key) {
        return IntStream.range(0, values.size())
                .mapToObj(at -> values.getJsonObject(at).getString(key))
                .toList();
    }
}
