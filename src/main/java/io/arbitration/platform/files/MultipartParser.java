package io.arbitration.platform.files;

import io.arbitration.platform.answer.Refusal;
import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Parses a multipart/form-data body (RFC 7578, RFC 2046) while it arrives, and passes each part to a listener at once. Keeps at most one
 * boundary and one part head in memory. Refuses a malformed body with 400.
 */
final class MultipartParser {

    static final int PARTS_MAX = 20;
    private static final int HEAD_BYTES_MAX = 8192;
    /** Bytes before the first and after the last boundary, which are ignored. */
    private static final int AROUND_BYTES_MAX = 8192;
    private static final int PADDING_MAX = 64;
    /** Initial size; grows to that of the largest chunk. */
    private static final int WINDOW_BYTES = 16_384;
    private static final byte[] HEAD_END = {'\r', '\n', '\r', '\n'};

    interface Listener {
        /** A part begins. */
        void part(FormPart part);

        /** Bytes of the part that began last. */
        void bytes(byte[] source, int from, int to);

        /** The part that began last has ended. */
        void partEnd();
    }

    private enum State { PREAMBLE, BOUNDARY, HEAD, BODY, EPILOGUE }

    private final Listener listener;
    private final byte[] delimiter;
    private final int[] skip = new int[256];
    private State state = State.PREAMBLE;
    /** Bytes that were received and not parsed yet, with space for the next chunk after them. */
    private byte[] bytes = new byte[WINDOW_BYTES];
    private int held;
    private int parts;
    private int around;

    /** @param boundary as the Content-Type of the request gives it */
    MultipartParser(String boundary, Listener listener) {
        this.listener = listener;
        this.delimiter = ("\r\n--" + boundary).getBytes(StandardCharsets.US_ASCII);
        Arrays.fill(skip, delimiter.length);
        for (int i = 0; i < delimiter.length - 1; i++) {
            skip[delimiter[i] & 0xff] = delimiter.length - 1 - i;
        }
        // Every boundary but the first has a line end before it. This adds one before the first.
        bytes[0] = '\r';
        bytes[1] = '\n';
        held = 2;
    }

    /** Parses the next bytes of the request. */
    void feed(Buffer chunk) {
        int end = held + chunk.length();
        if (end > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(end, 2 * bytes.length));
        }
        chunk.getBytes(0, chunk.length(), bytes, held);
        int at = 0;
        while (true) {
            State before = state;
            int next = switch (state) {
                case PREAMBLE, BODY -> content(at, end);
                case BOUNDARY -> boundary(at, end);
                case HEAD -> head(at, end);
                case EPILOGUE -> epilogue(end - at, end);
            };
            if (next == at && state == before || next == end) {
                held = end - next;
                System.arraycopy(bytes, next, bytes, 0, held);
                return;
            }
            at = next;
        }
    }

    /** Called at the end of the request. @throws Refusal 400 when the form has not ended */
    void end() {
        if (state != State.EPILOGUE) {
            throw Refusal.badRequest("body: ends before its last boundary");
        }
    }

    private int content(int from, int end) {
        int found = indexOfDelimiter(from, end);
        // The last bytes may be the beginning of a delimiter.
        int to = found >= 0 ? found : Math.max(from, end - delimiter.length + 1);
        if (state == State.PREAMBLE) {
            around(to - from);
        } else if (to > from) {
            listener.bytes(bytes, from, to);
        }
        if (found < 0) {
            return to;
        }
        if (state == State.BODY) {
            listener.partEnd();
        }
        state = State.BOUNDARY;
        return found + delimiter.length;
    }

    /** Searches by Horspool's algorithm, which compares about one byte for each length of the delimiter. */
    private int indexOfDelimiter(int from, int end) {
        byte[] bytes = this.bytes;
        int last = delimiter.length - 1;
        int at = from + last;
        while (at < end) {
            byte b = bytes[at];
            if (b == delimiter[last] && Arrays.equals(bytes, at - last, at, delimiter, 0, last)) {
                return at - last;
            }
            at += skip[b & 0xff];
        }
        return -1;
    }

    /** Parses the bytes after a boundary: two dashes end the form; a line end, with or without spaces before it, begins a part. */
    private int boundary(int from, int end) {
        int at = from;
        while (at < end && (bytes[at] == ' ' || bytes[at] == '\t')) {
            at++;
        }
        if (at - from > PADDING_MAX) {
            throw Refusal.badRequest("body: malformed boundary line");
        }
        if (end - at < 2) {
            return from;
        }
        if (at == from && bytes[at] == '-' && bytes[at + 1] == '-') {
            state = State.EPILOGUE;
            return at + 2;
        }
        if (bytes[at] != '\r' || bytes[at + 1] != '\n') {
            throw Refusal.badRequest("body: malformed boundary line");
        }
        if (++parts > PARTS_MAX) {
            throw Refusal.badRequest("body: more than %d parts".formatted(PARTS_MAX));
        }
        state = State.HEAD;
        return at + 2;
    }

    private int head(int from, int end) {
        int found = indexOfHeadEnd(from, end);
        if ((found < 0 ? end : found) - from > HEAD_BYTES_MAX) {
            throw Refusal.badRequest("body: the head of a part is longer than %d bytes".formatted(HEAD_BYTES_MAX));
        }
        if (found < 0) {
            return from;
        }
        listener.part(FormPart.parse(utf8(bytes, from, found)));
        state = State.BODY;
        return found + HEAD_END.length;
    }

    private int indexOfHeadEnd(int from, int end) {
        for (int i = from; i <= end - HEAD_END.length; i++) {
            if (Arrays.equals(bytes, i, i + HEAD_END.length, HEAD_END, 0, HEAD_END.length)) {
                return i;
            }
        }
        return -1;
    }

    private int epilogue(int count, int to) {
        around(count);
        return to;
    }

    private void around(int count) {
        around += count;
        if (around > AROUND_BYTES_MAX) {
            throw Refusal.badRequest("body: too much around the parts");
        }
    }

    static String utf8(byte[] bytes, int from, int to) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, from, to - from)).toString();
        } catch (CharacterCodingException invalid) {
            throw Refusal.badRequest("body: not valid UTF-8");
        }
    }
}
