package io.arbitration.platform.paper;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.fontbox.ttf.HeaderTable;
import org.apache.fontbox.ttf.TrueTypeFont;
import org.apache.pdfbox.cos.COSArray;
import org.apache.pdfbox.cos.COSDictionary;
import org.apache.pdfbox.cos.COSInteger;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.cos.COSString;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.common.PDStream;

/**
 * What one document uses of a typeface. A code in the document is a glyph together with the text that it stands for, so
 * that every shaped glyph extracts as what was written: PDFBox's own embedding knows only glyphs that characters map to.
 */
final class EmbeddedFont {

    private static final int CMAP_BLOCK = 100;
    private static final int SYMBOLIC = 4;

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
        return codes.computeIfAbsent(new Glyph(glyph, text), key -> {
            glyphs.add(key);
            return glyphs.size() - 1;
        });
    }

    /** The font dictionary (ISO 32000-1, section 9.7): a composite font whose codes are the numbers given out here. */
    COSDictionary dictionary(PDDocument document) throws IOException {
        TreeSet<Integer> used = new TreeSet<>();
        glyphs.forEach(glyph -> used.add(glyph.number));
        Typeface.Subset subset = typeface.subset(used);
        String fontName = "%sA+%s".formatted(tag(), typeface.table().getName());
        COSDictionary descendant = dictionary("Font", "CIDFontType2", fontName);
        descendant.setItem(COSName.CIDSYSTEMINFO, identity());
        descendant.setItem(COSName.FONT_DESC, descriptor(document, subset, fontName));
        descendant.setItem(COSName.W, widths());
        descendant.setItem(COSName.CID_TO_GID_MAP, stream(document, numbers(subset)));
        COSDictionary font = dictionary("Font", "Type0", fontName);
        font.setItem(COSName.ENCODING, COSName.IDENTITY_H);
        font.setItem(COSName.DESCENDANT_FONTS, new COSArray(List.of(descendant)));
        font.setItem(COSName.TO_UNICODE, stream(document, texts().getBytes(StandardCharsets.US_ASCII)));
        return font;
    }

    /** A subset is marked by six capitals (section 9.6.4); different for each font of a document. */
    private String tag() {
        return "ACP" + (char) ('A' + name.charAt(name.length() - 1) % 26) + (char) ('A' + name.length() % 26);
    }

    private static COSDictionary dictionary(String type, String subtype, String baseFont) {
        COSDictionary dictionary = new COSDictionary();
        dictionary.setName(COSName.TYPE, type);
        dictionary.setName(COSName.SUBTYPE, subtype);
        dictionary.setName(COSName.BASE_FONT, baseFont);
        return dictionary;
    }

    private static COSDictionary identity() {
        COSDictionary info = new COSDictionary();
        info.setItem(COSName.REGISTRY, new COSString("Adobe"));
        info.setItem(COSName.ORDERING, new COSString("Identity"));
        info.setInt(COSName.SUPPLEMENT, 0);
        return info;
    }

    private COSDictionary descriptor(PDDocument document, Typeface.Subset subset, String fontName) throws IOException {
        TrueTypeFont table = typeface.table();
        HeaderTable head = table.getHeader();
        float scale = Typeface.UNITS / table.getUnitsPerEm();
        COSDictionary descriptor = new COSDictionary();
        descriptor.setItem(COSName.TYPE, COSName.FONT_DESC);
        descriptor.setName(COSName.FONT_NAME, fontName);
        descriptor.setInt(COSName.FLAGS, SYMBOLIC);
        COSArray box = new COSArray();
        for (short edge : new short[] {head.getXMin(), head.getYMin(), head.getXMax(), head.getYMax()}) {
            box.add(COSInteger.get(Math.round(edge * scale)));
        }
        descriptor.setItem(COSName.FONT_BBOX, box);
        descriptor.setInt(COSName.ITALIC_ANGLE, 0);
        descriptor.setInt(COSName.ASCENT, Math.round(table.getHorizontalHeader().getAscender() * scale));
        descriptor.setInt(COSName.DESCENT, Math.round(table.getHorizontalHeader().getDescender() * scale));
        descriptor.setInt(COSName.CAP_HEIGHT, 700);
        descriptor.setInt(COSName.STEM_V, 80);
        PDStream file = stream(document, subset.file());
        file.getCOSObject().setInt(COSName.LENGTH1, subset.file().length);
        descriptor.setItem(COSName.FONT_FILE2, file);
        return descriptor;
    }

    private COSArray widths() {
        COSArray widths = new COSArray();
        glyphs.forEach(glyph -> widths.add(COSInteger.get(typeface.width(glyph.number))));
        COSArray all = new COSArray();
        all.add(COSInteger.ZERO);
        all.add(widths);
        return all;
    }

    private byte[] numbers(Typeface.Subset subset) {
        ByteBuffer map = ByteBuffer.allocate(2 * glyphs.size());
        glyphs.forEach(glyph -> map.putShort(subset.numbers().get(glyph.number).shortValue()));
        return map.array();
    }

    private String texts() {
        StringBuilder map = new StringBuilder("""
                /CIDInit /ProcSet findresource begin
                12 dict begin
                begincmap
                /CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
                /CMapName /Adobe-Identity-UCS def
                /CMapType 2 def
                1 begincodespacerange
                <0000> <FFFF>
                endcodespacerange
                """);
        List<String> lines = new ArrayList<>();
        for (int code = 1; code < glyphs.size(); code++) {
            String text = glyphs.get(code).text;
            if (!text.isEmpty()) {
                lines.add("<%04X> <%s>\n".formatted(code,
                        HexFormat.of().withUpperCase().formatHex(text.getBytes(StandardCharsets.UTF_16BE))));
            }
        }
        for (int from = 0; from < lines.size(); from += CMAP_BLOCK) {
            List<String> block = lines.subList(from, Math.min(lines.size(), from + CMAP_BLOCK));
            map.append(block.size()).append(" beginbfchar\n");
            block.forEach(map::append);
            map.append("endbfchar\n");
        }
        return map.append("endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n").toString();
    }

    private static PDStream stream(PDDocument document, byte[] bytes) throws IOException {
        return new PDStream(document, new ByteArrayInputStream(bytes), COSName.FLATE_DECODE);
    }
}
