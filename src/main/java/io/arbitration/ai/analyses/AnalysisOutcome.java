package io.arbitration.ai.analyses;

import io.arbitration.ai.model.ModelAnswer;
import io.arbitration.platform.queue.AttemptOutcome;
import io.arbitration.platform.queue.Lease;
import io.arbitration.platform.queue.Settlement;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;

/** How an attempt at an analysis went. */
sealed interface AnalysisOutcome extends AttemptOutcome {

    DueAnalysis analysis();

    @Override
    default Lease lease() {
        return analysis().lease();
    }

    @Override
    default Settlement settlement() {
        return this instanceof Again again ? new Settlement.Again(again.pause) : Settlement.DONE;
    }

    /** @param content SHA-256 of the filing's title and fields, in hexadecimal */
    record Done(DueAnalysis analysis, String text, String model, String content, List<Input> inputs, ModelAnswer.Usage usage) implements AnalysisOutcome {

        String inputsJson() {
            return new JsonArray(inputs.stream().map(Input::json).toList()).encode();
        }
    }

    /** Something that the model was given, by its hash. */
    record Input(String name, String sha256) {
        JsonObject json() {
            return new JsonObject().put("input", name).put("sha256", sha256);
        }
    }

    /** @param counts whether it counts against the analysis; false when only a part that it needs was away */
    record Again(DueAnalysis analysis, Duration pause, String reason, boolean counts) implements AnalysisOutcome {}

    record Failed(DueAnalysis analysis, String reason) implements AnalysisOutcome {}

    /** There is nothing to analyse any more. */
    record Skipped(DueAnalysis analysis, String reason) implements AnalysisOutcome {}
}
