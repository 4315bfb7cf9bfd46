package io.arbitration.command.bench;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Sends and fetches files on one connection over a plain socket: costs as little as a client can, the same for all compared. */
final class FileClient implements AutoCloseable {

    private static final int BUFFER_BYTES = 262_144;
    private static final int HEAD_BYTES_MAX = 16_384;
    private static final int ANSWER_MILLIS_MAX = 120_000;

    private final String host;
    private final Socket socket;
    private final OutputStream out;
    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER_BYTES];

    FileClient(URI server) {
        this.host = server.getAuthority();
        try {
            this.socket = new Socket(server.getHost(), server.getPort());
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(ANSWER_MILLIS_MAX);
            this.out = socket.getOutputStream();
            this.in = new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES);
        } catch (IOException failed) {
            throw new BenchFailed("cannot connect to " + server, failed);
        }
    }

    /**
     * POSTs a body that is made of a beginning, the same block again and again, and an end.
     *
     * @param head lines of the head beside Host and Content-Length
     * @return the body of the answer, whose status must be 200
     */
    String send(String path, String head, byte[] before, byte[] block, long bytes, byte[] after) {
        try {
            head(path, head, before.length + bytes + after.length);
            out.write(before);
            for (long left = bytes; left > 0; left -= block.length) {
                out.write(block, 0, (int) Math.min(left, block.length));
            }
            out.write(after);
            long length = answer(path);
            return new String(in.readNBytes((int) length), StandardCharsets.UTF_8);
        } catch (IOException failed) {
            throw new BenchFailed("sending to %s failed: %s".formatted(path, failed), failed);
        }
    }

    /** POSTs a small body and reads a large answer, whose status must be 200 and whose length must be as said. */
    void fetch(String path, String head, String body, long bytes) {
        try {
            byte[] text = body.getBytes(StandardCharsets.UTF_8);
            head(path, head, text.length);
            out.write(text);
            long length = answer(path);
            if (length != bytes) {
                throw new BenchFailed("%s sends %d bytes, not %d".formatted(path, length, bytes));
            }
            for (long left = length; left > 0;) {
                int count = in.read(buffer, 0, (int) Math.min(left, buffer.length));
                if (count < 0) {
                    throw new BenchFailed("%s breaks off, %d bytes before its end".formatted(path, left));
                }
                left -= count;
            }
        } catch (IOException failed) {
            throw new BenchFailed("fetching %s failed: %s".formatted(path, failed), failed);
        }
    }

    private void head(String path, String head, long length) throws IOException {
        out.write("POST %s HTTP/1.1\r\nHost: %s\r\nContent-Length: %d\r\n%s\r\n".formatted(path, host, length, head).getBytes(StandardCharsets.US_ASCII));
    }

    /** Reads the head of an answer; the length of its body. */
    private long answer(String path) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.length() < 4 || !head.substring(head.length() - 4).equals("\r\n\r\n")) {
            int b = in.read();
            if (b < 0 || head.length() > HEAD_BYTES_MAX) {
                throw new BenchFailed("%s has no answer: %s".formatted(path, head));
            }
            head.append((char) b);
        }
        long length = head.toString().lines().map(line -> line.toLowerCase(Locale.ROOT))
                .filter(line -> line.startsWith("content-length:"))
                .mapToLong(line -> Long.parseLong(line.substring("content-length:".length()).strip()))
                .findFirst().orElse(0);
        if (!head.toString().startsWith("HTTP/1.1 200")) {
            throw new BenchFailed("%s answered %s%s".formatted(path, head, new String(in.readNBytes((int) Math.min(length, HEAD_BYTES_MAX)), StandardCharsets.UTF_8)));
        }
        return length;
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException failed) {
            throw new BenchFailed("closing a connection failed", failed);
        }
    }
}
