package io.arbitration.mainapi.export;

import io.arbitration.RunningPlatform;
import io.vertx.core.json.JsonObject;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** An export of which only the beginning has been read, over a connection of its own with a small window. */
public final class SlowExport implements AutoCloseable {

    private static final int WINDOW_BYTES = 8 * 1024;

    private final Socket socket;
    private final InputStream in;

    private SlowExport(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream(), 512);
    }

    /** Asks for an export and reads the head of the answer. */
    public static SlowExport begin(RunningPlatform platform, String caseId, String token) throws IOException {
        URI url = URI.create(platform.url());
        Socket socket = new Socket();
        socket.setReceiveBufferSize(WINDOW_BYTES);
        socket.connect(new InetSocketAddress("localhost", url.getPort()));
        socket.setSoTimeout(30_000);
        String body = new JsonObject().put("caseID", caseId).encode();
        socket.getOutputStream().write("""
                POST /cases/cases/export HTTP/1.1\r
                Host: localhost\r
                Authorization: Bearer %s\r
                Content-Type: application/json\r
                Content-Length: %d\r
                \r
                %s""".formatted(token, body.length(), body).getBytes(StandardCharsets.US_ASCII));
        SlowExport slow = new SlowExport(socket);
        String status = slow.line();
        if (!status.contains("200")) {
            throw new IllegalStateException(status);
        }
        while (!slow.line().isEmpty()) {
            continue;
        }
        return slow;
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException("closed");
            }
            line.append((char) c);
        }
        return line.toString().strip();
    }

    /** Reads all that is left; fails when the answer is cut off. */
    public byte[] rest() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int length = Integer.parseInt(line(), 16); length > 0; length = Integer.parseInt(line(), 16)) {
            byte[] chunk = in.readNBytes(length);
            if (chunk.length < length) {
                throw new IOException("closed");
            }
            out.writeBytes(chunk);
            line();
        }
        return out.toByteArray();
    }

    /** Whether the answer ends without its end. */
    public boolean isCut() {
        try {
            rest();
            return false;
        } catch (IOException cut) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
