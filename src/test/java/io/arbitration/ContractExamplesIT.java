package io.arbitration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.arbitration.RunningPlatform.Answer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/**
 * The examples of the contracts are requests that the platform takes, and name nothing that it does not ship. Of errors, what a request
 * breaks is asked for here; the others are looked at by {@link ContractErrorsTest}.
 */
class ContractExamplesIT {

    /** What the platform ships by these names is listed by the platform. */
    private static final Map<String, String> NAMES = Map.of("documentID", "documents", "phaseID", "phases", "currentPhaseID", "phases", "previousPhaseID", "phases",
            "partyID", "parties", "filedBy", "parties", "approvedBy", "parties", "categoryID", "evidence");
    /** Names of what the test brings along. They are taken from a request of the permission table instead. */
    private static final Set<String> BROUGHT = Set.of("caseID", "filingID", "entryID", "uploadID", "noticeID", "userID", "userIDs", "organizationID", "organizationIDs",
            "clientID", "clientSecret", "invitationID", "sessionID", "subscriptionID", "deliveryID", "deadlineID", "extensionID", "fileID", "supersedes",
            "parentEntryID", "afterEntryID", "afterUploadID", "id", "afterID", "kid", "idToken", "refreshToken", "cursor", "afterSequence", "eventID", "url", "since",
            "vapidKey", "subscription", "idempotencyKey", "requestID", "email", "recipients", "until", "feedID", "hearingID");

    private static final String MARK = " O'Hara\"; -- of the test";

    @AfterAll
    static void othersFindRoom() {
        PermissionMatrixIT.tidy();
    }

    @Test
    void everyExampleOfARequestIsTaken() throws IOException {
        List<String> refused = new ArrayList<>();
        int played = 0;
        for (ShippedContracts.Operation operation : ShippedContracts.operations()) {
            JsonNode json = operation.resolved(operation.node().path("requestBody")).path("content").path("application/json");
            List<JsonNode> examples = new ArrayList<>();
            if (json.has("example")) {
                examples.add(json.get("example"));
            }
            json.path("examples").forEach(one -> examples.add(one.path("value")));
            for (JsonNode example : examples) {
                String id = operation.id();
                Answer known = PermissionMatrixIT.play(id).with(body -> body);
                Answer answer = PermissionMatrixIT.play(id).with(body -> asked(id, new JsonObject(example.toString()), body));
                if (answer.status() >= 400 && answer.status() != known.status()) {
                    refused.add("%s: %d %s, not %d".formatted(id, answer.status(), answer.body(), known.status()));
                }
                played++;
            }
        }
        assertThat(refused).isEmpty();
        assertThat(played).isGreaterThan(80);
    }

    /** That every other error of the contracts is one of the code is looked at by {@link ContractErrorsTest}. */
    @Test
    void everyExampleOfWhatARequestBreaksIsAnsweredSo() throws IOException {
        List<String> otherwise = new ArrayList<>();
        int played = 0;
        for (ShippedContracts.Operation operation : ShippedContracts.operations()) {
            for (JsonNode content : operation.resolved(operation.node().path("responses").path("400")).path("content")) {
                JsonNode example = content.path("examples").path("request.invalid").path("value");
                if (example.isMissingNode()) {
                    continue;
                }
                Iterator<String> takes = operation.resolved(operation.node().path("requestBody")).path("content").fieldNames();
                Answer answer = PermissionMatrixIT.play(operation.id()).wrongly(takes.hasNext() ? takes.next() : "");
                String expected = operation.contract().has("x-error-media-type") ? example.asText() : example.toString();
                if (answer.status() != 400 || !answer.header("Error-Code").equals("request.invalid") || !answer.body().equals(expected)) {
                    otherwise.add("%s: %d %s, not %s".formatted(operation.id(), answer.status(), answer.body(), expected));
                }
                played++;
            }
        }
        assertThat(otherwise).isEmpty();
        assertThat(played).isGreaterThan(120);
    }

