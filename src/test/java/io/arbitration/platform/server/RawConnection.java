package io.arbitration.platform.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A TCP connection that sends exactly the bytes it is given, and reads whole HTTP/1.1 answers. */
public final class RawConnection implements AutoCloseable {

    private final Socket socket;
    private final InputStream in;

    public RawConnection(int port) throws IOException {
        socket = new Socket("127.0.0.1", port);
        socket.setSoTimeout(60_000);
        in = socket.getInputStream();
    }

    public RawConnection send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    public RawConnection send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
        return this;
    }

    /** Whether something came that was not read yet. */
    public boolean hasAnswer() {
        try {
            return in.available() > 0;
        } catch (IOException closed) {
            return true;
        }
    }

    public record Answer(int status, Map<String, String> headers, String body) {}

    /** The next answer; null when the server closed the connection instead. */
    public Answer read() throws IOException {
        String head = line();
        if (head == null) {
            return null;
        }
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String line = line(); line != null && !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            headers.put(line.substring(0, colon), line.substring(colon + 1).strip());
        }
        byte[] body = in.readNBytes(Integer.parseInt(headers.getOrDefault("content-length", "0")));
        return new Answer(Integer.parseInt(head.split(" ")[1]), headers, new String(body, StandardCharsets.UTF_8));
    }

    /** Every answer until the server closes. */
    List<Answer> readAll() throws IOException {
        List<Answer> all = new ArrayList<>();
        for (Answer answer = read(); answer != null; answer = read()) {
            all.add(answer);
        }
        return all;
    }

    boolean isClosedByServer() throws IOException {
        return in.read() < 0;
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int c = in.read(); c >= 0; c = in.read()) {
            if (c == '\n') {
                return line.toString(StandardCharsets.ISO_8859_1).replace("\r", "");
            }
            line.write(c);
        }
        return line.size() == 0 ? null : line.toString(StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
