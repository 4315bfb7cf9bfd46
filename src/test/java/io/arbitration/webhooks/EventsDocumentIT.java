package io.arbitration.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.arbitration.OtherRuntimes;
import io.arbitration.RunningPlatform;
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
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The AsyncAPI document says what is sent, and is one. */
class EventsDocumentIT {

    private static final String RESOURCE = "/asyncapi/events.yaml";
    private static final String PARSES = """
            const {Parser} = require('@asyncapi/parser');
            new Parser().parse(require('fs').readFileSync(0, 'utf8')).then(({diagnostics}) => {
              const errors = diagnostics.filter(one => one.severity === 0);
              errors.forEach(one => console.log(one.path.join('.') + ': ' + one.message));
              process.exit(errors.length ? 1 : 0);
            });
            """;

    private static JsonObject document;

    @BeforeAll
    static void read() throws IOException {
        try (InputStream in = EventsDocumentIT.class.getResourceAsStream(RESOURCE)) {
            document = new JsonObject(new YAMLMapper().readTree(in).toString());
        }
    }

    /** What is wrong with a value under one of the document's schemas; empty: nothing. */
    private static String trouble(String schema, Object value) {
        JsonObject whole = new JsonObject().put("$ref", "#/components/schemas/" + schema).put("components", document.getJsonObject("components"));
        OutputUnit result = Validator.create(JsonSchema.of(whole), new JsonSchemaOptions().setDraft(Draft.DRAFT202012)
                .setBaseUri("https://example.org/events").setOutputFormat(OutputFormat.Basic)).validate(value);
        return Boolean.TRUE.equals(result.getValid()) ? "" : String.valueOf(result.getErrors() == null ? result.getError() : result.toJson());
    }

    /** Name of the payload's schema by the kind of event. */
    private static Map<String, String> schemas() {
        Map<String, String> schemas = new TreeMap<>();
        document.getJsonObject("components").getJsonObject("messages").forEach(message -> {
            JsonObject described = (JsonObject) message.getValue();
            String reference = described.getJsonObject("payload").getString("$ref");
            schemas.put(described.getString("name"), reference.substring(reference.lastIndexOf('/') + 1));
        });
        return schemas;
    }

    @Test
    void everyKindOfEventIsSentAsTheDocumentDescribesIt() {
        RunningPlatform platform = RunningPlatform.shared();
        Hooked hooked = Hooked.on(platform);
        Map<String, String> schemas = schemas();
        assertThat(schemas.keySet()).containsExactlyInAnyOrder(
                "docket_filing", "case_created", "phase_changed", "case_closed", "filing_submitted", "filing_rejected");
        try (Receiver receiver = new Receiver()) {
            hooked.register(receiver.url(), schemas.keySet().toArray(String[]::new));
            hooked.openCase();
            String letter = Hooked.ok(platform.post("/api/filings/create", new JsonObject().put("caseID", hooked.caseId()).put("documentID", "letterToTribunal")
                    .put("fields", new JsonObject().put("subject", "Availability").put("body", "We are available in May.")), hooked.administrator().token()))
                    .object().getString("filingID");
            JsonObject reference = new JsonObject().put("caseID", hooked.caseId()).put("filingID", letter);
            Hooked.ok(platform.post("/api/filings/documents/submit", reference, hooked.administrator().token()));
            Hooked.ok(platform.post("/api/filings/documents/reject", reference.copy().put("reason", "Name the dates."), hooked.manager().token()));
            hooked.docket();
            Hooked.ok(platform.post("/cases/cases/phases/advance", new JsonObject().put("caseID", hooked.caseId()), hooked.manager().token()));
            Hooked.ok(platform.post("/cases/cases/close", new JsonObject().put("caseID", hooked.caseId()).put("reason", "settled"), hooked.manager().token()));
            Map<String, JsonObject> sent = Hooked.await(() -> {
                Map<String, JsonObject> byKind = new TreeMap<>();
                receiver.all().forEach(received -> byKind.put(received.envelope().getString("event"), received.envelope()));
                return byKind.keySet().equals(schemas.keySet()) ? byKind : null;
            }, () -> receiver.all().toString());
            sent.forEach((kind, envelope) -> {
                assertThat(trouble(schemas.get(kind), envelope)).as(kind).isEmpty();
                // A field more or less, or another kind, would not pass.
                assertThat(trouble(schemas.get(kind), envelope.copy().put("more", 1))).as(kind).isNotEmpty();
                envelope.getJsonObject("data").fieldNames().forEach(field -> {
                    JsonObject less = envelope.copy();
                    less.getJsonObject("data").remove(field);
                    assertThat(trouble(schemas.get(kind), less)).as("%s without %s", kind, field).isNotEmpty();
                });
                assertThat(trouble(schemas.get(kind), envelope.copy().put("event", "test"))).as(kind).isNotEmpty();
            });
            receiver.all().forEach(received -> {
                JsonObject headers = new JsonObject();
                List.of("webhook-id", "webhook-timestamp", "webhook-signature").forEach(name -> headers.put(name, received.header(name)));
                assertThat(trouble("Headers", headers)).isEmpty();
            });
        }
    }

    @Test
    void theReferenceNamesThePayloadsOfTheDocument() throws IOException {
        String reference = Files.readString(Path.of("docs/reference/events.md"));
        schemas().forEach((kind, schema) -> {
            JsonObject data = document.getJsonObject("components").getJsonObject("schemas").getJsonObject(schema).getJsonObject("properties").getJsonObject("data");
            JsonObject payload = data.containsKey("$ref")
                    ? document.getJsonObject("components").getJsonObject("schemas").getJsonObject(data.getString("$ref").replaceAll(".*/", ""))
                    : data;
            assertThat(reference).containsPattern("\\| `%s` \\|[^|]*\\| `%s` \\|".formatted(kind, String.join(", ", payload.getJsonObject("properties").fieldNames())));
        });
    }

    @Test
    void theParserOfAsyncApiTakesTheDocument() throws Exception {
        Optional<Path> node = OtherRuntimes.node("@asyncapi/parser@3.4.0");
        Assumptions.assumeTrue(node.isPresent(), "no node with the parser");
        Process parser = new ProcessBuilder("node", "-e", PARSES).directory(node.get().toFile()).redirectErrorStream(true).start();
        try (InputStream in = EventsDocumentIT.class.getResourceAsStream(RESOURCE); var out = parser.getOutputStream()) {
            in.transferTo(out);
        }
        String said = new String(parser.getInputStream().readAllBytes());
        assertThat(parser.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(parser.exitValue()).as(said).isZero();
    }
}
