package io.arbitration.console;

import com.fasterxml.jackson.databind.JsonNode;
import io.arbitration.ShippedContracts;
import io.arbitration.ShippedContracts.Operation;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Whether a request of a page is one of the contracts: its path and method, the parameters of its query, its conditions, the fields of its body. */
final class ContractRequests {

    private static final List<Known> KNOWN = ShippedContracts.operations().stream().map(Known::new).toList();
    /** Of a platform that does not know them they would have no effect. */
    private static final List<String> CONDITIONS = List.of("If-Match", "Idempotency-Key");

    private ContractRequests() {}

    private record Known(Operation operation, Pattern path) {
        Known(Operation operation) {
            this(operation, Pattern.compile(Arrays.stream(operation.path().split("(?=\\{)|(?<=\\})")).map(part -> part.startsWith("{") ? "[^/]+" : Pattern.quote(part)).collect(Collectors.joining())));
        }

        Set<String> parameters(String in) {
            Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
            for (JsonNode one : operation.node().path("parameters")) {
                JsonNode parameter = operation.resolved(one);
                if (parameter.path("in").asText().equals(in)) {
                    names.add(parameter.path("name").asText());
                }
            }
            return names;
        }

        /** Of a body that is an object. */
        Set<String> fields() {
            Set<String> names = new TreeSet<>();
            collect(operation.resolved(operation.node().path("requestBody")).path("content").path("application/json").path("schema"), names);
            return names;
        }

        private void collect(JsonNode schema, Set<String> names) {
            JsonNode resolved = operation.resolved(schema);
            resolved.path("properties").fieldNames().forEachRemaining(names::add);
            resolved.path("allOf").forEach(one -> collect(one, names));
        }
    }

    /**
     * What of a request is in no contract; empty when all of it is.
     *
     * @param request as the browser tells of it (DevTools Protocol, {@code Network.Request})
     */
    static Optional<String> trouble(JsonObject request) {
        URI address = URI.create(request.getString("url"));
        String method = request.getString("method").toLowerCase();
        Optional<Known> found = KNOWN.stream().filter(one -> one.operation.method().equals(method) && one.path.matcher(address.getPath()).matches()).findFirst();
        if (found.isEmpty()) {
            return Optional.of("%s %s is in no contract".formatted(method, address.getPath()));
        }
        Known known = found.get();
        List<String> unknown = new ArrayList<>();
        if (address.getRawQuery() != null) {
            Set<String> parameters = known.parameters("query");
            Arrays.stream(address.getRawQuery().split("&")).map(one -> one.split("=")[0]).filter(name -> !parameters.contains(name)).forEach(unknown::add);
        }
        Set<String> headers = known.parameters("header");
        request.getJsonObject("headers").fieldNames().stream().filter(name -> CONDITIONS.stream().anyMatch(name::equalsIgnoreCase) && !headers.contains(name)).forEach(unknown::add);
        unknown.addAll(fields(request, known));
        return unknown.isEmpty() ? Optional.empty() : Optional.of("%s knows no %s".formatted(known.operation.id(), unknown));
    }

    private static List<String> fields(JsonObject request, Known known) {
        String body = request.getString("postData", "");
        if (!body.startsWith("{")) {
            return List.of();
        }
        Set<String> fields = known.fields();
        try {
            return new JsonObject(body).fieldNames().stream().filter(name -> !fields.contains(name)).toList();
        } catch (DecodeException broken) {
            return List.of("body that is no JSON: " + body);
        }
    }
}
