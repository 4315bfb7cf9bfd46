package io.arbitration.platform.paper;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The glyphs of a TrueType file (ISO/IEC 14496-22) and subsets of them. Subsets have no hints, which are half of a font: programs
 * that show PDFs on today's screens and printers do not use them. Thread-safe.
 */
final class GlyphOutlines {

    private static final int X_Y_ARE_WORDS = 0x0001;
    private static final int HAS_SCALE = 0x0008;
    private static final int MORE_COMPONENTS = 0x0020;
    private static final int HAS_TWO_SCALES = 0x0040;
    private static final int HAS_MATRIX = 0x0080;
    private static final int HAS_INSTRUCTIONS = 0x0100;
    private static final int COMPONENTS_MAX = 64;

    /** @param components positions in the outline of the numbers of its component glyphs */
    private record Outline(byte[] bytes, int[] components) {}

    private static final Outline EMPTY = new Outline(new byte[0], new int[0]);

    private final ByteBuffer file;
    private final Map<String, Integer> tables = new HashMap<>();
    private final Map<String, Integer> lengths = new HashMap<>();
    private final int count;
    private final int unitsPerEm;
    private final boolean longPlaces;
    private final int metrics;
    private final AtomicReferenceArray<Outline> outlines;

    /** @throws IOException for a file without one of the tables that a viewer needs */
    GlyphOutlines(byte[] bytes) throws IOException {
        this.file = ByteBuffer.wrap(bytes).asReadOnlyBuffer();
        try {
            int directory = file.getShort(4);
            for (int i = 0; i < directory; i++) {
                int at = 12 + 16 * i;
                String tag = new String(bytes, at, 4, StandardCharsets.ISO_8859_1);
                tables.put(tag, file.getInt(at + 8));
                lengths.put(tag, file.getInt(at + 12));
            }
            for (String needed : List.of("glyf", "head", "hhea", "hmtx", "loca", "maxp")) {
                if (!tables.containsKey(needed)) {
                    throw new IOException("has no table " + needed);
                }
            }
            this.count = file.getShort(tables.get("maxp") + 4) & 0xffff;
            this.unitsPerEm = file.getShort(tables.get("head") + 18) & 0xffff;
            this.longPlaces = file.getShort(tables.get("head") + 50) == 1;
            this.metrics = file.getShort(tables.get("hhea") + 34) & 0xffff;
        } catch (IndexOutOfBoundsException broken) {
            throw new IOException("is cut off", broken);
        }
        this.outlines = new AtomicReferenceArray<>(count);
    }

    int count() {
        return count;
    }

    /** Advance in units of the font. */
    int advance(int glyph) {
        return file.getShort(tables.get("hmtx") + 4 * Math.min(glyph, metrics - 1)) & 0xffff;
    }

    private int bearing(int glyph) {
        int hmtx = tables.get("hmtx");
        return file.getShort(glyph < metrics ? hmtx + 4 * glyph + 2 : hmtx + 4 * metrics + 2 * (glyph - metrics));
    }

    int unitsPerEm() {
        return unitsPerEm;
    }

    private int place(int glyph) {
        int loca = tables.get("loca");
        return longPlaces ? file.getInt(loca + 4 * glyph) : 2 * (file.getShort(loca + 2 * glyph) & 0xffff);
    }

    private Outline outline(int glyph) {
        Outline known = outlines.get(glyph);
        if (known == null) {
            known = read(glyph);
            outlines.set(glyph, known);
        }
        return known;
    }

    private Outline read(int glyph) {
        int from = place(glyph);
        int length = place(glyph + 1) - from;
        if (length <= 0) {
            return EMPTY;
        }
        int at = tables.get("glyf") + from;
        int contours = file.getShort(at);
        return contours == 0 ? EMPTY : contours > 0 ? simple(at, length) : composite(at, length);
    }

    private Outline simple(int at, int length) {
        int instructions = at + 10 + 2 * file.getShort(at);
        int skipped = file.getShort(instructions) & 0xffff;
        int head = instructions - at;
        byte[] bytes = new byte[length - skipped];
        file.get(at, bytes, 0, head);
        int rest = instructions + 2 + skipped;
        file.get(rest, bytes, head + 2, at + length - rest);
        return new Outline(bytes, EMPTY.components);
    }

    private Outline composite(int at, int length) {
        List<Integer> components = new ArrayList<>();
        int end = at + 10;
        int flags;
        do {
            flags = file.getShort(end);
            components.add(end + 2 - at);
            end += 4 + ((flags & X_Y_ARE_WORDS) != 0 ? 4 : 2)
                    + ((flags & HAS_SCALE) != 0 ? 2 : (flags & HAS_TWO_SCALES) != 0 ? 4 : (flags & HAS_MATRIX) != 0 ? 8 : 0);
        } while ((flags & MORE_COMPONENTS) != 0 && components.size() < COMPONENTS_MAX && end - at + 4 <= length);
        byte[] bytes = new byte[end - at];
        file.get(at, bytes);
        for (int component : components) {
            bytes[component - 2] &= (byte) ~(HAS_INSTRUCTIONS >> 8);
        }
        return new Outline(bytes, components.stream().mapToInt(Integer::intValue).toArray());
    }

