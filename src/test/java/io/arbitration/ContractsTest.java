package io.arbitration;

import static io.arbitration.ShippedContracts.resolved;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the contracts say of each operation, beside what it does. */
class ContractsTest {

    private static final Set<String> BOUNDED_FORMATS = Set.of("uuid", "date", "date-time", "binary");
    /** An id from 1 upwards, as it was agreed; one that no prompt can have names none. */
    private static final String OPEN_BY_AGREEMENT = "updatePrompt /id";
    /** Ids may be any text, within the bound of the body: one of another form or length is the id of nothing, and not an error. */
    private static final Pattern ID = Pattern.compile(".*[/ ](\\w+ID|\\w+IDs/\\*|supersedes|visibleTo/\\*|mailType|ruleSet|kid|vapidKey)");
    /** Bounded by the specification, or stored as it comes. */
    private static final Set<String> BOUNDED_IDS = Set.of("listEvidenceUploads /caseID", "viewEvidenceUpload /caseID", "downloadEvidenceUpload /caseID", "createCase /requestID");

    private static void eachOperation(BiConsumer<JsonNode, JsonNode> look) {
        ShippedContracts.operations().forEach(operation -> look.accept(operation.contract(), operation.node()));
    }

    @Test
    void everyRequestAndEveryAnswerHasAnExample() {
        List<String> without = new ArrayList<>();
        eachOperation((contract, operation) -> {
            List<JsonNode> bodies = new ArrayList<>(List.of(resolved(contract, operation.path("requestBody"))));
            operation.path("responses").forEach(response -> bodies.add(resolved(contract, response)));
            bodies.forEach(body -> body.path("content").properties().stream().filter(content -> !content.getValue().has("example") && content.getValue().path("examples").isEmpty()
                            && resolved(contract, content.getValue().path("schema")).path("examples").isEmpty())
                    .forEach(content -> without.add(operation.get("operationId").asText() + " " + content.getKey() + ": " + body.path("description").asText())));
        });
        assertThat(without).isEmpty();
    }

    @Test
    void everyInputHasABound() {
        Set<String> unbounded = new TreeSet<>();
        eachOperation((contract, operation) -> {
            String name = operation.get("operationId").asText();
            resolved(contract, operation.path("requestBody")).path("content").forEach(content -> look(contract, content.path("schema"), name + " ", unbounded));
            operation.path("parameters").forEach(parameter -> {
                JsonNode described = resolved(contract, parameter);
                look(contract, described.path("schema"), name + " " + described.path("name").asText(), unbounded);
            });
        });
        assertThat(unbounded).filteredOn(place -> !ID.matcher(place).matches()).containsExactly(OPEN_BY_AGREEMENT);
    }

    @Test
    void noIdHasABoundButThoseOfTheSpecification() {
        Set<String> bounded = new TreeSet<>();
        eachField((place, field) -> {
            if (ID.matcher(place).matches() && Stream.of("minLength", "maxLength", "pattern", "format").anyMatch(field.schema()::has)) {
                bounded.add(place);
            }
        });
        assertThat(bounded).containsExactlyInAnyOrderElementsOf(BOUNDED_IDS);
    }

    /** Fields that hold an ID of something of the platform, in requests and answers; {@code id} alone is one where its object is named by it. */
    private static final Pattern HOLDS_ID = Pattern.compile("\\w+IDs?|supersedes|supersededBy|ruleSet|mailType|visibleTo|filedBy|approvedBy|decidedBy|invitedBy|createdBy|requestedBy");
    /** A name that the caller gives, of a request or of a template that may be new; and the evidence of a case, which the specification bounds. */
    private static final Set<String> OWN_IDS = Set.of("ProblemDetails/requestID", "AuditEntry/requestID", "CreateCaseRequest/requestID", "UploadPdfTemplateForm/documentID",
            "CreateEvidenceUploadForm/caseID", "ListEvidenceUploadsRequest/caseID", "NamedEvidenceUploadRequest/caseID",
            // Numbers, as the specification has them.
            "Prompt/id", "UpdatePromptRequest/id", "ListPromptsRequest/afterID",
            // Names within one form, which nothing else refers to.
            "SchemaField/id", "MailTypeImageField/id");

