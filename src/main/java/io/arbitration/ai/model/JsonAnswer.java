package io.arbitration.ai.model;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Optional;

/** Finds the JSON object in an answer of the model, which may be surrounded by prose, be in a code block, or follow the reasoning of the model. */
public final class JsonAnswer {

    private static final ObjectReader STRICT = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY).build().readerFor(JsonNode.class);
    private static final String END_OF_THOUGHTS = "</think>";
    /** Opening braces that are tried at most: a text full of braces is no answer. */
    private static final int TRIES_MAX = 32;

    private JsonAnswer() {}

    /** The first complete object; empty when there is none. */
    public static Optional<ObjectNode> in(String said) {
        int thoughts = said.lastIndexOf(END_OF_THOUGHTS);
        String text = thoughts < 0 ? said : said.substring(thoughts + END_OF_THOUGHTS.length());
        int at = text.indexOf('{');
        for (int tries = 0; at >= 0 && tries < TRIES_MAX; tries++) {
            Optional<ObjectNode> object = at(text, at);
            if (object.isPresent()) {
                return object;
            }
            at = text.indexOf('{', at + 1);
        }
        return Optional.empty();
    }

    private static Optional<ObjectNode> at(String text, int from) {
        try (JsonParser parser = STRICT.createParser(text.substring(from))) {
            return STRICT.readTree(parser) instanceof ObjectNode object ? Optional.of(object) : Optional.empty();
        } catch (IOException notJson) {
            return Optional.empty();
        }
    }
}
