package io.arbitration.platform.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Takes a multipart/form-data body (RFC 7578, RFC 2046) apart as it arrives; what is in it goes to a listener at once. Holds
 * no more than one boundary and one part head. Refuses, with 400, what is not well formed.
 */
final class MultipartParser {

    static final int PARTS_MAX = 20;
    private static final int HEAD_BYTES_MAX = 8192;
    /** Text before the first and after the last boundary, which nobody needs. */
    private static final int AROUND_BYTES_MAX = 8192;
    private static final int PADDING_MAX = 64;
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
    /** What came last and could not be judged yet; at the start the line end that the first boundary lacks. */
    private byte[] rest = {'\r', '\n'};
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
    }

    /** Takes the next bytes of the request. */
    void feed(byte[] chunk) {
        byte[] bytes = rest.length == 0 ? chunk : Arrays.copyOf(rest, rest.length + chunk.length);
        if (rest.length > 0) {
            System.arraycopy(chunk, 0, bytes, rest.length, chunk.length);
        }
        int at = 0;
        while (true) {
            State before = state;
            int next = switch (state) {
                case PREAMBLE, BODY -> content(bytes, at);
                case BOUNDARY -> boundary(bytes, at);
                case HEAD -> head(bytes, at);
                case EPILOGUE -> epilogue(bytes.length - at, bytes.length);
            };
            if (next == at && state == before || next == bytes.length) {
                rest = Arrays.copyOfRange(bytes, next, bytes.length);
                return;
            }
            at = next;
        }
    }

    /** The request has ended; so must have the form. */
    void end() {
        if (state != State.EPILOGUE) {
            throw Refusal.badRequest("body: ends before its last boundary");
        }
    }

    private int content(byte[] bytes, int from) {
        int found = indexOfDelimiter(bytes, from);
        // A delimiter may have begun in the last bytes.
        int to = found >= 0 ? found : Math.max(from, bytes.length - delimiter.length + 1);
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

    /** Horspool's search: looks at about one byte in the length of the delimiter. */
    private int indexOfDelimiter(byte[] bytes, int from) {
        int last = delimiter.length - 1;
        int end = from + last;
        while (end < bytes.length) {
            byte b = bytes[end];
            if (b == delimiter[last] && Arrays.equals(bytes, end - last, end, delimiter, 0, last)) {
                return end - last;
            }
            end += skip[b & 0xff];
        }
        return -1;
    }

    /** After the boundary: two dashes end the form, a line end begins a part; spaces may stand before it. */
    private int boundary(byte[] bytes, int from) {
        int at = from;
        while (at < bytes.length && (bytes[at] == ' ' || bytes[at] == '\t')) {
            at++;
        }
        if (at - from > PADDING_MAX) {
            throw Refusal.badRequest("body: malformed boundary line");
        }
        if (bytes.length - at < 2) {
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

    private int head(byte[] bytes, int from) {
        int end = indexOf(HEAD_END, bytes, from);
        if ((end < 0 ? bytes.length : end) - from > HEAD_BYTES_MAX) {
            throw Refusal.badRequest("body: the head of a part is longer than %d bytes".formatted(HEAD_BYTES_MAX));
        }
        if (end < 0) {
            return from;
        }
        listener.part(FormPart.parse(utf8(bytes, from, end)));
        state = State.BODY;
        return end + HEAD_END.length;
    }

    private static int indexOf(byte[] wanted, byte[] bytes, int from) {
        for (int i = from; i <= bytes.length - wanted.length; i++) {
            if (Arrays.equals(bytes, i, i + wanted.length, wanted, 0, wanted.length)) {
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