    @Test
    void everyIdIsASharedSchema() {
        Set<String> inline = new TreeSet<>();
        for (JsonNode contract : contracts()) {
            contract.path("components").path("schemas").properties().forEach(schema -> schema.getValue().path("properties").properties().stream()
                    .filter(field -> field.getKey().equals("id") || HOLDS_ID.matcher(field.getKey()).matches())
                    .filter(field -> field.getValue().findValuesAsText("$ref").stream().noneMatch(shared -> shared.endsWith("ID")))
                    .forEach(field -> inline.add(schema.getKey() + "/" + field.getKey())));
        }
        assertThat(inline).containsExactlyInAnyOrderElementsOf(OWN_IDS);
    }

    /** So that no generated client and no check by a contract refuses what the platform takes; {@code x-null} says what null means where it means something. */
    @Test
    void everyOptionalFieldOfARequestMayBeNull() {
        Set<String> refusing = new TreeSet<>();
        eachField((place, field) -> {
            boolean takesNull = Stream.of("type", "oneOf").anyMatch(keyword -> field.schema().path(keyword).toString().contains("\"null\""));
            if (!field.required() && !takesNull) {
                refusing.add(place);
            }
        });
        assertThat(refusing).isEmpty();
    }

    /** A field of a JSON body or, as an id alone, of a form. */
    private record Field(JsonNode schema, boolean required) {}

    private static void eachField(BiConsumer<String, Field> look) {
        eachOperation((contract, operation) -> resolved(contract, operation.path("requestBody")).path("content").properties().stream()
                .filter(content -> content.getKey().equals("application/json"))
                .forEach(content -> eachField(contract, content.getValue().path("schema"), operation.get("operationId").asText() + " ", look)));
    }

    private static void eachField(JsonNode contract, JsonNode given, String place, BiConsumer<String, Field> look) {
        JsonNode schema = resolved(contract, given);
        Set<String> required = new TreeSet<>();
        schema.path("required").forEach(name -> required.add(name.asText()));
        schema.path("properties").properties().forEach(member -> {
            look.accept(place + "/" + member.getKey(), new Field(resolved(contract, member.getValue()), required.contains(member.getKey())));
            eachField(contract, member.getValue(), place + "/" + member.getKey(), look);
        });
        if (schema.path("additionalProperties").isObject()) {
            look.accept(place + "/?", new Field(resolved(contract, schema.get("additionalProperties")), false));
        }
        if (schema.has("items")) {
            look.accept(place + "/*", new Field(resolved(contract, schema.get("items")), true));
            eachField(contract, schema.get("items"), place + "/*", look);
        }
    }

    /** Keys, pages, calendars, and the two steps of a browser's sign-in, of which the second needs a state that only this browser has. */
    private static final Set<String> READ_BY_GET = Set.of("listPublicKeys", "viewOpenIdConfiguration", "listDemoPublicKeys", "viewWebhooksWelcome", "showHeldEmails", "showHeldEmail",
            "showWebPushDemo", "showWebPushDemoStyle", "showWebPushDemoScript", "showWebPushDemoServiceWorker", "authorizeInDemo", "signInBrowser", "finishBrowserSignIn", "streamEvents", "readCalendarFeed");
    /** Those that tell a caller what is its own; they change nothing, so that no page of somebody else can have a browser do harm. */
    private static final Set<String> OF_CALLER = Set.of("streamEvents");
    /**
     * What addresses name; a code is good once, and for nobody without the verifier that never is in one. Calendar programs can prove nothing,
     * so the address of a feed is its secret; its user can revoke it, and no log has it.
     */
    private static final Set<String> IN_ADDRESSES = Set.of("caseID", "changes", "idp", "emailID", "feed", "returnTo", "code", "state", "error", "iss", "nonce", "scope", "redirect_uri",
            "response_type", "client_id", "code_challenge", "code_challenge_method", "prompt", "login_hint", "first_name", "last_name");

    @Test
    void whatAGetDoesIsKnownAndAddressesHoldNoSecret() {
        Set<String> gets = new TreeSet<>();
        Set<String> named = new TreeSet<>();
        for (ShippedContracts.Operation operation : ShippedContracts.operations()) {
            assertThat(operation.method()).as(operation.id()).isIn("get", "post");
            if (operation.method().equals("get")) {
                gets.add(operation.id());
                assertThat(operation.node().path("security").isEmpty()).as("%s is for everybody", operation.id()).isEqualTo(!OF_CALLER.contains(operation.id()));
            }
            operation.node().path("parameters").forEach(parameter -> {
                JsonNode described = resolved(operation.contract(), parameter);
                if (!described.path("in").asText().equals("header")) {
                    named.add(described.path("name").asText());
                }
            });
        }
        assertThat(gets).containsExactlyInAnyOrderElementsOf(READ_BY_GET);
        assertThat(named).containsExactlyInAnyOrderElementsOf(IN_ADDRESSES);
    }

