package io.arbitration.ai.award;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.arbitration.ai.model.JsonAnswer;
import io.arbitration.ai.model.ModelRequest.AnswerSchema;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A draft award. */
record Award(String outcome, String reasons) {

    static final AnswerSchema SCHEMA = new AnswerSchema("award", new JsonObject()
            .put("type", "object")
            .put("properties", new JsonObject()
                    .put("outcome", new JsonObject().put("type", "string"))
                    .put("reasons", new JsonObject().put("type", "string")))
            .put("required", new JsonArray().add("outcome").add("reasons"))
            .put("additionalProperties", false));
    private static final int OUTCOME_LENGTH_MAX = 4000;
    private static final int REASONS_LENGTH_MAX = 200_000;
    private static final int NAMED_MAX = 20;

    JsonObject json() {
        return new JsonObject().put("outcome", outcome).put("reasons", reasons);
    }

    /** An answer of the model, and what is wrong about it if anything is. */
    sealed interface Checked {

        record Good(Award award) implements Checked {}

        /** Has the form of an award, but cites no exhibit although there are some. */
        record Uncited(Award award) implements Checked {}

        record UnknownExhibits(List<String> numbers) implements Checked {
            String named() {
                return String.join(", ", numbers.stream().limit(NAMED_MAX).toList());
            }
        }

        /** @param problem in words for the model */
        record NoAward(String problem) implements Checked {}
    }

    static Checked check(String said, boolean whole, Collection<String> numbers) {
        if (!whole) {
            return new Checked.NoAward("It was cut off because it was too long. Be shorter.");
        }
        Optional<ObjectNode> found = JsonAnswer.in(said);
        if (found.isEmpty()) {
            return new Checked.NoAward("It holds no JSON object that can be read.");
        }
        ObjectNode object = found.get();
        Optional<String> outcome = text(object, "outcome", OUTCOME_LENGTH_MAX);
        Optional<String> reasons = text(object, "reasons", REASONS_LENGTH_MAX);
        if (object.size() != 2 || outcome.isEmpty() || reasons.isEmpty()) {
            return new Checked.NoAward("The object must have exactly the two members outcome and reasons, both strings and in words.");
        }
        Award award = new Award(outcome.get(), reasons.get());
        Citations reasonsCite = Citations.in(award.reasons, numbers);
        Citations outcomeCites = Citations.in(award.outcome, numbers);
        Set<String> unknown = new java.util.LinkedHashSet<>(reasonsCite.unknown());
        unknown.addAll(outcomeCites.unknown());
        if (!unknown.isEmpty()) {
            return new Checked.UnknownExhibits(List.copyOf(unknown));
        }
        return numbers.isEmpty() || !reasonsCite.known().isEmpty() ? new Checked.Good(award) : new Checked.Uncited(award);
    }

    /** A text with at least one letter: small models return the dots that stand for words in the instructions. */
    private static Optional<String> text(ObjectNode object, String name, int lengthMax) {
        JsonNode value = object.get(name);
        return value != null && value.isTextual() && value.asText().codePoints().anyMatch(Character::isLetter) && value.asText().length() <= lengthMax
                ? Optional.of(value.asText().strip()) : Optional.empty();
    }
}