    /**
     * A font with some glyphs, in this order; their component glyphs follow. Glyph 0 must be the first.
     *
     * @param wanted numbers in this font, each once
     */
    byte[] subset(List<Integer> wanted) {
        List<Integer> glyphs = new ArrayList<>(wanted);
        Map<Integer, Integer> numbers = new HashMap<>(2 * glyphs.size());
        for (int i = 0; i < glyphs.size(); i++) {
            numbers.put(glyphs.get(i), i);
        }
        PdfBuffer outline = new PdfBuffer(128 * glyphs.size());
        List<Integer> places = new ArrayList<>(glyphs.size() + 1);
        for (int i = 0; i < glyphs.size(); i++) {
            places.add(outline.length());
            Outline one = outline(glyphs.get(i));
            int start = outline.length();
            outline.bytes(one.bytes);
            for (int component : one.components) {
                int glyph = (one.bytes[component] & 0xff) << 8 | one.bytes[component + 1] & 0xff;
                int number = glyph >= count ? 0 : numbers.computeIfAbsent(glyph, unknown -> {
                    glyphs.add(unknown);
                    return glyphs.size() - 1;
                });
                outline.array()[start + component] = (byte) (number >> 8);
                outline.array()[start + component + 1] = (byte) number;
            }
            while (outline.length() % 4 != 0) {
                outline.one(0);
            }
        }
        places.add(outline.length());
        return file(glyphs, outline, places);
    }

    private byte[] file(List<Integer> glyphs, PdfBuffer outline, List<Integer> places) {
        boolean wide = outline.length() > 2 * 0xffff;
        ByteBuffer loca = ByteBuffer.allocate((wide ? 4 : 2) * places.size());
        places.forEach(place -> {
            if (wide) {
                loca.putInt(place);
            } else {
                loca.putShort((short) (place / 2));
            }
        });
        ByteBuffer hmtx = ByteBuffer.allocate(4 * glyphs.size());
        glyphs.forEach(glyph -> hmtx.putShort((short) advance(glyph)).putShort((short) bearing(glyph)));
        ByteBuffer head = table("head").putInt(8, 0).putShort(50, (short) (wide ? 1 : 0));
        ByteBuffer hhea = table("hhea").putShort(34, (short) glyphs.size());
        // No instructions, so no functions, stack, storage or points for them.
        ByteBuffer maxp = table("maxp").putShort(4, (short) glyphs.size());
        for (int field = 14; field <= 26 && field + 2 <= maxp.capacity(); field += 2) {
            maxp.putShort(field, (short) (field == 14 ? 1 : 0));
        }
        String[] tags = {"glyf", "head", "hhea", "hmtx", "loca", "maxp"};
        byte[][] contents = {outline.toBytes(), head.array(), hhea.array(), hmtx.array(), loca.array(), maxp.array()};
        return assembled(tags, contents);
    }

    private ByteBuffer table(String tag) {
        byte[] bytes = new byte[lengths.get(tag)];
        file.get(tables.get(tag), bytes);
        return ByteBuffer.wrap(bytes);
    }

    private static byte[] assembled(String[] tags, byte[][] contents) {
        int size = 12 + 16 * tags.length;
        for (byte[] content : contents) {
            size += content.length + 3 & ~3;
        }
        ByteBuffer out = ByteBuffer.allocate(size);
        // Four is the largest power of two among six tables; the rest of the head follows from it.
        out.putInt(0x00010000).putShort((short) tags.length).putShort((short) 64).putShort((short) 2).putShort((short) (16 * tags.length - 64));
        int place = 12 + 16 * tags.length;
        for (int i = 0; i < tags.length; i++) {
            out.put(tags[i].getBytes(StandardCharsets.US_ASCII)).putInt(sum(contents[i])).putInt(place).putInt(contents[i].length);
            place += contents[i].length + 3 & ~3;
        }
        for (byte[] content : contents) {
            out.put(content).position(out.position() + 3 & ~3);
        }
        return out.array();
    }

    private static int sum(byte[] content) {
        int sum = 0;
        int at = 0;
        for (; at + 4 <= content.length; at += 4) {
            sum += (content[at] & 0xff) << 24 | (content[at + 1] & 0xff) << 16 | (content[at + 2] & 0xff) << 8 | content[at + 3] & 0xff;
        }
        for (int shift = 24; at < content.length; at++, shift -= 8) {
            sum += (content[at] & 0xff) << shift;
        }
        return sum;
    }
}
