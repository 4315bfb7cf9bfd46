package io.arbitration.emails;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.arbitration.platform.config.ConfigurationError;
import io.arbitration.platform.answer.Refusal;
import io.pebbletemplates.pebble.PebbleEngine;
import io.pebbletemplates.pebble.error.PebbleException;
import io.pebbletemplates.pebble.loader.FileLoader;
import io.pebbletemplates.pebble.template.PebbleTemplate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The email templates of a folder: a folder for each template, with {@code template.yaml} (the variables), {@code subject.txt},
 * {@code body.html} and {@code body.txt}. In HTML every value is escaped. Each template is rendered with its examples when it is
 * loaded, so that a template with an undeclared variable stops the start.
 */
final class EmailTemplates {

    private static final int RENDERED_LENGTH_MAX = 1_000_000;
    private static final Set<String> KEYS = Set.of("description", "variables");
    private static final Set<String> VARIABLE_KEYS = Set.of("description", "example", "required");
    private static final YAMLMapper YAML = YAMLMapper.builder().enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION).build();

    private final Map<String, EmailTemplate> templates;

    private EmailTemplates(Map<String, EmailTemplate> templates) {
        this.templates = templates;
    }

    /**
     * Reads every template; blocks.
     *
     * @throws ConfigurationError that names the file, the line and the fault
     */
    static EmailTemplates load(Path folder) {
        PebbleEngine html = engine(folder, true);
        PebbleEngine text = engine(folder, false);
        Map<String, EmailTemplate> templates = new HashMap<>();
        for (Path each : folders(folder)) {
            EmailTemplate template = read(each, html, text);
            proveWith(template, each);
            templates.put(template.name(), template);
        }
        return new EmailTemplates(templates);
    }

    private static PebbleEngine engine(Path folder, boolean escaping) {
        return new PebbleEngine.Builder()
                .loader(new FileLoader(folder.toAbsolutePath().normalize().toString()))
                .strictVariables(true)
                .autoEscaping(escaping)
                .newLineTrimming(false)
                .maxRenderedSize(RENDERED_LENGTH_MAX)
                .build();
    }

    private static List<Path> folders(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(Files::isDirectory).sorted().toList();
        } catch (IOException unreadable) {
            throw new ConfigurationError("emails.templatesFolder: %s cannot be read".formatted(folder));
        }
    }

    private static EmailTemplate read(Path folder, PebbleEngine html, PebbleEngine text) {
        String name = folder.getFileName().toString();
        Map<String, EmailTemplate.Variable> variables = variables(folder.resolve("template.yaml"));
        return new EmailTemplate(name, variables, template(text, folder, "subject.txt"), template(html, folder, "body.html"),
                template(text, folder, "body.txt"));
    }

    private static PebbleTemplate template(PebbleEngine engine, Path folder, String file) {
        try {
            return engine.getTemplate(folder.getFileName() + "/" + file);
        } catch (PebbleException broken) {
            throw broken(folder.resolve(file), broken);
        }
    }

    private static Map<String, EmailTemplate.Variable> variables(Path file) {
        Map<String, EmailTemplate.Variable> variables = new LinkedHashMap<>();
        try {
            JsonNode root = YAML.readTree(file.toFile());
            onlyKeys(file, "", root, KEYS);
            root.path("variables").properties().forEach(variable -> {
                JsonNode declared = variable.getValue();
                onlyKeys(file, "variables." + variable.getKey() + ".", declared, VARIABLE_KEYS);
                if (!declared.has("example")) {
                    throw new ConfigurationError("%s: variables.%s: has no example".formatted(file, variable.getKey()));
                }
                variables.put(variable.getKey(), new EmailTemplate.Variable(
                        declared.path("required").asBoolean(true), YAML.convertValue(declared.get("example"), Object.class)));
            });
        } catch (IOException broken) {
            throw new ConfigurationError("%s: %s".formatted(file, broken.getMessage()));
        }
        return variables;
    }

    private static void onlyKeys(Path file, String place, JsonNode node, Set<String> known) {
        Set<String> unknown = new TreeSet<>();
        node.fieldNames().forEachRemaining(unknown::add);
        unknown.removeAll(known);
        if (!node.isObject() || !unknown.isEmpty()) {
            throw new ConfigurationError("%s: %s%s: known are %s".formatted(file, place, unknown.isEmpty() ? "must be a map" : unknown, known));
        }
    }

    /** Renders it with all variables, and with only the required ones. */
    private static void proveWith(EmailTemplate template, Path folder) {
        Map<String, Object> all = new HashMap<>();
        Map<String, Object> required = new HashMap<>();
        template.variables().forEach((name, variable) -> {
            all.put(name, variable.example());
            required.put(name, variable.required() ? variable.example() : null);
        });
        try {
            template.fill(all, Optional.empty());
            template.fill(required, Optional.empty());
        } catch (PebbleException broken) {
            throw broken(folder, broken);
        } catch (Refusal unfit) {
            throw new ConfigurationError("%s: with its examples, %s".formatted(folder, unfit.getMessage()));
        }
    }

    private static ConfigurationError broken(Path place, PebbleException broken) {
        return new ConfigurationError("%s: %s, line %s: %s".formatted(place, broken.getFileName() == null ? "?" : broken.getFileName(),
                broken.getLineNumber() == null ? "?" : broken.getLineNumber(), broken.getPebbleMessage()));
    }

    /** @throws Refusal 404 */
    EmailTemplate named(String name) {
        EmailTemplate template = templates.get(name);
        if (template == null) {
            throw EmailsError.TEMPLATE_NOT_FOUND.refusal();
        }
        return template;
    }
}
