package io.arbitration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The contracts of the sources, for tests that go through them. They are parsed once a process: together they are 700 KB of YAML. */
public final class ShippedContracts {

    private static final Map<String, JsonNode> DOCUMENTS = read();

    private ShippedContracts() {}

    /**
     * An operation of a contract.
     *
     * @param contract all of it
     * @param path as it is called, with the prefix of the area
     * @param node what the contract says of it
     */
    public record Operation(String file, JsonNode contract, String id, String method, String path, JsonNode node) {

        /** What a node says itself, or the place that it refers to. */
        public JsonNode resolved(JsonNode one) {
            return ShippedContracts.resolved(contract, one);
        }
    }

    private static Map<String, JsonNode> read() {
        Map<String, JsonNode> documents = new TreeMap<>();
        try (Stream<Path> files = Files.list(Path.of("src/main/resources/openapi"))) {
            for (Path file : files.filter(path -> path.toString().endsWith(".yaml")).toList()) {
                documents.put(file.getFileName().toString(), new YAMLMapper().readTree(file.toFile()));
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return Collections.unmodifiableMap(documents);
    }

    /** Each contract by the name of its file. */
    public static Map<String, JsonNode> documents() {
        return DOCUMENTS;
    }

    /** Every operation, by contract and in the order of the contract. */
    public static List<Operation> operations() {
        List<Operation> operations = new ArrayList<>();
        DOCUMENTS.forEach((file, contract) -> contract.path("paths").properties().forEach(path -> path.getValue().properties().forEach(method -> {
            if (method.getValue().has("operationId")) {
                operations.add(new Operation(file, contract, method.getValue().get("operationId").asText(), method.getKey(),
                        contract.at("/servers/0/url").asText() + path.getKey(), method.getValue()));
            }
        })));
        return operations;
    }

    public static JsonNode resolved(JsonNode contract, JsonNode node) {
        return node.has("$ref") ? contract.at(node.get("$ref").asText().substring(1)) : node;
    }
}
