package io.arbitration;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The reference of the operations: their paths, what they do, and who may call them, as the contracts say. */
class OperationsReferenceTest {

    private static final Path PAGE = Path.of("docs/reference/operations.md");

    /** Who may call: what the contract names as permissions of the bearer. */
    private static String caller(ShippedContracts.Operation operation) {
        JsonNode security = operation.node().path("security");
        if (security.isEmpty()) {
            return "everybody";
        }
        List<String> permissions = new ArrayList<>();
        security.get(0).path("bearer").forEach(permission -> permissions.add(KeptPage.code(permission.asText())));
        return permissions.isEmpty() ? "signed in" : String.join(", ", permissions);
    }

    /** The headers of a request that only some operations take. */
    private static String headers(ShippedContracts.Operation operation) {
        List<String> named = new ArrayList<>();
        operation.node().path("parameters").forEach(parameter -> named.add(operation.resolved(parameter).path("name").asText()));
        return Stream.of("Idempotency-Key", "If-Match").filter(named::contains).map(KeptPage::code).collect(Collectors.joining(", "));
    }

    /** The generators name a class after the tag. */
    private static String clientClass(ShippedContracts.Operation operation) {
        return operation.node().path("x-for-clients").asBoolean(true) ? KeptPage.code(Stream.of(operation.node().path("tags").path(0).asText().split("-"))
                .map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1)).collect(Collectors.joining()) + "Api") : "";
    }

    private static String page() {
        Map<String, List<ShippedContracts.Operation>> areas = new TreeMap<>();
        ShippedContracts.operations().forEach(operation -> areas.computeIfAbsent(operation.path().split("/")[1], area -> new ArrayList<>()).add(operation));
        StringBuilder page = new StringBuilder("""
                # Operations

                The columns are: the operation; what it does; who may call it; the optional headers of its requests; its `operationId`; and the
                class of the [generated clients](../guides/generate-a-client.md) whose method has the name of the `operationId`. In Python
                `listPrompts` is `list_prompts`; in Go `PromptsApi` is `PromptsAPI`. An operation without a class is not part of the clients.

                "signed in" means any person or program with a token. What a caller may do in a case also depends on its part in the case
                ([Permissions](permissions.md)). [Errors](errors.md#by-operation) lists the errors of each operation. A running platform shows every
                operation with its fields and examples at `/docs`.

                `./acp reference` generates this page from the contracts.
                """);
        areas.forEach((area, operations) -> {
            page.append("\n## ").append(area).append("\n\n| operation | what it does | caller | headers | operationId | class |\n|---|---|---|---|---|---|\n");
            operations.forEach(operation -> page.append("| %s | %s | %s | %s | %s | %s |%n".formatted(
                    KeptPage.code(operation.method().toUpperCase() + " " + operation.path()), KeptPage.cell(operation.node().path("summary").asText())
                            + (operation.node().path("deprecated").asBoolean() ? " (deprecated)" : ""),
                    caller(operation), headers(operation), KeptPage.code(operation.id()), clientClass(operation))));
        });
        return page.toString();
    }

    @Test
    void thePageListsEveryOperation() throws IOException {
        KeptPage.check(PAGE, page());
    }
}
