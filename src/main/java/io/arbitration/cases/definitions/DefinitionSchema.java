package io.arbitration.cases.definitions;

import io.arbitration.cases.definitions.InvalidDefinition.Problem;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.core.json.pointer.JsonPointer;
import io.vertx.json.schema.Draft;
import io.vertx.json.schema.JsonSchema;
import io.vertx.json.schema.JsonSchemaOptions;
import io.vertx.json.schema.OutputFormat;
import io.vertx.json.schema.OutputUnit;
import io.vertx.json.schema.Validator;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;

/** The JSON Schema of a kind of definition file, compiled once. */
final class DefinitionSchema {
    private static final String UNKNOWN_KEY = "additionalProperties";

    private final JsonObject schema;
    private final Validator validator;

    DefinitionSchema(DefinitionKind kind) {
        schema = resource(kind.schemaResource());
        validator = Validator.create(
                JsonSchema.of(schema),
                new JsonSchemaOptions()
                        .setDraft(Draft.DRAFT202012)
                        .setBaseUri(schema.getString("$id"))
                        .setOutputFormat(OutputFormat.Basic));
    }

    /** Every violation of the schema in the file; empty if it is valid. */
    List<Problem> problems(DefinitionFile file) {
        OutputUnit result = validator.validate(file.content());
        if (result.getValid()) {
            return List.of();
        }
        List<OutputUnit> units = result.getErrors();
        List<OutputUnit> causes = units.stream().filter(unit -> isCause(unit, units)).toList();
        // Whatever the validator reports, a file that is not valid has a problem.
        return (causes.isEmpty() ? units : causes).stream()
                .map(unit -> file.problem(afterHash(unit.getInstanceLocation()), reason(unit)))
                .distinct()
                .toList();
    }

    /** Whether no other unit of the output describes the problem more precisely. */
    private static boolean isCause(OutputUnit unit, List<OutputUnit> units) {
        return switch (keyword(unit)) {
            // The validator also calls a known key unknown when the value of that key is wrong.
            case UNKNOWN_KEY -> units.stream().noneMatch(other ->
                    !keyword(other).equals(UNKNOWN_KEY) && other.getInstanceLocation().equals(unit.getInstanceLocation()));
            case "if", "then", "else" -> false;
            // Their content has units of its own, except if the schema of a property is false.
            case "properties", "items", "$ref" -> units.stream().noneMatch(other -> isBelow(other, unit));
            default -> true;
        };
    }

    private static boolean isBelow(OutputUnit inner, OutputUnit outer) {
        return inner.getKeywordLocation().startsWith(outer.getKeywordLocation() + "/")
                && inner.getInstanceLocation().startsWith(outer.getInstanceLocation());
    }

    private String reason(OutputUnit unit) {
        return switch (keyword(unit)) {
            case UNKNOWN_KEY -> "is not a key that is known here";
            case "properties" -> "does not belong here";
            case "required" -> unit.getError().replace("Instance does not have required property", "lacks");
            case "minimum" -> "must be at least " + keywordValue(unit);
            case "maximum" -> "must be at most " + keywordValue(unit);
            case "minItems" -> "must have at least " + keywordValue(unit) + " items";
            case "maxItems" -> "must have at most " + keywordValue(unit) + " items";
            case "minLength" -> "must have at least " + keywordValue(unit) + " characters";
            case "maxLength" -> "must have at most " + keywordValue(unit) + " characters";
            case "pattern" -> "does not match " + keywordValue(unit);
            default -> unit.getError().replace("Instance ", "");
        };
    }

    private Object keywordValue(OutputUnit unit) {
        return JsonPointer.from(afterHash(unit.getAbsoluteKeywordLocation())).queryJson(schema);
    }

    private static String keyword(OutputUnit unit) {
        String location = unit.getKeywordLocation();
        return location.substring(location.lastIndexOf('/') + 1);
    }

    private static String afterHash(String location) {
        return location.substring(location.indexOf('#') + 1);
    }

    private static JsonObject resource(String path) {
        try (InputStream content = DefinitionSchema.class.getResourceAsStream(path)) {
            if (content == null) {
                throw new IllegalStateException("the build lacks " + path);
            }
            return new JsonObject(Buffer.buffer(content.readAllBytes()));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
