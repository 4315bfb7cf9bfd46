package io.arbitration.ai.context;

import io.arbitration.ai.model.ModelMessage.Part;
import io.arbitration.ai.reading.Reading;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Marks what strangers wrote as data. The marks hold 128 random bits made for one request, so that no text can end its own
 * fence or begin another.
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

    /** A message's parts: the fenced text, and the pictures behind a line each that says whose they are. */
    public List<Part> parts(Material material) {
        JsonObject heading = material.heading().copy();
        if (material.summarised()) {
            heading.put("summary", true);
        }
        List<Part> parts = new ArrayList<>();
        // A heading is JSON on one line: what a caller puts into it can't begin another.
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

    /** Bytes that the marks take. */
    static int bytes() {
        return 2 * (MARK_BYTES + "<<<BEGIN >>>\n".length());
    }
}