    /** Each value of an enumeration once: it bounds itself, and grows with the enumeration. */
    private static boolean choices(JsonNode contract, JsonNode array) {
        return array.path("uniqueItems").asBoolean() && resolved(contract, array.path("items")).has("enum");
    }

    private static void look(JsonNode contract, JsonNode given, String place, Set<String> unbounded) {
        JsonNode schema = resolved(contract, given);
        String types = schema.path("type").toString();
        boolean named = schema.has("enum") || schema.has("const");
        boolean open = types.contains("\"string\"") && !schema.has("maxLength") && !schema.has("pattern") && !BOUNDED_FORMATS.contains(schema.path("format").asText())
                || (types.contains("\"integer\"") || types.contains("\"number\"")) && !(schema.has("minimum") && schema.has("maximum"))
                || types.contains("\"array\"") && !schema.has("maxItems") && !choices(contract, schema);
        if (open && !named) {
            unbounded.add(place);
        }
        schema.path("properties").properties().forEach(member -> look(contract, member.getValue(), place + "/" + member.getKey(), unbounded));
        Stream.of("items", "additionalProperties").filter(schema::has).forEach(inner -> look(contract, schema.get(inner), place + "/*", unbounded));
        Stream.of("allOf", "anyOf", "oneOf").forEach(choice -> schema.path(choice).forEach(one -> look(contract, one, place, unbounded)));
    }

    /** Names of schemas by what they are, in all contracts: generators make one client of them. */
    private static Map<String, Set<String>> schemas() {
        Map<String, Set<String>> schemas = new TreeMap<>();
        for (JsonNode contract : contracts()) {
            contract.path("components").path("schemas").properties().forEach(schema ->
                    schemas.computeIfAbsent(schema.getKey(), first -> new TreeSet<>()).add(schema.getValue().toString()));
        }
        return schemas;
    }

    private static List<JsonNode> contracts() {
        return List.copyOf(ShippedContracts.documents().values());
    }

    /** Nouns of the field that stand for one thing on the whole platform. */
    private static final Set<String> OF_ONE_WORD = Set.of("Prompt", "Analysis", "Filing", "Notice", "Hearing", "Deadline", "Session", "Organization", "Participant",
            "Timetable");

    @Test
    void aNameMeansTheSameInEveryContractAndIsNotTooGeneral() {
        Map<String, Set<String>> schemas = schemas();
        assertThat(schemas).allSatisfy((name, definitions) -> assertThat(definitions).as(name).hasSize(1));
        assertThat(schemas.keySet()).filteredOn(name -> name.matches("[A-Z][a-z]+")).containsExactlyInAnyOrderElementsOf(OF_ONE_WORD);
        List<String> operations = new ArrayList<>();
        eachOperation((contract, operation) -> operations.add(operation.get("operationId").asText()));
        assertThat(operations).doesNotHaveDuplicates().allSatisfy(name -> assertThat(name).matches("[a-z]+([A-Z][A-Za-z]*)+"));
    }

    @Test
    void everyEnumerationIsNamedOnceAndThoseOfAnswersMayGrow() {
        Set<String> unnamed = new TreeSet<>();
        Map<String, Set<String>> namesByValues = new TreeMap<>();
        Set<String> closed = new TreeSet<>();
        for (JsonNode contract : contracts()) {
            contract.path("components").path("schemas").properties().stream().filter(schema -> schema.getValue().has("enum")).forEach(schema ->
                    namesByValues.computeIfAbsent(schema.getValue().get("enum").toString(), first -> new TreeSet<>()).add(schema.getKey()));
            contract.path("components").path("schemas").properties().forEach(schema -> schema.getValue().forEach(inner -> findEnums(schema.getKey(), inner, unnamed)));
            Set<String> answered = new TreeSet<>();
            contract.path("paths").forEach(path -> path.forEach(operation -> operation.path("responses").forEach(response -> reach(contract, response, answered))));
            answered.stream().map(name -> contract.at("/components/schemas/" + name)).filter(schema -> schema.has("enum"))
                    .filter(schema -> !schema.path("x-extensible").asBoolean() || !schema.path("description").asText().replaceAll("\\s+", " ").endsWith("A later version may add values."))
                    .forEach(schema -> closed.add(schema.toString()));
        }
        assertThat(unnamed).isEmpty();
        assertThat(namesByValues).allSatisfy((values, names) -> assertThat(names).as(values).hasSize(1));
        assertThat(closed).isEmpty();
    }

