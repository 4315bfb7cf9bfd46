package io.arbitration.platform.paper;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.zip.Adler32;
import java.util.zip.Deflater;

/**
 * A PDF file that is written (ISO 32000-1, section 7.5) object by object and ends with a cross-reference stream. It may begin
 * with objects that were written before. The same calls give the same bytes. To be used by one thread.
 */
public final class PdfFile {

    /** Version, and bytes by which programs recognize that the file is not text. */
    private static final byte[] HEADER = {'%', 'P', 'D', 'F', '-', '1', '.', '7', '\n', '%', (byte) 0xe2, (byte) 0xe3, (byte) 0xcf, (byte) 0xd3, '\n'};
    /** Of a cross-reference entry: its kind, the place of the object, its index in an object stream. */
    private static final int ENTRY = 6;
    /** A table with more entries than this is compressed. */
    private static final int STORED_MAX = 1200;
    /** Twice as fast as the usual level, for a hundredth more bytes. */
    private static final ThreadLocal<Deflater> FAST = ThreadLocal.withInitial(() -> new Deflater(3));
    private static final ThreadLocal<Deflater> SMALL = ThreadLocal.withInitial(() -> new Deflater(Deflater.BEST_COMPRESSION));

    private final PdfBuffer out;
    private final ThreadLocal<Deflater> deflaters;
    private final Beginning beginning;
    private byte[] entries;
    private int next;

    /**
     * Objects at the beginning of a file, numbered from 1; others follow.
     *
     * @param fixed number from which on they are all written
     * @param packed the cross-reference entries of these, compressed
     */
    public record Beginning(byte[] bytes, byte[] entries, int next, int fixed, byte[] packed) {}

    /** A file for which size matters more than the time of writing it. */
    public PdfFile() {
        this(new Beginning(HEADER, new byte[] {0, 0, 0, 0, (byte) 0xff, (byte) 0xff}, 1, 1, new byte[0]), 16_384, SMALL);
    }

    /**
     * A file that is written often.
     *
     * @param more bytes that are likely to follow
     */
    public PdfFile(Beginning beginning, int more) {
        this(beginning, more, FAST);
    }

    private PdfFile(Beginning beginning, int more, ThreadLocal<Deflater> deflaters) {
        this.deflaters = deflaters;
        this.beginning = beginning;
        this.out = new PdfBuffer(beginning.bytes.length + more);
        out.bytes(beginning.bytes);
        this.entries = Arrays.copyOf(beginning.entries, Math.max(beginning.entries.length, ENTRY * (beginning.next + 64)));
        this.next = beginning.next;
    }

    /** The objects written so far, for files with the same beginning. */
    public Beginning beginning() {
        int fixed = next;
        while (fixed > 1 && entries[ENTRY * (fixed - 1)] != 0) {
            fixed--;
        }
        return new Beginning(out.toBytes(), Arrays.copyOf(entries, ENTRY * next), next, fixed, block(entries, ENTRY * fixed, ENTRY * (next - fixed)));
    }

    /**
     * Compressed bytes that can be inserted between others in a stream (RFC 1951): they do not refer to earlier bytes and end at
     * a byte boundary.
     */
    private static byte[] block(byte[] bytes, int from, int count) {
        Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
        try {
            deflater.setInput(bytes, from, count);
            byte[] packed = new byte[2 * count + 64];
            return Arrays.copyOf(packed, deflater.deflate(packed, 0, packed.length, Deflater.SYNC_FLUSH));
        } finally {
            deflater.end();
        }
    }

    /**
     * The cross-reference entries: those of the shared beginning were compressed in advance, the others are stored uncompressed.
     */
    private PdfBuffer packedEntries() {
        int fixed = ENTRY * beginning.fixed;
        int own = ENTRY * beginning.next;
        int all = ENTRY * next;
        if (own == fixed || all - own + fixed > STORED_MAX) {
            return deflated(entries, all, deflaters.get());
        }
        PdfBuffer packed = new PdfBuffer(fixed + beginning.packed.length + all - own + 32).one(0x78).one(0x01);
        stored(packed, 0, fixed, false);
        packed.bytes(beginning.packed);
        stored(packed, own, all, true);
        Adler32 sum = new Adler32();
        sum.update(entries, 0, all);
        long check = sum.getValue();
        return packed.one((int) (check >> 24)).one((int) (check >> 16)).one((int) (check >> 8)).one((int) check);
    }

    private void stored(PdfBuffer packed, int from, int to, boolean last) {
        int count = to - from;
        packed.one(last ? 1 : 0).one(count).one(count >> 8).one(~count).one(~count >> 8).bytes(entries, from, count);
    }

    /** A number for an object that is written later. */
    public int reserve() {
        int number = next++;
        if (entries.length < ENTRY * next) {
            entries = Arrays.copyOf(entries, entries.length * 2);
        }
        return number;
    }

