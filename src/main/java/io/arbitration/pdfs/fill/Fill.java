package io.arbitration.pdfs.fill;

import io.arbitration.domain.hash.Sha256;
import io.arbitration.pdfs.template.CompiledTemplate;
import io.arbitration.pdfs.template.FormField;
import io.arbitration.pdfs.template.Widget;
import io.arbitration.platform.paper.DocumentFonts;
import io.arbitration.platform.paper.PdfBuffer;
import io.arbitration.platform.paper.PdfFile;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One form being filled: the template's bytes, then a content stream for each page, the fonts that the values need, and pages for
 * values that are too long for their fields. The same values give the same bytes. To be used by one thread; it only takes
 * processor time.
 */
public final class Fill {

    private static final double UNITS = 1000;
    /** Text is not shrunk below this size to fit, unless the template has a smaller size. */
    private static final double SIZE_FLOOR = 6;
    private static final double SIZE_AUTO_MAX = 12;
    private static final double SIZE_STEP = 0.5;
    /** Height of capitals, by font size: what is centred in a single-line field. */
    private static final double CAPITALS = 0.714;
    private static final double ASCENT = 0.93;
    private static final double LEADING = 1.2;
    /** For scripts with higher and lower glyphs than Latin. */
    private static final double LEADING_TALL = 1.5;
    private static final double ASCENT_TALL = 1.1;
    private static final int LINE_MAX = 1000;
    private static final int BYTES_MORE = 24_576;

    private final CompiledTemplate template;
    private final PdfFile file;
    private final DocumentFonts fonts;
    private final PdfBuffer[] pages;
    private final ContinuationPages continuation;

    private Fill(CompiledTemplate template) {
        this.template = template;
        this.file = new PdfFile(template.beginning(), BYTES_MORE);
        this.fonts = new DocumentFonts(template.prefix() + "F");
        this.pages = new PdfBuffer[template.sheets().size()];
        Arrays.setAll(pages, page -> new PdfBuffer(1024));
        this.continuation = new ContinuationPages(fonts, template.sheets().getFirst());
    }

    /**
     * @param values as {@link FieldValues} checked them
     * @return the PDF
     */
    public static byte[] fill(CompiledTemplate template, Map<String, String> values) {
        Fill fill = new Fill(template);
        template.fields().forEach((name, field) -> fill.draw(field, values.getOrDefault(name, "")));
        return fill.finish(values);
    }

    private void draw(FormField field, String value) {
        switch (field) {
            case FormField.Toggle toggle -> toggle(toggle, value);
            case FormField.Choice choice -> text(choice, choice.widgets(), value, value.indexOf('\n') >= 0);
            case FormField.Text text when text.comb() -> comb(text, value);
            case FormField.Text text -> text(text, text.widgets(), value, text.multiLine());
        }
    }

    private void toggle(FormField.Toggle field, String state) {
        for (FormField.Button button : field.buttons()) {
            if (button.page() >= 0) {
                byte[] drawing = !state.isEmpty() && state.equals(button.on()) ? button.drawnOn() : button.drawnOff();
                if (drawing.length > 0) {
                    PdfBuffer out = pages[button.page()];
                    begin(out, button.mark());
                    out.bytes(drawing);
                    end(out, button.mark());
                }
            }
        }
    }

    private static void begin(PdfBuffer out, int mark) {
        if (mark >= 0) {
            out.text("/Form<</MCID ").whole(mark).text(">>BDC\n");
        }
    }

    private static void end(PdfBuffer out, int mark) {
        if (mark >= 0) {
            out.text("EMC\n");
        }
    }

    private void text(FormField field, List<Widget> widgets, String value, boolean multiLine) {
        if (value.isBlank()) {
            return;
        }
        DocumentFonts.Measured measured = fonts.measured(value);
        int reference = 0;
        for (Widget widget : widgets) {
            reference = in(widget, multiLine ? lines(widget, measured, value, field, reference) : line(widget, measured, value, field, reference));
        }
    }

    /** Draws in a widget; answers the number of the continuation that it needed, or 0. */
    private interface Drawing {
        int draw(PdfBuffer out, double x, double y);
    }

    private int in(Widget widget, Drawing drawing) {
        PdfBuffer out = pages[widget.page()];
        double[] to = widget.toPage();
        boolean upright = to[0] == 1 && to[3] == 1;
        begin(out, widget.mark());
        out.text(upright ? "" : "q ").text(widget.style().colour());
        if (!upright) {
            for (double number : to) {
                out.number(number, 3);
            }
            out.text("cm ");
        }
        int reference = drawing.draw(out, upright ? to[4] : 0, upright ? to[5] : 0);
        if (!upright) {
            out.text("Q\n");
        }
        end(out, widget.mark());
        return reference;
    }