    /** What callers write comes to the database as a parameter, and is part of no statement: all are read as the server got them. */
    @Test
    void noStatementHoldsWhatACallerWrote() throws Exception {
        RunningPlatform platform = RunningPlatform.shared();
        Path log = platform.settings().dataFolder().resolve("postgres.log");
        long before = Files.size(log);
        try (Connection sql = platform.sql(); Statement statement = sql.createStatement()) {
            for (String set : List.of("log_statement = 'all'", "log_parameter_max_length = 0", "log_error_verbosity = 'terse'")) {
                statement.execute("alter system set " + set);
            }
            statement.execute("select pg_reload_conf()");
            Await.until("statements are logged", () -> {
                statement.execute("select 'a statement of the test'");
                return logged(log, before).contains("a statement of the test");
            });
            try {
                for (ShippedContracts.Operation operation : ShippedContracts.operations()) {
                    PermissionMatrixIT.play(operation.id()).with(body -> marked(body, BROUGHT));
                }
            } finally {
                for (String set : List.of("log_statement", "log_parameter_max_length", "log_error_verbosity")) {
                    statement.execute("alter system reset " + set);
                }
                statement.execute("select pg_reload_conf()");
            }
        }
        assertThat(logged(log, before).contains(MARK)).as("a statement with what a caller wrote, in " + log).isFalse();
        assertThat(logged(log, before)).contains("insert into mainapi.filings", "update identity.users");
    }

    private static String logged(Path log, long from) throws IOException {
        try (InputStream in = Files.newInputStream(log)) {
            in.skipNBytes(from);
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Every text but those of these names, with what would break a statement that it is part of. */
    private static JsonObject marked(JsonObject body, Set<String> but) {
        JsonObject marked = new JsonObject();
        body.forEach(member -> marked.put(member.getKey(), but.contains(member.getKey()) ? member.getValue() : marked(member.getValue(), but)));
        return marked;
    }

    private static Object marked(Object value, Set<String> but) {
        return switch (value) {
            case String text -> text + MARK;
            case JsonObject object -> marked(object, but);
            case JsonArray array -> new JsonArray(array.stream().map(item -> marked(item, but)).toList());
            case null, default -> value;
        };
    }

    /** The example, about what there is. */
    private static JsonObject asked(String operationId, JsonObject example, JsonObject known) {
        JsonObject asked = example.copy();
        if (operationId.equals("updateFiling")) {
            // They are those of the filing that createFiling's example makes.
            asked.remove("fields");
        }
        if (operationId.equals("advanceSandboxClock")) {
            // The clock of a case that is made now goes forward only.
            asked.put("to", known.getValue("to"));
        }
        BROUGHT.forEach(asked::remove);
        BROUGHT.stream().filter(known::containsKey).forEach(name -> asked.put(name, known.getValue(name)));
        return asked;
    }

    @Test
    void examplesNameWhatIsShipped() throws IOException {
        RunningPlatform platform = RunningPlatform.shared();
        String token = platform.administrator().token();
        Map<String, Set<String>> shipped = new TreeMap<>();
        platform.post("/cases/schemas/list", "", token).object().forEach(kind -> shipped.put(kind.getKey(), names((JsonArray) kind.getValue())));
        Set<String> ruleSets = names(platform.post("/cases/rule-sets/list", "{}", token).object().getJsonArray("ruleSets"));
        Set<String> mailTypes = names(platform.post("/cases/service-of-notice/mail-types/list", "", token).object().getJsonArray("mailTypes"));
        Set<String> unknown = new TreeSet<>();
        Map<String, JsonNode> described = new TreeMap<>(ShippedContracts.documents());
        for (String events : List.of("events", "event-bus")) {
            described.put(events, new YAMLMapper().readTree(Path.of("src/main/resources/asyncapi", events + ".yaml").toFile()));
        }
        described.forEach((file, contract) -> look(contract, false, (name, value) -> {
            Set<String> known = name.equals("ruleSet") ? ruleSets : name.equals("mailType") ? mailTypes : shipped.getOrDefault(NAMES.getOrDefault(name, ""), Set.of(value));
            if (!known.contains(value)) {
                unknown.add("%s %s: %s".formatted(file, name, value));
            }
        }));
        assertThat(unknown).isEmpty();
    }

    private static Set<String> names(JsonArray definitions) {
        Set<String> names = new TreeSet<>();
        definitions.forEach(one -> names.add(((JsonObject) one).getString("id")));
        return names;
    }

    private interface Named {
        void as(String name, String value);
    }

    private static void look(JsonNode node, boolean inExample, Named named) {
        node.properties().forEach(member -> {
            if (inExample && member.getValue().isTextual()) {
                named.as(member.getKey(), member.getValue().asText());
            }
            look(member.getValue(), inExample || member.getKey().equals("example") || member.getKey().equals("examples"), named);
        });
        if (node.isArray()) {
            node.forEach(item -> look(item, inExample, named));
        }
    }
}
