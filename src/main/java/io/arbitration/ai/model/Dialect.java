package io.arbitration.ai.model;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Locale;
import java.util.Optional;

/**
 * Which members of a request an endpoint accepts. Endpoints that are called OpenAI-compatible differ: one refuses a member that it
 * does not know with 400 or 422 and names it. The request is then repeated without that member, and so are all later ones.
 *
 * @param completionTokens whether the bound of an answer is called {@code max_completion_tokens}
 * @param temperature whether a temperature may be named
 */
record Dialect(Structure structure, boolean completionTokens, boolean temperature) {

    /** How JSON is asked for, from the strictest way to none. */
    enum Structure { JSON_SCHEMA, JSON_OBJECT_WITH_SCHEMA, JSON_OBJECT, NONE }

    static Dialect first(ModelSettings.StructuredOutput setting) {
        return new Dialect(switch (setting) {
            case AUTO, JSON_SCHEMA -> Structure.JSON_SCHEMA;
            case JSON_OBJECT -> Structure.JSON_OBJECT;
            case NONE -> Structure.NONE;
        }, false, true);
    }

    JsonObject body(Optional<String> model, ModelRequest request) {
        JsonObject body = new JsonObject();
        model.ifPresent(name -> body.put("model", name));
        body.put("messages", new JsonArray(request.messages().stream().map(ModelMessage::json).toList()))
                .put("stream", false)
                .put(completionTokens ? "max_completion_tokens" : "max_tokens", request.answerTokens());
        if (temperature) {
            // Makes the answer to the same request the same, as far as the server can.
            body.put("temperature", 0).put("seed", 1);
        }
        request.schema().flatMap(this::format).ifPresent(format -> body.put("response_format", format));
        return body;
    }

    private Optional<JsonObject> format(ModelRequest.AnswerSchema schema) {
        return switch (structure) {
            case JSON_SCHEMA -> Optional.of(new JsonObject().put("type", "json_schema").put("json_schema",
                    new JsonObject().put("name", schema.name()).put("strict", true).put("schema", schema.schema())));
            case JSON_OBJECT_WITH_SCHEMA -> Optional.of(new JsonObject().put("type", "json_object").put("schema", schema.schema()));
            case JSON_OBJECT -> Optional.of(new JsonObject().put("type", "json_object"));
            case NONE -> Optional.empty();
        };
    }

    /** The dialect without the member that a refusal names; empty when the refusal is about something else. */
    Optional<Dialect> without(String refusal, ModelSettings.StructuredOutput setting) {
        String words = refusal.toLowerCase(Locale.ROOT);
        if (!completionTokens && words.contains("max_completion_tokens")) {
            return Optional.of(new Dialect(structure, true, temperature));
        }
        if (temperature && (words.contains("temperature") || words.contains("'seed'") || words.contains("\"seed\""))) {
            return Optional.of(new Dialect(structure, completionTokens, false));
        }
        boolean aboutFormat = words.contains("response_format") || words.contains("json_schema") || words.contains("json_object")
                || words.contains("grammar");
        if (setting == ModelSettings.StructuredOutput.AUTO && structure != Structure.NONE && aboutFormat) {
            return Optional.of(new Dialect(Structure.values()[structure.ordinal() + 1], completionTokens, temperature));
        }
        return Optional.empty();
    }
}
