package io.arbitration.mainapi.export;

import io.arbitration.platform.archive.ZipWriter;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** The list of the files of an export with their hashes, as it grows: about 150 bytes a file. */
final class Manifest {

    private final ByteArrayOutputStream files = new ByteArrayOutputStream();
    private int count;

    void add(ZipWriter.Written file) {
        String line = new JsonObject().put("path", file.path()).put("bytes", file.bytes()).put("sha256", file.sha256()).encode();
        files.writeBytes((count == 0 ? "\n" : ",\n").getBytes(StandardCharsets.US_ASCII));
        files.writeBytes(line.getBytes(StandardCharsets.UTF_8));
        count++;
    }

    /** The whole of it: the members of {@code head}, then {@code files}. */
    byte[] bytes(JsonObject head) {
        String text = head.encodePrettily();
        ByteArrayOutputStream out = new ByteArrayOutputStream(files.size() + text.length() + 64);
        out.writeBytes(text.substring(0, text.lastIndexOf('}')).stripTrailing().getBytes(StandardCharsets.UTF_8));
        out.writeBytes(",\n  \"files\" : [".getBytes(StandardCharsets.US_ASCII));
        out.writeBytes(files.toByteArray());
        out.writeBytes("\n  ]\n}\n".getBytes(StandardCharsets.US_ASCII));
        return out.toByteArray();
    }
}