    private static void findEnums(String place, JsonNode node, Set<String> found) {
        if (node.has("enum") && node.get("enum").isArray()) {
            found.add(place);
        }
        node.properties().forEach(member -> findEnums(place + "/" + member.getKey(), member.getValue(), found));
        if (node.isArray()) {
            node.forEach(item -> findEnums(place, item, found));
        }
    }

    /** Schemas that an answer leads to. */
    private static void reach(JsonNode contract, JsonNode node, Set<String> reached) {
        String reference = node.path("$ref").asText();
        boolean isSchema = reference.startsWith("#/components/schemas/");
        if (!reference.isEmpty() && (!isSchema || reached.add(reference.substring("#/components/schemas/".length())))) {
            reach(contract, contract.at(reference.substring(1)), reached);
        }
        node.forEach(inner -> reach(contract, inner, reached));
    }

    /** Lists whose answers the specification has, {@code /events/list} among them, which counts by numbers. */
    private static final Set<String> SPECIFIED_LISTS = Set.of("listSchemas", "listMailTypes", "listEvidenceUploads", "listDocketEntries", "listPrompts", "listWebhookUrls",
            "listEvents");
    private static final Pattern LIST = Pattern.compile(".*/(list|search|pending-approval|recent)");

    @Test
    void everyListIsAskedForAndAnsweredInOneWay() {
        Set<String> seen = new TreeSet<>();
        for (JsonNode contract : contracts()) {
            contract.path("paths").properties().stream().filter(path -> LIST.matcher(path.getKey()).matches()).forEach(path -> {
                JsonNode operation = path.getValue().path("post");
                String id = operation.path("operationId").asText();
                if (SPECIFIED_LISTS.contains(id)) {
                    return;
                }
                seen.add(id);
                JsonNode asked = resolved(contract, operation.at("/requestBody/content/application~1json/schema"));
                assertThat(asked.at("/properties/cursor/maxLength").asInt()).as(id).isEqualTo(200);
                assertThat(asked.at("/properties/limit/maximum").asInt()).as(id).isEqualTo(200);
                assertThat(asked.at("/properties/limit/default").asInt()).as(id).isEqualTo(50);
                JsonNode answered = resolved(contract, operation.at("/responses/200/content/application~1json/schema"));
                assertThat(answered.path("required").toString()).as(id).contains("nextCursor");
                assertThat(operation.at("/responses/200/content/application~1json/schema/$ref").asText()).as(id).endsWith("List");
            });
        }
        assertThat(seen).hasSizeGreaterThan(20);
    }

    /** Operations of signed-in callers that change nothing, and so take no key. */
    private static final Pattern READS = Pattern.compile(
            "(list|view|count|find|search|check|download|render|verify|retrieve|export|prove|fill|stream)[A-Z]\\w*|issueFilingReceipt|createNoticeAttachment");

    @Test
    void everyWriteOfACallerTakesAKeyAndNoOtherOperationTellsOfARepeatedAnswer() {
        eachOperation((contract, operation) -> {
            String id = operation.get("operationId").asText();
            Set<String> parameters = new TreeSet<>();
            operation.path("parameters").forEach(parameter -> parameters.add(resolved(contract, parameter).path("name").asText()));
            boolean takesKey = parameters.contains("Idempotency-Key");
            boolean writes = operation.path("security").path(0).has("bearer") && !READS.matcher(id).matches();
            assertThat(takesKey).as("%s: a write takes Idempotency-Key, a read has a verb of READS", id).isEqualTo(writes);
            operation.path("responses").properties().forEach(answer -> {
                boolean tells = resolved(contract, answer.getValue()).path("headers").has("Idempotent-Replayed");
                assertThat(tells).as("%s %s", id, answer.getKey()).isEqualTo(takesKey && (tells || answer.getKey().startsWith("2")));
            });
        });
    }

    @Test
    void everyAnswerSaysWhatItIsAndEveryOperationWhatItDoes() {
        eachOperation((contract, operation) -> {
            String id = operation.get("operationId").asText();
            assertThat(operation.path("description").asText()).as(id).hasSizeGreaterThan(60);
            operation.path("responses").properties().stream().filter(answer -> answer.getKey().startsWith("2")).forEach(answer -> {
                JsonNode described = resolved(contract, answer.getValue());
                assertThat(described.path("description").asText()).as(id).isNotEqualTo("Done.").isNotEmpty();
                assertThat(described.path("headers").has("RateLimit")).as(id).isTrue();
            });
        });
    }
}
