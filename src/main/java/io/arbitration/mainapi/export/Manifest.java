package io.arbitration.mainapi.export;

import io.arbitration.platform.archive.ZipWriter;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The list of the files of an export with their hashes while it grows: about 150 bytes a file. */
final class Manifest {

    private static final int CHUNK_BYTES = 64 * 1024;

    /** In pieces, so that a long list is never copied while it grows. */
    private final List<byte[]> chunks = new ArrayList<>();
    private byte[] filling = new byte[CHUNK_BYTES];
    private int filled;
    private int count;

    void add(ZipWriter.Written file) {
        String line = new JsonObject().put("path", file.path()).put("bytes", file.bytes()).put("sha256", file.sha256()).encode();
        append(((count == 0 ? "\n" : ",\n") + line).getBytes(StandardCharsets.UTF_8));
        count++;
    }

    private void append(byte[] bytes) {
        int at = 0;
        while (at < bytes.length) {
            int part = Math.min(CHUNK_BYTES - filled, bytes.length - at);
            System.arraycopy(bytes, at, filling, filled, part);
            filled += part;
            at += part;
            if (filled == CHUNK_BYTES) {
                chunks.add(filling);
                filling = new byte[CHUNK_BYTES];
                filled = 0;
            }
        }
    }

    /** The complete manifest: the members of {@code head}, then {@code files}. */
    byte[] bytes(JsonObject head) {
        String text = head.encodePrettily();
        byte[] before = (text.substring(0, text.lastIndexOf('}')).stripTrailing() + ",\n  \"files\" : [").getBytes(StandardCharsets.UTF_8);
        byte[] after = "\n  ]\n}\n".getBytes(StandardCharsets.US_ASCII);
        byte[] all = Arrays.copyOf(before, before.length + chunks.size() * CHUNK_BYTES + filled + after.length);
        int at = before.length;
        for (byte[] chunk : chunks) {
            System.arraycopy(chunk, 0, all, at, CHUNK_BYTES);
            at += CHUNK_BYTES;
        }
        System.arraycopy(filling, 0, all, at, filled);
        System.arraycopy(after, 0, all, at + filled, after.length);
        return all;
    }
}
