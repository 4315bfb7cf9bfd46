package io.arbitration.platform.paper;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A font in a file (ISO 32000-1, section 9.7): a composite font with codes of our own, each for a glyph together with the text
 * that it stands for.
 *
 * @param tag six capitals that mark a subset (section 9.6.4), different for each font of a document
 * @param subset the glyphs, as a TrueType file
 */
record FontProgram(Typeface typeface, String tag, byte[] subset) {

    private static final int CMAP_BLOCK = 100;
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

    /** The numbers of the objects of a font. */
    private record Numbers(int font, int descendant, int descriptor, int program, int texts) {
        static Numbers of(PdfFile file) {
            return new Numbers(file.reserve(), file.reserve(), file.reserve(), file.reserve(), file.reserve());
        }
    }

    /**
     * @param glyphs by code, their numbers in the typeface
     * @param texts by code
     * @param places by code, the number in the subset, two bytes each; null if it equals the code
     * @return the number of the font dictionary
     */
    int write(PdfFile file, int[] glyphs, List<String> texts, byte[] places) {
        Numbers numbers = Numbers.of(file);
        int map = places == null ? 0 : file.reserve();
        dictionaries(file, numbers, widths(glyphs), map);
        file.stream(numbers.program, "/Length1 " + subset.length, subset);
        file.stream(numbers.texts, "", texts(texts));
        if (places != null) {
            file.stream(map, "", places);
        }
        return numbers.font;
    }

    /** A font whose parts were prepared in advance. */
    record Ready(FontProgram program, PdfBuffer widths, byte[] packedSubset, byte[] packedTexts) {

        int write(PdfFile file) {
            Numbers numbers = Numbers.of(file);
            program.dictionaries(file, numbers, widths, 0);
            file.packedStream(numbers.program, "/Length1 " + program.subset.length, packedSubset);
            file.packedStream(numbers.texts, "", packedTexts);
            return numbers.font;
        }
    }

    /** Codes are the numbers in the subset. */
    Ready ready(int[] glyphs, List<String> texts) {
        return new Ready(this, widths(glyphs), PdfFile.packed(subset), PdfFile.packed(texts(texts).toBytes()));
    }

    private void dictionaries(PdfFile file, Numbers numbers, PdfBuffer widths, int map) {
        String name = "%s+%s".formatted(tag, typeface.plainName());
        file.begin(numbers.font).text("<</Type/Font/Subtype/Type0/BaseFont/").text(name).text("/Encoding/Identity-H/DescendantFonts[")
                .whole(numbers.descendant).text(" 0 R]/ToUnicode ").whole(numbers.texts).text(" 0 R>>");
        file.end();
        PdfBuffer out = file.begin(numbers.descendant).text("<</Type/Font/Subtype/CIDFontType2/BaseFont/").text(name)
                .text("/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/FontDescriptor ").whole(numbers.descriptor).text(" 0 R/CIDToGIDMap");
        (map == 0 ? out.text("/Identity") : out.text(" ").whole(map).text(" 0 R")).text("/W[0[").append(widths).text("]]>>");
        file.end();
        Typeface.Extent extent = typeface.extent();
        // Symbolic: the codes are none of a standard encoding.
        file.begin(numbers.descriptor).text("<</Type/FontDescriptor/FontName/").text(name).text("/Flags 4/FontBBox[").whole(extent.left()).text(" ")
                .whole(extent.bottom()).text(" ").whole(extent.right()).text(" ").whole(extent.top()).text("]/ItalicAngle 0/Ascent ").whole(extent.ascent())
                .text("/Descent ").whole(extent.descent()).text("/CapHeight 700/StemV 80/FontFile2 ").whole(numbers.program).text(" 0 R>>");
        file.end();
    }

    private PdfBuffer widths(int[] glyphs) {
        PdfBuffer out = new PdfBuffer(4 * glyphs.length);
        for (int i = 0; i < glyphs.length; i++) {
            (i == 0 ? out : out.text(" ")).whole(typeface.width(glyphs[i]));
        }
        return out;
    }

    private static PdfBuffer texts(List<String> texts) {
        PdfBuffer map = new PdfBuffer(512 + 20 * texts.size()).text(TEXTS_HEAD);
        List<Integer> withText = new ArrayList<>(texts.size());
        for (int code = 1; code < texts.size(); code++) {
            if (!texts.get(code).isEmpty()) {
                withText.add(code);
            }
        }
        for (int from = 0; from < withText.size(); from += CMAP_BLOCK) {
            List<Integer> block = withText.subList(from, Math.min(withText.size(), from + CMAP_BLOCK));
            map.whole(block.size()).text(" beginbfchar\n");
            for (int code : block) {
                map.text("<").hex4(code).text("> ").hexString(texts.get(code).getBytes(StandardCharsets.UTF_16BE)).text("\n");
            }
            map.text("endbfchar\n");
        }
        return map.text(TEXTS_FOOT);
    }
}
