package io.arbitration.webhooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.arbitration.NextYear;
import io.arbitration.OtherRuntimes;
import io.arbitration.RunningPlatform;
import io.arbitration.platform.events.Addresses;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.json.schema.Draft;
import io.vertx.json.schema.JsonSchema;
import io.vertx.json.schema.JsonSchemaOptions;
import io.vertx.json.schema.OutputFormat;
import io.vertx.json.schema.OutputUnit;
import io.vertx.json.schema.Validator;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The AsyncAPI documents say what is sent, and are such. */
class EventsDocumentIT {

    private static final String RESOURCE = "/asyncapi/events.yaml";
    private static final String BUS_RESOURCE = "/asyncapi/event-bus.yaml";
    private static final String TEST = "test";
    private static final String PARSES = """
            const {Parser} = require('@asyncapi/parser');
            new Parser().parse(require('fs').readFileSync(0, 'utf8')).then(({diagnostics}) => {
              const errors = diagnostics.filter(one => one.severity === 0);
              errors.forEach(one => console.log(one.path.join('.') + ': ' + one.message));
              process.exit(errors.length ? 1 : 0);
            });
            """;

    private static JsonObject events;
    private static JsonObject bus;

    @BeforeAll
    static void read() throws IOException {
        events = document(RESOURCE);
        bus = document(BUS_RESOURCE);
    }

    private static JsonObject document(String resource) throws IOException {
        try (InputStream in = EventsDocumentIT.class.getResourceAsStream(resource)) {
            return new JsonObject(new YAMLMapper().readTree(in).toString());
        }
    }

    /** What is wrong with a value under one of a document's schemas; empty: nothing. */
    private static String trouble(JsonObject document, String schema, Object value) {
        JsonObject whole = new JsonObject().put("$ref", "#/components/schemas/" + schema).put("components", document.getJsonObject("components"));
        OutputUnit result = Validator.create(JsonSchema.of(whole), new JsonSchemaOptions().setDraft(Draft.DRAFT202012)
                .setBaseUri("https://example.org/events").setOutputFormat(OutputFormat.Basic)).validate(value);
        return Boolean.TRUE.equals(result.getValid()) ? "" : String.valueOf(result.getErrors() == null ? result.getError() : result.toJson());
    }

    private static String trouble(String schema, Object value) {
        return trouble(events, schema, value);
    }

    /** Names of the members that the data of an event has. */
    private static Set<String> data(String schema) {
        JsonObject own = events.getJsonObject("components").getJsonObject("schemas").getJsonObject(schema).getJsonArray("allOf").getJsonObject(1);
        String name = schema(own.getJsonObject("properties").getJsonObject("data"));
        return events.getJsonObject("components").getJsonObject("schemas").getJsonObject(name).getJsonObject("properties").fieldNames();
    }

    private static String schema(JsonObject reference) {
        return reference.getString("$ref").replace("#/components/schemas/", "");
    }

    /** Each message of a channel of a document, by channel and name. */
    private static Map<String, JsonObject> messages(JsonObject document) {
        Map<String, JsonObject> messages = new TreeMap<>();
        document.getJsonObject("channels").forEach(channel -> ((JsonObject) channel.getValue()).getJsonObject("messages").forEach(message -> {
            JsonObject described = (JsonObject) message.getValue();
            messages.put(channel.getKey() + "/" + message.getKey(), !described.containsKey("$ref") ? described
                    : document.getJsonObject("components").getJsonObject("messages").getJsonObject(described.getString("$ref").replace("#/components/messages/", "")));
        }));
        return messages;
    }

    /** Name of the payload's schema by the kind of what URLs get. */
    private static Map<String, String> schemas() {
        return messages(events).entrySet().stream().filter(message -> message.getKey().startsWith("callbackUrl/")).map(Map.Entry::getValue)
                .collect(Collectors.toMap(message -> message.getString("name"), message -> schema(message.getJsonObject("payload")), (one, same) -> one, TreeMap::new));
    }

