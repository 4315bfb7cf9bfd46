package io.arbitration.ai.context;

import io.arbitration.ai.model.ModelMessage.Part;
import io.arbitration.platform.reading.Reading;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Marks texts that the parties wrote as data for the model, not instructions. The marks contain 128 random bits that are made for
 * one request, so that no text can contain the mark that ends it.
 */
public final class Fence {

    private static final int MARK_BYTES = 40;
    private final String boundary;

    private Fence(String boundary) {
        this.boundary = boundary;
    }

    public static Fence of(RandomGenerator random) {
        return new Fence("%016x%016x".formatted(random.nextLong(), random.nextLong()));
    }

    public String boundary() {
        return boundary;
    }

    /** The parts of a message: the marked text, then each picture after a line that names it. */
    public List<Part> parts(Material material) {
        JsonObject heading = material.heading().copy();
        if (material.summarised()) {
            heading.put("summary", true);
        }
        List<Part> parts = new ArrayList<>();
        // The heading is JSON on one line, so a value in it cannot begin a line of its own.
        parts.add(new Part.Text(mark("BEGIN") + heading.encode() + "\n" + material.text().strip() + "\n" + mark("END")));
        for (Reading.Picture picture : material.pictures()) {
            parts.add(new Part.Text("%s of %s:".formatted(picture.label(), heading.encode())));
            parts.add(new Part.Image(picture.contentType(), picture.bytes()));
        }
        return parts;
    }

    private String mark(String which) {
        return "<<<%s %s>>>\n".formatted(which, boundary);
    }

    /** The bytes of the marks. */
    static int bytes() {
        return 2 * (MARK_BYTES + "<<<BEGIN >>>\n".length());
    }
}
