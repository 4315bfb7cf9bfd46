package io.arbitration.cases.definitions;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import io.arbitration.cases.definitions.InvalidDefinition.Problem;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The content of a definition file, with the line of each value.
 *
 * <p>One YAML document with a mapping at its root; no anchors, no key twice, at most {@value #DEPTH_MAX} levels.
 *
 * @param name relative to the folder of definitions
 * @param lines JSON pointer to line, from 1
 */
record DefinitionFile(String name, JsonObject content, Map<String, Integer> lines) {
    private static final int DEPTH_MAX = 20;
    private static final YAMLFactory YAML =
            YAMLFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    // Otherwise yes, no, on and off would be booleans, even in a display name.
                    .enable(YAMLParser.Feature.PARSE_BOOLEAN_LIKE_WORDS_AS_STRINGS)
                    .build();

    /** Fails with InvalidDefinition if the file does not exist or is no such document. */
    static DefinitionFile read(Path folder, String name) {
        try (YAMLParser parser = YAML.createParser(Files.readString(folder.resolve(name)))) {
            return new Reading(name, parser).file();
        } catch (NoSuchFileException missing) {
            throw broken(name, 0, "is missing");
        } catch (CharacterCodingException notText) {
            throw broken(name, 0, "is not UTF-8 text");
        } catch (JsonProcessingException notYaml) {
            int line = notYaml.getLocation() == null ? 0 : notYaml.getLocation().getLineNr();
            throw broken(name, line, "is not YAML that can be read: " + firstLine(notYaml.getOriginalMessage()));
        } catch (IOException unreadable) {
            throw broken(name, 0, "cannot be read: " + unreadable);
        }
    }

    /** A problem at a position in this file. */
    Problem problem(String place, String reason) {
        return new Problem(name, place, lineOf(place), reason);
    }

    /** The line of the position, or of the nearest enclosing value: a missing key has no line of its own. */
    private int lineOf(String place) {
        String known = place;
        while (!known.isEmpty() && !lines.containsKey(known)) {
            known = known.substring(0, known.lastIndexOf('/'));
        }
        return known.isEmpty() ? 0 : lines.get(known);
    }

    private static InvalidDefinition broken(String name, int line, String reason) {
        return new InvalidDefinition(List.of(new Problem(name, "", line, reason)));
    }

    private static String firstLine(String message) {
        return message.lines().findFirst().orElse("");
    }

    /** Reads the tokens of a file once, because a tree of nodes would not have the lines. */
    private static final class Reading {
        private final String name;
        private final YAMLParser parser;
        private final Map<String, Integer> lines = new HashMap<>();

        Reading(String name, YAMLParser parser) {
            this.name = name;
            this.parser = parser;
        }

        DefinitionFile file() throws IOException {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw broken(name, 0, "must be a mapping of keys to values");
            }
            JsonObject content = object("", 1);
            if (parser.nextToken() != null) {
                throw broken(name, line(), "must be one YAML document");
            }
            return new DefinitionFile(name, content, lines);
        }

        private Object value(String place, int depth) throws IOException {
            if (depth > DEPTH_MAX) {
                throw broken(name, line(), "is nested deeper than " + DEPTH_MAX + " levels");
            }
            if (parser.isCurrentAlias() || parser.getObjectId() != null) {
                throw broken(name, line(), "must not use anchors and aliases");
            }
            lines.put(place, line());
            return switch (parser.currentToken()) {
                case START_OBJECT -> object(place, depth);
                case START_ARRAY -> array(place, depth);
                case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getNumberValue();
                case VALUE_TRUE -> true;
                case VALUE_FALSE -> false;
                case VALUE_NULL -> null;
                default -> parser.getText();
            };
        }

        private JsonObject object(String place, int depth) throws IOException {
            JsonObject object = new JsonObject();
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String key = parser.currentName();
                parser.nextToken();
                object.put(key, value(place + "/" + escaped(key), depth + 1));
            }
            return object;
        }

        private JsonArray array(String place, int depth) throws IOException {
            JsonArray array = new JsonArray();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                array.add(value(place + "/" + array.size(), depth + 1));
            }
            return array;
        }

        private int line() {
            return parser.currentTokenLocation().getLineNr();
        }

        private static String escaped(String key) {
            return key.replace("~", "~0").replace("/", "~1");
        }
    }
}
