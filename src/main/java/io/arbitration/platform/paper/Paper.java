package io.arbitration.platform.paper;

import java.awt.font.GlyphVector;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.GregorianCalendar;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.apache.pdfbox.cos.COSDictionary;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.pdfwriter.compress.CompressParameters;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDDocumentInformation;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDResources;
import org.apache.pdfbox.pdmodel.common.PDRectangle;
import org.apache.pdfbox.pdmodel.common.PDStream;
import org.apache.pdfbox.pdmodel.interactive.viewerpreferences.PDViewerPreferences;

/**
 * A PDF that is written from top to bottom on A4 pages; what does not fit goes on to the next page. Lengths are points. The
 * same calls make the same bytes on machines with the same fonts. Of one thread; CPU-bound, so for {@link PaperWorkers}.
 */
public final class Paper {

    public static final float MARGIN = 56;
    private static final PDRectangle SHEET = PDRectangle.A4;
    /** Width between the margins. */
    public static final float WIDTH = SHEET.getWidth() - 2 * MARGIN;
    private static final float TOP = SHEET.getHeight() - MARGIN;
    /** Below stands the foot. */
    private static final float BOTTOM = MARGIN + 24;
    private static final Look FOOT = new Look(7.5f, false, 0.35f);
    private static final float LEADING = 1.42f;
    /** Fonts have no bold of their own for every script: outlines this thick, by font size, make one of any. */
    private static final float BOLD_OUTLINE = 0.032f;

    private final Typesetter typesetter = new Typesetter(Typefaces.ofMachine());
    private final Map<Typeface, EmbeddedFont> fonts = new LinkedHashMap<>();
    private final List<StringBuilder> pages = new ArrayList<>();
    private float y;

    public Paper() {
        turn();
    }

    /**
     * How text looks.
     *
     * @param gray 0 is black, 1 is white
     */
    public record Look(float size, boolean bold, float gray) {}

    private StringBuilder page() {
        return pages.getLast();
    }

    private void turn() {
        pages.add(new StringBuilder());
        y = TOP;
    }

    /** Leaves room; none at the top of a page. */
    public Paper space(float height) {
        if (y < TOP) {
            y -= height;
        }
        return this;
    }

    /** Goes on to the next page unless so much room is left. */
    public Paper keep(float height) {
        if (y - height < BOTTOM) {
            turn();
        }
        return this;
    }

    /** Text over the whole width. */
    public Paper text(String text, Look look) {
        return text(text, look, 0, WIDTH);
    }

    /** Text in a column, by its distance from the left margin and its width. */
    public Paper text(String text, Look look, float left, float width) {
        for (Typesetter.Line line : typesetter.lines(text, width * Typeface.UNITS / look.size)) {
            keep(look.size * LEADING);
            y -= look.size * LEADING;
            draw(page(), line, look, left, width, y + look.size * (LEADING - 1) * 0.8f);
        }
        return this;
    }

    /** A row of cells, each in a column of that width, with a thin line below it; it may go on to the next page. */
    public Paper row(Look look, float[] widths, String... cells) {
        List<List<Typesetter.Line>> columns = new ArrayList<>();
        int lines = 1;
        for (int i = 0; i < cells.length; i++) {
            columns.add(typesetter.lines(cells[i], (widths[i] - 8) * Typeface.UNITS / look.size));
            lines = Math.max(lines, columns.getLast().size());
        }
        for (int line = 0; line < lines; line++) {
            keep(look.size * LEADING + 4);
            y -= look.size * LEADING;
            float left = 0;
            for (int i = 0; i < cells.length; i++) {
                if (line < columns.get(i).size()) {
                    draw(page(), columns.get(i).get(line), look, left, widths[i] - 8, y + look.size * (LEADING - 1) * 0.8f);
                }
                left += widths[i];
            }
        }
        y -= 3;
        rule(0.82f);
        y -= 3;
        return this;
    }

    /** A horizontal line. */
    public Paper rule(float gray) {
        page().append(String.format(Locale.ROOT, "%.2f G 0.5 w %.2f %.2f m %.2f %.2f l S\n", gray, MARGIN, y, MARGIN + WIDTH, y));
        return this;
    }

