package io.arbitration.platform.paper;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The part of a typeface that one document uses. A code in the document is a glyph together with the text that it stands for, so
 * that the original text can be extracted for every shaped glyph. PDFBox's own embedding supports only glyphs that characters map
 * to.
 */
final class EmbeddedFont {

    /** Codes have two bytes. */
    private static final int CODES_MAX = 0xffff;

    private record Glyph(int number, String text) {
        @Override
        public int hashCode() {
            // Glyph numbers and characters increase together, so the hash of a record would put them all into few buckets.
            return number * 0x9e3779b1 ^ text.hashCode();
        }
    }

    private final Typeface typeface;
    private final String name;
    private final Map<Glyph, Integer> codes = new HashMap<>();
    private final List<Glyph> glyphs = new ArrayList<>(List.of(new Glyph(0, "")));

    /** @param name of the font in the resources of the document, e.g. {@code F1} */
    EmbeddedFont(Typeface typeface, String name) {
        this.typeface = typeface;
        this.name = name;
    }

    String name() {
        return name;
    }

    int code(int glyph, String text) {
        Glyph key = new Glyph(glyph, text);
        Integer known = codes.get(key);
        if (known != null) {
            return known;
        }
        if (glyphs.size() > CODES_MAX) {
            throw new IllegalStateException("a document with more than %d different glyphs of one font".formatted(CODES_MAX));
        }
        glyphs.add(key);
        codes.put(key, glyphs.size() - 1);
        return glyphs.size() - 1;
    }

    /**
     * Writes the font (ISO 32000-1, section 9.7): a composite font whose codes are the numbers assigned here.
     *
     * @return the number of the font dictionary
     */
    int write(PdfFile file) {
        Map<Integer, Integer> numbers = new LinkedHashMap<>();
        glyphs.forEach(glyph -> numbers.putIfAbsent(glyph.number, numbers.size()));
        boolean eachOnce = numbers.size() == glyphs.size();
        FontProgram program = new FontProgram(typeface, "ACP" + tag(), typeface.subset(List.copyOf(numbers.keySet())));
        ByteBuffer places = ByteBuffer.allocate(2 * glyphs.size());
        glyphs.forEach(glyph -> places.putShort(numbers.get(glyph.number).shortValue()));
        return program.write(file, glyphs.stream().mapToInt(Glyph::number).toArray(), glyphs.stream().map(Glyph::text).toList(), eachOnce ? null : places.array());
    }

    /** A subset is marked by six capitals (section 9.6.4); different for each font of a document. */
    private String tag() {
        int number = Integer.parseInt(name.replaceAll("[^0-9]", ""));
        return "" + (char) ('A' + number / 676 % 26) + (char) ('A' + number / 26 % 26) + (char) ('A' + number % 26);
    }
}