    private static double available(Widget widget) {
        return Math.max(1, widget.width() - 2 * widget.inset());
    }

    private static double floor(double size) {
        return Math.floor(size * 100) / 100;
    }

    private Drawing line(Widget widget, DocumentFonts.Measured measured, String value, FormField field, int reference) {
        double wanted = widget.style().size() > 0 ? widget.style().size() : Math.clamp(widget.height() * 0.66, 4, SIZE_AUTO_MAX);
        double least = Math.min(wanted, SIZE_FLOOR);
        double fitting = floor(Math.min(wanted, available(widget) * UNITS / measured.width()));
        if (fitting >= least) {
            return (out, x, y) -> {
                put(out, widget, measured.lines(Float.MAX_VALUE).getFirst(), fitting, x, y + (widget.height() - CAPITALS * fitting) / 2);
                return reference;
            };
        }
        int number = reference > 0 ? reference : continuation.add(field.label(), measured);
        return (out, x, y) -> {
            cut(out, widget, value, number, least, x, y + (widget.height() - CAPITALS * least) / 2);
            return number;
        };
    }

    /** Draws as much of the text as fits, and the number of its continuation. */
    private void cut(PdfBuffer out, Widget widget, String text, int number, double size, double x, double baseline) {
        DocumentFonts.Line pointer = fonts.lines("… [%d]".formatted(number), Float.MAX_VALUE).getFirst();
        double pointerWidth = pointer.width() * size / UNITS;
        double left = available(widget) - pointerWidth;
        // No line has more characters than this.
        String next = text.substring(0, Math.min(text.length(), LINE_MAX));
        List<DocumentFonts.Line> lines = left > 2 * size ? fonts.measured(next).lines((float) (left * UNITS / size), 1) : List.of();
        double start = x + widget.inset();
        if (!lines.isEmpty() && !lines.getFirst().isBlank()) {
            DocumentFonts.Line first = lines.getFirst();
            if (first.rightToLeft()) {
                fonts.draw(out, pointer, size, widget.style().bold(), start, baseline);
                start += pointerWidth + Math.max(0, left - first.width() * size / UNITS);
                fonts.draw(out, first, size, widget.style().bold(), start, baseline);
                return;
            }
            fonts.draw(out, first, size, widget.style().bold(), start, baseline);
            start += first.width() * size / UNITS;
        }
        fonts.draw(out, pointer, size, widget.style().bold(), start, baseline);
    }

    private Drawing lines(Widget widget, DocumentFonts.Measured measured, String value, FormField field, int reference) {
        boolean low = measured.low();
        double leading = low ? LEADING : LEADING_TALL;
        double wanted = widget.style().size() > 0 ? widget.style().size() : SIZE_AUTO_MAX;
        double least = Math.min(wanted, SIZE_FLOOR);
        double size = largest(widget, measured, wanted, least, leading);
        double ascent = low ? ASCENT : ASCENT_TALL;
        if (size > 0) {
            return (out, x, y) -> {
                double baseline = y + widget.height() - widget.inset() - ascent * size;
                for (DocumentFonts.Line line : measured.lines((float) (available(widget) * UNITS / size))) {
                    put(out, widget, line, size, x, baseline);
                    baseline -= leading * size;
                }
                return reference;
            };
        }
        int number = reference > 0 ? reference : continuation.add(field.label(), measured);
        return (out, x, y) -> {
            beginning(out, widget, measured, value, number, least, leading, x, y + widget.height() - widget.inset() - ascent * least);
            return number;
        };
    }

    private void beginning(
            PdfBuffer out, Widget widget, DocumentFonts.Measured measured, String value, int number, double size, double leading, double x, double top) {
        int rows = Math.max(1, rows(widget, size, leading));
        double baseline = top;
        int at = 0;
        for (DocumentFonts.Line line : measured.lines((float) (available(widget) * UNITS / size), rows - 1)) {
            put(out, widget, line, size, x, baseline);
            baseline -= leading * size;
            at = line.end();
        }
        cut(out, widget, value.substring(Math.min(at, value.length())), number, size, x, baseline);
    }

    private static int rows(Widget widget, double size, double leading) {
        return (int) Math.floor((widget.height() - 2 * widget.inset() + 0.3 * size) / (leading * size));
    }

