package io.arbitration.platform.paper;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one document uses of a typeface. A code in the document is a glyph together with the text that it stands for, so
 * that every shaped glyph extracts as what was written: PDFBox's own embedding knows only glyphs that characters map to.
 */
final class EmbeddedFont {

    private static final int CMAP_BLOCK = 100;
    /** Codes have two bytes. */
    private static final int CODES_MAX = 0xffff;
    private static final String TEXTS_HEAD = """
            /CIDInit /ProcSet findresource begin
            12 dict begin
            begincmap
            /CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
            /CMapName /Adobe-Identity-UCS def
            /CMapType 2 def
            1 begincodespacerange
            <0000> <FFFF>
            endcodespacerange
            """;
    private static final String TEXTS_FOOT = "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n";

    private record Glyph(int number, String text) {}

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
     * Writes the font (ISO 32000-1, section 9.7): a composite font whose codes are the numbers given out here.
     *
     * @return the number of the font dictionary
     */
    int write(PdfFile file) {
        Map<Integer, Integer> numbers = new LinkedHashMap<>();
        glyphs.forEach(glyph -> numbers.putIfAbsent(glyph.number, numbers.size()));
        boolean eachOnce = numbers.size() == glyphs.size();
        byte[] subset = typeface.subset(List.copyOf(numbers.keySet()));
        int font = file.reserve();
        int descendant = file.reserve();
        int descriptor = file.reserve();
        int program = file.reserve();
        int texts = file.reserve();
        int places = eachOnce ? 0 : file.reserve();
        String fontName = "ACP%s+%s".formatted(tag(), typeface.name().replaceAll("[^A-Za-z0-9+-]", ""));
        file.begin(font).text("<</Type/Font/Subtype/Type0/BaseFont/").text(fontName).text("/Encoding/Identity-H/DescendantFonts[")
                .whole(descendant).text(" 0 R]/ToUnicode ").whole(texts).text(" 0 R>>");
        file.end();
        Ink out = file.begin(descendant).text("<</Type/Font/Subtype/CIDFontType2/BaseFont/").text(fontName)
                .text("/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/FontDescriptor ").whole(descriptor).text(" 0 R/CIDToGIDMap");
        (eachOnce ? out.text("/Identity") : out.text(" ").whole(places).text(" 0 R")).text("/W[0[");
        for (int i = 0; i < glyphs.size(); i++) {
            (i == 0 ? out : out.text(" ")).whole(typeface.width(glyphs.get(i).number));
        }
        out.text("]]>>");
        file.end();
        describe(file.begin(descriptor), fontName, program);
        file.end();
        file.stream(program, "/Length1 " + subset.length, subset);
        file.stream(texts, "", texts());
        if (!eachOnce) {
            ByteBuffer map = ByteBuffer.allocate(2 * glyphs.size());
            glyphs.forEach(glyph -> map.putShort(numbers.get(glyph.number).shortValue()));
            file.stream(places, "", map.array());
        }
        return font;
    }

    /** A subset is marked by six capitals (section 9.6.4); different for each font of a document. */
    private String tag() {
        int number = Integer.parseInt(name.replaceAll("[^0-9]", ""));
        return "" + (char) ('A' + number / 676 % 26) + (char) ('A' + number / 26 % 26) + (char) ('A' + number % 26);
    }

    private void describe(Ink out, String fontName, int program) {
        Typeface.Extent extent = typeface.extent();
        // Symbolic: the codes are none of a standard encoding.
        out.text("<</Type/FontDescriptor/FontName/").text(fontName).text("/Flags 4/FontBBox[").whole(extent.left()).text(" ").whole(extent.bottom())
                .text(" ").whole(extent.right()).text(" ").whole(extent.top()).text("]/ItalicAngle 0/Ascent ").whole(extent.ascent())
                .text("/Descent ").whole(extent.descent()).text("/CapHeight 700/StemV 80/FontFile2 ").whole(program).text(" 0 R>>");
    }

    private Ink texts() {
        Ink map = new Ink(512 + 20 * glyphs.size()).text(TEXTS_HEAD);
        List<Integer> withText = new ArrayList<>(glyphs.size());
        for (int code = 1; code < glyphs.size(); code++) {
            if (!glyphs.get(code).text.isEmpty()) {
                withText.add(code);
            }
        }
        for (int from = 0; from < withText.size(); from += CMAP_BLOCK) {
            List<Integer> block = withText.subList(from, Math.min(withText.size(), from + CMAP_BLOCK));
            map.whole(block.size()).text(" beginbfchar\n");
            for (int code : block) {
                map.text("<").hex4(code).text("> ").hexString(glyphs.get(code).text.getBytes(StandardCharsets.UTF_16BE)).text("\n");
            }
            map.text("endbfchar\n");
        }
        return map.text(TEXTS_FOOT);
    }
}
