package io.arbitration.platform.extensions;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.vertx.core.ThreadingModel;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The content of {@code extension.yaml}: the verticle of an extension and its settings.
 *
 * @param name its name in health and the log, e.g. {@code secretary}
 * @param main class of the verticle, with its package; it has a public constructor without parameters
 * @param threads on which it runs: virtual ones by default, so that it may block without delaying requests
 * @param configuration that the verticle gets as {@code config()}
 */
record ExtensionDescriptor(String name, String main, ThreadingModel threads, JsonObject configuration) {

    static final String FILE = "extension.yaml";
    static final long BYTES_MAX = 65_536;
    private static final String NAME = "[a-z0-9][a-z0-9-]{0,62}";
    private static final String CLASS = "[A-Za-z_$][A-Za-z0-9_$]*(\\.[A-Za-z_$][A-Za-z0-9_$]*)*";
    private static final Map<String, ThreadingModel> THREADS =
            Map.of("virtual", ThreadingModel.VIRTUAL_THREAD, "worker", ThreadingModel.WORKER, "event-loop", ThreadingModel.EVENT_LOOP);
    private static final List<String> KEYS = List.of("name", "main", "threads", "configuration");
    private static final YAMLMapper YAML = YAMLMapper.builder().enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION).build();

    /** Reads the descriptor of an extension; throws {@link ExtensionFailure} with its fault, without showing the configuration. */
    static ExtensionDescriptor read(Path folder) {
        Path file = folder.resolve(FILE);
        try {
            if (!Files.isRegularFile(file)) {
                throw new ExtensionFailure("there is no " + FILE);
            }
            if (Files.size(file) > BYTES_MAX) {
                throw new ExtensionFailure("%s: larger than %d bytes".formatted(FILE, BYTES_MAX));
            }
            return of(YAML.readTree(file.toFile()));
        } catch (com.fasterxml.jackson.core.JsonProcessingException broken) {
            throw new ExtensionFailure("%s: no YAML, line %d".formatted(FILE, broken.getLocation() == null ? 0 : broken.getLocation().getLineNr()));
        } catch (IOException unreadable) {
            throw new ExtensionFailure("%s: cannot be read".formatted(FILE));
        }
    }

    private static ExtensionDescriptor of(JsonNode root) {
        if (!root.isObject()) {
            throw new ExtensionFailure("%s: must be a map".formatted(FILE));
        }
        TreeSet<String> unknown = new TreeSet<>();
        root.fieldNames().forEachRemaining(unknown::add);
        KEYS.forEach(unknown::remove);
        if (!unknown.isEmpty()) {
            throw new ExtensionFailure("%s: %s: unknown key, known are %s".formatted(FILE, unknown.first(), String.join(", ", KEYS)));
        }
        String threads = root.has("threads") ? text(root, "threads") : "virtual";
        if (!THREADS.containsKey(threads)) {
            throw new ExtensionFailure("%s: threads: must be virtual, worker or event-loop".formatted(FILE));
        }
        JsonNode configuration = root.path("configuration");
        if (!configuration.isMissingNode() && !configuration.isNull() && !configuration.isObject()) {
            throw new ExtensionFailure("%s: configuration: must be a map".formatted(FILE));
        }
        return new ExtensionDescriptor(formed(root, "name", NAME, "1 to 63 small letters, digits and hyphens"),
                formed(root, "main", CLASS, "the name of a class, with its package"), THREADS.get(threads),
                configuration.isObject() ? new JsonObject(configuration.toString()) : new JsonObject());
    }

    private static String text(JsonNode root, String key) {
        JsonNode value = root.path(key);
        if (!value.isTextual()) {
            throw new ExtensionFailure("%s: %s: must be a text".formatted(FILE, key));
        }
        return value.asText();
    }

    private static String formed(JsonNode root, String key, String form, String bound) {
        String value = text(root, key);
        if (!value.matches(form)) {
            throw new ExtensionFailure("%s: %s: must be %s".formatted(FILE, key, bound));
        }
        return value;
    }

    /** Without the configuration, which may contain secrets. */
    @Override
    public String toString() {
        return "ExtensionDescriptor[%s, %s]".formatted(name, main);
    }
}