    private void entry(int number, int kind, long place, int index) {
        int at = ENTRY * number;
        entries[at] = (byte) kind;
        entries[at + 1] = (byte) (place >> 16);
        entries[at + 2] = (byte) (place >> 8);
        entries[at + 3] = (byte) place;
        entries[at + 4] = (byte) (index >> 8);
        entries[at + 5] = (byte) index;
    }

    private void place(int number) {
        if (out.length() > 0xff_ffff) {
            throw new IllegalStateException("a PDF of more than 16 MB");
        }
        entry(number, 1, out.length(), 0);
    }

    /**
     * Begins an object; its body is what the caller writes into the returned buffer until the next call, and {@link #end} ends
     * it.
     */
    public PdfBuffer begin(int number) {
        place(number);
        return out.whole(number).text(" 0 obj\n");
    }

    public void end() {
        out.text("\nendobj\n");
    }

    /** A stream, compressed. */
    public void stream(int number, String entriesOfDictionary, PdfBuffer content) {
        stream(number, entriesOfDictionary, content.array(), content.length());
    }

    public void stream(int number, String entriesOfDictionary, byte[] content) {
        stream(number, entriesOfDictionary, content, content.length);
    }

    private void stream(int number, String entriesOfDictionary, byte[] content, int length) {
        PdfBuffer packed = length < 24 ? null : deflated(content, length, deflaters.get());
        if (packed == null) {
            begin(number).text("<<").text(entriesOfDictionary).text("/Length ").whole(length).text(">>stream\n").bytes(content, 0, length).text("\nendstream");
            end();
        } else {
            packed(number, entriesOfDictionary, packed.array(), packed.length());
        }
    }

    /** A stream that was compressed before, by {@link #packed(byte[])}. */
    void packedStream(int number, String entriesOfDictionary, byte[] packed) {
        packed(number, entriesOfDictionary, packed, packed.length);
    }

    private void packed(int number, String entriesOfDictionary, byte[] packed, int length) {
        begin(number).text("<<").text(entriesOfDictionary).text("/Filter/FlateDecode/Length ").whole(length).text(">>stream\n").bytes(packed, 0, length)
                .text("\nendstream");
        end();
    }

    /** Compressed as well as possible. */
    static byte[] packed(byte[] content) {
        return deflated(content, content.length, SMALL.get()).toBytes();
    }

    /** A stream whose bytes are encoded as stated in its dictionary. */
    public void encoded(int number, byte[] entriesOfDictionary, byte[] content) {
        begin(number).text("<<").bytes(entriesOfDictionary).text("/Length ").whole(content.length).text(">>stream\n").bytes(content).text("\nendstream");
        end();
    }

    /** Objects that are no streams, packed into one (section 7.5.7). */
    public void packed(int[] numbers, byte[][] bodies) {
        int stream = reserve();
        PdfBuffer heads = new PdfBuffer(numbers.length * 8);
        PdfBuffer all = new PdfBuffer(4096);
        for (int i = 0; i < numbers.length; i++) {
            heads.whole(numbers[i]).text(" ").whole(all.length()).text(" ");
            all.bytes(bodies[i]).text("\n");
            entry(numbers[i], 2, stream, i);
        }
        int first = heads.length();
        stream(stream, "/Type/ObjStm/N " + numbers.length + "/First " + first, heads.append(all));
    }

    private static PdfBuffer deflated(byte[] content, int length, Deflater deflater) {
        deflater.reset();
        deflater.setInput(content, 0, length);
        deflater.finish();
        PdfBuffer packed = new PdfBuffer(length / 2 + 64);
        byte[] part = new byte[Math.min(8192, length / 2 + 64)];
        while (!deflater.finished()) {
            packed.bytes(part, 0, deflater.deflate(part));
        }
        return packed;
    }

    /**
     * The whole file.
     *
     * @param root number of the catalog
     * @param information number of the information dictionary, 0 without one
     * @param id the two parts of the file identifier (section 14.4), 16 bytes each: of the origin, of this version
     */
    public byte[] finish(int root, int information, byte[] origin, byte[] version) {
        int number = reserve();
        int start = out.length();
        place(number);
        out.whole(number).text(" 0 obj\n<</Type/XRef/W[1 3 2]/Size ").whole(next).text("/Root ").whole(root).text(" 0 R");
        if (information > 0) {
            out.text("/Info ").whole(information).text(" 0 R");
        }
        out.text("/ID[").hexString(origin).hexString(version).text("]");
        PdfBuffer packed = packedEntries();
        out.text("/Filter/FlateDecode/Length ").whole(packed.length()).text(">>stream\n").append(packed)
                .text("\nendstream\nendobj\nstartxref\n").whole(start).text("\n%%EOF\n");
        return out.toBytes();
    }

    /** Text outside of content streams (section 7.9.2.2): UTF-16 with a byte order mark. */
    public static byte[] textString(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(2 + 2 * text.length());
        bytes.write(0xfe);
        bytes.write(0xff);
        bytes.writeBytes(text.getBytes(java.nio.charset.StandardCharsets.UTF_16BE));
        return bytes.toByteArray();
    }
}
