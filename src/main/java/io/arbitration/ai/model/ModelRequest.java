package io.arbitration.ai.model;

import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;

/**
 * A request to the model.
 *
 * @param schema of the JSON that it shall answer with; empty: it answers with text
 * @param answerTokens tokens of its answer at most
 */
public record ModelRequest(List<ModelMessage> messages, Optional<AnswerSchema> schema, int answerTokens) {

    boolean hasImages() {
        return messages.stream().flatMap(message -> message.parts().stream()).anyMatch(ModelMessage.Part.Image.class::isInstance);
    }

    /** @param schema a JSON Schema within what structured output takes: objects whose members are all required, no others */
    public record AnswerSchema(String name, JsonObject schema) {}
}
