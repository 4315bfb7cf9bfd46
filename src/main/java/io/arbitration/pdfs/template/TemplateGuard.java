package io.arbitration.pdfs.template;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Bounds the unpacked size of a PDF before it is read: everything that may be a compressed stream is unpacked once, counted and
 * discarded. The library that reads PDFs unpacks into memory without a bound.
 */
final class TemplateGuard {

    private static final long UNPACKED_MAX = 96L * 1024 * 1024;
    private static final int TIMES_PACKED_MAX = 8;
    private static final int HEADER_WITHIN = 1024;
    private static final int PART = 65_536;
    private static final int ZLIB_HEADER = 2;
    private static final byte[] STREAM = "stream".getBytes(StandardCharsets.US_ASCII);
    /**
     * Old encodings that can hide compressed data from the count, or that compress themselves; qpdf --stream-data=compress
     * replaces them.
     */
    private static final Set<String> NOT_TAKEN =
            Set.of("LZWDecode", "LZW", "RunLengthDecode", "RL", "ASCII85Decode", "A85", "ASCIIHexDecode", "AHx");
    private static final int NAME_MAX = 24;
    /** In a dictionary the bytes before a name are text; in the bytes of an image a name may occur by chance. */
    private static final int TEXT_BEFORE_NAME = 12;

    private final byte[] file;
    private long unpacked;

    private TemplateGuard(byte[] file) {
        this.file = file;
    }

    /** Refuses a file that is no PDF, or too large when unpacked, before any other code reads it. */
    static void check(byte[] file) throws RefusedTemplate {
        String head = new String(file, 0, Math.min(file.length, HEADER_WITHIN), StandardCharsets.ISO_8859_1);
        if (!head.contains("%PDF-")) {
            throw new RefusedTemplate("is not a PDF");
        }
        new TemplateGuard(file).check();
    }

    private void check() throws RefusedTemplate {
        for (int at = 0; at < file.length; at++) {
            if (file[at] == '/') {
                name(at);
            } else if (file[at] == 's' && at + STREAM.length <= file.length && Arrays.equals(file, at, at + STREAM.length, STREAM, 0, STREAM.length)) {
                stream(at + STREAM.length);
            }
        }
    }

    private void name(int slash) throws RefusedTemplate {
        StringBuilder name = new StringBuilder(NAME_MAX);
        for (int at = slash + 1; at < file.length && name.length() < NAME_MAX; at++) {
            int c = file[at] & 0xff;
            if (c == '#' && at + 2 < file.length) {
                name.append((char) (Character.digit(file[at + 1], 16) * 16 + Character.digit(file[at + 2], 16)));
                at += 2;
            } else if (c > 0x20 && c < 0x7f && "/<>[](){}%".indexOf(c) < 0) {
                name.append((char) c);
            } else {
                break;
            }
        }
        if (NOT_TAKEN.contains(name.toString()) && isText(Math.max(0, slash - TEXT_BEFORE_NAME), slash)) {
            throw new RefusedTemplate("uses the filter %s, which is not taken".formatted(name));
        }
    }

    private boolean isText(int from, int to) {
        for (int at = from; at < to; at++) {
            if ((file[at] < 0x20 || file[at] > 0x7e) && file[at] != '\n' && file[at] != '\r' && file[at] != '\t') {
                return false;
            }
        }
        return true;
    }

    private void stream(int after) throws RefusedTemplate {
        int at = after;
        while (at < file.length && (file[at] == ' ' || file[at] == '\t')) {
            at++;
        }
        while (at < file.length && (file[at] == '\r' || file[at] == '\n')) {
            at++;
            // Works whichever of the line ends the reader takes as the first byte of the data.
            unpack(at, Math.min(PART, file.length - at));
        }
    }

    private void unpack(int at, int first) throws RefusedTemplate {
        Unpacking unpacking = new Unpacking(1);
        try {
            unpacking.take(file, at, first);
            for (int next = at + first; next < file.length && !unpacking.over; next += PART) {
                unpacking.take(file, next, Math.min(PART, file.length - next));
            }
        } finally {
            unpacking.close();
        }
    }

    /**
     * Counts the unpacked bytes of data, and of these bytes unpacked again, as if both were compressed; data that is not
     * compressed soon fails to unpack.
     */
    private final class Unpacking {

        private final int times;
        /** The reader ignores header and checksum of the format. */
        private final Inflater inflater = new Inflater(true);
        private Unpacking within;
        private int headerLeft = ZLIB_HEADER;
        private boolean over;

        Unpacking(int times) {
            this.times = times;
        }

        void take(byte[] bytes, int from, int count) throws RefusedTemplate {
            int skipped = Math.min(headerLeft, count);
            headerLeft -= skipped;
            if (over || count == skipped) {
                return;
            }
            inflater.setInput(bytes, from + skipped, count - skipped);
            byte[] part = new byte[PART];
            try {
                int more;
                while ((more = inflater.inflate(part)) > 0) {
                    came(part, more);
                }
                over = inflater.finished();
            } catch (DataFormatException notPacked) {
                // The bytes until here were counted, and a reader does not continue after this point either.
                over = true;
            }
        }

        private void came(byte[] part, int count) throws RefusedTemplate {
            unpacked += count;
            if (unpacked > UNPACKED_MAX) {
                throw new RefusedTemplate("unpacks to more than %d MB".formatted(UNPACKED_MAX / 1024 / 1024));
            }
            if (within == null && times < TIMES_PACKED_MAX) {
                within = new Unpacking(times + 1);
            }
            if (within != null) {
                within.take(part, 0, count);
            }
        }

        void close() {
            inflater.end();
            if (within != null) {
                within.close();
            }
        }
    }
}
