package io.arbitration.platform.reference;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Several contracts in one document, for generators that accept one. Paths have the prefix of their area. Components that all
 * contracts define alike appear once, and a component that they define differently is named after its contract.
 *
 * <p>The document promises less than the contracts, by which the platform is tested. Objects that a contract closes are open in
 * it, so that a client accepts an answer to which a later version adds a member. IDs are texts without a format, because a client
 * with a UUID type could not send an ID that another contract defines as any text. A list without repetitions is a plain list,
 * because generators would make a set of it, which callers in TypeScript and Java would have to build. It has one authentication
 * scheme, the bearer token: generators take OAuth 2.0 beside it for a second token, and send that instead.
 */
final class ContractBundle {

    private static final String COMPONENTS = "#/components/";
    private static final String REFERENCE = "$ref";
    /** Gets names for its values, for languages that do not allow dots in names. */
    private static final String ERROR_CODE = "ErrorCode";
    /** False on an operation that is only in the contract of its area. */
    private static final String FOR_CLIENTS = "x-for-clients";
    /** The scheme by which machine clients get their tokens. */
    private static final String OAUTH2 = "oauth2";

    private final Map<String, JsonObject> contracts;
    /** Components as {@code kind/name} that differ between contracts. */
    private final Set<String> different = new HashSet<>();

    private ContractBundle(Map<String, JsonObject> contracts) {
        this.contracts = contracts;
    }

    /**
     * @param info of the resulting document
     * @param contracts by name, in the order of the document; each has its prefix as its only server
     */
    static JsonObject of(JsonObject info, Map<String, JsonObject> contracts) {
        return new ContractBundle(new LinkedHashMap<>(contracts)).document(info);
    }

    private JsonObject document(JsonObject info) {
        findDifferent();
        JsonArray tags = new JsonArray();
        JsonObject paths = new JsonObject();
        JsonObject webhooks = new JsonObject();
        JsonObject components = new JsonObject();
        contracts.forEach((name, contract) -> {
            JsonObject renamed = (JsonObject) renamed(contract, reference -> renamed(name, reference));
            tags.addAll(renamed.getJsonArray("tags", new JsonArray()));
            String prefix = renamed.getJsonArray("servers").getJsonObject(0).getString("url");
            renamed.getJsonObject("paths").stream().filter(path -> isForClients((JsonObject) path.getValue())).forEach(path -> paths.put(path.getKey().equals("/") ? prefix : prefix + path.getKey(), secured((JsonObject) path.getValue(), renamed)));
            webhooks.mergeIn(renamed.getJsonObject("webhooks", new JsonObject()));
            renamed.getJsonObject("components").forEach(kind -> ((JsonObject) kind.getValue()).forEach(component -> components(components, kind.getKey())
                    .put(different.contains(kind.getKey() + "/" + component.getKey()) ? own(name, component.getKey()) : component.getKey(), component.getValue())));
        });
        JsonObject errorCode = components.getJsonObject("schemas").getJsonObject(ERROR_CODE);
        errorCode.put("x-enum-varnames", new JsonArray(errorCode.getJsonArray("enum").stream()
                .map(code -> ((String) code).toUpperCase(Locale.ROOT).replaceAll("[.-]", "_")).toList()));
        Set<String> answered = new HashSet<>();
        findReferences(paths, answered);
        components.getJsonObject("responses").fieldNames().removeIf(name -> !answered.contains(COMPONENTS + "responses/" + name));
        return new JsonObject()
                .put("openapi", contracts.values().iterator().next().getString("openapi"))
                .put("info", info)
                .put("servers", new JsonArray().add(new JsonObject().put("url", "/").put("description", "The host of the platform.")))
                .put("tags", tags)
                .put("paths", paths)
                .put("webhooks", webhooks)
                .put("components", components);
    }

    private static void findReferences(Object node, Set<String> found) {
        switch (node) {
            case JsonObject object -> object.forEach(member -> {
                if (member.getKey().equals(REFERENCE)) {
                    found.add((String) member.getValue());
                } else {
                    findReferences(member.getValue(), found);
                }
            });
            case JsonArray array -> array.forEach(item -> findReferences(item, found));
            case null, default -> { }
        }
    }

