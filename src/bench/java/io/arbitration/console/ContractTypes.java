package io.arbitration.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * Writes what the console knows of the contracts, as TypeScript: a namespace of types for each contract, and a constant for each operation
 * with its path and the types of what it is sent and answers. The console has no other paths, so that it cannot ask for what no contract has.
 */
final class ContractTypes {

    private static final Set<String> METHODS = Set.of("get", "post");
    private static final String JSON = "application/json";

    private final StringBuilder text = new StringBuilder("""
            // Made from the contracts by the build.

            /** What is sent to an operation, and what comes back. */
            export interface Operation<Q, A> {
              readonly path: string;
              readonly answers: 'json' | 'file';
              /** Whether it takes an `Idempotency-Key`, as writes do. */
              readonly isWrite?: boolean;
              /** For the compiler alone. */
              readonly types?: (sent: Q) => A;
            }

            const json = <Q, A>(path: string): Operation<Q, A> => ({path, answers: 'json'});
            const write = <Q, A>(path: string): Operation<Q, A> => ({path, answers: 'json', isWrite: true});
            const file = <Q>(path: string): Operation<Q, Blob> => ({path, answers: 'file'});
            """);
    private String namespace;

    private ContractTypes() {}

    /**
     * @param folder of the contracts
     * @param names of those that the console speaks, without their ending
     */
    static String of(Path folder, List<String> names) throws IOException {
        ContractTypes types = new ContractTypes();
        for (String name : names) {
            types.add(name, new YAMLMapper().readTree(Files.readAllBytes(folder.resolve(name + ".yaml"))));
        }
        return types.text.toString();
    }

    private void add(String name, JsonNode contract) {
        namespace = Character.toUpperCase(name.charAt(0)) + name.substring(1);
        text.append("\nexport namespace ").append(namespace).append(" {\n");
        contract.path("components").path("schemas").properties().forEach(schema ->
                text.append("  export type ").append(schema.getKey()).append(" = ").append(type(schema.getValue(), "  ")).append(";\n"));
        text.append("}\n\n");
        String area = contract.path("servers").path(0).path("url").asText();
        contract.path("paths").properties().forEach(path -> path.getValue().properties().stream()
                .filter(operation -> METHODS.contains(operation.getKey()))
                .forEach(operation -> text.append(operation(area + path.getKey(), operation.getValue()))));
    }

    private String operation(String path, JsonNode operation) {
        JsonNode answer = operation.path("responses").path("200").path("content");
        String sent = sent(operation.path("requestBody"));
        // A path that is used nowhere is left out of the bundle.
        String made = answer.has(JSON)
                ? "%s<%s, %s>".formatted(isWrite(operation) ? "write" : "json", sent, type(answer.path(JSON).path("schema"), ""))
                : "file<%s>".formatted(sent);
        return "export const %s = /* @__PURE__ */ %s('%s');\n".formatted(operation.path("operationId").asText(), made, path);
    }

    private static boolean isWrite(JsonNode operation) {
        return StreamSupport.stream(operation.path("parameters").spliterator(), false).anyMatch(one -> one.path("$ref").asText().endsWith("/IdempotencyKey"));
    }

    private String sent(JsonNode body) {
        JsonNode content = body.path("content");
        if (content.has("multipart/form-data")) {
            return "FormData";
        }
        return content.has(JSON) ? type(content.path(JSON).path("schema"), "") : "Record<string, never>";
    }

    private String type(JsonNode schema, String indent) {
        if (schema.has("$ref")) {
            String reference = schema.path("$ref").asText();
            return namespace + "." + reference.substring(reference.lastIndexOf('/') + 1);
        }
        for (String choice : List.of("oneOf", "anyOf")) {
            if (schema.has(choice)) {
                return union(schema.path(choice), indent);
            }
        }
        if (schema.has("allOf")) {
            return StreamSupport.stream(schema.path("allOf").spliterator(), false).map(one -> type(one, indent)).collect(Collectors.joining(" & "));
        }
        if (schema.has("enum")) {
            return StreamSupport.stream(schema.path("enum").spliterator(), false).map(JsonNode::toString).collect(Collectors.joining(" | "));
        }
        if (schema.has("const")) {
            return schema.path("const").toString();
        }
        JsonNode kinds = schema.path("type");
        if (kinds.isArray()) {
            List<String> all = new ArrayList<>();
            kinds.forEach(kind -> all.add(type(kind.asText(), schema, indent)));
            return String.join(" | ", all);
        }
        return type(kinds.asText(), schema, indent);
    }

    private String union(JsonNode choices, String indent) {
        Set<String> all = new TreeSet<>();
        choices.forEach(choice -> all.add(type(choice, indent)));
        return String.join(" | ", all);
    }

    private String type(String kind, JsonNode schema, String indent) {
        return switch (kind) {
            case "string" -> "string";
            case "integer", "number" -> "number";
            case "boolean", "null" -> kind;
            case "array" -> "(" + type(schema.path("items"), indent) + ")[]";
            case "object" -> object(schema, indent);
            case "" -> "unknown";
            default -> throw new IllegalArgumentException("no type of TypeScript for the type " + kind);
        };
    }

    private String object(JsonNode schema, String indent) {
        JsonNode members = schema.path("properties");
        if (members.isEmpty()) {
            JsonNode values = schema.path("additionalProperties");
            return "Record<string, %s>".formatted(values.isObject() ? type(values, indent) : "unknown");
        }
        Set<String> required = new TreeSet<>();
        schema.path("required").forEach(one -> required.add(one.asText()));
        StringBuilder object = new StringBuilder("{\n");
        members.properties().forEach(member -> object.append(indent).append("  ").append(member.getKey()).append(required.contains(member.getKey()) ? ": " : "?: ")
                .append(type(member.getValue(), indent + "  ")).append(";\n"));
        return object.append(indent).append('}').toString();
    }
}
