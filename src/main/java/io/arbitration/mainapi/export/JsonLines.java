package io.arbitration.mainapi.export;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** A JSON object whose last member is a long array, with a line for each element. */
final class JsonLines {

    private final OutputStream out;
    private boolean any;

    JsonLines(OutputStream out, JsonObject head, String name) throws IOException {
        this.out = out;
        String text = head.encode();
        write("%s,\"%s\":[".formatted(text.substring(0, text.length() - 1), name));
    }

    void add(JsonObject line) throws IOException {
        write((any ? ",\n" : "\n") + line.encode());
        any = true;
    }

    void end() throws IOException {
        write("\n]}\n");
    }

    private void write(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }
}