    @Test
    void everyKindOfEventIsSentAsTheDocumentDescribesIt() {
        RunningPlatform platform = RunningPlatform.shared();
        Hooked hooked = Hooked.on(platform);
        Map<String, String> schemas = schemas();
        Set<String> events = Set.of("docket_filing", "case_created", "phase_changed", "case_closed", "filing_submitted", "filing_rejected",
                "filing_withdrawn", "participant_added", "participant_removed", "hearing_scheduled", "hearing_changed", "hearing_cancelled", "entry_sealed", "entry_unsealed",
                "deadline_extended");
        assertThat(schemas.keySet()).containsAll(events).contains(TEST).hasSize(events.size() + 1);
        try (Receiver receiver = new Receiver()) {
            hooked.register(receiver.url(), events.toArray(String[]::new));
            Hooked.ok(hooked.post("/urls/test", new JsonObject().put("url", receiver.url())));
            hooked.openCase();
            String letter = Hooked.ok(platform.post("/api/filings/create", new JsonObject().put("caseID", hooked.caseId()).put("documentID", "letterToTribunal")
                    .put("fields", new JsonObject().put("subject", "Availability").put("body", "We are available in May.")), hooked.administrator().token()))
                    .object().getString("filingID");
            JsonObject reference = new JsonObject().put("caseID", hooked.caseId()).put("filingID", letter);
            Hooked.ok(platform.post("/api/filings/documents/submit", reference, hooked.administrator().token()));
            Hooked.ok(platform.post("/api/filings/documents/reject", reference.copy().put("reason", "Name the dates."), hooked.manager().token()));
            Hooked.ok(platform.post("/api/filings/documents/withdraw", reference, hooked.administrator().token()));
            JsonObject arbitrator = new JsonObject().put("caseID", hooked.caseId()).put("userID", platform.signIn(UUID.randomUUID() + "@example.org", "Arno", "Arbitrator").id())
                    .put("partyID", "arbitrator");
            Hooked.ok(platform.post("/cases/cases/participants/add", arbitrator, hooked.manager().token()));
            Hooked.ok(platform.post("/cases/cases/participants/remove", arbitrator, hooked.manager().token()));
            JsonObject hearing = new JsonObject().put("caseID", hooked.caseId()).put("title", "Hearing").put("start", NextYear.at("03-01T09:00:00Z"))
                    .put("durationMinutes", 60).put("timeZone", "Europe/Stockholm");
            String hearingId = Hooked.ok(platform.post("/cases/hearings/create", hearing, hooked.manager().token())).object().getString("hearingID");
            Hooked.ok(platform.post("/cases/hearings/update", new JsonObject().put("caseID", hooked.caseId()).put("hearingID", hearingId).put("durationMinutes", 90), hooked.manager().token()));
            Hooked.ok(platform.post("/cases/hearings/cancel", new JsonObject().put("caseID", hooked.caseId()).put("hearingID", hearingId).put("reason", "Settled."), hooked.manager().token()));
            extend(platform, hooked);
            hooked.docket();
            JsonObject docketed = Hooked.ok(platform.post("/api/docket/entries/list", new JsonObject().put("caseID", hooked.caseId()), hooked.manager().token()))
                    .object().getJsonArray("entries").getJsonObject(0);
            JsonObject entry = new JsonObject().put("caseID", hooked.caseId()).put("entryID", docketed.getString("entryID")).put("reason", "It names a witness.");
            Hooked.ok(platform.post("/api/docket/entries/seal", entry.copy().put("visibleTo", new JsonArray()), hooked.manager().token()));
            Hooked.ok(platform.post("/api/docket/entries/unseal", entry, hooked.manager().token()));
            Hooked.ok(platform.post("/cases/cases/phases/advance", new JsonObject().put("caseID", hooked.caseId()), hooked.manager().token()));
            Hooked.ok(platform.post("/cases/cases/close", new JsonObject().put("caseID", hooked.caseId()).put("reason", "settled"), hooked.manager().token()));
            Map<String, JsonObject> sent = Hooked.await(() -> {
                Map<String, JsonObject> byKind = new TreeMap<>();
                receiver.all().forEach(received -> byKind.put(received.envelope().getString("event"), received.envelope()));
                return byKind.keySet().equals(schemas.keySet()) ? byKind : null;
            }, () -> receiver.all().toString());
            sent.forEach((kind, envelope) -> {
                assertThat(trouble(schemas.get(kind), envelope)).as(kind).isEmpty();
                assertThat(envelope.fieldNames()).as(kind).containsExactlyInAnyOrder("id", "timestamp", "event", "data");
                assertThat(envelope.getJsonObject("data").fieldNames()).as(kind).isEqualTo(data(schemas.get(kind)));
                // What a later version adds is taken; a field less, or another kind, is not.
                JsonObject later = envelope.copy().put("more", 1);
                later.getJsonObject("data").put("more", 1);
                assertThat(trouble(schemas.get(kind), later)).as(kind).isEmpty();
                envelope.getJsonObject("data").fieldNames().forEach(field -> {
                    JsonObject less = envelope.copy();
                    less.getJsonObject("data").remove(field);
                    assertThat(trouble(schemas.get(kind), less)).as("%s without %s", kind, field).isNotEmpty();
                });
                assertThat(trouble(schemas.get(kind), envelope.copy().put("event", "another"))).as(kind).isNotEmpty();
            });
            receiver.all().forEach(received -> {
                JsonObject headers = new JsonObject();
                List.of("content-type", "user-agent", "webhook-id", "webhook-timestamp", "webhook-signature", "webhook-test").stream()
                        .filter(name -> received.header(name) != null).forEach(name -> headers.put(name, received.header(name)));
                assertThat(headers.fieldNames()).contains("content-type", "user-agent");
                assertThat(trouble("Headers", headers)).isEmpty();
                assertThat(trouble("TestHeaders", headers).isEmpty()).isEqualTo(received.envelope().getString("event").equals(TEST));
            });
        }
    }