    /** A sentence in a filled box, white on dark, that nobody overlooks. */
    public Paper banner(String sentence) {
        Look look = new Look(10.5f, true, 1);
        List<Typesetter.Line> lines = typesetter.lines(sentence, (WIDTH - 20) * Typeface.UNITS / look.size);
        float height = lines.size() * look.size * LEADING + 10;
        keep(height);
        page().append(String.format(Locale.ROOT, "0.62 0.10 0.10 rg %.2f %.2f %.2f %.2f re f\n", MARGIN, y - height, WIDTH, height));
        float baseline = y - 5;
        for (Typesetter.Line line : lines) {
            baseline -= look.size * LEADING;
            draw(page(), line, look, 10, WIDTH - 20, baseline + 4);
        }
        y -= height;
        return this;
    }

    private void draw(StringBuilder out, Typesetter.Line line, Look look, float left, float width, float baseline) {
        float x = MARGIN + left + (line.rightToLeft() ? Math.max(0, width - line.width() * look.size / Typeface.UNITS) : 0);
        for (Typesetter.Run run : line.runs()) {
            x += drawRun(out, run, look, x, baseline);
        }
    }

    /** Glyphs where the layout put them; answers how far the next run stands to the right. */
    private float drawRun(StringBuilder out, Typesetter.Run run, Look look, float x, float baseline) {
        EmbeddedFont font = fonts.computeIfAbsent(run.typeface(), face -> new EmbeddedFont(face, "F" + (fonts.size() + 1)));
        char[] text = run.text().toCharArray();
        GlyphVector glyphs = run.typeface().shape(text, run.rightToLeft());
        String[] texts = texts(glyphs, text, run);
        out.append(String.format(Locale.ROOT, "BT /%s %.2f Tf %.2f g ", font.name(), look.size, look.gray));
        if (look.bold) {
            out.append(String.format(Locale.ROOT, "2 Tr %.3f w %.2f G ", look.size * BOLD_OUTLINE, look.gray));
        } else {
            out.append("0 Tr ");
        }
        out.append(String.format(Locale.ROOT, "1 0 0 1 %.2f %.2f Tm [", x, baseline));
        float pen = 0;
        int rise = 0;
        for (int i = 0; i < glyphs.getNumGlyphs(); i++) {
            int glyph = glyphs.getGlyphCode(i);
            if (glyph < 0 || glyph >= run.typeface().glyphs()) {
                continue;
            }
            int up = (int) Math.round(-glyphs.getGlyphPosition(i).getY());
            if (up != rise) {
                out.append(String.format(Locale.ROOT, "] TJ %.2f Ts [", up * look.size / Typeface.UNITS));
                rise = up;
            }
            int shift = Math.round(pen - (float) glyphs.getGlyphPosition(i).getX());
            if (shift != 0) {
                out.append(shift);
            }
            pen = pen - shift + run.typeface().width(glyph);
            out.append(String.format(Locale.ROOT, "<%04X>", font.code(glyph, texts[i])));
        }
        out.append(rise == 0 ? "] TJ ET\n" : "] TJ 0 Ts ET\n");
        return (float) glyphs.getGlyphPosition(glyphs.getNumGlyphs()).getX() * look.size / Typeface.UNITS;
    }

