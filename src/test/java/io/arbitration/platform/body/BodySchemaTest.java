package io.arbitration.platform.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.ProcessorTime;
import io.arbitration.platform.answer.Refusal;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.json.schema.Draft;
import io.vertx.json.schema.JsonSchema;
import io.vertx.json.schema.JsonSchemaOptions;
import io.vertx.json.schema.OutputFormat;
import io.vertx.json.schema.Validator;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BodySchemaTest {

    private static final String SCHEMA = """
            {"type": "object", "required": ["title", "fields"], "properties": {
              "title": {"type": "string", "minLength": 1, "maxLength": 5},
              "fields": {"type": "object", "maxProperties": 2, "additionalProperties": {"type": ["string", "boolean"]}},
              "userIDs": {"type": "array", "maxItems": 3, "minItems": 1, "items": {"type": "string", "maxLength": 2}},
              "limit": {"type": "integer", "minimum": 1, "maximum": 200},
              "share": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
              "state": {"type": "string", "enum": ["open", "closed"]},
              "days": {"enum": [7, 14]},
              "hash": {"type": "string", "pattern": "^[0-9a-f]{2}$"},
              "email": {"type": "string", "format": "email"},
              "on": {"type": "string", "format": "date"},
              "nothing": {"type": ["string", "null"]},
              "gone": {"type": "object", "additionalProperties": false, "properties": {"a": {"type": "object", "required": ["b"]}}},
              "set": {"type": "array", "uniqueItems": true}}}""";

    private static String problem(String body) {
        return problem(new BodySchema(new JsonObject(SCHEMA)), body);
    }

    private static String problem(BodySchema schema, String body) {
        try {
            schema.check(JsonBody.parse(Buffer.buffer(body)));
            return "none";
        } catch (Refusal refused) {
            assertThat(refused.status()).isEqualTo(400);
            return refused.getMessage();
        }
    }

    /** A body with these members beside the required ones. */
    private static String with(String members) {
        return "{\"title\":\"t\",\"fields\":{}," + members + "}";
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "null | body: must be an object",
        "[] | body: must be an object",
        "{} | title: is required",
        "{\"title\":\"t\"} | fields: is required",
        "{\"title\":null,\"fields\":{}} | title: is required",
        "{\"title\":\"\",\"fields\":null} | fields: is required",
        "{\"title\":\"\",\"fields\":{}} | title: at least 1 character",
        "{\"title\":\"123456\",\"fields\":{}} | title: at most 5 characters",
        "{\"title\":\"t\",\"fields\":{\"x\":1}} | fields/x: must be a string or true or false",
        "{\"title\":\"t\",\"fields\":{\"a/b~c\":1}} | fields/a~1b~0c: must be a string or true or false",
        "{\"title\":\"t\",\"fields\":{\"a\":\"\",\"b\":\"\",\"c\":\"\"}} | fields: at most 2 members",
    })
    void aViolationNamesThePlaceAndTheBound(String body, String problem) {
        assertThat(problem(body)).isEqualTo(problem);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "\"userIDs\":[] | userIDs: at least 1 entry",
        "\"userIDs\":[\"a\",\"b\",\"c\",\"d\"] | userIDs: at most 3 entries",
        "\"userIDs\":[\"a\",\"b\",7] | userIDs/2: must be a string",
        "\"userIDs\":[\"a\",\"bbb\"] | userIDs/1: at most 2 characters",
        "\"limit\":0 | limit: at least 1",
        "\"limit\":201 | limit: at most 200",
        "\"limit\":2147483648000 | limit: at most 200",
        "\"limit\":4294967297 | limit: at most 200",
        "\"limit\":18446744073709551617 | limit: at most 200",
        "\"limit\":1e300 | limit: at most 200",
        "\"limit\":-1e300 | limit: at least 1",
        "\"limit\":1.5 | limit: must be a whole number",
        "\"limit\":\"1\" | limit: must be a whole number",
        "\"share\":0 | share: more than 0",
        "\"share\":1.0 | share: less than 1",
        "\"state\":\"Open\" | state: must be one of open, closed",
        "\"days\":8 | days: must be one of 7, 14",
        "\"hash\":\"0g\" | hash: must match ^[0-9a-f]{2}$",
        "\"hash\":\"00\\n\" | hash: must match ^[0-9a-f]{2}$",
        "\"email\":\"\" | email: must be a valid email",
        "\"email\":\"a@b@c.de\" | email: must be a valid email",
        "\"email\":\"a b@c.de\" | email: must be a valid email",
        "\"email\":\"a@c.de\\r\\nBcc: x@y.z\" | email: must be a valid email",
        "\"on\":\"2026-02-30\" | on: must be a date like 2026-11-21",
        "\"nothing\":1 | nothing: must be a string",
        "\"gone\":{\"b\":1} | gone/b: is not allowed",
        "\"gone\":{\"a\":{}} | gone/a/b: is required",
        "\"set\":[1,2,1.0] | set: entries must not repeat",
    })
    void aMemberThatBreaksItsBoundIsNamed(String member, String problem) {
        assertThat(problem(with(member))).isEqualTo(problem);
    }

    @Test
    void theWidthOfANumberIsForClientsAndBoundsNothing() {
        BodySchema wide = new BodySchema(new JsonObject("{\"type\":\"integer\",\"format\":\"int64\",\"minimum\":1}"));
        assertThat(problem(wide, "18446744073709551617")).isEqualTo("none");
        assertThat(problem(wide, "0")).isEqualTo("body: at least 1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"limit\":1.0", "\"limit\":1e2", "\"limit\":200.00", "\"days\":14.0", "\"nothing\":null", "\"unknown\":{\"x\":[]}",
            "\"email\":\"ada.l+case@example.org\"", "\"on\":\"2024-02-29\"", "\"set\":[1,2,\"1\"]", "\"share\":0.5"})
    void whatTheContractAllowsPasses(String member) {
        assertThat(problem(with(member))).isEqualTo("none");
    }

    @Test
    void lengthsCountCharactersAndNotTheirHalves() {
        assertThat(problem("{\"title\":\"" + "𝄞".repeat(5) + "\",\"fields\":{}}")).isEqualTo("none");
        assertThat(problem("{\"title\":\"" + "𝄞".repeat(6) + "\",\"fields\":{}}")).isEqualTo("title: at most 5 characters");
    }

    @Test
    void aNameThatCannotBeShownIsNotEchoed() {
        assertThat(problem("{\"title\":\"t\",\"fields\":{\"a\\r\\n\\u202eb\":1}}")).isEqualTo("fields/a???b: must be a string or true or false");
        assertThat(problem("{\"title\":\"t\",\"fields\":{\"" + "n".repeat(900) + "\":1}}")).hasSizeLessThan(260).contains("…");
    }

    /** Each wrong entry costing an error object, a body of one megabyte once took half a gigabyte of heap. */
    @Test
    void aMillionWrongEntriesCostNoMoreThanOne() {
        String body = with("\"set\":[" + "[],".repeat(400_000) + "0]");
        assertThat(problem(body)).isEqualTo("set: entries must not repeat");
    }

    @Test
    void aKeywordThatWouldGoUncheckedIsRefused() {
        assertThatThrownBy(() -> new BodySchema(new JsonObject("{\"type\":\"object\",\"minContains\":1}")))
                .isInstanceOf(IllegalStateException.class).hasMessageContaining("minContains");
        assertThatThrownBy(() -> new BodySchema(new JsonObject("{\"type\":\"string\",\"format\":\"iri\"}")))
                .isInstanceOf(IllegalStateException.class).hasMessageContaining("iri");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", ".", "-", "a.", "a-", "@", "a@a."})
    void noTextTakesMoreThanLinearTimeToBeRefused(String part) throws Exception {
        String text = part.repeat(500_000 / part.length());
        ProcessorTime.assertLessThan(Duration.ofSeconds(2), () -> Stream.of(TextFormat.values()).forEach(format -> format.fits(text)));
    }

    /** To us an optional member that is null is one that was left out, which a schema has to say of each. */
    private static JsonObject withNulls(JsonObject schema) {
        JsonObject copy = schema.copy();
        JsonObject members = copy.getJsonObject("properties", new JsonObject());
        for (String name : List.copyOf(members.fieldNames())) {
            JsonObject member = withNulls(members.getJsonObject(name));
            members.put(name, schema.getJsonArray("required", new JsonArray()).contains(name) ? member : orNull(member));
        }
        if (copy.getValue("additionalProperties") instanceof JsonObject others) {
            copy.put("additionalProperties", orNull(others));
        }
        return copy;
    }

    private static JsonObject orNull(JsonObject schema) {
        return new JsonObject().put("anyOf", new JsonArray().add(schema).add(new JsonObject().put("type", "null")));
    }

    @Test
    void anOptionalMemberThatIsNullIsTakenOutUnlessNullMeansSomething() {
        BodySchema schema = new BodySchema(new JsonObject("""
                {"type": "object", "minProperties": 1, "properties": {"a": {"type": ["string", "null"], "minLength": 1},
                  "b": {"oneOf": [{"type": "string", "enum": ["x"]}, {"type": "null"}]},
                  "c": {"type": ["string", "null"], "x-null": "takes it away"},
                  "d": {"type": "object", "additionalProperties": {"type": "string"}}}}"""));
        JsonObject body = new JsonObject("{\"a\":null,\"b\":null,\"c\":null,\"d\":{\"e\":null,\"f\":\"g\"}}");
        schema.check(body);
        assertThat(body).isEqualTo(new JsonObject("{\"c\":null,\"d\":{\"f\":\"g\"}}"));
        assertThat(problem(schema, "{\"a\":null}")).isEqualTo("body: at least 1 member");
        assertThat(problem(schema, "{\"b\":\"y\"}")).isEqualTo("b: must be x");
    }

    @Test
    void aBodyOfOneOfSeveralMembersSaysWhichOnesWhenNoneIsGiven() {
        BodySchema schema = new BodySchema(new JsonObject("""
                {"type": "object", "minProperties": 1, "x-choice": "give either a or b", "properties": {"a": {"type": ["string", "null"]}, "b": {"type": ["string", "null"]}}}"""));
        assertThat(problem(schema, "{\"a\":null}")).isEqualTo("body: give either a or b");
        schema.check(new JsonObject("{\"b\":\"x\"}"));
        BodySchema named = new BodySchema(new JsonObject("""
                {"type": "object", "minProperties": 2, "x-choice": "a: is required", "required": ["c"],
                  "properties": {"a": {"type": ["string", "null"]}, "b": {"type": ["string", "null"]}, "c": {"type": "string"}}}"""));
        assertThat(problem(named, "{\"c\":\"x\",\"b\":null}")).isEqualTo("a: is required");
        assertThat(problem(named, "{}")).isEqualTo("c: is required");
    }

    /** An independent implementation agrees on which of many generated bodies are valid; on an empty email it breaks down. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void theLibraryValidatorAgrees(int seed) {
        JsonSchemaOptions options = new JsonSchemaOptions().setBaseUri("https://arbitration.example/").setDraft(Draft.DRAFT202012)
                .setOutputFormat(OutputFormat.Flag);
        JsonObject schema = new JsonObject(SCHEMA);
        schema.getJsonObject("properties").getJsonObject("email").remove("format");
        BodySchema ours = new BodySchema(schema);
        Validator library = Validator.create(JsonSchema.of(withNulls(schema)), options);
        RandomBody bodies = new RandomBody(seed, schema.getJsonObject("properties").fieldNames());
        int valid = 0;
        for (int i = 0; i < 3000; i++) {
            String body = bodies.next().encode();
            boolean expected = library.validate(JsonBody.parse(Buffer.buffer(body))).getValid();
            assertThat(problem(ours, body).equals("none")).as(body).isEqualTo(expected);
            valid += expected ? 1 : 0;
        }
        assertThat(valid).isBetween(50, 2950);
    }
}
