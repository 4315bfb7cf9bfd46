package io.arbitration.ai.context;

import io.arbitration.platform.reading.Reading;
import io.vertx.core.json.JsonObject;
import java.util.List;

/**
 * One input as the model is given it.
 *
 * @param heading says what it is; one line of JSON before the text
 * @param summarised whether the text is the model's own summary of a longer one
 */
public record Material(JsonObject heading, String text, List<Reading.Picture> pictures, boolean summarised) {

    public static Material of(JsonObject heading, Reading reading) {
        return new Material(heading, reading.text(), reading.pictures(), false);
    }

    public static Material of(JsonObject heading, String text) {
        return new Material(heading, text, List.of(), false);
    }

    Material summary(String summary) {
        return new Material(heading, summary, pictures, true);
    }
}