    /**
     * What each glyph stands for. The characters of a cluster are dealt to its glyphs in the order of reading. A mark above or
     * below gets none beside its base, and when there are fewer characters than glyphs, the narrowest get none: readers take a
     * wide glyph without text, or text aside of its line, for a gap between words.
     */
    private static String[] texts(GlyphVector glyphs, char[] text, Typesetter.Run run) {
        Typeface typeface = run.typeface();
        String[] texts = new String[glyphs.getNumGlyphs()];
        Arrays.fill(texts, "");
        TreeMap<Integer, List<Integer>> clusters = new TreeMap<>();
        for (int i = 0; i < texts.length; i++) {
            clusters.computeIfAbsent(Math.clamp(glyphs.getGlyphCharIndex(i), 0, text.length - 1), start -> new ArrayList<>()).add(i);
        }
        // A mark that is a cluster of its own belongs to the one before.
        for (int start : List.copyOf(clusters.descendingKeySet())) {
            Integer before = clusters.lowerKey(start);
            if (before != null && clusters.get(start).stream().allMatch(glyph -> advance(glyphs, typeface, glyph) <= 0)) {
                clusters.get(before).addAll(clusters.remove(start));
            }
        }
        clusters.forEach((start, ofCluster) -> {
            Integer next = clusters.higherKey(start);
            int[] characters = new String(text, start, (next == null ? text.length : next) - start).codePoints().toArray();
            boolean hasBase = ofCluster.stream().anyMatch(glyph -> advance(glyphs, typeface, glyph) > 0);
            List<Integer> bearers = ofCluster.stream()
                    .filter(glyph -> !hasBase || advance(glyphs, typeface, glyph) > 0)
                    .sorted(Comparator.comparingInt(glyph -> -advance(glyphs, typeface, glyph)))
                    .limit(characters.length)
                    .sorted(run.rightToLeft() ? Comparator.reverseOrder() : Comparator.naturalOrder())
                    .toList();
            for (int i = 0; i < bearers.size(); i++) {
                int count = i == bearers.size() - 1 ? characters.length - i : 1;
                texts[bearers.get(i)] = new String(characters, i, count);
            }
        });
        return texts;
    }

    /** By the font: between positions there may be a shift that the layout gave a mark. */
    private static int advance(GlyphVector glyphs, Typeface typeface, int glyph) {
        int code = glyphs.getGlyphCode(glyph);
        return code < 0 || code >= typeface.glyphs() ? 0 : typeface.width(code);
    }

    /**
     * The finished file. A last line tells of characters that no font here has.
     *
     * @param foot from the number of a page and the number of pages to what stands at its foot
     */
    public byte[] bytes(String title, Instant date, BiFunction<Integer, Integer, String> foot) {
        if (!typesetter.missing().isEmpty()) {
            space(12).text("This server has no font for %d of the characters above (%s); they are shown as boxes.".formatted(
                    typesetter.missing().size(), named(typesetter.missing())), new Look(8, false, 0.2f));
        }
        for (int i = 0; i < pages.size(); i++) {
            float baseline = MARGIN;
            for (Typesetter.Line line : typesetter.lines(foot.apply(i + 1, pages.size()), WIDTH * Typeface.UNITS / FOOT.size)) {
                draw(pages.get(i), line, FOOT, 0, WIDTH, baseline);
                baseline -= FOOT.size * LEADING;
            }
        }
        try (PDDocument document = new PDDocument(); ByteArrayOutputStream out = new ByteArrayOutputStream()) {
            assemble(document, title, date);
            // Object streams would save little beside the fonts, and PDFBox writes a wrong count of objects with them.
            document.save(out, CompressParameters.NO_COMPRESSION);
            return out.toByteArray();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static String named(java.util.Set<Integer> codePoints) {
        String names = codePoints.stream().limit(8).map("U+%04X"::formatted).collect(java.util.stream.Collectors.joining(", "));
        return codePoints.size() > 8 ? names + ", …" : names;
    }

    private void assemble(PDDocument document, String title, Instant date) throws IOException {
        COSDictionary embedded = new COSDictionary();
        for (EmbeddedFont font : fonts.values()) {
            embedded.setItem(COSName.getPDFName(font.name()), font.dictionary(document));
        }
        PDResources resources = new PDResources();
        resources.getCOSObject().setItem(COSName.FONT, embedded);
        for (StringBuilder content : pages) {
            PDPage page = new PDPage(SHEET);
            page.setResources(resources);
            page.setContents(new PDStream(document, new ByteArrayInputStream(
                    content.toString().getBytes(java.nio.charset.StandardCharsets.US_ASCII)), COSName.FLATE_DECODE));
            document.addPage(page);
        }
        PDDocumentInformation information = document.getDocumentInformation();
        information.setTitle(title);
        information.setProducer("Arbitration Case Platform");
        information.setCreationDate(GregorianCalendar.from(date.atZone(ZoneOffset.UTC)));
        PDViewerPreferences preferences = new PDViewerPreferences(new COSDictionary());
        preferences.setDisplayDocTitle(true);
        document.getDocumentCatalog().setViewerPreferences(preferences);
        // The identifier of the file is otherwise drawn from the time.
        document.setDocumentId(date.toEpochMilli());
    }
}
