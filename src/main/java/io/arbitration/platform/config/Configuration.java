package io.arbitration.platform.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The settings in layers: {@code conf/platform.yaml} lists every key, and the profile, a file and the environment override it.
 * Reading a key checks its type and bounds. A key that is not declared, or that no code reads, is an error.
 */
public final class Configuration {

    private static final String ENVIRONMENT_PREFIX = "ACP_";
    /** Environment variables that control the start itself and are no settings. */
    private static final Set<String> LAUNCHER_NAMES = Set.of("ACP_CONFIGURATION", "ACP_HOME", "ACP_INSTALL", "ACP_JAVA_OPTIONS");
    /** The form of addresses of services. */
    public static final Function<String, Optional<String>> BASE_URL = matching("https?://[^/?#@\\s]+(/[^?#\\s]*[^/?#\\s])?");
    public static final String BASE_URL_BOUND = "http:// or https:// and a host, no slash at the end";
    private static final List<String> PLACEHOLDERS = List.of("change-me", "for-trying-only");
    private static final YAMLMapper YAML =
            YAMLMapper.builder().enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION).build();

    private final Map<String, JsonNode> values = new HashMap<>();
    private final Map<String, String> sources = new HashMap<>();
    private final Set<String> unread = new TreeSet<>();
    private final Map<String, Rule> rules = new TreeMap<>();

    private Configuration() {}

    /**
     * What the code requires of a setting; used by the reference, so that it states exactly what is checked.
     *
     * @param kind what its value is, e.g. {@code whole number}
     * @param bounds further requirements; may be empty
     * @param secret whether its value must not be shown
     */
    public record Rule(String kind, String bounds, boolean secret) {}

    /**
     * Reads the layers.
     *
     * @param home folder that holds {@code conf/}
     * @param environment the process environment; {@code ACP_CONFIGURATION} names the file layer
     * @throws ConfigurationError for an unreadable file, an unknown key or a value of the wrong kind
     */
    public static Configuration load(Path home, Map<String, String> environment) {
        Path conf = home.resolve("conf");
        Configuration configuration = new Configuration();
        configuration.declare("", parse(conf.resolve("platform.yaml")));

        JsonNode file = MissingNode.getInstance();
        String fileName = environment.get("ACP_CONFIGURATION");
        if (fileName != null && !fileName.isBlank()) {
            file = parse(Path.of(fileName));
        }
        String profile = environment.getOrDefault("ACP_PROFILE",
                file.path("profile").asText(configuration.values.get("profile").asText()));
        if (!Set.of("demo", "production").contains(profile)) {
            throw ConfigurationError.outOfBounds("profile", profile, "demo or production");
        }
        configuration.override("", parse(conf.resolve("profiles").resolve(profile + ".yaml")), "profile " + profile);
        configuration.override("", file, fileName);
        configuration.overrideFromEnvironment(environment);
        if (profile.equals("production")) {
            configuration.refusePlaceholders();
        }
        configuration.unread.addAll(configuration.values.keySet());
        return configuration;
    }

    /** The placeholders for secrets in the examples of {@code deploy/} are known to everybody. */
    private void refusePlaceholders() {
        new TreeMap<>(values).forEach((key, value) -> {
            if (PLACEHOLDERS.stream().anyMatch(value.toString()::contains)) {
                throw new ConfigurationError("%s: is the placeholder of the example, from %s; give one of your own".formatted(key, sources.get(key)));
            }
        });
    }

    private static JsonNode parse(Path file) {
        if (!Files.isReadable(file)) {
            throw new ConfigurationError("configuration file %s cannot be read".formatted(file));
        }
        try {
            JsonNode root = YAML.readTree(file.toFile());
            return root == null ? MissingNode.getInstance() : root;
        } catch (IOException broken) {
            throw new ConfigurationError("configuration file %s: %s".formatted(file, broken.getMessage()));
        }
    }

    private void declare(String prefix, JsonNode node) {
        node.properties().forEach(entry -> {
            String key = prefix + entry.getKey();
            JsonNode value = entry.getValue();
            // An empty map in the defaults is a setting whose value is a map; any other map is a group of settings.
            if (value.isObject() && !value.isEmpty()) {
                declare(key + ".", value);
            } else {
                values.put(key, value);
                sources.put(key, "default");
            }
        });
    }

    private void override(String prefix, JsonNode node, String source) {
        node.properties().forEach(entry -> {
            String key = prefix + entry.getKey();
            if (values.containsKey(key)) {
                put(key, entry.getValue(), source);
            } else if (entry.getValue().isObject() && values.keySet().stream().anyMatch(k -> k.startsWith(key + "."))) {
                override(key + ".", entry.getValue(), source);
            } else {
                throw new ConfigurationError("%s: unknown key in %s (value %s); conf/platform.yaml lists every key"
                        .formatted(key, source, shown(key, entry.getValue().toString())));
            }
        });
    }

    private void overrideFromEnvironment(Map<String, String> environment) {
        Map<String, String> keyByVariable = new HashMap<>();
        values.keySet().forEach(key -> keyByVariable.put(variable(key), key));
        environment.forEach((name, text) -> {
            if (!name.startsWith(ENVIRONMENT_PREFIX) || LAUNCHER_NAMES.contains(name)) {
                return;
            }
            String key = keyByVariable.get(name);
            if (key == null) {
                throw new ConfigurationError("%s: unknown key in the environment; conf/platform.yaml lists every key".formatted(name));
            }
            put(key, fromText(key, name, text), name);
        });
    }

    private JsonNode fromText(String key, String name, String text) {
        JsonNode declared = values.get(key);
        if (declared.isArray()) {
            ArrayNode list = JsonNodeFactory.instance.arrayNode();
            for (String item : text.split(",")) {
                if (!item.isBlank()) {
                    list.add(item.strip());
                }
            }
            return list;
        }
        if (declared.isObject()) {
            try {
                return new ObjectMapper().readTree(text);
            } catch (IOException broken) {
                throw new ConfigurationError("%s: not JSON".formatted(name));
            }
        }
        return JsonNodeFactory.instance.textNode(text.strip());
    }

    private void put(String key, JsonNode value, String source) {
        JsonNode declared = values.get(key);
        if (declared.isArray() != value.isArray() || declared.isObject() != value.isObject() || value.isNull()) {
            String kind = declared.isArray() ? "a list" : declared.isObject() ? "a map" : "a single value";
            throw ConfigurationError.outOfBounds(key, shown(key, value.toString()), "must be " + kind);
        }
        values.put(key, value);
        sources.put(key, source);
    }

    /** The environment variable of a key: {@code http.port} is {@code ACP_HTTP_PORT}. */
    public static String variable(String key) {
        return ENVIRONMENT_PREFIX + key.replaceAll("([a-z])([A-Z])", "$1_$2").replace('.', '_').toUpperCase(Locale.ROOT);
    }

    /** Every declared key. */
    public Set<String> keys() {
        return new TreeSet<>(values.keySet());
    }

    /** Keys that were declared and that no code has read. */
    public Set<String> unreadKeys() {
        return new TreeSet<>(unread);
    }

    /** The rule of each key that was read. */
    public Map<String, Rule> rules() {
        return new TreeMap<>(rules);
    }

    /** The unchecked value of a key; null for a key that is not declared. */
    public JsonNode value(String key) {
        return values.get(key);
    }

    private JsonNode read(String key, String kind, String bounds) {
        JsonNode value = values.get(key);
        if (value == null) {
            throw new ConfigurationError("%s: not declared in conf/platform.yaml".formatted(key));
        }
        unread.remove(key);
        rules.merge(key, new Rule(kind, bounds, false), (before, now) -> now.bounds().isEmpty() ? before : new Rule(kind, bounds, before.secret()));
        return value;
    }

    public String text(String key) {
        return read(key, "text", "").asText();
    }

    /** A secret text. */
    public String secret(String key) {
        String value = text(key);
        rules.computeIfPresent(key, (same, rule) -> new Rule(rule.kind(), rule.bounds(), true));
        return value;
    }

    /** The same, optional. */
    public Optional<String> optionalSecret(String key) {
        return Optional.of(secret(key)).filter(value -> !value.isBlank());
    }

    /** An optional text. */
    public Optional<String> optional(String key) {
        return Optional.of(text(key)).filter(value -> !value.isBlank());
    }

    /** The same, in a given form, which {@code bound} describes. */
    public <T> Optional<T> optional(String key, String bound, Function<String, Optional<T>> form) {
        String value = read(key, "text", bound).asText();
        return value.isBlank() ? Optional.empty() : Optional.of(formed(key, value, bound, form));
    }

    /** A required text. */
    public String required(String key) {
        String value = read(key, "text", "not empty").asText();
        if (value.isBlank()) {
            throw ConfigurationError.outOfBounds(key, "(empty)", "must not be empty");
        }
        return value;
    }

    private static <T> T formed(String key, String value, String bound, Function<String, Optional<T>> form) {
        return form.apply(value).orElseThrow(() -> ConfigurationError.outOfBounds(key, value, bound));
    }

    /** The form of texts that match a regular expression. */
    public static Function<String, Optional<String>> matching(String expression) {
        Pattern pattern = Pattern.compile(expression);
        return text -> Optional.of(text).filter(whole -> pattern.matcher(whole).matches());
    }

    public String oneOf(String key, String... allowed) {
        String value = read(key, "text", "one of " + String.join(", ", allowed)).asText();
        if (!List.of(allowed).contains(value)) {
            throw ConfigurationError.outOfBounds(key, value, "one of " + String.join(", ", allowed));
        }
        return value;
    }

    public boolean yesOrNo(String key) {
        String value = read(key, "true or false", "").asText();
        return switch (value) {
            case "true" -> true;
            case "false" -> false;
            default -> throw ConfigurationError.outOfBounds(key, value, "true or false");
        };
    }

    public int whole(String key, int least, int most) {
        return (int) whole(key, (long) least, (long) most);
    }

    public long whole(String key, long least, long most) {
        String value = read(key, "whole number", "%d to %d".formatted(least, most)).asText();
        try {
            long number = Long.parseLong(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException notWhole) {
            throw ConfigurationError.outOfBounds(key, value, "a whole number from %d to %d".formatted(least, most));
        }
        throw ConfigurationError.outOfBounds(key, value, "from %d to %d".formatted(least, most));
    }

    public List<String> list(String key) {
        return list(key, "", Optional::of);
    }

    /** A list of texts in a given form, which {@code bound} describes. */
    public <T> List<T> list(String key, String bound, Function<String, Optional<T>> form) {
        List<T> items = new ArrayList<>();
        read(key, "list of texts", bound).forEach(item -> items.add(formed(key, item.asText(), bound, form)));
        return List.copyOf(items);
    }

    /** A setting whose value is a map of names. */
    public Map<String, ObjectNode> map(String key) {
        Map<String, ObjectNode> items = new HashMap<>();
        read(key, "map of maps", "").properties().forEach(entry -> {
            if (!(entry.getValue() instanceof ObjectNode object)) {
                throw ConfigurationError.outOfBounds(key + "." + entry.getKey(), entry.getValue(), "must be a map");
            }
            items.put(entry.getKey(), object);
        });
        return Map.copyOf(items);
    }

    /** A setting whose value is a map of texts; its values are never shown. */
    public Map<String, String> texts(String key) {
        Map<String, String> items = new HashMap<>();
        read(key, "map of texts", "").properties().forEach(entry -> {
            if (!entry.getValue().isValueNode() || entry.getValue().isNull()) {
                throw new ConfigurationError("%s.%s: must be a text".formatted(key, entry.getKey()));
            }
            items.put(entry.getKey(), entry.getValue().asText());
        });
        rules.computeIfPresent(key, (same, rule) -> new Rule(rule.kind(), rule.bounds(), true));
        return Map.copyOf(items);
    }

    /** Refuses members of a map setting that are not in the list. */
    public static void onlyKeys(String key, ObjectNode map, String... allowed) {
        Set<String> unknown = new HashSet<>();
        map.fieldNames().forEachRemaining(unknown::add);
        List.of(allowed).forEach(unknown::remove);
        if (!unknown.isEmpty()) {
            String name = unknown.iterator().next();
            throw new ConfigurationError("%s.%s: unknown key (value %s), known are %s"
                    .formatted(key, name, map.get(name), String.join(", ", allowed)));
        }
    }

    private static String shown(String key, String value) {
        return mayBeSecret(key) ? "(not shown)" : value;
    }

    /** Whether the name of a key, known or not, suggests that its value is a secret; true for all secrets. */
    static boolean mayBeSecret(String key) {
        return key.toLowerCase(Locale.ROOT).matches(".*(password|secret|key|url|properties|headers).*");
    }
}
