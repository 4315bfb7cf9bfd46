package io.arbitration.platform.paper;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;

/**
 * A PDF that is written from top to bottom on A4 pages and continues on the next page when one is full. Lengths are in points.
 * The same calls give the same bytes on machines with the same fonts. To be used by one thread; CPU-bound, so run it with {@link
 * PaperWorkers}.
 */
public final class Paper {

    public static final float MARGIN = 56;
    /** A4, exactly as PDFBox defines it; using PDFBox's class would load it at each start. */
    private static final float POINTS_PER_MILLIMETRE = 1 / (10 * 2.54f) * 72;
    private static final float SHEET_WIDTH = 210 * POINTS_PER_MILLIMETRE;
    private static final float SHEET_HEIGHT = 297 * POINTS_PER_MILLIMETRE;
    /** Width between the margins. */
    public static final float WIDTH = SHEET_WIDTH - 2 * MARGIN;
    private static final float TOP = SHEET_HEIGHT - MARGIN;
    /** The footer is below this. */
    private static final float BOTTOM = MARGIN + 24;
    private static final Look FOOT = new Look(7.5f, false, 0.35f);
    private static final float LEADING = 1.42f;
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("'D:'yyyyMMddHHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final DocumentFonts fonts = new DocumentFonts("F");
    private final List<PdfBuffer> pages = new ArrayList<>();
    private final List<Picture> pictures = new ArrayList<>();
    private float y;

    public Paper() {
        nextPage();
    }

    /**
     * How text looks.
     *
     * @param gray 0 is black, 1 is white
     */
    public record Look(float size, boolean bold, float gray) {}

    private PdfBuffer page() {
        return pages.getLast();
    }

    private void nextPage() {
        pages.add(new PdfBuffer(4096));
        y = TOP;
    }

    /** Leaves empty space; none at the top of a page. */
    public Paper space(float height) {
        if (y < TOP) {
            y -= height;
        }
        return this;
    }

    /** Begins the next page unless at least this height is left. */
    public Paper keep(float height) {
        if (y - height < BOTTOM) {
            nextPage();
        }
        return this;
    }

    /** Text over the whole width. */
    public Paper text(String text, Look look) {
        return text(text, look, 0, WIDTH);
    }

    /** Text in a column, by its distance from the left margin and its width. */
    public Paper text(String text, Look look, float left, float width) {
        for (DocumentFonts.Line line : fonts.lines(text, width * Typeface.UNITS / look.size)) {
            keep(look.size * LEADING);
            y -= look.size * LEADING;
            draw(page(), line, look, left, width, y + look.size * (LEADING - 1) * 0.8f);
        }
        return this;
    }

    /** A row of cells, each in a column of that width, with a thin line below it; it may continue on the next page. */
    public Paper row(Look look, float[] widths, String... cells) {
        List<List<DocumentFonts.Line>> columns = new ArrayList<>();
        int lines = 1;
        for (int i = 0; i < cells.length; i++) {
            columns.add(fonts.lines(cells[i], (widths[i] - 8) * Typeface.UNITS / look.size));
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
        page().number(gray, 2).text("G 0.5 w ").number(MARGIN, 2).number(y, 2).text("m ").number(MARGIN + WIDTH, 2).number(y, 2).text("l S\n");
        return this;
    }

    /** A sentence in a filled box, white on dark. */
    public Paper banner(String sentence) {
        Look look = new Look(10.5f, true, 1);
        List<DocumentFonts.Line> lines = fonts.lines(sentence, (WIDTH - 20) * Typeface.UNITS / look.size);
        float height = lines.size() * look.size * LEADING + 10;
        keep(height);
        page().text("0.62 0.1 0.1 rg ").number(MARGIN, 2).number(y - height, 2).number(WIDTH, 2).number(height, 2).text("re f\n");
        float baseline = y - 5;
        for (DocumentFonts.Line line : lines) {
            baseline -= look.size * LEADING;
            draw(page(), line, look, 10, WIDTH - 20, baseline + 4);
        }
        y -= height;
        return this;
    }

    /** A picture as large as possible without enlarging it, a pixel at most 3/4 point wide; in a thin frame on request. */
    public Paper picture(Picture picture, float widthMax, float heightMax, boolean framed) {
        float scale = Math.min(0.75f, Math.min(widthMax / picture.width(), heightMax / picture.height()));
        float width = picture.width() * scale;
        float height = picture.height() * scale;
        keep(height);
        y -= height;
        page().text("q ").number(width, 3).text("0 0 ").number(height, 3).number(MARGIN, 2).number(y, 2).text("cm /P").whole(pictures.size())
                .text(" Do Q\n");
        if (framed) {
            page().text("0.82 G 0.5 w ").number(MARGIN, 2).number(y, 2).number(width, 2).number(height, 2).text("re S\n");
        }
        pictures.add(picture);
        return this;
    }

    /** The height of a page that is available for {@link #keep}. */
    public static float height() {
        return TOP - BOTTOM;
    }

    private void draw(PdfBuffer out, DocumentFonts.Line line, Look look, float left, float width, float baseline) {
        float x = MARGIN + left + (line.rightToLeft() ? Math.max(0, width - line.width() * look.size / Typeface.UNITS) : 0);
        out.number(look.gray, 2).text("g ");
        if (look.bold) {
            out.number(look.gray, 2).text("G ");
        }
        fonts.draw(out, line, look.size, look.bold, x, baseline);
    }

    /**
     * The finished file. If characters are missing in all fonts, a last line says so.
     *
     * @param foot the text of the footer, from the page number and the number of pages
     */
    public byte[] bytes(String title, Instant date, BiFunction<Integer, Integer, String> foot) {
        if (!fonts.missing().isEmpty()) {
            space(12).text("This server has no font for %d of the characters above (%s); they are shown as boxes.".formatted(
                    fonts.missing().size(), named(fonts.missing())), new Look(8, false, 0.2f));
        }
        for (int i = 0; i < pages.size(); i++) {
            float baseline = MARGIN;
            for (DocumentFonts.Line line : fonts.lines(foot.apply(i + 1, pages.size()), WIDTH * Typeface.UNITS / FOOT.size)) {
                draw(pages.get(i), line, FOOT, 0, WIDTH, baseline);
                baseline -= FOOT.size * LEADING;
            }
        }
        return assembled(title, date);
    }

    private static String named(java.util.Set<Integer> codePoints) {
        String names = codePoints.stream().limit(8).map("U+%04X"::formatted).collect(java.util.stream.Collectors.joining(", "));
        return codePoints.size() > 8 ? names + ", …" : names;
    }

    private byte[] assembled(String title, Instant date) {
        PdfFile file = new PdfFile();
        int catalog = file.reserve();
        int information = file.reserve();
        int tree = file.reserve();
        int resources = file.reserve();
        int[] sheets = pages.stream().mapToInt(page -> file.reserve()).toArray();
        file.begin(catalog).text("<</Type/Catalog/Pages ").whole(tree).text(" 0 R/ViewerPreferences<</DisplayDocTitle true>>>>");
        file.end();
        file.begin(information).text("<</Title").hexString(PdfFile.textString(title)).text("/Producer(Arbitration Case Platform)/CreationDate(")
                .text(DATE.format(date)).text(")>>");
        file.end();
        PdfBuffer kids = file.begin(tree).text("<</Type/Pages/Count ").whole(sheets.length).text("/Kids[");
        for (int sheet : sheets) {
            kids.whole(sheet).text(" 0 R ");
        }
        kids.text("]/MediaBox[0 0 ").number(SHEET_WIDTH, 3).number(SHEET_HEIGHT, 3).text("]/Resources ").whole(resources).text(" 0 R>>");
        file.end();
        for (int i = 0; i < sheets.length; i++) {
            int content = file.reserve();
            file.begin(sheets[i]).text("<</Type/Page/Parent ").whole(tree).text(" 0 R/Contents ").whole(content).text(" 0 R>>");
            file.end();
            file.stream(content, "", pages.get(i));
        }
        int[] drawn = pictures.stream().mapToInt(picture -> file.reserve()).toArray();
        for (int i = 0; i < drawn.length; i++) {
            pictures.get(i).write(file, drawn[i]);
        }
        List<DocumentFonts.WrittenFont> written = fonts.write(file);
        PdfBuffer named = file.begin(resources).text("<</Font<<");
        written.forEach(font -> named.text("/").text(font.name()).text(" ").whole(font.number()).text(" 0 R"));
        named.text(">>");
        if (!pictures.isEmpty()) {
            named.text("/XObject<<");
            for (int i = 0; i < pictures.size(); i++) {
                named.text("/P").whole(i).text(" ").whole(drawn[i]).text(" 0 R");
            }
            named.text(">>");
        }
        named.text(">>");
        file.end();
        // Otherwise the file's identifier would be derived from the time.
        byte[] id = ByteBuffer.allocate(16).putLong(date.toEpochMilli()).putLong(title.hashCode()).array();
        return file.finish(catalog, information, id, id);
    }
}