    /** The claimant asks for more time for its statement of claim, and gets it. */
    private static void extend(RunningPlatform platform, Hooked hooked) {
        JsonObject inCase = new JsonObject().put("caseID", hooked.caseId());
        JsonObject deadline = Hooked.ok(platform.post("/cases/deadlines/list", inCase, hooked.administrator().token())).object().getJsonArray("deadlines").stream()
                .map(JsonObject.class::cast).filter(one -> one.getString("partyID").equals("claimant")).findFirst().orElseThrow();
        String extensionId = Hooked.ok(platform.post("/cases/deadlines/extensions/request", inCase.copy().put("deadlineID", deadline.getString("deadlineID"))
                .put("until", Instant.parse(deadline.getString("date")).plus(1, ChronoUnit.DAYS).toString()).put("reason", "Our witness travels."),
                hooked.administrator().token())).object().getString("extensionID");
        Hooked.ok(platform.post("/cases/deadlines/extensions/decide", inCase.copy().put("extensionID", extensionId).put("granted", true).put("reason", "So be it."),
                hooked.manager().token()));
    }

    @Test
    void whatTheBusRefusesIsAFailedReplyAsTheDocumentDescribesIt() {
        for (String address : List.of(Addresses.EMAILS_SEND, Addresses.PUSH_SEND, Addresses.PROFILES_USERS, Addresses.PROFILES_ORGANIZATIONS)) {
            assertThatThrownBy(() -> RunningPlatform.shared().ask(address, new JsonObject())).cause().isInstanceOfSatisfying(ReplyException.class, refused -> {
                assertThat(refused.failureType()).isEqualTo(ReplyFailure.RECIPIENT_FAILURE);
                assertThat(trouble(bus, "FailedReply", new JsonObject().put("failureCode", refused.failureCode()).put("message", refused.getMessage())))
                        .as(address).isEmpty();
            });
        }
    }