    /** A generated client cannot use pages for browsers, or an answer that never ends. */
    private static boolean isForClients(JsonObject path) {
        return path.stream().noneMatch(member -> member.getValue() instanceof JsonObject operation && Boolean.FALSE.equals(operation.getValue(FOR_CLIENTS)));
    }

    private static JsonObject components(JsonObject all, String kind) {
        if (!all.containsKey(kind)) {
            all.put(kind, new JsonObject());
        }
        return all.getJsonObject(kind);
    }

    /** Copies the security of the contract to each of its operations. */
    private static JsonObject secured(JsonObject path, JsonObject contract) {
        JsonArray security = contract.getJsonArray("security");
        if (security != null) {
            path.forEach(member -> {
                if (member.getValue() instanceof JsonObject operation && operation.containsKey("operationId") && !operation.containsKey("security")) {
                    operation.put("security", security);
                }
            });
        }
        return path;
    }

    /** Finds the components that differ themselves, and then those that refer to such, until there are no more. */
    private void findDifferent() {
        Map<String, Object> first = new LinkedHashMap<>();
        contracts.values().forEach(contract -> components(contract).forEach(component -> {
            Object before = first.putIfAbsent(component.getKey(), component.getValue());
            if (before != null && !before.equals(component.getValue())) {
                different.add(component.getKey());
            }
        }));
        int before;
        do {
            before = different.size();
            contracts.values().forEach(contract -> components(contract)
                    .filter(component -> refersToDifferent(component.getValue()))
                    .forEach(component -> different.add(component.getKey())));
        } while (different.size() > before);
    }

    private static Stream<Map.Entry<String, Object>> components(JsonObject contract) {
        return contract.getJsonObject("components").stream().flatMap(kind -> ((JsonObject) kind.getValue()).stream()
                .map(component -> Map.entry(kind.getKey() + "/" + component.getKey(), component.getValue())));
    }

    private boolean refersToDifferent(Object node) {
        return switch (node) {
            case JsonObject object -> object.stream().anyMatch(member -> member.getKey().equals(REFERENCE)
                    ? different.contains(((String) member.getValue()).substring(COMPONENTS.length()))
                    : refersToDifferent(member.getValue()));
            case JsonArray array -> array.stream().anyMatch(this::refersToDifferent);
            case null, default -> false;
        };
    }

    private String renamed(String contract, String reference) {
        String component = reference.substring(COMPONENTS.length());
        int slash = component.indexOf('/');
        return different.contains(component)
                ? COMPONENTS + component.substring(0, slash + 1) + own(contract, component.substring(slash + 1))
                : reference;
    }

    private static String own(String contract, String component) {
        return Character.toUpperCase(contract.charAt(0)) + contract.substring(1) + component;
    }

    /** A copy that promises less, with renamed references. */
    private static Object renamed(Object node, UnaryOperator<String> reference) {
        return switch (node) {
            case JsonObject object -> {
                JsonObject copy = new JsonObject();
                object.stream().filter(member -> !promisesMore(member) && !member.getKey().equals(OAUTH2)).forEach(member -> copy.put(member.getKey(), member.getKey().equals(REFERENCE)
                        ? reference.apply((String) member.getValue()) : renamed(member.getKey().equals("additionalProperties") ? withoutNull(member.getValue()) : member.getValue(), reference)));
                yield copy;
            }
            case JsonArray array -> {
                JsonArray copy = new JsonArray();
                array.stream().filter(item -> !(item instanceof JsonObject scheme && scheme.containsKey(OAUTH2))).forEach(item -> copy.add(renamed(item, reference)));
                yield copy;
            }
            case null, default -> node;
        };
    }

    /** A null value of a map means the same as an absent one, and costs Go clients a pointer for each value. */
    private static Object withoutNull(Object values) {
        return values instanceof JsonObject schema && schema.getValue("type") instanceof JsonArray types && types.size() == 2 && types.contains("null")
                ? schema.copy().put("type", types.stream().filter(type -> !type.equals("null")).findFirst().orElseThrow()) : values;
    }

    private static boolean promisesMore(Map.Entry<String, Object> member) {
        return member.getKey().equals("additionalProperties") && Boolean.FALSE.equals(member.getValue())
                || member.getKey().equals("format") && "uuid".equals(member.getValue())
                || member.getKey().equals("uniqueItems") && Boolean.TRUE.equals(member.getValue());
    }
}