    /** The largest size, in steps, at which all lines fit; 0 if even the smallest is too large. */
    private static double largest(Widget widget, DocumentFonts.Measured measured, double wanted, double least, double leading) {
        int steps = (int) Math.ceil((wanted - least) / SIZE_STEP);
        int fits = steps + 1;
        int from = 0;
        // Sizes decrease by the step; a binary search finds the first one that fits.
        while (from < fits) {
            int middle = (from + fits) / 2;
            if (middle <= steps && !fits(widget, measured, Math.max(least, wanted - middle * SIZE_STEP), leading)) {
                from = middle + 1;
            } else {
                fits = middle;
            }
        }
        return from > steps ? 0 : Math.max(least, wanted - from * SIZE_STEP);
    }

    private static boolean fits(Widget widget, DocumentFonts.Measured measured, double size, double leading) {
        int rows = rows(widget, size, leading);
        return rows > 0 && measured.count((float) (available(widget) * UNITS / size), rows + 1) <= rows;
    }

    private void put(PdfBuffer out, Widget widget, DocumentFonts.Line line, double size, double x, double baseline) {
        double free = available(widget) - line.width() * size / UNITS;
        double shift = switch (widget.style().alignment()) {
            case 1 -> free / 2;
            case 2 -> free;
            default -> line.rightToLeft() ? free : 0;
        };
        fonts.draw(out, line, size, widget.style().bold(), x + widget.inset() + shift, baseline);
    }

    /** One character, with its marks, in the middle of each cell. */
    private void comb(FormField.Text field, String value) {
        if (value.isBlank()) {
            return;
        }
        BreakIterator characters = BreakIterator.getCharacterInstance(Locale.ROOT);
        characters.setText(value);
        List<DocumentFonts.Measured> cells = new ArrayList<>();
        for (int start = 0, end = characters.next(); end != BreakIterator.DONE; start = end, end = characters.next()) {
            cells.add(fonts.measured(value.substring(start, end)));
        }
        boolean rightToLeft = fonts.lines(value, Float.MAX_VALUE).getFirst().rightToLeft();
        for (Widget widget : field.widgets()) {
            double size = widget.style().size() > 0 ? widget.style().size() : Math.clamp(widget.height() * 0.66, 4, SIZE_AUTO_MAX);
            double cell = widget.width() / field.maxLength().orElseThrow();
            in(widget, (out, x, y) -> {
                for (int i = 0; i < cells.size(); i++) {
                    DocumentFonts.Measured one = cells.get(i);
                    if (one.width() > 0) {
                        double left = rightToLeft ? widget.width() - (i + 1) * cell : i * cell;
                        double fitting = Math.min(size, floor(cell * UNITS / one.width()));
                        fonts.draw(out, one.lines(Float.MAX_VALUE).getFirst(), fitting, widget.style().bold(),
                                x + left + (cell - one.width() * fitting / UNITS) / 2, y + (widget.height() - CAPITALS * fitting) / 2);
                    }
                }
                return 0;
            });
        }
    }

    private byte[] finish(Map<String, String> values) {
        int fontsOfContinuation = continuation.isEmpty() ? 0 : file.reserve();
        List<Integer> more = continuation.write(file, template.tree(), fontsOfContinuation);
        for (int i = 0; i < pages.length; i++) {
            file.stream(template.sheets().get(i).content(), "", pages[i]);
        }
        PdfBuffer names = new PdfBuffer(64);
        for (DocumentFonts.WrittenFont font : fonts.write(file)) {
            names.text("/").text(font.name()).text(" ").whole(font.number()).text(" 0 R");
        }
        for (CompiledTemplate.Sheet sheet : template.sheets()) {
            file.begin(sheet.fonts()).text("<<").bytes(sheet.ownFonts()).append(names).text(">>");
            file.end();
        }
        if (fontsOfContinuation > 0) {
            file.begin(fontsOfContinuation).text("<<").append(names).text(">>");
            file.end();
        }
        PdfBuffer tree = file.begin(template.tree()).text("<</Type/Pages/Count ").whole(pages.length + more.size()).text("/Kids[");
        template.sheets().forEach(sheet -> tree.whole(sheet.page()).text(" 0 R "));
        more.forEach(page -> tree.whole(page).text(" 0 R "));
        tree.text("]>>");
        file.end();
        return file.finish(template.root(), template.information(), Arrays.copyOf(template.hash(), 16), version(values));
    }

    /** The same values in the same template are the same version of the file. */
    private byte[] version(Map<String, String> values) {
        MessageDigest digest = Sha256.digest();
        digest.update(template.hash());
        values.forEach((name, value) -> digest.update((name + "\0" + value + "\0").getBytes(StandardCharsets.UTF_8)));
        return Arrays.copyOf(digest.digest(), 16);
    }
}