    @Test
    void everyMessageHasAnExampleThatIsOne() {
        for (JsonObject document : List.of(events, bus)) {
            messages(document).forEach((name, message) -> {
                assertThat(message.getJsonArray("examples", new JsonArray())).as(name).isNotEmpty();
                message.getJsonArray("examples").forEach(example -> checkExample(document, name, message, (JsonObject) example));
            });
        }
    }

    private static void checkExample(JsonObject document, String name, JsonObject message, JsonObject shown) {
        JsonObject traits = message.containsKey("traits") ? document.getJsonObject("components").getJsonObject("messageTraits").getJsonObject("record") : message;
        assertThat(trouble(document, schema(message.getJsonObject("payload")), shown.getValue("payload"))).as(name).isEmpty();
        assertThat(shown.containsKey("headers")).as("headers of %s", name).isEqualTo(traits.containsKey("headers"));
        if (shown.containsKey("headers")) {
            JsonObject headers = shown.getJsonObject("headers");
            assertThat(trouble(document, schema(traits.getJsonObject("headers")), headers)).as(name).isEmpty();
            if (document == events) {
                assertThat(headers.getString("webhook-id", headers.getString("id"))).as(name).isEqualTo(shown.getJsonObject("payload").getString("id"));
            }
        }
    }

    /** The event bus has the envelopes of webhooks, and the OpenAPI contract names their data by the same names. */
    @Test
    void aSchemaOfOneNameIsTheSameInBothDocumentsAndHasTheMembersOfTheContract() throws IOException {
        JsonObject ours = events.getJsonObject("components").getJsonObject("schemas");
        JsonObject theirs = bus.getJsonObject("components").getJsonObject("schemas");
        List<String> shared = ours.fieldNames().stream().filter(theirs::containsKey).toList();
        assertThat(shared).contains("WebhookEvent", "DocketFilingData").allSatisfy(name -> assertThat(ours.getValue(name)).as(name).isEqualTo(theirs.getValue(name)));
        JsonObject contract = document("/openapi/webhooks.yaml").getJsonObject("components").getJsonObject("schemas");
        List<String> data = ours.fieldNames().stream().filter(name -> name.endsWith("Data")).toList();
        assertThat(data).containsExactlyInAnyOrderElementsOf(contract.fieldNames().stream().filter(name -> name.endsWith("Data")).toList());
        assertThat(data).allSatisfy(name -> assertThat(ours.getJsonObject(name).getJsonObject("properties").fieldNames()).as(name)
                .isEqualTo(contract.getJsonObject(name).getJsonObject("properties").fieldNames()));
    }

    @Test
    void theReferenceNamesThePayloadsOfTheDocument() throws IOException {
        String reference = Files.readString(Path.of("docs/reference/events.md"));
        Map<String, String> schemas = schemas();
        schemas.remove(TEST);
        schemas.forEach((kind, schema) -> assertThat(reference).containsPattern("\\| `%s` \\|[^|]*\\| `%s` \\|".formatted(kind, String.join(", ", data(schema)))));
    }

    @ParameterizedTest
    @ValueSource(strings = {RESOURCE, BUS_RESOURCE})
    void theParserOfAsyncApiTakesTheDocument(String resource) throws Exception {
        Optional<Path> node = OtherRuntimes.node("@asyncapi/parser@3.4.0");
        Assumptions.assumeTrue(node.isPresent(), "no node with the parser");
        Process parser = new ProcessBuilder("node", "-e", PARSES).directory(node.get().toFile()).redirectErrorStream(true).start();
        try (InputStream in = EventsDocumentIT.class.getResourceAsStream(resource); var out = parser.getOutputStream()) {
            in.transferTo(out);
        }
        String said = new String(parser.getInputStream().readAllBytes());
        assertThat(parser.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(parser.exitValue()).as(said).isZero();
    }
}
