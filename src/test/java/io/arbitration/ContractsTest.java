package io.arbitration;

import static io.arbitration.ShippedContracts.resolved;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
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
    private static final Pattern ID = Pattern.compile(".*[/ ](\\w+ID|\\w+IDs/\\*|supersedes|mailType|ruleSet|kid|vapidKey)");
    /** Bounded by the specification, or stored as it comes. */
    private static final Set<String> BOUNDED_IDS = Set.of("listUploads /caseID", "viewUpload /caseID", "downloadUpload /caseID", "createCase /requestID");

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
            if (ID.matcher(place).matches() && field.schema().path("type").toString().contains("string")
                    && Stream.of("minLength", "maxLength", "pattern", "format").anyMatch(field.schema()::has)) {
                bounded.add(place);
            }
        });
        assertThat(bounded).containsExactlyInAnyOrderElementsOf(BOUNDED_IDS);
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

    /** Keys, pages, and the two steps of a browser's sign-in, of which the second needs a state that only this browser has. */
    private static final Set<String> READ_BY_GET = Set.of("listPublicKeys", "viewOpenIdConfiguration", "listDemoPublicKeys", "welcome", "showHeldEmails", "showHeldEmail",
            "demo", "demoStyle", "demoScript", "demoServiceWorker", "authorizeInDemo", "signInBrowser", "finishBrowserSignIn", "streamEvents");
    /** Those that tell a caller what is its own; they change nothing, so that no page of somebody else can have a browser do harm. */
    private static final Set<String> OF_CALLER = Set.of("streamEvents");
    /** What addresses name; a code is good once, and for nobody without the verifier that never is in one. */
    private static final Set<String> IN_ADDRESSES = Set.of("caseID", "idp", "emailID", "returnTo", "code", "state", "error", "iss", "nonce", "scope", "redirect_uri",
            "response_type", "client_id", "code_challenge", "code_challenge_method", "login_hint", "first_name", "last_name");

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

    private static void look(JsonNode contract, JsonNode given, String place, Set<String> unbounded) {
        JsonNode schema = resolved(contract, given);
        String types = schema.path("type").toString();
        boolean named = schema.has("enum") || schema.has("const");
        boolean open = types.contains("\"string\"") && !schema.has("maxLength") && !schema.has("pattern") && !BOUNDED_FORMATS.contains(schema.path("format").asText())
                || (types.contains("\"integer\"") || types.contains("\"number\"")) && !(schema.has("minimum") && schema.has("maximum"))
                || types.contains("\"array\"") && !schema.has("maxItems");
        if (open && !named) {
            unbounded.add(place);
        }
        schema.path("properties").properties().forEach(member -> look(contract, member.getValue(), place + "/" + member.getKey(), unbounded));
        Stream.of("items", "additionalProperties").filter(schema::has).forEach(inner -> look(contract, schema.get(inner), place + "/*", unbounded));
        Stream.of("allOf", "anyOf", "oneOf").forEach(choice -> schema.path(choice).forEach(one -> look(contract, one, place, unbounded)));
    }
}
