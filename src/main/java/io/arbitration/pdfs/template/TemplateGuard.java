package io.arbitration.pdfs.template;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Keeps a PDF from growing beyond measure while it is read: whatever may be a compressed stream is unpacked once into nothing,
 * and counted. The library that reads PDFs unpacks into memory without a bound.
 */
final class TemplateGuard {

    private static final long UNPACKED_MAX = 96L * 1024 * 1024;
    private static final int TIMES_PACKED_MAX = 8;
    private static final int HEADER_WITHIN = 1024;
    private static final int PART = 65_536;
    private static final int ZLIB_HEADER = 2;
    private static final byte[] STREAM = "stream".getBytes(StandardCharsets.US_ASCII);
    /** Encodings of old that can hide a compression from the count or are one; qpdf --stream-data=compress replaces them. */
    private static final Set<String> NOT_TAKEN =
            Set.of("LZWDecode", "LZW", "RunLengthDecode", "RL", "ASCII85Decode", "A85", "ASCIIHexDecode", "AHx");
    private static final int NAME_MAX = 24;
    /** In a dictionary the bytes before a name are text; among the bytes of an image a name may stand by chance. */
    private static final int TEXT_BEFORE_NAME = 12;

    private final byte[] file;
    private long unpacked;

    private TemplateGuard(byte[] file) {
        this.file = file;
    }

    /** Refuses a file that is no PDF or too much of one, before anything else looks at it. */
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
            // Whichever of the line ends the reader takes for the first byte of the data.
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

    /** Counts what comes out of data, and what comes out of that, as if both were compressed; other data soon shows that it is not. */
    private final class Unpacking {

        private final int times;
        /** The reader looks at neither header nor checksum of the format. */
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
                // What came until here was counted, and a reader goes no further.
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
