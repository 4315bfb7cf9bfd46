package io.arbitration.platform.http;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.json.schema.Draft;
import io.vertx.json.schema.JsonSchema;
import io.vertx.json.schema.JsonSchemaOptions;
import io.vertx.json.schema.OutputFormat;
import io.vertx.json.schema.OutputUnit;
import io.vertx.json.schema.Validator;
import java.util.List;
import java.util.Set;

/**
 * The schema of a request body, compiled once from the contract. A violation is told as {@code field: what is wrong},
 * with the bound.
 */
final class BodySchema {

    /** Keywords that only pass on what a member broke. */
    private static final Set<String> APPLICATORS =
            Set.of("properties", "items", "prefixItems", "allOf", "additionalProperties", "patternProperties", "$ref", "anyOf", "oneOf");

    private final JsonObject schema;
    private final Validator validator;

    /** @param schema a schema without references */
    BodySchema(JsonObject schema) {
        this.schema = schema;
        this.validator = Validator.create(
                JsonSchema.of(schema.copy()),
                new JsonSchemaOptions()
                        .setBaseUri("https://arbitration.example/contract")
                        .setDraft(Draft.DRAFT202012)
                        .setOutputFormat(OutputFormat.Basic));
    }

    /** @throws Refusal 400 for the first violation */
    void check(Object body) {
        OutputUnit result = validator.validate(body);
        if (!result.getValid()) {
            throw Refusal.badRequest(problem(result.getErrors()));
        }
    }

    private String problem(List<OutputUnit> errors) {
        OutputUnit cause = errors.stream()
                .filter(error -> !APPLICATORS.contains(keyword(error)))
                .findFirst()
                .orElseGet(errors::getFirst);
        String place = place(cause.getInstanceLocation());
        Object bound = bound(cause.getKeywordLocation());
        String keyword = keyword(cause);
        if (keyword.equals("required")) {
            return join(place, missing(cause, bound)) + ": is required";
        }
        return (place.isEmpty() ? "body" : place) + ": " + sentence(keyword, bound);
    }

    private static String sentence(String keyword, Object bound) {
        return switch (keyword) {
            case "type" -> "must be " + (bound instanceof JsonArray kinds ? "one of " + list(kinds) : article(String.valueOf(bound)));
            case "maxLength" -> "at most %s characters".formatted(bound);
            case "minLength" -> "at least %s character%s".formatted(bound, "1".equals(String.valueOf(bound)) ? "" : "s");
            case "maximum" -> "at most " + bound;
            case "minimum" -> "at least " + bound;
            case "exclusiveMinimum" -> "more than " + bound;
            case "exclusiveMaximum" -> "less than " + bound;
            case "maxItems" -> "at most %s entries".formatted(bound);
            case "minItems" -> "at least %s entries".formatted(bound);
            case "maxProperties" -> "at most %s members".formatted(bound);
            case "minProperties" -> "at least %s members".formatted(bound);
            case "enum" -> "must be one of " + (bound instanceof JsonArray values ? list(values) : bound);
            case "const" -> "must be " + bound;
            case "pattern" -> "must match " + bound;
            case "format" -> "must be a valid " + bound;
            case "uniqueItems" -> "entries must not repeat";
            case "additionalProperties", "false" -> "is not allowed";
            default -> "is not valid (%s)".formatted(keyword);
        };
    }

    private static String article(String kind) {
        return switch (kind) {
            case "integer" -> "a whole number";
            case "object" -> "an object";
            case "array" -> "an array";
            case "boolean" -> "true or false";
            case "null" -> "null";
            default -> "a " + kind;
        };
    }

    private static String list(JsonArray values) {
        return String.join(", ", values.stream().map(String::valueOf).toList());
    }

    /** The name that is missing stands only in the library's message, in double quotes. */
    private static String missing(OutputUnit error, Object required) {
        String message = error.getError();
        if (required instanceof JsonArray names) {
            for (Object name : names) {
                if (message.contains("\"" + name + "\"")) {
                    return String.valueOf(name);
                }
            }
        }
        return "body";
    }

    private static String keyword(OutputUnit error) {
        String location = error.getKeywordLocation();
        return location.substring(location.lastIndexOf('/') + 1);
    }

    private static String place(String instanceLocation) {
        String pointer = instanceLocation.startsWith("#") ? instanceLocation.substring(1) : instanceLocation;
        String place = pointer.startsWith("/") ? pointer.substring(1) : pointer;
        return place.length() <= 200 ? place : place.substring(0, 200) + "…";
    }

    private static String join(String place, String name) {
        return place.isEmpty() ? name : place + "/" + name;
    }

    private Object bound(String keywordLocation) {
        Object at = schema;
        for (String step : keywordLocation.substring(keywordLocation.indexOf('#') + 1).split("/")) {
            if (step.isEmpty()) {
                continue;
            }
            String name = step.replace("~1", "/").replace("~0", "~");
            if (at instanceof JsonObject object) {
                at = object.getValue(name);
            } else if (at instanceof JsonArray array && name.matches("[0-9]{1,6}") && Integer.parseInt(name) < array.size()) {
                at = array.getValue(Integer.parseInt(name));
            } else {
                return null;
            }
        }
        return at;
    }
}
